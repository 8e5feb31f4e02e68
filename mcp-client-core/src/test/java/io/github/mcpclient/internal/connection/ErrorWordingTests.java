package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.stream.Stream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.SessionProtocolException;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportException;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.Exceptions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ErrorWording}.
 */
class ErrorWordingTests {

	private static final McpServerDefinition STDIO = McpServerDefinition.stdio("files", "npx", "-y", "server")
		.env(Map.of("API_KEY", "env-secret-value", "DEBUG", "true"))
		.build();

	private static final McpServerDefinition HTTP = McpServerDefinition
		.http("docs", URI.create("https://joe:pass@example.com/mcp?key=query-secret%2Fvalue"))
		.headers(Map.of("Authorization", "Bearer header-secret-value"))
		.build();

	private final ErrorWording stdio = new ErrorWording(STDIO, true);

	private final ErrorWording http = new ErrorWording(HTTP, true);

	static Stream<Arguments> failures() {
		String checkUrl = "Check mcp.servers.docs.url, and that the server is running.";
		String itsLog = "Check the server's log.";
		return Stream.of(
				failure(new TransportException("HTTP 401 Unauthorized", "Set mcp.servers.docs.headers.", null),
						"HTTP 401 Unauthorized. Set mcp.servers.docs.headers."),
				failure(new TransportException("Connection refused: localhost/127.0.0.1:1", null,
						new ConnectException("other")), "Connection refused: localhost/127.0.0.1:1. " + checkUrl),
				failure(new SessionTimeoutException("initialize", Duration.ofSeconds(5)),
						"No response to initialize within 5000 ms. Check that https://example.com/mcp?key=****** is an MCP server, or raise mcp.servers.docs.initialization-timeout."),
				failure(new SessionTimeoutException("server/discover or initialize", Duration.ofSeconds(5)),
						"No response to server/discover or initialize within 5000 ms. Check that https://example.com/mcp?key=****** is an MCP server, or raise mcp.servers.docs.initialization-timeout."),
				failure(new SessionTimeoutException("ping", Duration.ofSeconds(5)),
						"No response to ping within 5000 ms. Check that https://example.com/mcp?key=****** is alive, or raise mcp.servers.docs.keep-alive-interval."),
				failure(new McpError(new JSONRPCError(-32602, "Unsupported protocol version", null)),
						"The server refused initialize with error -32602: Unsupported protocol version. "
								+ "The server may support other protocol versions only: use a version of the server that supports a protocol version from 2024-11-05 to 2026-07-28."),
				failure(new McpError(new JSONRPCError(-32000, " ", null)),
						"The server refused initialize with error -32000: (no message). " + itsLog),
				failure(new SessionProtocolException("It speaks an unknown revision", null, new IOException("inner")),
						"It speaks an unknown revision. " + checkUrl),
				failure(new SessionProtocolException("The server speaks another revision", "Use others.", null),
						"The server speaks another revision. Use others."),
				failure(new CancellationException("The session was closed"),
						"The session was closed. The application is stopping, the server was removed, replaced, disabled or reconnected, or the connection of its user has ended."),
				failure(new LoginRequiredException(new IllegalStateException("No token")),
						"The user has to log in. Call again after the login."),
				failure(new McpTransportSessionNotFoundException("Session 1234 not found"),
						"The server no longer knows the session. It may have been restarted."),
				failure(HttpStatusException.sessionLost(404, "The server no longer knows the session (HTTP 404)", "",
						null, true, null),
						"The server no longer knows the session (HTTP 404). It may have been restarted."),
				failure(new HttpStatusException(503, "HTTP 503 Service Unavailable", null, true),
						"HTTP 503 Service Unavailable. Check the log of the server, or of the gateway in front of it."),
				failure(new UnknownHostException("nosuch.example"), "Unknown host: nosuch.example. " + checkUrl),
				failure(new RuntimeException(new ConnectException("Connection refused")),
						"Connection refused. " + checkUrl),
				failure(named("Connection refused: localhost/127.0.0.1:1", new ConnectException("Connection refused")),
						"Connection refused: localhost/127.0.0.1:1. " + checkUrl),
				failure(new McpTransportException("java.net.ConnectException: Connection refused",
						new ConnectException("Connection refused")), "Connection refused. " + checkUrl),
				failure(new RuntimeException("Client failed", new IOException("Broken pipe")),
						"Broken pipe. " + checkUrl),
				failure(new ClosedChannelException(), "Closed channel. " + checkUrl),
				failure(new RuntimeException(null, new ClosedChannelException()), "Closed channel. " + checkUrl),
				failure(new Exception(), "Unknown failure. " + checkUrl),
				failure(new IllegalStateException("Really?"), "Really? " + checkUrl),
				failure(new IllegalStateException("It is so."), "It is so. " + checkUrl),
				failure(Exceptions.propagate(new IOException("wrapped")), "wrapped. " + checkUrl));
	}

	private static Arguments failure(Throwable failure, String expected) {
		return Arguments.of(failure, expected);
	}

	private static IOException named(String message, Throwable cause) {
		return new IOException(message, cause);
	}

	@ParameterizedTest
	@MethodSource("failures")
	void tellsWhatHappenedAndWhatToDo(Throwable failure, String expected) {
		assertThat(this.http.describe(failure, "initialize")).isEqualTo(expected);
	}

	static Stream<Arguments> failuresOfAListing() {
		String itsLog = "Check the server's log.";
		String busy = "The server has responded before: check why it is slow, or raise mcp.servers.docs.";
		return Stream.of(failure(new McpError(new JSONRPCError(-32603, "No database", null)), itsLog),
				failure(new SessionProtocolException("The answer has no list of tools"), itsLog),
				failure(new SessionTimeoutException("tools/list", HTTP.timeouts().initialization()),
						busy + "initialization-timeout."),
				failure(new SessionTimeoutException("tools/list", HTTP.timeouts().request()),
						busy + "request-timeout."),
				failure(new HttpStatusException(500, "HTTP 500", null, true),
						"Check the log of the server, or of the gateway in front of it."),
				failure(new HttpStatusException(400, "HTTP 400", "Check it.", true), "Check it."),
				failure(new HttpStatusException(400, "HTTP 400", null, true),
						"Check the log of the server, or of the gateway in front of it."),
				failure(HttpStatusException.sessionLost(410, "HTTP 410", "", null, true, null),
						"It may have been restarted."),
				failure(new ConnectException("Connection refused"),
						"Check mcp.servers.docs.url, and that the server is running."));
	}

	@ParameterizedTest
	@MethodSource("failuresOfAListing")
	void nextStepDoesNotBlameTheUrlOfAServerThatAnswers(Throwable failure, String nextStep) {
		assertThat(this.http.describe(failure, "tools/list")).endsWith(". " + nextStep);
	}

	@Test
	void settingOfTheProtocolIsNamedWhereThereIsOne() {
		McpServerDefinition pinned = McpServerDefinition.http("docs", URI.create("https://example.com/mcp"))
			.protocol("2025-06-18")
			.build();
		assertThat(new ErrorWording(pinned, true)
			.describe(new McpError(new JSONRPCError(-32600, "Unsupported protocol version", null)), "initialize"))
			.contains("set its protocol to auto, or use a version");
	}

	@ParameterizedTest
	@CsvSource({ "server/discover, initialization-timeout", "tools/list, request-timeout" })
	void whatToRaiseIsTheLimitThatWasExceeded(String request, String setting) {
		assertThat(this.http.toException(new SessionTimeoutException(request, Duration.ofSeconds(5)), request))
			.hasMessageStartingWith("MCP server 'docs' did not respond to " + request
					+ " within 5000 ms. Raise mcp.servers.docs." + setting);
	}

	@Test
	void nextStepFitsTheTransport() {
		Throwable failure = new IllegalStateException("The server echoes what it is sent, so it is not an MCP server");
		assertThat(this.stdio.describe(failure, "initialize")).isEqualTo(
				"The server echoes what it is sent, so it is not an MCP server. Check mcp.servers.files.command.");
		assertThat(
				new ErrorWording(McpServerDefinition.of("own", "carrier-pigeon").build(), true).describe(failure, "x"))
			.endsWith(". Check mcp.servers.own.");
	}

	@Test
	void settingsOfAServerOfCodeAreThoseOfItsDefinition() {
		Throwable failure = new IllegalStateException("It ended");
		for (String name : List.of("own", "my.own")) {
			McpServerDefinition definition = McpServerDefinition.stdio(name, "server").build();
			assertThat(new ErrorWording(definition, false).describe(failure, "x"))
				.isEqualTo("It ended. Check 'command' of its definition.");
		}
	}

	@Test
	void secretsAreMasked() {
		assertThat(
				this.http.describe(
						new IllegalStateException("Bad token header-secret-value at "
								+ "https://joe:pass@other.example/a?b=c&d, query-secret/value or query-secret%2Fvalue"),
						"x"))
			.startsWith("Bad token ****** at https://other.example/a?b=******&****** ****** or ******. ");
		assertThat(
				this.stdio.describe(new TransportException("It exited: key env-secret-value, true", null, null), "x"))
			.startsWith("It exited: key ******, true. ");
		assertThat(this.stdio.lines(List.of("API_KEY=env-secret-value", "ok"))).containsExactly("API_KEY=******", "ok");
		McpException exception = this.http.toException(new IllegalStateException("header-secret-value"), "x",
				Duration.ZERO, null, false);
		assertThat(exception).hasMessageContaining("******").hasMessageNotContaining("header-secret-value");
	}

	@Test
	void textOfAServerIsOneLineOfLimitedLength() {
		assertThat(this.http.line("a\r\nFAKE LOG LINE\t\u001b[31m\u2028b\u0000\u202e")).isEqualTo("a FAKE LOG LINE b");
		assertThat(this.http.line("x".repeat(100_000))).hasSize(2003).endsWith("...");
	}

	@Test
	void outcomeIsKnownOnlyWhereTheTransportSaysSo() {
		assertThat(connectionException(new TransportException("a", null, false, null)).isOutcomeKnown()).isTrue();
		assertThat(connectionException(new TransportException("a", null, null)).isOutcomeKnown()).isFalse();
		assertThat(connectionException(new McpTransportSessionNotFoundException("a")).isOutcomeKnown()).isTrue();
		assertThat(connectionException(new IOException("a")).isOutcomeKnown()).isFalse();
		assertThat(connectionException(Exceptions.propagate(new IOException("a"))))
			.hasCauseInstanceOf(IOException.class);
	}

	private McpConnectionException connectionException(Throwable failure) {
		return (McpConnectionException) this.http.toException(failure, "tools/call echo", Duration.ofSeconds(1), null,
				FailureKind.isUnprocessed(failure));
	}

	@Test
	void endOfTheConnectionSaysNothingOfTheOutcomeOfOtherRequests() {
		Throwable refused = new TransportException("The session is unknown", "Do it.", false, null);
		Throwable other = this.http.forPendingRequests(refused);
		assertThat(other).isInstanceOf(TransportException.class).hasMessage("The session is unknown").hasCause(refused);
		assertThat(((TransportException) other).isPossiblyProcessed()).isTrue();
		assertThat(((TransportException) other).getNextStep()).isEqualTo("Do it.");
		Throwable ping = this.http.forPendingRequests(new SessionTimeoutException("ping", Duration.ofSeconds(1)));
		assertThat(ping).isInstanceOf(TransportException.class).hasMessage("The server no longer responds");
		Throwable lost = new TransportException("Lost", null, null);
		assertThat(this.http.forPendingRequests(lost)).isSameAs(lost);
	}

}
