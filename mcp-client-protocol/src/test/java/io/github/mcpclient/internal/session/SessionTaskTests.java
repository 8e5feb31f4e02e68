package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for calls that the server runs as tasks, at the pace of both.
 */
class SessionTaskTests extends SessionFixture {

	private static final String MODERN = "2026-07-28";

	private static final String WORKING = "{\"taskId\": \"1\", \"status\": \"working\"}";

	@ParameterizedTest
	@CsvSource({ "2025-11-25, pollInterval", MODERN + ", pollIntervalMs" })
	void theServerIsAskedNoMoreOftenThanItSays(String revision, String member) {
		open(revision, "{\"taskId\": \"1\", \"status\": \"working\", \"" + member + "\": 15000}");
		this.transport.answer("tasks/get", WORKING);
		CompletableFuture<CallToolResult> call = call("count").toFuture();
		for (int asked = 0; asked < 2; asked++) {
			this.timer.advance(Duration.ofSeconds(15).minusNanos(1));
			assertThat(this.transport.received("tasks/get")).hasSize(asked);
			this.timer.advance(Duration.ofNanos(1));
			assertThat(this.transport.received("tasks/get")).hasSize(asked + 1);
		}
		this.transport.answer("tasks/get", "{\"taskId\": \"1\", \"status\": \"working\", \"" + member + "\": 100}");
		this.timer.advance(Duration.ofSeconds(14));
		assertThat(this.transport.received("tasks/get")).hasSize(2);
		this.timer.advance(Duration.ofSeconds(1));
		assertThat(this.transport.received("tasks/get")).hasSize(3);
		assertThat(call).isNotDone();
		call.cancel(true);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1e300", "9223372036854775807", "60000" })
	void aPaceThatIsSlowerThanTheCallEndsItInTime(String pause) {
		open(MODERN, "{\"taskId\": \"1\", \"status\": \"working\", \"pollIntervalMs\": " + pause + "}");
		assertFailure(call("count"), () -> this.timer.advance(MINUTE)).isInstanceOf(SessionTimeoutException.class);
		assertThat(this.transport.received("tasks/get")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2025-11-25 | {"taskId": "1", "status": "cancelled"}
			2026-07-28 | {"taskId": "1", "status": "cancelled"}
			2026-07-28 | {"taskId": "1", "status": "failed"}
			2026-07-28 | {"taskId": "1", "status": "completed"}""")
	void aTaskThatHasEndedIsNotCancelled(String revision, String end) {
		open(revision, WORKING);
		this.transport.answer("tasks/get", end);
		assertFailure(call("count"), () -> this.timer.advance(Duration.ofSeconds(1)))
			.isInstanceOf(SessionProtocolException.class);
		assertThat(this.transport.received("tasks/cancel")).isEmpty();
	}

	@Test
	void aTaskWhoseResultIsBeingFetchedIsNotCancelled() {
		open("2025-11-25", WORKING);
		this.transport.answer("tasks/get", "{\"taskId\": \"1\", \"status\": \"completed\"}").ignore("tasks/result");
		Disposable call = call("count").subscribe();
		this.timer.advance(Duration.ofSeconds(1));
		assertThat(this.transport.received("tasks/result")).hasSize(1);
		call.dispose();
		assertThat(this.transport.received("tasks/cancel")).isEmpty();
	}

	@Test
	void aCallThatIsATaskIsNeverUnsent() {
		open(MODERN, WORKING);
		Call<CallToolResult> call = tool(request("count"), null);
		Disposable first = this.session.request(call).subscribe();
		assertThat(call.isTask()).isTrue();
		first.dispose();
		// as after a connection that was lost: nothing of it is sent but questions
		RuntimeException cause = new IllegalStateException("pending");
		assertFailure(this.session.request(call),
				() -> this.session.terminate(cause, new IllegalStateException("unsent")))
			.isSameAs(cause);
		assertThat(this.transport.received("tools/call")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2025-11-25 | {"taskId": "2", "status": "working"}
			2025-11-25 | {"taskId": "1", "status": "asleep"}
			2026-07-28 | []
			2026-07-28 | {"resultType": "riddle", "taskId": "1", "status": "working"}""")
	void aTaskThatCannotBeUnderstoodIsCancelled(String revision, String answer) {
		open(revision, WORKING);
		this.transport.answer("tasks/get", answer);
		assertFailure(call("count"), () -> this.timer.advance(Duration.ofSeconds(1)))
			.isInstanceOf(SessionProtocolException.class);
		assertThat(this.transport.received("tasks/cancel")).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			2025-11-25 | {"content": [{"type": "text", "text": "5"}], "task": {"taskId": "7", "title": "Buy milk"}}
			2025-11-25 | {"structuredContent": {"sum": 5}, "task": {"taskId": "7", "title": "Buy milk"}}
			2026-07-28 | {"resultType": "complete", "content": [], "task": {"taskId": "7"}}
			2026-07-28 | {"resultType": "complete", "task": {"taskId": "7"}}""")
	void aResultMayHaveATaskOfItsOwn(String revision, String result) {
		if (revision.equals(MODERN)) {
			modern();
		}
		openAnswering(result);
		CallToolResult read = call("todo").block(SOON);
		assertThat(read.isError()).isNotEqualTo(true);
		if (result.contains("text")) {
			assertThat(((TextContent) read.content().get(0)).text()).isEqualTo("5");
		}
		assertThat(this.transport.received("tasks/get")).isEmpty();
	}

	private void open(String revision, String task) {
		if (revision.equals(MODERN)) {
			modern();
			openAnswering(task.replaceFirst("\\{", "{\"resultType\": \"task\", "));
		}
		else {
			openAnswering("{\"task\": " + task + "}");
		}
	}

	private void modern() {
		this.transport.speaks(MODERN).answer("server/discover", """
				{"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}}""");
	}

}
