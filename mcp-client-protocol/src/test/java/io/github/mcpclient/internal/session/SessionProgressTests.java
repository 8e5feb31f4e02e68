package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the progress of calls.
 */
@ExtendWith(OutputCaptureExtension.class)
class SessionProgressTests extends SessionFixture {

	private final List<ProgressNotification> progress = new ArrayList<>();

	@BeforeEach
	void begin() {
		openIgnoring("tools/call");
	}

	@Test
	void tokenIsAddedAndTheRestLeftAlone() {
		Map<String, Object> meta = new LinkedHashMap<>(Map.of("trace", "t1"));
		CallToolRequest request = CallToolRequest.builder("slow").arguments(Map.of("a", 1)).meta(meta).build();
		Disposable call = this.session.request(tool(request, this.progress::add)).subscribe();
		ScriptedTransport.Received sent = this.transport.received("tools/call").get(0);
		assertThat(sent.params()).hasToString("{\"name\":\"slow\",\"arguments\":{\"a\":1},\"_meta\":{\"trace\":\"t1\","
				+ "\"progressToken\":" + sent.id() + "}}");
		assertThat(meta).containsOnlyKeys("trace");
		call.dispose();
	}

	@Test
	void noProgressIsAskedForWithoutNeed() {
		call("fast").subscribe().dispose();
		assertThat(this.transport.received("tools/call").get(0).params().has("_meta")).isFalse();
	}

	@Test
	void progressIsHandedOnInOrder() {
		AtomicReference<CallToolResult> result = new AtomicReference<>();
		call(this.progress::add).subscribe(result::set);
		notifies(1);
		notifies(3);
		notifies(2);
		assertThat(this.progress).as("on the transport's thread").isEmpty();
		runUserTasks();
		assertThat(this.progress).extracting(ProgressNotification::progress).containsExactly(1.0, 3.0, 2.0);
		answer();
		assertThat(result).doesNotHaveNullValue();
	}

	@Test
	void allOfANotificationIsKept() {
		call(this.progress::add).subscribe();
		this.transport.serverNotifies("notifications/progress", "{\"progressToken\": \"" + token()
				+ "\", \"progress\": 0.5, \"total\": 2, \"message\": \"half\", \"_meta\": {\"a\": 1}}");
		runUserTasks();
		assertThat(this.progress).singleElement().satisfies((notification) -> {
			assertThat(notification.progress()).isEqualTo(0.5);
			assertThat(notification.total()).isEqualTo(2);
			assertThat(notification.message()).isEqualTo("half");
			assertThat(notification.meta()).isEqualTo(Map.of("a", 1));
		});
		answer();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "[]", "5", "{\"progressToken\": %d}", "{\"progressToken\": %d, \"progress\": \"1\"}",
			"{\"progressToken\": null, \"progress\": 1}", "{\"progressToken\": {}, \"progress\": 1}",
			"{\"progressToken\": %d.5, \"progress\": 1}", "{\"progressToken\": \"other\", \"progress\": 1}" })
	void notificationThatIsNotWellFormedIsIgnored(String params) {
		call(this.progress::add).subscribe();
		this.transport.serverNotifies("notifications/progress", params.replace("%d", String.valueOf(token())));
		this.transport.serverNotifies("notifications/progress", null);
		runUserTasks();
		assertThat(this.progress).isEmpty();
		notifies(1);
		runUserTasks();
		assertThat(this.progress).hasSize(1);
		answer();
	}

	@Test
	void oldestAreDroppedWhenTheConsumerIsTooSlow() {
		call(this.progress::add).subscribe();
		IntStream.range(0, ProgressQueue.CAPACITY + 100).forEach(this::notifies);
		assertThat(this.userTasks).hasSize(1);
		runUserTasks();
		assertThat(this.progress).hasSize(ProgressQueue.CAPACITY);
		assertThat(this.progress.get(0).progress()).isEqualTo(100);
		notifies(7);
		runUserTasks();
		assertThat(this.progress).last().satisfies((last) -> assertThat(last.progress()).isEqualTo(7));
		answer();
	}

	@Test
	void largeOnesAreDroppedSooner() {
		call(this.progress::add).subscribe();
		String large = "x".repeat(100_000);
		IntStream.range(0, 20)
			.forEach((i) -> this.transport.serverNotifies("notifications/progress", "{\"progressToken\": \"" + token()
					+ "\", \"progress\": " + i + ", \"_meta\": {\"a\": \"" + large + "\"}}"));
		runUserTasks();
		assertThat(this.progress).hasSizeBetween(5, 10);
		answer();
	}

	@Test
	void consumerThatThrowsIsLoggedOnceAndHarmsNothing(CapturedOutput output) {
		List<ProgressNotification> seen = new ArrayList<>();
		AtomicReference<CallToolResult> result = new AtomicReference<>();
		call((notification) -> {
			seen.add(notification);
			throw new IllegalStateException("of the application");
		}).subscribe(result::set);
		notifies(1);
		notifies(2);
		runUserTasks();
		notifies(3);
		runUserTasks();
		answer();
		assertThat(seen).hasSize(3);
		assertThat(result).doesNotHaveNullValue();
		assertThat(output).containsOnlyOnce("The progress listener of a call to MCP server 'weather' failed");
	}

	@Test
	void progressThatCameBeforeTheResultIsStillHandedOn() {
		call(this.progress::add).subscribe();
		Object token = token();
		notifies(1);
		answer();
		this.transport.serverNotifies("notifications/progress", "{\"progressToken\": " + token + ", \"progress\": 2}");
		runUserTasks();
		assertThat(this.progress).extracting(ProgressNotification::progress).containsExactly(1.0);
	}

	@Test
	void progressThatCameBeforeTheResultIsHandedOnBeforeIt() {
		List<Object> seen = new CopyOnWriteArrayList<>();
		call((notification) -> seen.add(notification.progress())).subscribe(seen::add);
		notifies(1);
		notifies(2);
		answer();
		assertThat(seen).isEmpty();
		assertThat(this.session.pendingCount()).isZero();
		runUserTasks();
		await(() -> seen.size() == 3);
		assertThat(seen).startsWith(1.0, 2.0);
	}

	@Test
	void progressThatCameBeforeAnErrorIsHandedOnBeforeIt() {
		List<Object> seen = new CopyOnWriteArrayList<>();
		call((notification) -> seen.add(notification.progress())).subscribe(seen::add, seen::add);
		notifies(1);
		this.transport.deliver(JSONRPCResponse.error(token(), new JSONRPCResponse.JSONRPCError(-32603, "broken")));
		assertThat(seen).isEmpty();
		runUserTasks();
		await(() -> seen.size() == 2);
		assertThat(seen.get(0)).isEqualTo(1.0);
	}

	@Test
	void resultDoesNotWaitLongerThanASecondForTheConsumer() {
		AtomicReference<CallToolResult> result = new AtomicReference<>();
		call(this.progress::add).subscribe(result::set);
		notifies(1);
		answer();
		this.timer.advance(Duration.ofMillis(999));
		assertThat(result).hasNullValue();
		this.timer.advance(Duration.ofMillis(1));
		await(() -> result.get() != null);
		runUserTasks();
		assertThat(this.progress).hasSize(1);
	}

	@Test
	void resultThatCameInTimeIsThereAtTheDeadline() {
		AtomicReference<CallToolResult> result = new AtomicReference<>();
		call(this.progress::add).subscribe(result::set);
		notifies(1);
		this.timer.advance(MINUTE.minusMillis(300));
		answer();
		this.timer.advance(Duration.ofMillis(299));
		assertThat(result).hasNullValue();
		this.timer.advance(Duration.ofMillis(1));
		await(() -> result.get() != null);
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
	}

	@Test
	void callThatIsCancelledWhileTheConsumerRunsHasNoResult() {
		AtomicReference<CallToolResult> result = new AtomicReference<>();
		Disposable call = call(this.progress::add).subscribe(result::set);
		notifies(1);
		answer();
		call.dispose();
		runUserTasks();
		this.timer.advance(MINUTE);
		assertThat(this.progress).isEmpty();
		assertThat(result).hasNullValue();
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
	}

	@Test
	void progressOfACancelledCallIsDropped() {
		Disposable call = call(this.progress::add).subscribe();
		notifies(1);
		call.dispose();
		notifies(2);
		runUserTasks();
		assertThat(this.progress).isEmpty();
	}

	@Test
	void callsDoNotSeeTheProgressOfOthers() {
		List<ProgressNotification> others = new ArrayList<>();
		Disposable other = call(others::add).subscribe();
		call(this.progress::add).subscribe();
		notifies(1);
		runUserTasks();
		assertThat(others).isEmpty();
		assertThat(this.progress).hasSize(1);
		other.dispose();
		answer();
	}

	@Test
	void consumerRunsOnTheSchedulerOneAtATime() throws InterruptedException {
		Scheduler scheduler = Schedulers.newBoundedElastic(4, 100, "user");
		afterTest(scheduler::dispose);
		Session session = (Session) new DefaultSessionFactory(this.timer, (server, task) -> scheduler.schedule(task))
			.create(this.transport, OPTIONS, this.listener);
		session.open().block(SOON);
		List<Double> seen = new ArrayList<>();
		CountDownLatch done = new CountDownLatch(200);
		AtomicReference<String> thread = new AtomicReference<>();
		session.request(tool(request("slow"), (notification) -> {
			// not a list for many threads: it is seen only if one follows the other
			seen.add(notification.progress());
			thread.set(Thread.currentThread().getName());
			done.countDown();
		})).subscribe();
		IntStream.range(0, 200).forEach(this::notifies);
		assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
		assertThat(seen).hasSize(200).isSorted();
		assertThat(thread.get()).startsWith("user");
		answer();
	}

	@Test
	void closedSchedulerHarmsNothing() {
		Scheduler scheduler = Schedulers.newSingle("user");
		scheduler.dispose();
		Session session = (Session) new DefaultSessionFactory(this.timer, (server, task) -> scheduler.schedule(task))
			.create(this.transport, OPTIONS, this.listener);
		session.open().block(SOON);
		StepVerifier.create(session.request(tool(request("slow"), this.progress::add)))
			.then(() -> notifies(1))
			.then(this::answer)
			.expectNextCount(1)
			.expectComplete()
			.verify(SOON);
		assertThat(this.progress).isEmpty();
	}

	@Test
	void progressExtendsTheTimeoutWhenAskedTo() {
		Call<?> call = tool(request("slow"), Duration.ofSeconds(10), Duration.ofSeconds(35), null);
		assertFailure(this.session.request(call), () -> {
			passes(9);
			notifies(1);
			passes(9);
			notifies(2);
			passes(9);
		}, () -> assertThat(this.session.pendingCount()).isOne(), () -> passes(1))
			.hasMessage("No response to tools/call slow within 10000 ms");
		awaitReceived("notifications/cancelled", 1);
	}

	@Test
	void progressExtendsTheTimeoutToAHardMaximumOnly() {
		Call<?> call = tool(request("slow"), Duration.ofSeconds(10), Duration.ofSeconds(35), this.progress::add);
		assertFailure(this.session.request(call), () -> {
			for (int i = 0; i < 4; i++) {
				passes(8);
				notifies(i);
			}
			passes(2);
		}, () -> assertThat(this.session.pendingCount()).isOne(), () -> passes(1))
			.hasMessage("No response to tools/call slow within 35000 ms");
		awaitReceived("notifications/cancelled", 1);
	}

	@Test
	void progressDoesNotExtendTheTimeoutUnasked() {
		assertFailure(call(this.progress::add), () -> {
			passes(59);
			notifies(1);
			passes(1);
		}).isInstanceOf(SessionTimeoutException.class);
		awaitReceived("notifications/cancelled", 1);
	}

	private Mono<CallToolResult> call(Consumer<ProgressNotification> consumer) {
		return this.session.request(tool(request("slow"), consumer));
	}

	private void passes(int seconds) {
		this.timer.advance(Duration.ofSeconds(seconds));
	}

	private void notifies(int value) {
		this.transport.serverNotifies("notifications/progress",
				"{\"progressToken\": " + token() + ", \"progress\": " + value + "}");
	}

	private void answer() {
		this.transport.serverAnswers(token(), "{\"content\": []}");
	}

	private Object token() {
		List<ScriptedTransport.Received> calls = this.transport.received("tools/call");
		return calls.get(calls.size() - 1).params().get("_meta").get("progressToken").asLong();
	}

}
