package io.github.mcpclient.internal.session;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what happens while an answer is read, as a large one is for a while.
 */
class SessionReadingTests extends SessionFixture {

	private final ExecutorService reader = Executors.newSingleThreadExecutor();

	private final CountDownLatch reading = new CountDownLatch(1);

	private final CountDownLatch goOn = new CountDownLatch(1);

	private final Call<String> call = Call.of("slow", null, null, (transport, result) -> {
		this.reading.countDown();
		return Unchecked.get(() -> this.goOn.await(60, TimeUnit.SECONDS)) ? "read" : "late";
	}, MINUTE);

	@BeforeEach
	void begin() {
		openIgnoring("slow");
	}

	@Test
	void deadlineHoldsMeanwhile() throws Exception {
		CompletableFuture<String> result = this.session.request(this.call).toFuture();
		Future<?> answered = answer();
		this.timer.advance(MINUTE);
		assertThat(result).isCompletedExceptionally();
		assertThat(result.handle((value, failure) -> failure).join())
			.isInstanceOfSatisfying(SessionTimeoutException.class, (late) -> assertThat(late.isCancelled()).isFalse());
		assertThat(this.session.pendingCount()).isZero();
		this.goOn.countDown();
		answered.get(30, TimeUnit.SECONDS);
		assertThat(this.transport.received("notifications/cancelled")).as("the server has answered").isEmpty();
	}

	@Test
	void callerMayGiveUpMeanwhile() throws Exception {
		Disposable request = this.session.request(this.call).subscribe();
		Future<?> answered = answer();
		request.dispose();
		assertThat(this.session.pendingCount()).isZero();
		this.goOn.countDown();
		answered.get(30, TimeUnit.SECONDS);
		assertThat(this.transport.received("notifications/cancelled")).as("the server has answered").isEmpty();
	}

	@Test
	void endOfTheConnectionDoesNotTakeTheAnswerAway() throws Exception {
		CompletableFuture<String> result = this.session.request(this.call).toFuture();
		Future<?> answered = answer();
		this.session.terminate(new IOException("gone"));
		assertThat(result).isNotDone();
		this.goOn.countDown();
		answered.get(30, TimeUnit.SECONDS);
		assertThat(result).isCompletedWithValue("read");
	}

	@Test
	void anotherAnswerIsIgnored() throws Exception {
		CompletableFuture<String> result = this.session.request(this.call).toFuture();
		Future<?> answered = answer();
		this.transport.serverAnswers(this.transport.received("slow").get(0).id(), "{}");
		assertThat(result).isNotDone();
		this.goOn.countDown();
		answered.get(30, TimeUnit.SECONDS);
		assertThat(result).isCompletedWithValue("read");
	}

	@Test
	void answerIsReadBeforeItWaitsForProgress() {
		this.transport.ignore("tools/call");
		CompletableFuture<Thread> read = new CompletableFuture<>();
		Call.Options options = tool(request("slow"), (progress) -> {
		}).options();
		CompletableFuture<CallToolResult> result = this.session
			.request(new Call<>("tools/call", "slow", request("slow"), (transport, answer) -> {
				read.complete(Thread.currentThread());
				return ResultReader.readTool(transport, answer);
			}, Map.of(), new CallTask(), options))
			.toFuture();
		Object id = this.transport.received("tools/call").get(0).id();
		this.transport.serverNotifies("notifications/progress", "{\"progressToken\": " + id + ", \"progress\": 1}");
		this.transport.serverAnswers(id, "{\"content\": []}");
		assertThat(read).isCompletedWithValue(Thread.currentThread());
		assertThat(result).isNotDone();
		runUserTasks();
		assertThat(result).succeedsWithin(SOON);
	}

	private Future<?> answer() throws InterruptedException {
		Object id = this.transport.received("slow").get(0).id();
		Future<?> answered = this.reader.submit(() -> this.transport.serverAnswers(id, "{}"));
		assertThat(this.reading.await(30, TimeUnit.SECONDS)).isTrue();
		return answered;
	}

}
