package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.testsupport.CapturedLog;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A connection to a {@link FakeSessions} on virtual time, with its log. After each test
 * the connection is closed, and nothing of it may be left.
 */
abstract class ConnectionHarness {

	final VirtualScheduler time = new VirtualScheduler();

	final FakeSessions server = new FakeSessions();

	final FakeSessions.Events events = new FakeSessions.Events();

	private final CapturedLog log = new CapturedLog("io.github.mcpclient");

	private HeaderSources headers = HeaderSources.NONE;

	private McpConnection connection;

	@BeforeEach
	void beginLog() {
		this.log.open();
	}

	@AfterEach
	void assertNothingIsLeft() {
		this.log.close();
		if (this.connection == null) {
			return;
		}
		this.connection.close();
		int attempts = this.server.attempts();
		this.time.advance(Generation.CLOSE_TIMEOUT);
		assertThat(this.time.pending()).as("pending timers").isZero();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).as("attempts after close").isEqualTo(attempts);
		assertThat(this.server.links).allSatisfy((link) -> assertThat(link.closes).as("closes").hasValue(1));
		assertThat(this.connection.status().state()).isEqualTo(McpServerState.CLOSED);
	}

	McpConnection create() {
		return create((builder) -> builder);
	}

	/**
	 * Ask a provider for headers, on virtual time.
	 */
	void provideHeaders(McpHeadersProvider provider) {
		this.headers = new HeaderSources(() -> List.of(provider), (type) -> null, () -> this.time);
	}

	/**
	 * Have requests authorized, on virtual time.
	 */
	void authorizeBy(McpAuthorizer authorizer) {
		this.headers = new HeaderSources(List::of, (type) -> authorizer, () -> this.time);
	}

	/**
	 * Create a connection that retries after 1, 2, 4 ... 30 s.
	 */
	McpConnection create(UnaryOperator<McpServerDefinitionBuilder> settings) {
		return create(McpServerDefinition.stdio("x", "server"), settings);
	}

	McpConnection create(McpServerDefinitionBuilder builder, UnaryOperator<McpServerDefinitionBuilder> settings) {
		builder.reconnect(new Reconnect(true, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 0.0));
		this.connection = factory(this.server).create(settings.apply(builder).build(), true, this.server::transport,
				this.events, ServerRequests.NONE, List.of());
		return this.connection;
	}

	McpConnectionFactory factory(McpSession.Factory sessions) {
		return new McpConnectionFactory(sessions, this.time, this.time, this.time,
				Implementation.builder("test", "1.0").build(), this.headers);
	}

	McpConnection start() {
		return start((builder) -> builder);
	}

	McpConnection start(UnaryOperator<McpServerDefinitionBuilder> settings) {
		create(settings).start();
		return this.connection;
	}

	McpConnection ready(String... tools) {
		return ready((builder) -> builder, tools);
	}

	McpConnection ready(UnaryOperator<McpServerDefinitionBuilder> settings, String... tools) {
		start(settings);
		this.server.last().ready(tools);
		assertThat(this.connection.isReady()).isTrue();
		return this.connection;
	}

	void close() {
		this.connection.close();
	}

	/**
	 * Let the next attempt succeed when it is due.
	 */
	void readyAgain(String... tools) {
		advanceToRetry();
		this.server.last().ready(tools);
	}

	void advanceToRetry() {
		Instant retry = status().nextRetry();
		assertThat(retry).isNotNull();
		this.time.advance(Duration.between(this.time.instant(), retry));
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
	}

	McpServerStatus status() {
		return this.connection.status();
	}

	McpServerState state() {
		return status().state();
	}

	Answer call() {
		return call(null, false);
	}

	Answer call(Duration timeout, boolean repeatable) {
		return new Answer(this.connection.call(Call.tool(new CallToolRequest("echo", null, null), Call.Options
			.of((timeout != null) ? timeout : this.connection.definition().timeouts().request(), repeatable))));
	}

	/**
	 * Return the log lines of a level, without their level.
	 */
	List<String> log(Level level) {
		return this.log.lines(level);
	}

	/**
	 * Return the lines that an operator sees, and forget them.
	 */
	List<String> takeLog() {
		List<String> lines = log().filter((event) -> event.getLevel().isGreaterOrEqual(Level.INFO))
			.map((event) -> event.getLevel() + " " + event.getFormattedMessage())
			.toList();
		this.log.events().clear();
		return lines;
	}

	Stream<ILoggingEvent> log() {
		return this.log.events().stream();
	}

	static UnaryOperator<McpServerDefinitionBuilder> timeouts(Duration request, Duration initialization,
			Duration keepAlive) {
		return (builder) -> builder.requestTimeout(request)
			.initializationTimeout(initialization)
			.connectTimeout(Duration.ofSeconds(10))
			.keepAliveInterval(keepAlive);
	}

	static UnaryOperator<McpServerDefinitionBuilder> reconnectDisabled() {
		return (builder) -> builder
			.reconnect(new Reconnect(false, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30), 0.0));
	}

	/**
	 * What became of a call.
	 */
	static final class Answer {

		private final reactor.core.Disposable subscription;

		volatile CallToolResult result;

		volatile Throwable failure;

		Answer(Mono<CallToolResult> call) {
			this.subscription = call.subscribe((value) -> this.result = value, (ex) -> this.failure = ex);
		}

		void cancel() {
			this.subscription.dispose();
		}

		boolean isOpen() {
			return this.result == null && this.failure == null;
		}

		String text() {
			assertThat(this.failure).isNull();
			assertThat(this.result).isNotNull();
			return ((TextContent) this.result.content().get(0)).text();
		}

	}

}
