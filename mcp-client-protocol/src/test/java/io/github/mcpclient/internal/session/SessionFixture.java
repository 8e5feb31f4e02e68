package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Feature;
import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.assertj.core.api.AbstractThrowableAssert;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A session with a script for a server, and time and user code driven by hand: of a test,
 * which extends it, or one of several.
 */
class SessionFixture {

	static final Duration SOON = Duration.ofSeconds(30);

	static final Duration MINUTE = Duration.ofMinutes(1);

	static final Duration INITIALIZATION_TIMEOUT = Duration.ofSeconds(20);

	static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(30);

	static final int MAX_TOOLS = 100;

	static final int MAX_PROMPTS = 50;

	static final int MAX_RESOURCES = 40;

	static final SessionOptions OPTIONS = options("weather", MAX_TOOLS);

	final VirtualScheduler timer = new VirtualScheduler();

	final Queue<Runnable> userTasks = new ConcurrentLinkedQueue<>();

	final ScriptedTransport transport = new ScriptedTransport();

	final RecordingListener listener = new RecordingListener();

	final Session session;

	SessionFixture() {
		this.session = (Session) new DefaultSessionFactory(this.timer, (server, task) -> this.userTasks.add(task))
			.create(this.transport, options("weather", MAX_TOOLS), this.listener);
	}

	static SessionOptions options(String serverName, int maxTools) {
		return new SessionOptions(
				McpServerDefinition.stdio(serverName, "server")
					.requestTimeout(REQUEST_TIMEOUT)
					.initializationTimeout(INITIALIZATION_TIMEOUT)
					.firstStartTimeout(INITIALIZATION_TIMEOUT)
					.connectTimeout(INITIALIZATION_TIMEOUT)
					.maxTools(maxTools)
					.prompts(new Feature(true, MAX_PROMPTS))
					.resources(new Resources(true, MAX_RESOURCES, false))
					.build(),
				Implementation.builder("test", "1").build(), INITIALIZATION_TIMEOUT, ServerRequests.NONE, List.of(),
				(context) -> null);
	}

	Session open() {
		this.session.open().block(SOON);
		return this.session;
	}

	void openIgnoring(String method) {
		this.transport.ignore(method);
		open();
	}

	void openAnswering(String result) {
		this.transport.answer("tools/call", result);
		open();
	}

	Mono<CallToolResult> call(String tool) {
		return this.session.request(tool(request(tool), null));
	}

	static Call<CallToolResult> tool(CallToolRequest request, Consumer<ProgressNotification> progress) {
		return tool(request, MINUTE, null, progress);
	}

	static Call<CallToolResult> tool(CallToolRequest request, Duration timeout, Duration maxTimeout,
			Consumer<ProgressNotification> progress) {
		return Call.tool(request, new Call.Options(timeout, maxTimeout, null, null, progress, false, Call.UNCHECKED));
	}

	static CallToolRequest request(String tool) {
		return CallToolRequest.builder(tool).arguments(Map.of("a", 1)).build();
	}

	/**
	 * Run the application's code that waits, and what that adds.
	 */
	void runUserTasks() {
		for (Runnable task = this.userTasks.poll(); task != null; task = this.userTasks.poll()) {
			task.run();
		}
	}

	void awaitReceived(String method, int count) {
		await(() -> this.transport.received(method).size() >= count);
		assertThat(this.transport.received(method)).hasSize(count);
	}

	static void assertFails(Mono<?> request, Throwable failure) {
		assertFailure(request).isSameAs(failure);
	}

	/**
	 * What a request fails with that was sent before something happens.
	 */
	static AbstractThrowableAssert<?, ?> assertFailure(Mono<?> request, Runnable... events) {
		CompletableFuture<Throwable> failure = request.then(Mono.<Throwable>empty())
			.onErrorResume(Mono::just)
			.toFuture();
		Stream.of(events).forEach(Runnable::run);
		assertThat(failure).succeedsWithin(SOON);
		return assertThat(failure.join());
	}

	@AfterEach
	void assertNothingIsLeft() {
		assertThat(this.session.pendingCount()).as("requests").isZero();
		// a message that is still on its way has a deadline of its own
		await(() -> this.timer.pending() == 0);
	}

	static void await(Callable<Boolean> condition) {
		Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(condition);
	}

}
