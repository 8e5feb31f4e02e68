package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.Random;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Builder;
import io.github.mcpclient.McpServerDefinition.Reconnect;
import io.github.mcpclient.McpServerState;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the states of a {@link McpConnection}.
 */
class McpConnectionTests {

	private final ManualScheduler time = new ManualScheduler();

	private final FakeServer server = new FakeServer();

	private final FakeServer.Events events = new FakeServer.Events();

	private McpConnection connection;

	@AfterEach
	void nothingIsLeft() {
		if (this.connection != null) {
			this.connection.close();
			int attempts = this.server.attempts();
			this.time.advance(Generation.CLOSE_TIMEOUT);
			assertThat(this.time.pendingTimers()).isZero();
			this.time.advance(Duration.ofHours(1));
			assertThat(this.server.attempts()).isEqualTo(attempts);
			assertThat(this.server.links).allSatisfy((link) -> assertThat(link.closes).hasValue(1));
		}
	}

	@Test
	void connectsAndAnnouncesToolsBeforeReady() {
		connect();
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING");
		this.server.last().initialize();
		assertThat(this.events.take()).isEmpty();
		this.server.last().list("a", "b");
		assertThat(this.events.take()).containsExactly("tools [a, b]", "CONNECTING->READY");
		assertThat(this.connection.isReady()).isTrue();
		assertThat(this.connection.status().protocolVersion()).isEqualTo("2025-11-25");
	}

	@Test
	void retriesAfterTheBackoffAndNotANanosecondEarlier() {
		connect();
		this.server.last().die("Connection refused");
		assertThat(this.connection.status().state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(this.connection.status().nextRetry()).isEqualTo(ManualScheduler.START.plusSeconds(1));
		this.time.advance(Duration.ofSeconds(1).minusNanos(1));
		assertThat(this.server.attempts()).isEqualTo(1);
		this.time.advance(Duration.ofNanos(1));
		assertThat(this.server.attempts()).isEqualTo(2);
		assertThat(this.connection.status().state()).isEqualTo(McpServerState.CONNECTING);
	}

	private void connect() {
		connect((builder) -> builder);
	}

	private void connect(UnaryOperator<Builder> settings) {
		Builder builder = McpServerDefinition.stdio("x", "server")
			.reconnect(new Reconnect(true, Duration.ofSeconds(1), 2, Duration.ofSeconds(30), 0));
		this.connection = new McpConnectionFactory(this.server, this.time, this.time.clock(),
				Implementation.builder("test", "1.0").build(), new Random(42))
			.create(settings.apply(builder).build(), this.server::transport, this.events);
		this.connection.start();
	}

}
