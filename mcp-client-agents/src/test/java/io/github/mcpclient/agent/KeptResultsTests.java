package io.github.mcpclient.agent;

import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.model.ModelText;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.MemoryBudget;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeptResults}, and for the {@link ReadResultTool} that reads them.
 */
class KeptResultsTests {

	private static final Duration TIME = Duration.ofMinutes(10);

	private static final int MAX = 2000;

	// what one caller may have of them
	private static final String QUARTER = "x".repeat((int) (KeptResults.MOST_OF_CALLER / 8));

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final ClientThreads threads = new ClientThreads();

	private final KeptResults results = new KeptResults(this.time,
			() -> Mono.deferContextual((caller) -> Mono.justOrEmpty(caller.getOrEmpty("user"))));

	private final ReadResultTool tool = new ReadResultTool(this.results, this.threads::interceptors);

	@AfterEach
	void dispose() {
		this.time.dispose();
		this.threads.dispose();
	}

	@Test
	void aResultIsForItsCallerAndForItsTime() {
		String ada = Objects.requireNonNull(keep("a", "ada", "of ada"));
		String bob = Objects.requireNonNull(keep("a", "bob", "of bob"));
		assertThat(read("ada", Map.of("id", ada)).text()).startsWith("of ada\n");
		McpToolResult refused = read("bob", Map.of("id", ada));
		assertThat(refused.isError()).isTrue();
		assertThat(refused.text())
			.isEqualTo("No stored result has this ID, or it has expired. Call its tool again, and request less.")
			.isEqualTo(read("", Map.of("id", ada)).text())
			.isEqualTo(read("bob", Map.of("id", "another")).text());
		this.time.advanceTimeBy(TIME.minusSeconds(1));
		assertThat(read("bob", Map.of("id", bob)).isError()).isFalse();
		this.time.advanceTimeBy(Duration.ofSeconds(1));
		assertThat(read("bob", Map.of("id", bob)).text()).isEqualTo(refused.text());
	}

	@Test
	void whoCannotBeIdentifiedReadsNothing() {
		KeptResults failing = new KeptResults(this.time, () -> {
			throw new IllegalStateException("No session");
		});
		assertThat(failing.caller(Context.empty()).block()).isNull();
		McpToolRequest request = McpToolRequest.of(Map.of("id", "x"));
		ReadResultTool tool = new ReadResultTool(failing, this.threads::interceptors);
		assertThat(tool.call(request).isError()).isTrue();
		assertThat(tool.callAsync(request).block()).isEqualTo(tool.call(request));
	}

	@Test
	void nobodyTakesTheRoomOfOthers() {
		String quiet = keep("quiet", "ada", QUARTER);
		String small = keep("a", "eve", QUARTER);
		List<@Nullable String> ofBob = IntStream.range(0, 20).mapToObj((i) -> keep("a", "bob", QUARTER)).toList();
		assertThat(ofBob.stream().filter((id) -> isKept(id, "bob")).toList()).isEqualTo(ofBob.subList(16, 20));
		assertThat(isKept(small, "eve")).isTrue();
		IntStream.range(0, 40).forEach((i) -> keep("a", "user" + i % 10, QUARTER));
		assertThat(isKept(quiet, "ada")).isTrue();
		IntStream.range(0, 40).forEach((i) -> keep("server" + i, "user", QUARTER));
		String last = keep("last", "ada", QUARTER);
		assertThat(isKept(last, "ada")).isTrue();
		assertThat(keep("a", "bob", "x".repeat((int) (KeptResults.MOST_OF_CALLER / 2) + 1))).isNull();
	}

	private boolean isKept(@Nullable String id, String user) {
		return this.results.find(Objects.requireNonNull(id), user) != null;
	}

	@Test
	void aTextIsReadToItsEnd() {
		String smiles = "a" + "\uD83D\uDE00".repeat(2000);
		String id = Objects.requireNonNull(keep("a", "", smiles));
		StringBuilder all = new StringBuilder();
		int offset = 0;
		for (String next = ""; next != null;) {
			String[] read = read("", Map.of("id", id, "offset", offset)).text().split("\n");
			assertThat(read[0].length() + read[1].length()).isLessThan(MAX);
			all.append(read[0]);
			next = read[1].contains("Continue with offset ") ? read[1].replaceAll(".*offset (\\d+)\\.]", "$1") : null;
			offset = (next != null) ? Integer.parseInt(next) : 0;
		}
		assertThat(all).hasToString(smiles);
		assertThat(read("", Map.of("id", id, "offset", "4001")).text())
			.isEqualTo("\n[MCP client: These are the characters 4,001 to 4,001 of 4,001.]");
		assertThat(read("", Map.of("id", id, "offset", "soon")).text()).contains("a whole number");
		assertThat(read("", Map.of()).text()).contains("'id'");
		assertThat(read("", Map.of("id", id, "pointer", "/a")).text()).contains("nothing at this pointer");
	}

	@Test
	void structuredContentIsReadByPointers() {
		Map<String, Object> value = new LinkedHashMap<>();
		value.put("items", IntStream.range(0, 5000).boxed().toList());
		value.put("a/b", List.of(Map.of("text", "t".repeat(5000))));
		String id = this.results.keep("a", "", kept(value), TIME);
		assertThat(json(id, "", 0)).startsWith("{\"items\":[0,1,2")
			.contains(" of 5,000 items at \"/items\" (from ", " of 5,000 characters at \"/a~1b/0/text\" (from ");
		assertThat(json(id, "/items", 4800)).startsWith("[4800,4801,").endsWith(",4999]");
		assertThat(json(id, "/items", 100)).startsWith("[100,101,")
			.containsPattern(
					"\n\\[MCP client: Not yet read are 4,\\d+ of 5,000 items at \"/items\" \\(from \\d+ on\\)\\. "
							+ "Continue with such a pointer and offset\\.]$");
		assertThat(json(id, "/items/7", 0)).isEqualTo("7");
		assertThat(json(id, "/a~1b/0/text", 4990)).isEqualTo("\"tttttttttt\"");
		assertThat(json(id, "/items", 9999)).isEqualTo("[]");
		assertThat(json(id, "/items/5000", 0)).contains("nothing at this pointer")
			.isEqualTo(json(id, "/items/7/x", 0))
			.isEqualTo(json(id, "items", 0));
	}

	@Test
	void readingTakesOfTheShareOfItsServer() {
		Map<String, Object> value = Map.of("items", Collections.nCopies(20_000, Map.of()), "text", "x");
		String id = this.results.keep("large", "", kept(value), TIME);
		long most = Runtime.getRuntime().maxMemory() / 8 - 1_000_000;
		MemoryBudget memory = MemoryBudget.of("large");
		assertThat(memory.take(most)).isTrue();
		assertThat(json(id, "/text", 0))
			.isEqualTo("Too much of this server is being read at the moment. Try again later.");
		memory.give(most);
		for (int i = 0; i < 3; i++) {
			assertThat(json(id, "/text", 0)).isEqualTo("\"x\"");
			assertThat(json(id, "/nothing", 0)).contains("nothing at this pointer");
		}
		assertThat(memory.take(most)).as("it is given back").isTrue();
		memory.give(most);
	}

	@Test
	void nothingLargeIsReadOnTheThreadOfWhoMustNotBlock() {
		String id = this.results.keep("a", "", kept(Map.of("a", 1)), TIME);
		McpToolRequest request = McpToolRequest.of(Map.of("id", Objects.requireNonNull(id), "pointer", "/a"))
			.withContext(Context.of("user", ""));
		Thread reader = Mono.defer(() -> this.tool.callAsync(request))
			.map((result) -> Thread.currentThread())
			.block(Duration.ofSeconds(10));
		assertThat(reader).isNotNull().isNotEqualTo(Thread.currentThread());
	}

	@Test
	void aSmallHeapHasRoomForLess() {
		assertThat(KeptResults.most(256 * 1024 * 1024)).isEqualTo(16 * 1024 * 1024);
		assertThat(KeptResults.most(Long.MAX_VALUE)).isEqualTo(64 * 1024 * 1024);
	}

	private KeptResult kept(Object value) {
		return new KeptResult("", ModelText.json(value), MemoryBudget.sizeOf(value), MAX);
	}

	private String json(@Nullable String id, String pointer, int offset) {
		return read("", Map.of("id", Objects.requireNonNull(id), "pointer", pointer, "offset", offset)).text();
	}

	private @Nullable String keep(String server, String user, String text) {
		return this.results.keep(server, user, new KeptResult(text, "", 0, MAX), TIME);
	}

	private McpToolResult read(String user, Map<String, Object> arguments) {
		McpToolRequest request = McpToolRequest.of(arguments).withContext(Context.of("user", user));
		McpToolResult result = this.tool.call(request);
		assertThat(this.tool.callAsync(request).block()).isEqualTo(result);
		return result;
	}

}
