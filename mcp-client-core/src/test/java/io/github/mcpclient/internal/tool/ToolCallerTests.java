package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.session.Call;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolCaller}: what checks take of the time of a call.
 */
class ToolCallerTests {

	private static final Map<String, Object> INTEGERS = Map.of("properties", Map.of("n", Map.of("type", "integer")));

	private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

	private final Queue<Runnable> held = new ArrayDeque<>();

	private final SchemaCheck.Threads checks = new SchemaCheck.Threads((Executor) this.held::add, this.time);

	private final List<Call<?>> calls = new ArrayList<>();

	private Duration answersAfter = Duration.ZERO;

	@Test
	void argumentsThatAreNotCheckedInTimeAreNotSent() {
		CompletableFuture<McpToolResult> call = call(true, McpToolRequest.of(Map.of("n", 1)));
		advance(59_999);
		assertThat(call).isNotDone();
		advance(1);
		assertThatFailure(call).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessageContaining(
					"tools/call x (it waited for the check of its arguments; nothing was sent) within 60000 ms. Raise ");
		runHeldChecks();
		assertThat(this.calls).isEmpty();
	}

	@Test
	void timeOfTheCheckIsTimeOfTheCall() {
		call(true, McpToolRequest.of(Map.of("n", 1)).withTimeout(Duration.ofSeconds(5)));
		advance(3000);
		runHeldChecks();
		advance(0);
		assertThat(this.calls).singleElement().satisfies((call) -> {
			assertThat(call.options().timeout()).isEqualTo(Duration.ofSeconds(5));
			assertThat(call.options().remaining()).isEqualTo(Duration.ofSeconds(2));
		});
	}

	@Test
	void resultThatIsNotCheckedInTimeIsNotWaitedFor() {
		this.answersAfter = Duration.ofSeconds(1);
		CompletableFuture<McpToolResult> call = call(true,
				McpToolRequest.of(Map.of("n", 1)).withTimeout(Duration.ofSeconds(5)));
		advance(3000);
		runHeldChecks();
		advance(1999);
		assertThat(call).isNotDone();
		advance(1);
		assertThatFailure(call).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessageContaining(
					"tools/call x with a result that was checked against its output schema within 5000 ms. Raise ");
		runHeldChecks();
	}

	@Test
	void progressExtendsTheTimeOfTheResultOnly() {
		McpToolRequest request = McpToolRequest.of(Map.of("n", 1))
			.withTimeout(Duration.ofSeconds(5))
			.withProgressExtendingTimeoutTo(Duration.ofSeconds(20));
		CompletableFuture<McpToolResult> late = call(true, request);
		advance(5000);
		assertThatFailure(late).hasMessageContaining("nothing was sent");
		CompletableFuture<McpToolResult> call = call(false, request);
		advance(19_999);
		assertThat(call).isNotDone();
		runHeldChecks();
		advance(0);
		assertThat(call).isCompleted();
	}

	@Test
	void violationsAreToldFromWhereverTheyWereFound() {
		CompletableFuture<McpToolResult> call = call(true, McpToolRequest.of(Map.of("n", "text")));
		runHeldChecks();
		advance(0);
		assertThatFailure(call).isInstanceOf(McpSchemaViolationException.class).hasMessageContaining("was not called");
		assertThat(this.calls).isEmpty();
	}

	@Test
	void callsThatWaitForACheckFailWhereTheApplicationStops() {
		CompletableFuture<McpToolResult> call = call(true, McpToolRequest.of(Map.of("n", 1)));
		this.checks.dispose();
		assertThatFailure(call).isInstanceOf(McpServerUnavailableException.class);
	}

	private CompletableFuture<McpToolResult> call(boolean validateArguments, McpToolRequest request) {
		ToolSettings settings = new ToolSettings(List.of(), McpToolPolicy.UNRESTRICTED, null,
				new ToolCaller(List::of, () -> null, this.checks, this.time, null), Map.of(),
				TestToolSettings.NO_CUSTOMIZERS);
		CatalogFixture servers = new CatalogFixture(settings,
				CatalogFixture.server("s", (server) -> server.validateArguments(validateArguments)));
		servers.connections.get("s").calls = (sent) -> {
			this.calls.add(sent);
			return Mono.just(new CallToolResult(List.of(), false, Map.of("n", 2), null))
				.delaySubscription(this.answersAfter, this.time);
		};
		servers.list("s", new Tool("x", null, null, INTEGERS, INTEGERS, null, null, null));
		return servers.catalog.get("s_x").callAsync(request).toFuture();
	}

	private void runHeldChecks() {
		while (!this.held.isEmpty()) {
			this.held.remove().run();
		}
	}

	private void advance(long millis) {
		this.time.advanceTimeBy(Duration.ofMillis(millis));
	}

	private static AbstractThrowableAssert<?, ? extends Throwable> assertThatFailure(CompletableFuture<?> call) {
		assertThat(call).isCompletedExceptionally();
		try {
			call.get();
			throw new AssertionError("it did not fail");
		}
		catch (ExecutionException ex) {
			return assertThat(ex.getCause());
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
