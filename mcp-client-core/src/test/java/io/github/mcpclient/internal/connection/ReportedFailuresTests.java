package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.spi.UnusableSettingsException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ReportedFailures}.
 */
class ReportedFailuresTests {

	private final ReportedFailures told = new ReportedFailures();

	@ParameterizedTest
	@MethodSource
	void ofOneKind(Throwable first, Throwable second) {
		assertThat(isNew(first)).isTrue();
		assertThat(isNew(second)).isFalse();
	}

	static Stream<Arguments> ofOneKind() {
		return Stream.of(Arguments.of(broken("same"), broken("same")),
				Arguments.of(
						broken("npm error A complete log of this run can be found in: "
								+ "/root/.npm/_logs/2026-11-21T10_00_00_123Z-debug-0.log"),
						broken("npm error A complete log of this run can be found in: "
								+ "/root/.npm/_logs/2026-11-21T10_00_30_987Z-debug-0.log")),
				Arguments.of(broken("reset by /127.0.0.1:34512"), broken("reset by /127.0.0.1:61122")),
				Arguments.of(broken("request 2b0e9c6a-91f4-4c55-8f54-0d2f1f3a9d11 failed"),
						broken("request f00dfeed-1234-4c55-9999-1d2f1f3a9d12 failed")),
				Arguments.of(broken("10:00:01.123 no"), broken("10:00:31.456 no")),
				Arguments.of(error(-32603, "trace id abc"), error(-32603, "trace id def")),
				Arguments.of(exited("line 1"), exited("line 2").notSent()),
				Arguments.of(exited("line 1").notSent(), exited("line 2").notSent().notSent()),
				Arguments.of(new HttpStatusException(503, "HTTP error", null, false),
						new HttpStatusException(503, "HTTP error", null, false).notSent()),
				Arguments.of(new UnusableSettingsException("Cannot start 'x'", null, new IOException()),
						new UnusableSettingsException("Cannot start 'x'", null, new IOException()).notSent()),
				Arguments.of(silent("still loading"), silent("loading again")));
	}

	@ParameterizedTest
	@MethodSource
	void ofTwoKinds(Throwable first, Throwable second) {
		assertThat(isNew(first)).isTrue();
		assertThat(isNew(second)).isTrue();
	}

	static Stream<Arguments> ofTwoKinds() {
		return Stream.of(Arguments.of(broken("Connection refused"), broken("Connection reset")),
				Arguments.of(broken("The process exited with code 1"), broken("The process exited with code 137")),
				Arguments.of(new HttpStatusException(401, "HTTP error", null, false),
						new HttpStatusException(503, "HTTP error", null, false)),
				Arguments.of(new HttpStatusException(401, "HTTP error", null, false).notSent(),
						new HttpStatusException(503, "HTTP error", null, false).notSent()),
				Arguments.of(error(-32603, "no"), error(-32000, "no")), Arguments.of(broken("no"), error(-1, "no")),
				Arguments.of(new SessionTimeoutException("initialize", Duration.ofSeconds(1)),
						new SessionTimeoutException("tools/list", Duration.ofSeconds(1))),
				Arguments.of(broken("no"), new IllegalStateException("no")));
	}

	private static Throwable silent(String stderr) {
		return new SessionTimeoutException("initialize", Duration.ofSeconds(1)).quoting(List.of(stderr), "");
	}

	@Test
	void eachKindIsToldOnceHoweverTheyAlternate() {
		assertThat(isNew(broken("a"))).isTrue();
		assertThat(isNew(broken("b"))).isTrue();
		assertThat(isNew(broken("a"))).isFalse();
		assertThat(isNew(broken("b"))).isFalse();
		this.told.forget();
		assertThat(isNew(broken("a"))).isTrue();
	}

	@Test
	void whoFailsInEverNewWaysIsNotListenedToForEver() {
		for (int i = 0; i < ReportedFailures.LIMIT; i++) {
			assertThat(isNew(broken("word " + (char) ('a' + i)))).isTrue();
		}
		assertThat(isNew(broken("another"))).isFalse();
		this.told.forget();
		assertThat(isNew(broken("another"))).isTrue();
	}

	@Test
	void longTextIsNoTrouble() {
		assertThat(isNew(broken("1a".repeat(500_000)))).isTrue();
		assertThat(isNew(broken("a1b2c3".repeat(500_000)))).isFalse();
		assertThat(isNew(broken("x".repeat(1_000_000) + "123"))).isTrue();
	}

	private boolean isNew(Throwable failure) {
		return this.told.isNew(failure, String.valueOf(failure.getMessage()));
	}

	private static Throwable broken(String message) {
		return new TransportException(message, null, new IOException());
	}

	private static TransportException exited(String stderr) {
		return new TransportException("The process exited with code 1", ": last lines of stderr: " + stderr, null, true,
				new IOException());
	}

	private static Throwable error(int code, String message) {
		return new McpError(new JSONRPCError(code, message, null));
	}

}
