package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

/**
 * Tests for {@link ToolCatalog}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ToolCatalogTests extends TestTools {

	// for tests that have much to warn of
	private final CapturedLog log = new CapturedLog(CatalogLog.class);

	@Test
	void anUnknownNameIsThatOfTheServerWithTheLongestHead() {
		CatalogFixture fixture = CatalogFixture.of("a", "a_b", "c");
		fixture.list("a", "x");
		fixture.connections.get("a_b").ready = false;
		fixture.connections.get("c").ready = false;
		fixture.status("a_b", McpServerState.UNAVAILABLE, "Connection refused.");
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> fixture.catalog.get("a_b_x"))
			.withMessage("MCP server 'a_b' (server) is UNAVAILABLE: Connection refused.");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> fixture.catalog.get("a_y"))
			.withMessage("No MCP tool 'a_y'. Did you mean a_x?");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> fixture.catalog.get("somewhere"))
			.withMessage("No MCP tool 'somewhere'. It may be a tool of a server that is not ready: a_b, c.");
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> fixture.catalog.get("a_b_" + "_".repeat(1_000_000)))
			.satisfies((ex) -> assertThat(ex.getServerName()).isEqualTo("a_b"));
	}

	@Test
	void namesOfTheServerWithTheHeadAreSuggestedFirst() {
		CatalogFixture fixture = CatalogFixture.of("one", "onf");
		fixture.list("one", "create_issue");
		fixture.list("onf", "creat_issues");
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> fixture.catalog.get("one_creat_issues"))
			.satisfies((ex) -> assertThat(ex.getSimilarNames()).containsExactly("one_create_issue"));
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> fixture.catalog.get("onx_creat_issues"))
			.satisfies(
					(ex) -> assertThat(ex.getSimilarNames()).containsExactly("onf_creat_issues", "one_create_issue"));
	}

	@Test
	@DisplayName("Of many tools, those are suggested that begin or end alike, or are called alike")
	void toolsThatBeginOrEndAlikeOrAreCalledAlikeAreSuggested() {
		String[] servers = IntStream.range(0, 200).mapToObj((i) -> "server" + i).toArray(String[]::new);
		CatalogFixture fixture = CatalogFixture.of(servers);
		for (String server : servers) {
			fixture.list(server, "read_" + server, "write_" + server);
		}
		assertThat(nearest(fixture, "read_server77")).containsExactly("server77_read_server77");
		assertThat(nearest(fixture, "read_server1777")).startsWith("server177_read_server177");
		assertThat(nearest(fixture, "server199_red_server199")).startsWith("server199_read_server199");
		assertThat(nearest(fixture, "sever8_read_server8")).first().isEqualTo("server8_read_server8");
		assertThat(nearest(fixture, "zzz")).isEmpty();
	}

	private static List<String> nearest(CatalogFixture fixture, String name) {
		return catchThrowableOfType(NoSuchMcpToolException.class, () -> fixture.catalog.get(name)).getSimilarNames();
	}

	@Test
	void namedSelectionsAreLiveAndNarrow() {
		CatalogFixture fixture = new CatalogFixture(new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null,
				TestToolSettings.NONE, Map.of("writer", List.of("*_w*"), "librarian", List.of("a_*", "!a_write*")),
				TestToolSettings.NO_CUSTOMIZERS), server("a"));
		McpToolCatalog librarian = fixture.catalog.selection("librarian");
		assertThat(librarian.all()).isEmpty();
		fixture.list("a", "read", "write", "wipe");
		assertThat(names(librarian)).containsExactly("a_read", "a_wipe");
		assertThat(names(librarian.selection("writer"))).containsExactly("a_wipe");
		assertThat(names(librarian.select("*read"))).containsExactly("a_read");
		assertThatIllegalArgumentException().isThrownBy(() -> librarian.selection("nobody"))
			.withMessage("No selection 'nobody' of MCP tools. Configured: librarian, writer.");
		assertThatIllegalArgumentException().isThrownBy(() -> CatalogFixture.of("a").catalog.selection("x"))
			.withMessage("No selection 'x' of MCP tools. None is configured under mcp.selections.");
	}

	@Test
	void manyServersThatAreNotReadyAreNotAllNamed() {
		CatalogFixture fixture = CatalogFixture
			.of(IntStream.range(0, 25).mapToObj((i) -> "s" + i).toArray(String[]::new));
		fixture.connections.values().forEach((connection) -> connection.ready = false);
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> fixture.catalog.get("x"))
			.withMessageEndingWith(": s0, s1, s2, s3, s4, s5, s6, s7, s8, s9 and 15 more.");
	}

	@Test
	void toolsAreSortedByPrefixedName() {
		CatalogFixture servers = CatalogFixture.of("b", "a");
		servers.list("b", "y", "x");
		servers.list("a", "z");
		assertThat(servers.names()).containsExactly("a_z", "b_x", "b_y");
		assertThat(servers.catalog.get("b_x").originalName()).isEqualTo("x");
		assertThat(servers.toolsOf("b")).extracting(McpTool::name).containsExactly("b_x", "b_y");
	}

	@Test
	void prefixReplacesTheNameOfTheServer() {
		CatalogFixture servers = CatalogFixture.of(server("first", "p"), server("second", ""),
				server("third", (String) null));
		servers.list("first", "x");
		servers.list("second", "y");
		servers.list("third", "z");
		assertThat(servers.names()).containsExactly("p_x", "third_z", "y");
	}

	@Test
	void sharedNameGoesToTheServerConfiguredFirst(CapturedOutput output) {
		CatalogFixture servers = CatalogFixture.of(server("z", "p"), server("a", "p"));
		servers.list("a", "x", "only-a");
		servers.list("z", "x");
		assertThat(servers.routes()).containsExactly(Map.entry("p_only-a", "a/only-a"), Map.entry("p_x", "z/x"));
		assertThat(servers.reason("a", "x"))
			.isEqualTo("its name p_x is taken by tool 'x' of server 'z', which comes first");
		servers.list("z", "x");
		servers.list("a", "x", "only-a");
		assertThat(output).containsOnlyOnce(
				"Tools of MCP server 'a' are excluded: 'x' (its name p_x is taken by tool 'x' of server 'z'");
	}

	@Test
	void sharedNameIsTheSameOverReconnectsInAnyOrder() {
		this.log.open();
		Random random = new Random(42);
		CatalogFixture servers = CatalogFixture.of(server("one", "p"), server("two", "p"), server("three", "p"));
		Map<String, List<Tool>> tools = Map.of("one", List.of(tool("a"), tool("b"), tool("x y"), tool("x.y")), "two",
				List.of(tool("b"), tool("c"), tool("x-y")), "three", List.of(tool("c"), tool("d"), tool("a")));
		Map<String, String> expected = Map.of("p_a", "one/a", "p_b", "one/b", "p_x-y_3f46ab7b", "one/x y",
				"p_x-y_3b74b49c", "one/x.y", "p_x-y", "two/x-y", "p_c", "two/c", "p_d", "three/d");
		tools.forEach((server, list) -> servers.list(server, list.toArray(Tool[]::new)));
		assertThat(servers.routes()).containsExactlyInAnyOrderEntriesOf(expected);
		for (int i = 0; i < 50; i++) {
			List<String> order = new ArrayList<>(tools.keySet());
			Collections.sort(order);
			Collections.shuffle(order, random);
			if (random.nextInt(5) == 0) {
				// a restart of the registry
				servers.restart();
			}
			for (String server : order) {
				List<Tool> list = new ArrayList<>(tools.get(server));
				Collections.shuffle(list, random);
				if (random.nextBoolean()) {
					// gone and back
					servers.list(server, new Tool[0]);
				}
				servers.list(server, list.toArray(Tool[]::new));
			}
			assertThat(servers.routes()).as("round %d", i).containsExactlyInAnyOrderEntriesOf(expected);
			assertThat(servers.excluded("one")).isEmpty();
			assertThat(servers.excluded("two")).containsExactly("b");
			assertThat(servers.excluded("three")).containsExactlyInAnyOrder("a", "c");
		}
	}

	@Test
	void namesThatMeetCarryTheirHashes() {
		CatalogFixture servers = CatalogFixture.of("s");
		servers.list("s", "a.b", "a/b");
		Map<String, String> two = servers.routes();
		assertThat(two).hasSize(2).containsValues("s/a.b", "s/a/b");
		assertThat(two.keySet()).allMatch((name) -> name.matches("s_a-b_[0-9a-f]{8}"));
		servers.list("s", "a b", "a/b", "a-b", "a.b");
		assertThat(servers.excluded("s")).isEmpty();
		assertThat(servers.routes()).hasSize(4).containsAllEntriesOf(two).containsEntry("s_a-b", "s/a-b");
		// where none is left that it meets, a name is the plain one
		servers.list("s", "a.b");
		assertThat(servers.routes()).containsExactly(Map.entry("s_a-b", "s/a.b"));
		servers.list("s", "a.b", "a/b");
		assertThat(servers.routes()).isEqualTo(two);
	}

	@Test
	void namesThatMeetDoNotDependOnWhatIsLeftOut() {
		CatalogFixture all = CatalogFixture.of("s");
		CatalogFixture some = CatalogFixture.of(server("s", null, "!a/b"));
		all.list("s", "a.b", "a/b");
		some.list("s", "a.b", "a/b");
		assertThat(some.names()).hasSize(1);
		assertThat(all.names()).containsAll(some.names());
	}

	@Test
	void aNameThatIsTheHashedOneOfAnotherStays() {
		CatalogFixture servers = CatalogFixture.of("s");
		servers.list("s", "a.b", "a/b");
		String hashed = servers.catalog.all().get(0).name().substring(2);
		servers.list("s", "a.b", "a/b", hashed);
		assertThat(servers.routes()).hasSize(2).containsEntry("s_" + hashed, "s/" + hashed);
		assertThat(servers.excludedToolsOf("s")).singleElement()
			.extracting(ExcludedTool::reason)
			.asString()
			.contains("is taken by the server's tool '" + hashed + "'");
	}

	@Test
	void aServerDoesNotTakeTheToolsOfOneWithALongerName() {
		CatalogFixture servers = CatalogFixture.of("a", "a_b", "a_b_c");
		servers.list("a", "b_x", "b_c_x", "c", "bx");
		Map<String, String> first = servers.routes();
		assertThat(first).containsValues("a/b_x", "a/b_c_x").containsEntry("a_c", "a/c").containsEntry("a_bx", "a/bx");
		assertThat(first.keySet()).noneMatch((name) -> name.startsWith("a_b_"))
			.anyMatch((name) -> name.matches("a_b-x_[0-9a-f]{8}"))
			.anyMatch((name) -> name.matches("a_b-c_x_[0-9a-f]{8}"));
		servers.list("a_b", "x", "c_x", "c");
		servers.list("a_b_c", "x");
		McpTool held = servers.catalog.get("a_b_x");
		servers.list("a", "b_x", "b_c_x", "c", "bx", "b_c");
		assertThat(servers.catalog.get("a_b_x")).isSameAs(held);
		assertThat(held.serverName()).isEqualTo("a_b");
		assertThat(servers.routes()).containsAllEntriesOf(first)
			.containsEntry("a_b_x", "a_b/x")
			.containsEntry("a_b_c", "a_b/c")
			.containsEntry("a_b_c_x", "a_b_c/x");
		assertThat(servers.excluded("a")).isEmpty();
		assertThat(servers.excluded("a_b")).isEmpty();
		assertThat(names(servers.catalog.select("a_b_*")))
			.allSatisfy((name) -> assertThat(servers.catalog.get(name).serverName()).startsWith("a_b"));
	}

	@Test
	void noHashedOrShortenedNameCanBeTakenEither() {
		CatalogFixture servers = CatalogFixture.of("a", "a_b");
		servers.list("a", "b_x", "b_" + "x".repeat(100));
		Map<String, String> names = servers.routes();
		assertThat(names).hasSize(2);
		// what a server would have to call its tools so that they are called the same
		servers.list("a_b", names.keySet().stream().map((name) -> name.substring(4)).toArray(String[]::new));
		assertThat(servers.routes()).hasSize(4).containsAllEntriesOf(names);
	}

	@Test
	void aServerWithoutPrefixDoesNotTakeTheToolsOfOthers() {
		CatalogFixture servers = CatalogFixture.of(server("none", ""), server("a"), server("other", "my.p"));
		servers.list("a", "x");
		servers.list("other", "y");
		servers.list("none", "a_x", "my-p_y", "my.p_y", "x");
		assertThat(servers.routes()).containsEntry("a_x", "a/x")
			.containsEntry("my-p_y", "other/y")
			.containsEntry("x", "none/x")
			.hasSize(6);
	}

	@Test
	void whoHasANameKeepsItWhenAServerComesToWhichItWouldBelong() {
		CatalogFixture servers = CatalogFixture.of("a");
		servers.list("a", "b_x");
		McpTool held = servers.catalog.get("a_b_x");
		assertThat(servers.put(server("a_b"))).isEmpty();
		servers.list("a_b", "x", "y");
		assertThat(servers.routes()).containsExactly(Map.entry("a_b_x", "a/b_x"), Map.entry("a_b_y", "a_b/y"));
		assertThat(servers.reason("a_b", "x"))
			.isEqualTo("its name a_b_x is taken by tool 'b_x' of server 'a', which comes first");
		// which holds for that tool alone, and also after a change of it
		servers.list("a", tool("b_x", "does more", null), tool("b_y"));
		servers.restart();
		servers.list("a", tool("b_x"), tool("b_y"));
		Map<String, String> routes = servers.routes();
		assertThat(routes).hasSize(3)
			.containsValue("a/b_y")
			.containsEntry("a_b_x", "a/b_x")
			.containsEntry("a_b_y", "a_b/y");
		assertThat(servers.catalog.get("a_b_x")).isSameAs(held);
		// nor do names change when that server goes
		servers.remove("a_b");
		servers.list("a", tool("b_x"), tool("b_y"), tool("b_z"));
		assertThat(servers.routes()).hasSize(3).containsEntry("a_b_z", "a/b_z").containsValues("a/b_x", "a/b_y");
		assertThat(servers.names()).doesNotContain("a_b_y");
	}

	@Test
	void whoTakesAnotherPrefixComesLast() {
		CatalogFixture servers = CatalogFixture.of("first", "second");
		servers.list("first", "x");
		servers.list("second", "x");
		servers.put(server("first", "second"));
		assertThat(servers.routes()).containsExactly(Map.entry("second_x", "second/x"));
		assertThat(servers.excluded("first")).containsExactly("x");
	}

	@Test
	void aHandleStaysWithItsServer() {
		CatalogFixture servers = CatalogFixture.of(server("a", "p"), server("b", "p"));
		servers.connections.get("b").calls = (call) -> Mono
			.just(CallToolResult.builder().addTextContent("of b").build());
		servers.list("b", "x");
		McpTool held = servers.catalog.get("p_x");
		Mono<McpToolResult> prepared = held.callAsync(McpToolRequest.of(Map.of()));
		servers.list("a", "x");
		assertThat(servers.catalog.get("p_x")).isNotEqualTo(held).extracting(McpTool::serverName).isEqualTo("a");
		assertThat(held.serverName()).isEqualTo("b");
		assertThat(held.available()).isFalse();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> held.call(Map.of()))
			.withMessage("No MCP tool 'p_x': its server 'b' has lost the name to a tool of server 'a'");
		StepVerifier.create(prepared).verifyError(NoSuchMcpToolException.class);
		servers.list("a", new Tool[0]);
		assertThat(servers.catalog.get("p_x")).isEqualTo(held);
		assertThat(held.call(Map.of()).text()).isEqualTo("of b");
	}

	@Test
	void catalogDoesNotDependOnTheOrderOfEvents() {
		this.log.open();
		Random random = new Random(42);
		List<String> words = List.of("a", "b", "a b", "a-b", "a.b", "read", "write", "p_a", "\u6771", "x".repeat(70));
		for (int i = 0; i < 100; i++) {
			McpServerDefinition[] definitions = new McpServerDefinition[3];
			List<List<Tool>> tools = new ArrayList<>();
			for (int s = 0; s < 3; s++) {
				String prefix = List.of("p", "q", "").get(random.nextInt(3));
				definitions[s] = random.nextBoolean() ? server("s" + s, prefix)
						: server("s" + s, prefix, "*", "!*write", "p_?");
				List<Tool> list = new ArrayList<>();
				words.forEach((word) -> {
					if (random.nextBoolean()) {
						list.add(readOnly(word, random.nextBoolean()));
					}
				});
				tools.add(list);
			}
			ToolSettings settings = TestToolSettings.of(random.nextBoolean() ? List.of() : List.of("!q_b"),
					new McpToolPolicy(McpToolAccess.values()[random.nextInt(3)], random.nextBoolean(), true), null);
			CatalogFixture first = new CatalogFixture(settings, definitions);
			CatalogFixture second = new CatalogFixture(settings, definitions);
			for (CatalogFixture servers : List.of(first, second)) {
				List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 0, 1, 2));
				Collections.shuffle(order, random);
				for (int s : order) {
					List<Tool> list = new ArrayList<>(tools.get(s));
					Collections.shuffle(list, random);
					servers.list("s" + s, list.toArray(Tool[]::new));
				}
			}
			assertThat(second.routes()).as("round %d", i).isEqualTo(first.routes());
			for (int s = 0; s < 3; s++) {
				String name = "s" + s;
				assertThat(second.excludedToolsOf(name)).as("round %d", i)
					.containsExactlyInAnyOrderElementsOf(first.excludedToolsOf(name));
				int patterns = (int) first.excludedToolsOf(name)
					.stream()
					.filter((tool) -> tool.reason().contains("offers no such tool"))
					.count();
				assertThat(first.toolsOf(name).size() + first.excluded(name).size() - patterns)
					.as("nothing is lost in round %d", i)
					.isEqualTo(tools.get(s).size());
			}
		}
	}

	@Test
	void hostileNamesCostNothingElse(CapturedOutput output) {
		CatalogFixture servers = CatalogFixture.of("s");
		servers.list("s", "good", "", " \n", "a".repeat(100_000), "../../etc", "\u0000\u001b[31m\n", "\uD800", "&x");
		assertThat(servers.names()).hasSize(5)
			.contains("s_good")
			.allSatisfy((name) -> assertThat(name).matches("[A-Za-z0-9_-]{1,64}"));
		assertThat(servers.excludedToolsOf("s")).hasSize(3)
			.allSatisfy((tool) -> assertThat(tool.originalName()).hasSizeLessThan(200));
		assertThat(output).contains("more than 256").doesNotContain("\u001b", "aaaaa".repeat(50));
	}

	@Test
	void manyToolsLeftOutAreOneLineInTheLog(CapturedOutput output) {
		CatalogFixture servers = CatalogFixture.of(server("a", "p"), server("b", "p"));
		String[] names = new String[50];
		Arrays.setAll(names, (i) -> "t" + i);
		servers.list("a", names);
		servers.list("b", names);
		assertThat(output.getOut().lines().filter((line) -> line.contains("are excluded"))).singleElement()
			.asString()
			.contains("WARN")
			.endsWith("and 40 more");
	}

	@Test
	void namingStrategyReplacesTheNames() {
		CatalogFixture servers = new CatalogFixture(naming((server, tool) -> tool.name() + "@" + server.name()),
				server("a"), server("b"));
		servers.list("a", "x");
		servers.list("b", "x");
		assertThat(servers.names()).containsExactly("x@a", "x@b");
	}

	@Test
	void namesOfAStrategyAreChecked(CapturedOutput output) {
		Map<String, String> names = new TreeMap<>(Map.of("blank", " ", "bean", "&x", "control", "a\u0007b", "same1",
				"same", "same2", "same", "long", "l".repeat(65), "good", "fine"));
		CatalogFixture servers = new CatalogFixture(naming((server, tool) -> {
			if (tool.name().equals("throws")) {
				throw new IllegalStateException("no idea\n");
			}
			if (tool.name().equals("recursive")) {
				throw new StackOverflowError();
			}
			return names.get(tool.name());
		}), server("a"));
		servers.list("a", "throws", "recursive", "null", "blank", "bean", "control", "same2", "same1", "long", "good");
		assertThat(servers.names()).containsExactly("fine", "l".repeat(65), "same");
		assertThat(servers.catalog.get("same").originalName()).isEqualTo("same1");
		assertThat(servers.reason("a", "throws"))
			.isEqualTo("the McpToolNamingStrategy failed: java.lang.IllegalStateException: no idea?");
		assertThat(servers.reason("a", "recursive")).contains("failed");
		assertThat(servers.reason("a", "null")).isEqualTo("the McpToolNamingStrategy returned no name");
		assertThat(servers.reason("a", "blank")).isEqualTo("the McpToolNamingStrategy returned no name");
		assertThat(servers.reason("a", "bean")).contains("begins with '&'");
		assertThat(servers.reason("a", "control")).contains("control characters");
		assertThat(servers.reason("a", "same2")).contains("is taken by the server's tool 'same1'");
		servers.list("a", "long", "good");
		assertThat(output).containsOnlyOnce("names that model providers reject").contains("'llll");
	}

	@Test
	void strategyIsAskedOnceForEachTool() {
		AtomicInteger asked = new AtomicInteger();
		CatalogFixture servers = new CatalogFixture(naming((server, tool) -> {
			asked.incrementAndGet();
			return tool.name();
		}), server("a"), server("b"));
		servers.list("a", "x", "y");
		servers.list("b", "z");
		servers.list("a", "x", "y", "w");
		assertThat(asked).hasValue(4);
	}

	@Test
	void aToolMustPassBothFilters() {
		CatalogFixture servers = new CatalogFixture(filter("!*_delete", "!secret"), server("a", null, "a_*", "!write"),
				server("b"));
		servers.list("a", "read", "write", "delete", "secret");
		servers.list("b", "read", "delete", "secret");
		assertThat(servers.names()).containsExactly("a_read", "b_read");
		assertThat(servers.reason("a", "write")).isEqualTo("mcp.servers.a.tools.filter denies it: !write");
		assertThat(servers.reason("a", "delete")).isEqualTo("mcp.tools.filter denies it: !*_delete");
		assertThat(servers.reason("b", "secret")).isEqualTo("mcp.tools.filter denies it: !secret");
	}

	@Test
	void globalFilterDoesNotLetInAToolThatPosesAsAnotherServers() {
		CatalogFixture servers = new CatalogFixture(filter("weather_*"), server("weather"), server("evil"));
		servers.list("weather", "now");
		servers.list("evil", "weather_now", "weather_delete");
		assertThat(servers.names()).containsExactly("weather_now");
		assertThat(servers.reason("evil", "weather_delete")).isEqualTo("mcp.tools.filter does not name it");
	}

	@Test
	void plainNameThatMatchesNothingIsReported(CapturedOutput output) {
		CatalogFixture servers = CatalogFixture.of(server("a", null, "read", "!wriet", "x*"));
		assertThat(servers.excluded("a")).isEmpty();
		servers.list("a", "read", "write");
		assertThat(servers.reason("a", "!wriet"))
			.isEqualTo("tools.filter names it, but the server offers no such tool");
		assertThat(servers.excluded("a")).containsExactly("!wriet", "write");
		servers.list("a", "read", "write", "more");
		assertThat(output).containsOnlyOnce("'!wriet' (tools.filter names it");
		servers.list("a", "read", "wriet");
		assertThat(servers.excluded("a")).containsExactly("wriet");
	}

	@Test
	void globalPlainNameIsReportedOnceAllServersAreKnown(CapturedOutput output) {
		McpServerDefinition disabled = McpServerDefinition.stdio("off", "server").enabled(false).build();
		CatalogFixture servers = new CatalogFixture(filter("!a_wriet", "!z*"), server("a"), server("b"), disabled);
		servers.list("a", "write");
		assertThat(output).doesNotContain("a_wriet");
		servers.list("b", "write");
		servers.list("b", "write", "more");
		assertThat(output).containsOnlyOnce("mcp.tools.filter names tools that no MCP server offers: !a_wriet");
	}

	@Test
	void noServerLiftsTheCeiling() {
		McpToolPolicy readOnly = new McpToolPolicy(McpToolAccess.READ_ONLY, true, true);
		CatalogFixture servers = new CatalogFixture(
				TestToolSettings.of(List.of(), new McpToolPolicy(McpToolAccess.NO_WRITE, false, true), null),
				server("a"), server("b", (b) -> b.toolPolicy(readOnly)));
		Tool harmless = tool("harmless", "", new ToolAnnotations(null, null, false, null, null, null));
		servers.list("a", readOnly("read", true), readOnly("write", false), tool("unknown"), harmless);
		servers.list("b", readOnly("read", true), readOnly("write", false), tool("unknown"), harmless);
		assertThat(servers.names()).containsExactly("a_harmless", "a_read", "b_read");
		assertThat(servers.reason("a", "write"))
			.isEqualTo("mcp.tools.access is no-write and the tool says readOnlyHint: false");
		assertThat(servers.reason("a", "unknown")).startsWith("mcp.tools.allow-destructive is false");
		assertThat(servers.reason("b", "harmless"))
			.isEqualTo("tools.access is read-only and the tool does not say readOnlyHint: true");
	}

	@Test
	void toolsOfAServerCanBeSwitchedOff() {
		CatalogFixture servers = CatalogFixture.of(server("a", (a) -> a.toolsEnabled(false)));
		assertThat(servers.list("a", "x")).isEmpty();
		assertThat(servers.names()).isEmpty();
		assertThat(servers.reason("a", "x")).isEqualTo("tools.enabled is false");
	}

	@Test
	void changedHintIsJudgedAtTheCall() {
		CatalogFixture servers = new CatalogFixture(
				TestToolSettings.of(List.of(), new McpToolPolicy(McpToolAccess.READ_ONLY, true, true), null),
				server("a"));
		AtomicInteger calls = new AtomicInteger();
		servers.connections.get("a").calls = (call) -> {
			calls.incrementAndGet();
			return Mono.just(CallToolResult.builder().addTextContent("done").build());
		};
		servers.list("a", readOnly("x", true));
		McpTool held = servers.catalog.get("a_x");
		McpToolCatalog selected = servers.catalog.select("a_*");
		Mono<McpToolResult> prepared = held.callAsync(McpToolRequest.of(Map.of()));
		assertThat(held.call(Map.of()).text()).isEqualTo("done");
		servers.list("a", readOnly("x", false));
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> held.call(Map.of()))
			.withMessage("No MCP tool 'a_x': server 'a' offers it, but it is excluded:"
					+ " mcp.tools.access is read-only and the tool does not say readOnlyHint: true");
		StepVerifier.create(prepared).verifyError(NoSuchMcpToolException.class);
		assertThat(held.available()).isFalse();
		assertThat(selected.all()).isEmpty();
		assertThat(calls).hasValue(1);
		servers.list("a", readOnly("x", true));
		assertThat(held.call(Map.of()).text()).isEqualTo("done");
	}

	@Test
	void selectionIsLive() {
		CatalogFixture servers = CatalogFixture.of("a", "b");
		McpToolCatalog selected = servers.catalog.select("a_*", "!a_write*");
		Map<String, McpTool> map = selected.asMap();
		assertThat(selected.all()).isEmpty();
		servers.list("a", "read", "write_x");
		servers.list("b", "read");
		assertThat(names(selected)).containsExactly("a_read");
		assertThat(map.keySet()).containsExactly("a_read");
		assertThat(selected.all()).isSameAs(selected.all());
		assertThat(selected.get("a_read")).isSameAs(servers.catalog.get("a_read"));
		servers.list("a", "read", "list");
		assertThat(names(selected)).containsExactly("a_list", "a_read");
		assertThat(map).containsOnlyKeys("a_list", "a_read");
		assertThat(map.get("b_read")).isNull();
		assertThat(map.containsKey("a_list")).isTrue();
		servers.list("a", new Tool[0]);
		assertThat(map).isEmpty();
	}

	@Test
	void selectionShowsItsOwnToolsOnly() {
		CatalogFixture servers = CatalogFixture.of("a", "b");
		servers.list("a", "read", "write");
		servers.list("b", "read");
		McpToolCatalog selected = servers.catalog.select("a_*").select("!write");
		assertThat(names(selected)).containsExactly("a_read");
		assertThat(selected.find("a_write")).isEmpty();
		assertThat(selected.find("b_read")).isEmpty();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> selected.get("a_write"))
			.withMessage("No MCP tool 'a_write'.");
		assertThat(names(servers.catalog.select("read"))).containsExactly("a_read", "b_read");
	}

	@Test
	void selectionOfAServersToolsCannotBeEntered() {
		CatalogFixture servers = CatalogFixture.of("weather", "evil");
		servers.list("evil", "weather_now", "now");
		assertThat(names(servers.catalog.select("weather_*"))).isEmpty();
		assertThat(names(servers.catalog.select("weather_now"))).isEmpty();
		assertThat(names(servers.catalog.select("now"))).containsExactly("evil_now");
		assertThat(names(servers.catalog.select("*", "!weather_now"))).containsExactly("evil_now");
	}

	@Test
	void selectionNeedsAPattern() {
		ToolCatalog catalog = CatalogFixture.of("a").catalog;
		assertThatIllegalArgumentException().isThrownBy(catalog::select);
		for (String pattern : List.of("", " ", "!", "! ")) {
			assertThatIllegalArgumentException().isThrownBy(() -> catalog.select("a", pattern))
				.withMessageStartingWith("The pattern '" + pattern.strip() + "' names no tool.");
		}
		assertThatIllegalArgumentException().isThrownBy(() -> catalog.select("!" + "a".repeat(257)))
			.withMessage("The pattern has 257 characters: at most 256 are allowed.");
		assertThat(catalog.select("!" + "a".repeat(256))).isNotNull();
		assertThatIllegalArgumentException().isThrownBy(() -> catalog.select("a", null));
		assertThatIllegalArgumentException().isThrownBy(() -> catalog.select((String[]) null));
	}

	@Test
	void readingASelectionIsAFirstUse() {
		AtomicInteger reads = new AtomicInteger();
		McpToolCatalog selected = new ToolCatalog(reads::incrementAndGet, TestToolSettings.DEFAULTS).select("*");
		assertThat(reads).hasValue(0);
		assertThat(selected.all()).isEmpty();
		assertThat(reads).hasValue(1);
	}

	@Test
	void entriesOfOtherServersAndOfTheSameToolsAreKept() {
		CatalogFixture servers = CatalogFixture.of("a", "b");
		servers.list("a", "x", "y");
		servers.list("b", "z");
		ToolEntry x = servers.catalog.entry("a_x");
		ToolEntry y = servers.catalog.entry("a_y");
		ToolEntry z = servers.catalog.entry("b_z");
		McpTool handle = servers.catalog.get("a_y");
		servers.list("a", tool("y", "does more", null), tool("x"));
		assertThat(servers.catalog.entry("a_x")).isSameAs(x);
		assertThat(servers.catalog.entry("b_z")).isSameAs(z);
		assertThat(servers.catalog.entry("a_y")).isNotSameAs(y);
		assertThat(servers.catalog.get("a_y")).isSameAs(handle);
		assertThat(handle.description()).isEqualTo("does more");
	}

	@Test
	void aListIsBuiltOnceForEachChange() {
		CatalogFixture servers = CatalogFixture.of("a");
		servers.list("a", "x");
		assertThat(servers.catalog.all()).isSameAs(servers.catalog.all());
	}

	@Test
	void changesAreTold() {
		CatalogFixture servers = CatalogFixture.of("a", "b");
		assertThat(servers.list("a", "x", "y"))
			.containsExactly(new McpToolsChangedEvent("a", Set.of("a_x", "a_y"), Set.of(), Set.of()));
		assertThat(servers.list("a", "y", "x")).isEmpty();
		assertThat(servers.list("a", tool("y", "other", null), tool("z")))
			.containsExactly(new McpToolsChangedEvent("a", Set.of("a_z"), Set.of("a_x"), Set.of("a_y")));
	}

	@Test
	void takingAndGivingBackANameIsToldToBothServers() {
		CatalogFixture servers = CatalogFixture.of(server("a", "p"), server("b", "p"));
		servers.list("b", "x", "y");
		assertThat(servers.list("a", "x", "z")).containsExactly(
				new McpToolsChangedEvent("b", Set.of(), Set.of("p_x"), Set.of()),
				new McpToolsChangedEvent("a", Set.of("p_x", "p_z"), Set.of(), Set.of()));
		assertThat(servers.list("a", "y", "z")).containsExactly(
				new McpToolsChangedEvent("b", Set.of(), Set.of("p_y"), Set.of()),
				new McpToolsChangedEvent("a", Set.of("p_y"), Set.of("p_x"), Set.of()),
				new McpToolsChangedEvent("b", Set.of("p_x"), Set.of(), Set.of()));
		assertThat(servers.list("b", "y"))
			.containsExactly(new McpToolsChangedEvent("b", Set.of(), Set.of("p_x"), Set.of()));
		assertThat(servers.list("b", new Tool[0])).isEmpty();
	}

	@Test
	void whoFollowsTheChangesKnowsTheCatalog() {
		this.log.open();
		Random random = new Random(42);
		CatalogFixture servers = new CatalogFixture(filter("!*e"), server("s0", "p"), server("s1", "p"),
				server("s2", "p"), server("s3"));
		Map<String, String> owners = new TreeMap<>();
		for (int i = 0; i < 300; i++) {
			String server = "s" + random.nextInt(4);
			List<Tool> tools = new ArrayList<>();
			for (String name : List.of("a", "b", "c", "d", "e", "a b", "a-b")) {
				if (random.nextBoolean()) {
					tools.add(tool(name, "version " + random.nextInt(2), null));
				}
			}
			Collections.shuffle(tools, random);
			Map<String, String> before = definitions(servers);
			Set<String> changed = new TreeSet<>();
			for (McpToolsChangedEvent change : servers.list(server, tools.toArray(Tool[]::new))) {
				assertThat(change.removed())
					.allSatisfy((name) -> assertThat(owners.remove(name)).isEqualTo(change.serverName()));
				assertThat(change.added())
					.allSatisfy((name) -> assertThat(owners.put(name, change.serverName())).isNull());
				assertThat(change.changed())
					.allSatisfy((name) -> assertThat(owners).containsEntry(name, change.serverName()));
				changed.addAll(change.changed());
			}
			Map<String, String> after = definitions(servers);
			Map<String, String> expectedOwners = new TreeMap<>();
			after.forEach((name, definition) -> expectedOwners.put(name, owner(definition)));
			assertThat(owners).as("round %d", i).isEqualTo(expectedOwners);
			Set<String> expectedChanges = new TreeSet<>();
			after.forEach((name, definition) -> {
				String previous = before.get(name);
				if (previous != null && owner(previous).equals(owner(definition)) && !previous.equals(definition)) {
					expectedChanges.add(name);
				}
			});
			assertThat(changed).as("round %d", i).isEqualTo(expectedChanges);
		}
	}

	private static Map<String, String> definitions(CatalogFixture servers) {
		Map<String, String> definitions = new TreeMap<>();
		servers.catalog.forEach((tool) -> definitions.put(tool.name(),
				tool.serverName() + "/" + tool.originalName() + "/" + tool.description()));
		return definitions;
	}

	private static String owner(String definition) {
		return definition.substring(0, definition.indexOf('/'));
	}

	@Test
	void toolsOfAServerThatGoesGo() {
		CatalogFixture servers = CatalogFixture.of(server("a", "p"), server("b", "p"), server("c"));
		servers.list("a", "x", "y");
		servers.list("b", "x", "z");
		servers.list("c", "x");
		McpTool tool = servers.catalog.get("p_x");
		assertThat(servers.remove("a")).containsExactly(
				new McpToolsChangedEvent("a", Set.of(), Set.of("p_x", "p_y"), Set.of()),
				new McpToolsChangedEvent("b", Set.of("p_x"), Set.of(), Set.of()));
		assertThat(servers.routes()).containsExactly(Map.entry("c_x", "c/x"), Map.entry("p_x", "b/x"),
				Map.entry("p_z", "b/z"));
		assertThat(servers.catalog.get("p_x").serverName()).isEqualTo("b");
		assertThat(tool.serverName()).isEqualTo("a");
		assertThat(servers.remove("b"))
			.containsExactly(new McpToolsChangedEvent("b", Set.of(), Set.of("p_x", "p_z"), Set.of()));
		assertThat(servers.put(server("d", "c"))).isEmpty();
		// the one that came first keeps the name
		assertThat(servers.list("d", "x", "y"))
			.containsExactly(new McpToolsChangedEvent("d", Set.of("c_y"), Set.of(), Set.of()));
		assertThat(servers.routes()).containsEntry("c_x", "c/x");
	}

	@Test
	void toolsOfAServerThatIsReplacedStayByItsNewRules() {
		CatalogFixture servers = CatalogFixture.of("a", "b");
		servers.list("a", "read", "write");
		servers.list("b", "read");
		assertThat(servers.put(server("a", null, "*", "!write")))
			.containsExactly(new McpToolsChangedEvent("a", Set.of(), Set.of("a_write"), Set.of()));
		assertThat(servers.reason("a", "write")).isEqualTo("mcp.servers.a.tools.filter denies it: !write");
		assertThat(servers.toolsOf("a")).extracting(McpTool::name).containsExactly("a_read");
		assertThat(servers.put(server("a", "other"))).containsExactly(
				new McpToolsChangedEvent("a", Set.of(), Set.of("a_read"), Set.of()),
				new McpToolsChangedEvent("a", Set.of("other_read", "other_write"), Set.of(), Set.of()));
		assertThat(servers.list("a", "read", "more"))
			.containsExactly(new McpToolsChangedEvent("a", Set.of("other_more"), Set.of("other_write"), Set.of()));
		assertThat(servers.put(McpServerDefinition.stdio("a", "server").enabled(false).build()))
			.containsExactly(new McpToolsChangedEvent("a", Set.of(), Set.of("other_read", "other_more"), Set.of()));
		assertThat(servers.restart()).isEmpty();
		assertThat(servers.names()).containsExactly("b_read");
	}

	@Test
	void otherRulesForAServerApplyToItsConnection() {
		CatalogFixture servers = CatalogFixture.of("a", "b");
		servers.list("a", "read", "write");
		servers.list("b", "read");
		McpTool read = servers.catalog.get("a_read");
		TestConnection connection = servers.connections.get("a");
		connection.awayFor = Duration.ofHours(1)::equals;
		assertThat(servers
			.redefine(server("a", (a) -> a.toolFilter(List.of("!write")).hideWhenUnavailable(Duration.ofHours(1)))))
			.containsExactly(new McpToolsChangedEvent("a", Set.of(), Set.of("a_write"), Set.of()));
		assertThat(servers.reason("a", "write")).isEqualTo("mcp.servers.a.tools.filter denies it: !write");
		assertThat(servers.catalog.get("a_read")).isSameAs(read);
		assertThat(servers.catalog.all()).filteredOn(McpTool::hidden).containsExactly(read);
		assertThat(servers.list("a", "read", "write", "more"))
			.containsExactly(new McpToolsChangedEvent("a", Set.of("a_more"), Set.of(), Set.of()));
		assertThat(servers.redefine(server("a", "p"))).hasSize(2);
		assertThat(servers.names()).containsExactly("b_read", "p_more", "p_read", "p_write");
		assertThat(servers.catalog.entry("p_read").connection()).isSameAs(connection);
	}

	@Test
	void whatAUserListsLastStaysWhereTwoCallersReadAtATime() {
		TestConnection user = new TestConnection("a");
		AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
		});
		CatalogFixture servers = new CatalogFixture(naming((server, tool) -> {
			meanwhile.getAndSet(() -> {
			}).run();
			return tool.name();
		}), server("a"));
		servers.connections.get("a").ofUser = user;
		user.tools = List.of(tool("first"));
		meanwhile.set(() -> {
			user.tools = List.of(tool("second"));
			assertThat(names(servers.catalog.forCaller().all())).containsExactly("second");
		});
		assertThat(names(servers.catalog.forCaller().all())).containsExactly("second");
	}

	@Test
	void otherRulesForAServerApplyToWhatItListsForAUser() {
		CatalogFixture servers = CatalogFixture.of("a");
		TestConnection own = new TestConnection("a");
		own.tools = List.of(tool("read"), tool("write"));
		servers.connections.get("a").ofUser = own;
		McpToolCatalog catalog = servers.catalog.forCaller();
		assertThat(names(catalog)).containsExactly("a_read", "a_write");
		servers.redefine(server("a", null, "!write"), "a");
		assertThat(names(catalog)).containsExactly("a_read");
	}

	@Test
	void aServerThatComesLaterTakesItsNamesFromThoseWhoPoseAsItsTools() {
		CatalogFixture servers = new CatalogFixture(filter("weather_*"), server("other"));
		servers.list("other", "weather_now");
		assertThat(servers.names()).containsExactly("other_weather_now");
		assertThat(servers.put(server("weather")))
			.containsExactly(new McpToolsChangedEvent("other", Set.of(), Set.of("other_weather_now"), Set.of()));
		servers.list("weather", "now");
		assertThat(servers.names()).containsExactly("weather_now");
		servers.remove("weather");
		assertThat(servers.names()).containsExactly("other_weather_now");
	}

	@Test
	void aNamingStrategyThatIsSlowLosesNoChange() throws Exception {
		CountDownLatch naming = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		McpToolNamingStrategy slow = (server, tool) -> {
			if (tool.name().equals("slow")) {
				naming.countDown();
				Unchecked.run(() -> go.await());
			}
			return server.name() + "_" + tool.name();
		};
		CatalogFixture servers = new CatalogFixture(naming(slow), server("a"), server("b"));
		CompletableFuture<List<McpToolsChangedEvent>> listed = CompletableFuture
			.supplyAsync(() -> servers.list("a", "slow"));
		naming.await();
		servers.list("b", "fast");
		servers.put(server("c"));
		servers.list("c", "late");
		go.countDown();
		assertThat(listed.get()).containsExactly(new McpToolsChangedEvent("a", Set.of("a_slow"), Set.of(), Set.of()));
		assertThat(servers.names()).containsExactly("a_slow", "b_fast", "c_late");
	}

	@Test
	void listingOfAReplacedConnectionIsIgnored() {
		CatalogFixture servers = CatalogFixture.of("a");
		TestConnection old = servers.connections.get("a");
		servers.restart();
		assertThat(servers.update(old, tool("x"))).isEmpty();
		assertThat(servers.names()).isEmpty();
		servers.remove("a");
		assertThat(servers.update(old, tool("x"))).isEmpty();
		assertThat(servers.names()).isEmpty();
	}

}
