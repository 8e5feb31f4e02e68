package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.CapturedLog;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many servers that come and go, on virtual time.
 */
class FlappingServersTests {

	private static final int SERVERS = 40;

	private final VirtualScheduler time = new VirtualScheduler();

	private final Random random = new Random(7);

	@RegisterExtension
	private final CapturedLog log = new CapturedLog("io.github.mcpclient");

	private final List<Flapping> servers = new ArrayList<>();

	@AfterEach
	void nothingIsLeft() {
		this.servers.forEach((server) -> server.connection.close());
		this.time.advance(Generation.CLOSE_TIMEOUT);
		assertThat(this.time.pending()).as("pending timers").isZero();
	}

	@Test
	void fortyServersThatFlapForAMinuteGetAtMostOneLineAStateChange() {
		List<BiConsumer<FlappingServersTests, Link>> ways = List.of(FlappingServersTests::comeAndGo,
				FlappingServersTests::refuse, FlappingServersTests::exit, FlappingServersTests::forget,
				FlappingServersTests::breakAnyTime);
		for (int i = 0; i < SERVERS; i++) {
			this.servers.add(new Flapping("server-" + i, ways.get(i % ways.size())));
		}
		this.servers.forEach((server) -> server.connection.start());
		this.time.advance(Duration.ofMinutes(1));
		for (int i = 0; i < SERVERS; i++) {
			Flapping server = this.servers.get(i);
			List<ILoggingEvent> lines = lines(server);
			List<String> changes = server.events.take().stream().filter((event) -> event.contains("->")).toList();
			assertThat(changes).as(server.name).hasSizeGreaterThan(50);
			assertThat(lines).as(server.name).hasSizeLessThanOrEqualTo(changes.size());
			boolean everReady = changes.contains(McpServerState.CONNECTING + "->" + McpServerState.READY);
			if (!everReady) {
				// Each failure has a text of its own
				assertThat(lines.stream().filter((line) -> line.getLevel().isGreaterOrEqual(Level.INFO)))
					.as(server.name)
					.hasSize(1);
			}
		}
		assertThat(this.servers.stream().filter((server) -> server.connection.status().lastError() != null))
			.isNotEmpty();
		assertThat(this.log.events()).allSatisfy((line) -> assertThat(line.getLevel()).isNotEqualTo(Level.ERROR));
	}

	private List<ILoggingEvent> lines(Flapping server) {
		return this.log.events()
			.stream()
			.filter((line) -> line.getFormattedMessage().contains("'" + server.name + "'"))
			.toList();
	}

	private void comeAndGo(Link link) {
		after(20, link::initialize);
		link.tools = List.of(FakeSessions.tool("a"));
		after(100, () -> link.die("The connection broke: reset by peer " + UUID.randomUUID()));
	}

	private void refuse(Link link) {
		after(5, () -> link.refuse(new McpError(new JSONRPCError(-32603, "Request " + UUID.randomUUID(), null))));
	}

	private void exit(Link link) {
		after(50, () -> link.die(
				new TransportException("Cannot connect to /10.0.0.7:" + this.random.nextInt(1024, 65536), null, null)));
	}

	private void forget(Link link) {
		link.initialize();
		link.tools = List.of();
		after(30, () -> link
			.die(HttpStatusException.sessionLost(404, "The server no longer knows the session", "", null, true, null)));
	}

	private void breakAnyTime(Link link) {
		after(this.random.nextInt(100), link::initialize);
		link.tools = List.of(FakeSessions.tool("b"));
		after(this.random.nextInt(300), () -> link.die("broken at " + this.time.now(TimeUnit.NANOSECONDS)));
	}

	private void after(long millis, Runnable task) {
		this.time.schedule(task, millis, TimeUnit.MILLISECONDS);
	}

	private final class Flapping {

		private final String name;

		private final FakeSessions.Events events = new FakeSessions.Events();

		private final McpConnection connection;

		private Flapping(String name, BiConsumer<FlappingServersTests, Link> way) {
			this.name = name;
			FakeSessions server = new FakeSessions();
			server.script = (link) -> way.accept(FlappingServersTests.this, link);
			VirtualScheduler time = FlappingServersTests.this.time;
			this.connection = new McpConnectionFactory(server, time, time, time,
					Implementation.builder("test", "1.0").build(), HeaderSources.NONE)
				.create(McpServerDefinition.stdio(name, "server")
					.reconnect(new Reconnect(true, Duration.ofMillis(100), 1.5, Duration.ofSeconds(1), 0.5))
					.build(), true, server::transport, this.events, ServerRequests.NONE, List.of());
		}

	}

}
