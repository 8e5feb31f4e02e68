package io.github.mcpclient.internal.tool;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.sun.management.ThreadMXBean;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.tool.CatalogChange.ToolChanges;
import io.github.mcpclient.testsupport.CapturedLog;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CatalogChange}.
 */
@ExtendWith(OutputCaptureExtension.class)
class CatalogChangeTests extends TestTools {

	private static final List<String> SERVERS = IntStream.range(0, 12).mapToObj((i) -> "s" + i).toList();

	private static final List<String> TOOLS = List.of("a", "b", "c", "s1_a", "p_b", "a b", "a-b", "a.b");

	private final Random random = new Random(42);

	private final CapturedLog log = new CapturedLog(CatalogLog.class);

	/**
	 * Whatever servers come, go and list, the catalog is that of all of them in their
	 * order, as is what it tells of each change.
	 */
	@Test
	void manyChangesComeToWhatTheServersList() {
		this.log.open();
		CatalogFixture servers = new CatalogFixture(filter("!*c"));
		Set<String> order = new LinkedHashSet<>();
		Map<String, McpServerDefinition> heads = new HashMap<>();
		for (int i = 0; i < 5_000; i++) {
			CatalogState before = servers.catalog.state();
			Map<String, ToolEntry> entriesBefore = new HashMap<>(before.entries());
			List<McpTool> toolsBefore = List.copyOf(before.tools().values());
			String name = SERVERS.get(this.random.nextInt(SERVERS.size()));
			boolean known = servers.connections.containsKey(name);
			int step = this.random.nextInt(12);
			String one = this.random.nextBoolean() ? name : null;
			List<McpToolsChangedEvent> changes = switch (known ? step : 1) {
				case 0 -> servers.remove(name, one);
				case 1 -> servers.put(definition(name), one);
				case 2 -> servers.redefine(definition(name), one);
				case 3 -> servers.restart();
				default -> servers.list(name, tools());
			};
			String cause = (known && step > 3) ? name : null;
			CatalogState after = servers.catalog.state();
			// those whose head is another come last, as those do that are new
			order.removeIf((server) -> !after.servers().containsKey(server)
					|| !after.servers().get(server).admission().hasPrefixOf(heads.get(server)));
			order.addAll(servers.connections.keySet());
			after.servers().forEach((server, tools) -> heads.put(server, tools.server().definition()));
			assertThat(after.servers().keySet()).as("order in round %d", i).containsExactlyElementsOf(order);
			Map<String, ToolEntry> entries = new TreeMap<>();
			Map<String, List<Exclusion>> exclusions = new HashMap<>();
			rebuild(after, entries, exclusions);
			assertThat(same(after.entries(), entries)).as("entries in round %d", i).isTrue();
			assertThat(after.listing().entries()).hasSize(entries.size());
			assertThat(names(after.listing().all())).containsExactlyElementsOf(entries.keySet());
			after.tools()
				.forEach((tool, handle) -> assertThat(handle.serverName()).isEqualTo(entries.get(tool).serverName()));
			after.servers()
				.keySet()
				.forEach((server) -> assertThat(after.exclusionsOf(server)).isEqualTo(exclusions.get(server)));
			assertThat(changes).as("changes in round %d", i).isEqualTo(changes(cause, entriesBefore, entries));
			// handles are kept, and what was read stays as it was
			assertThat(same(before.entries(), entriesBefore)).isTrue();
			assertThat(before.tools().values()).containsExactlyElementsOf(toolsBefore);
			toolsBefore.stream()
				.filter((tool) -> entries.containsKey(tool.name())
						&& entries.get(tool.name()).serverName().equals(tool.serverName()))
				.forEach((tool) -> assertThat(after.tools().get(tool.name())).isSameAs(tool));
		}
	}

	private McpServerDefinition definition(String name) {
		String prefix = List.of("p", "p", "s1", "", name, name).get(this.random.nextInt(6));
		boolean enabled = this.random.nextInt(8) > 0;
		List<String> filter = this.random.nextBoolean() ? List.of() : List.of("!*b");
		return server(name, (server) -> server.toolPrefix(prefix).toolFilter(filter).enabled(enabled));
	}

	private Tool[] tools() {
		return TOOLS.stream()
			.filter((name) -> this.random.nextBoolean())
			.map((name) -> tool(name, "version " + this.random.nextInt(2), null))
			.toArray(Tool[]::new);
	}

	private static void rebuild(CatalogState state, Map<String, ToolEntry> entries,
			Map<String, List<Exclusion>> exclusions) {
		state.servers().forEach((name, server) -> {
			List<Exclusion> all = new ArrayList<>(server.exclusions());
			server.entries().forEach((entry) -> {
				ToolEntry first = entries.putIfAbsent(entry.name(), entry);
				if (first != null) {
					all.add(new Exclusion(entry.tool().name(), entry.name(),
							"its name " + entry.name() + " is taken by tool '" + first.tool().name() + "' of server '"
									+ first.serverName() + "', which comes first",
							true));
				}
			});
			exclusions.put(name, all);
		});
	}

	private static boolean same(Map<String, ToolEntry> some, Map<String, ToolEntry> others) {
		return some.size() == others.size()
				&& some.entrySet().stream().allMatch((entry) -> others.get(entry.getKey()) == entry.getValue());
	}

	// the losses of other servers, what the cause has lost and won, and the gains of
	// others
	private static List<McpToolsChangedEvent> changes(String cause, Map<String, ToolEntry> before,
			Map<String, ToolEntry> after) {
		Map<String, ToolChanges> losses = new TreeMap<>();
		Map<String, ToolChanges> gains = new TreeMap<>();
		before.forEach((name, entry) -> {
			if (!isOf(after.get(name), entry.serverName())) {
				changes(losses, entry).removed().add(name);
			}
		});
		after.forEach((name, entry) -> {
			if (!isOf(before.get(name), entry.serverName())) {
				changes(gains, entry).added().add(name);
			}
			else if (!before.get(name).tool().equals(entry.tool())) {
				changes(gains, entry).changed().add(name);
			}
		});
		List<ToolChanges> own = new ArrayList<>();
		if (cause != null && (losses.containsKey(cause) || gains.containsKey(cause))) {
			ToolChanges none = new ToolChanges(cause, Set.of(), Set.of(), Set.of());
			ToolChanges lost = losses.containsKey(cause) ? losses.remove(cause) : none;
			ToolChanges won = gains.containsKey(cause) ? gains.remove(cause) : none;
			own.add(new ToolChanges(cause, won.added(), lost.removed(), won.changed()));
		}
		return Stream.of(losses.values(), own, gains.values())
			.flatMap(Collection::stream)
			.map((one) -> new McpToolsChangedEvent(one.serverName(), one.added(), one.removed(), one.changed()))
			.toList();
	}

	private static boolean isOf(ToolEntry entry, String server) {
		return entry != null && entry.serverName().equals(server);
	}

	private static ToolChanges changes(Map<String, ToolChanges> changes, ToolEntry entry) {
		return changes.computeIfAbsent(entry.serverName(),
				(server) -> new ToolChanges(server, new HashSet<>(), new HashSet<>(), new HashSet<>()));
	}

	@Test
	void whoDoesNotGetANameIsToldWhoHasIt(CapturedOutput output) {
		CatalogFixture servers = CatalogFixture.of(server("s0", "p"), server("s1", "p"), server("s2", "p"));
		servers.list("s2", "x");
		servers.list("s1", "x");
		servers.list("s0", "x");
		servers.list("s0", tool("x", "does more", null));
		String text = "Tools of MCP server '%s' are excluded: 'x' (its name p_x is taken by tool 'x' of server '%s'";
		assertThat(output).containsOnlyOnce(text.formatted("s2", "s1"))
			.containsOnlyOnce(text.formatted("s1", "s0"))
			.containsOnlyOnce(text.formatted("s2", "s0"));
		servers.list("s0", "y");
		assertThat(output.getOut().split(Pattern.quote(text.formatted("s2", "s1")))).hasSize(3);
	}

	@Test
	void theChangeOfOneServerCostsWhatItsToolsCost() {
		assertThat(bytesOfAChange(3_000)).isLessThan(3 * bytesOfAChange(100));
	}

	private static long bytesOfAChange(int number) {
		CatalogFixture servers = new CatalogFixture(filter("!unknown"),
				IntStream.range(0, number).mapToObj((i) -> server("s" + i)).toArray(McpServerDefinition[]::new));
		Tool[] tools = Stream.of("a", "b", "c", "d", "e", "f", "g").map(TestTools::tool).toArray(Tool[]::new);
		IntStream.range(0, number).forEach((i) -> servers.list("s" + i, tools));
		Tool[] others = Stream.of("a", "b", "c", "d", "e", "f", "h").map(TestTools::tool).toArray(Tool[]::new);
		ThreadMXBean thread = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		servers.list("s50", others);
		long before = thread.getCurrentThreadAllocatedBytes();
		for (int i = 0; i < 10; i++) {
			servers.list("s" + (50 + i % 2), (i % 4 < 2) ? tools : others);
		}
		return thread.getCurrentThreadAllocatedBytes() - before;
	}

}
