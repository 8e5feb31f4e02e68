package io.github.mcpclient.internal.naming;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link NamesAhead}.
 */
class NamesAheadTests {

	private static final Duration LIMIT = Duration.ofSeconds(10);

	private final ClientThreads threads = new ClientThreads();

	private final McpServerDefinition server = McpServerDefinition.stdio("a", "x").build();

	private final AtomicInteger asked = new AtomicInteger();

	private final NamesAhead names = new NamesAhead((server, tool) -> {
		this.asked.incrementAndGet();
		if (tool.name().equals("bad")) {
			throw new IllegalStateException("x".repeat(10_000));
		}
		return tool.name() + "/" + tool.description();
	}, this.threads.naming());

	@AfterEach
	void close() {
		this.threads.dispose();
	}

	private static Tool tool(String name, String description) {
		return new Tool(name, null, description, Map.of("type", "object"), null, null, null, null);
	}

	@Test
	void onlyNamesAreKept() {
		List<WeakReference<?>> forgotten = List.of(ask("read"), ask("bad"));
		Awaitility.await().until(() -> {
			System.gc();
			return forgotten.stream().allMatch((reference) -> reference.refersTo(null));
		});
		assertThat(this.names.toolName(this.server, tool("read", "reads"))).isEqualTo("read/reads");
		assertThatExceptionOfType(RuntimeException.class)
			.isThrownBy(() -> this.names.toolName(this.server, tool("bad", "reads")))
			.satisfies((ex) -> {
				assertThat(ex.toString()).startsWith("java.lang.IllegalStateException: xxx").hasSizeLessThan(200);
				assertThat(ex.getStackTrace()).isEmpty();
			});
		assertThat(this.asked).hasValue(2);
	}

	private WeakReference<?> ask(String name) {
		Tool tool = tool(name, "reads");
		this.names.ask(this.server, List.of(tool)).block(LIMIT);
		return new WeakReference<>(tool);
	}

	@Test
	void aToolThatHasChangedIsNamedAnew() {
		ask("read");
		ask("read");
		assertThat(this.asked).hasValue(1);
		Tool changed = tool("read", "writes");
		this.names.ask(this.server, List.of(changed)).block(LIMIT);
		assertThat(this.asked).hasValue(2);
		assertThat(this.names.toolName(this.server, changed)).isEqualTo("read/writes");
	}

	@Test
	void whatCannotBeNamedIsNotAsked() {
		this.names.ask(this.server, List.of(tool("x".repeat(ToolNamer.MAX_ORIGINAL_NAME + 1), ""))).block(LIMIT);
		assertThat(this.asked).hasValue(0);
	}

}
