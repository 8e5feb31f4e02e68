package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link ServerCheck}.
 */
class ServerCheckTests extends ConnectionHarness {

	private static final String RAISE = "Check that server is an MCP server, or raise mcp.servers.x.initialization-timeout.";

	@ParameterizedTest
	@CsvSource({ "server, 60, 60, 20, initialization-timeout", "server, 60, 2, 2, initialization-timeout",
			"server, 20, 20, 20,", "server, 5, 5, 5,", "server, 5, 60, 5,", "npx, 20, 20, 20, first-start-timeout",
			"npx, 20, 2, 2, first-start-timeout" })
	void saysWhoseLimitItWas(String command, int initialization, int limit, int expected, String longer) {
		CompletableFuture<McpDiagnosis> check = check(command, initialization, limit);
		this.time.advance(Duration.ofSeconds(expected).minusMillis(1));
		assertThat(check).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		Step step = step(check.join(), StepKind.INITIALIZE);
		assertThat(step.detail()).isEqualTo("No response to initialize within " + expected + "000 ms");
		assertThat(step.advice()).isEqualTo(
				(longer != null) ? "The check itself waits no longer: a connection may take as long as mcp.servers.x."
						+ longer + " allows." : RAISE);
	}

	@Test
	void waitsTwoSecondsForWhatItCloses() {
		this.server.closesAtOnce = false;
		CompletableFuture<McpDiagnosis> check = check("server", 60, 60);
		this.time.advance(Duration.ofSeconds(22).minusMillis(1));
		assertThat(check).isNotDone();
		this.time.advance(Duration.ofMillis(1));
		assertThat(check.join().passed()).isFalse();
	}

	@Test
	void aCheckThatCannotBeginCostsNoOther() {
		McpConnectionFactory factory = new McpConnectionFactory(this.server, this.time, this.time, this.time,
				Implementation.builder("test", "1.0").build(), null);
		Mono<McpDiagnosis> check = factory.check(McpServerDefinition.stdio("x", "server").build(), true,
				(steps) -> this.server.transport(), ServerRequests.NONE, null, Mono.never());
		for (int i = 0; i < 20; i++) {
			assertThatNullPointerException().isThrownBy(check::block);
		}
	}

	private CompletableFuture<McpDiagnosis> check(String command, int initialization, int limit) {
		McpServerDefinition definition = McpServerDefinition.stdio("x", command)
			.initializationTimeout(Duration.ofSeconds(initialization))
			.build();
		return factory(this.server)
			.check(definition, true, (steps) -> this.server.transport(), ServerRequests.NONE, Duration.ofSeconds(limit),
					Mono.never())
			.toFuture();
	}

	private static Step step(McpDiagnosis diagnosis, StepKind kind) {
		return diagnosis.steps().stream().filter((step) -> step.kind() == kind).findFirst().orElseThrow();
	}

}
