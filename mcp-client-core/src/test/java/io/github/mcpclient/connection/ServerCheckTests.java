package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpDiagnosis;
import io.github.mcpclient.McpDiagnosis.Kind;
import io.github.mcpclient.McpDiagnosis.Step;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.session.ServerRequests;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerCheck}.
 */
class ServerCheckTests extends ConnectionHarness {

	private static final String RAISE = "Check that server is an MCP server, or raise mcp.servers.x.initialization-timeout.";

	private static final String CUT = "That is the limit of the check itself: "
			+ "a connection has the time of mcp.servers.x.initialization-timeout.";

	@ParameterizedTest
	@CsvSource({ "60, 60, 20, true", "60, 2, 2, true", "20, 20, 20, false", "5, 5, 5, false", "5, 60, 5, false" })
	void saysWhoseLimitItWas(int initialization, int limit, int expected, boolean cut) {
		CompletableFuture<McpDiagnosis> check = check(initialization, limit);
		this.time.advance(Duration.ofSeconds(expected).minusMillis(1));
		assertThat(check).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		Step step = step(check.join(), Kind.INITIALIZE);
		assertThat(step.detail()).isEqualTo("No answer to initialize within " + expected + "000 ms");
		assertThat(step.advice()).isEqualTo(cut ? CUT : RAISE);
	}

	@Test
	void waitsTwoSecondsForWhatItCloses() {
		this.server.closesAtOnce = false;
		CompletableFuture<McpDiagnosis> check = check(60, 60);
		this.time.advance(Duration.ofSeconds(22).minusMillis(1));
		assertThat(check).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(check.join().passed()).isFalse();
	}

	private CompletableFuture<McpDiagnosis> check(int initialization, int limit) {
		McpServerDefinition definition = McpServerDefinition.stdio("x", "server")
			.initializationTimeout(Duration.ofSeconds(initialization))
			.build();
		return factory(this.server)
			.check(definition, (steps) -> this.server.transport(), ServerRequests.NONE, Duration.ofSeconds(limit),
					Mono.never())
			.toFuture();
	}

	private static Step step(McpDiagnosis diagnosis, Kind kind) {
		return diagnosis.steps().stream().filter((step) -> step.kind() == kind).findFirst().orElseThrow();
	}

}
