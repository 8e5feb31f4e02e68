package io.github.mcpclient.internal.session;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.publisher.PublisherProbe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for how a session is opened.
 */
class SessionHandshakeTests extends SessionFixture {

	@Test
	void newestRevisionIsProposed() {
		assertThat(this.session.open().block(SOON).serverInfo().name()).isEqualTo("scripted");
		assertThat(this.transport.received()).extracting(ScriptedTransport.Received::method)
			.containsExactly("initialize", "notifications/initialized");
		assertThat(this.transport.received().get(0).params()).hasToString("""
				{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}""");
		assertThat((String) this.transport.received()
			.get(1)
			.context()
			.get("io.modelcontextprotocol.client.negotiated-protocol-version")).isEqualTo("2025-11-25");
	}

	@Test
	void olderRevisionIsAccepted() {
		this.transport.answer("initialize",
				"""
						{"protocolVersion": "2024-11-05", "capabilities": {}, "serverInfo": {"name": "old", "version": "1"}}""");
		assertThat(this.session.open().block(SOON).protocolVersion()).isEqualTo("2024-11-05");
	}

	@Test
	void unknownRevisionIsRefused() {
		this.transport.speaks("2025-06-18", "2025-11-25").answer("initialize", """
				{"protocolVersion": "1999-01-01\\n\\u001b[31m", "capabilities": {},
				 "serverInfo": {"name": "s", "version": "1"}}""");
		failsWith(SessionProtocolException.class,
				"The server supports protocol version 1999-01-01 , the client supports 2025-06-18, 2025-11-25");
		assertThat(this.transport.received("notifications/initialized")).isEmpty();
	}

	@Test
	void missingRevisionIsRefused() {
		this.transport.answer("initialize", "{}");
		assertThatExceptionOfType(SessionProtocolException.class).isThrownBy(() -> this.session.open().block(SOON))
			.withMessage("The server's response to initialize has no protocol version")
			.satisfies((failure) -> assertThat(failure.getNextStep()).contains("Update the server"));
	}

	@Test
	void answerThatIsNoObjectIsRefused() {
		this.transport.answer("initialize", "[\"what?\"]");
		failsWith(SessionProtocolException.class,
				"The server's response to initialize cannot be understood: [\"what?\"]");
	}

	@Test
	void oddPartsOfTheAnswerCostOnlyThemselves() {
		this.transport.answer("initialize", """
				{"protocolVersion": "2025-11-25", "instructions": {}, "serverInfo": "me", "capabilities":
				 {"tools": {"listChanged": true}, "prompts": "yes", "extensions": {"a": 1}, "own": [1]}}""");
		ServerDescription server = this.session.open().block(SOON);
		assertThat(server.capabilities()).containsExactlyInAnyOrder("tools", "prompts");
		assertThat(server.instructions()).isNull();
		assertThat(server.serverInfo().name()).isEmpty();
	}

	@Test
	void mapsOfAForeignTransportAreUnderstood() {
		this.transport.asMaps();
		assertThat(this.session.open().block(SOON).serverInfo().name()).isEqualTo("scripted");
	}

	@Test
	void errorAnswerFailsTheHandshake() {
		this.transport.on("initialize",
				(request) -> Mono.error(McpError.builder(-32602).message("Unsupported protocol version").build()));
		assertFailure(this.session.open()).isInstanceOfSatisfying(McpError.class,
				(error) -> assertThat(error.getJsonRpcError().code()).isEqualTo(-32602));
	}

	@ParameterizedTest
	@CsvSource({ "-32602, false", "-32022, false", "-32603, false", "-32602, true" })
	void revisionThatBothSpeakIsTriedWhereTheServerNamesIt(int code, boolean maps) {
		if (maps) {
			this.transport.asMaps();
		}
		this.transport.on("initialize", (request) -> {
			String version = request.params().path("protocolVersion").asString();
			return version.equals("2025-06-18") ? answer(version)
					: refusal(code, List.of("1999-01-01", "2024-11-05", "2025-06-18", 7));
		});
		assertThat(this.session.open().block(SOON).protocolVersion()).isEqualTo("2025-06-18");
		assertThat(this.transport.received()).extracting(ScriptedTransport.Received::method)
			.containsExactly("initialize", "initialize", "notifications/initialized");
	}

	@Test
	void otherRevisionsAreTriedOnceEach() {
		this.transport.speaks("2025-03-26", "2025-06-18", "2025-11-25")
			.on("initialize", (request) -> refusal(-32602, List.of("2025-03-26", "2025-06-18")));
		failsWith(SessionProtocolException.class,
				"The server supports protocol version 2025-03-26, 2025-06-18, "
						+ "the client supports 2025-03-26, 2025-06-18, 2025-11-25, "
						+ "but the server refused 2025-06-18, 2025-03-26");
		assertThat(this.transport.received("initialize")).hasSize(3);
	}

	@Test
	void revisionsOfBothSidesAreNamedWhereTheyHaveNoneInCommon() {
		List<String> many = new ArrayList<>(List.of("2026-07-28\n\u202e"));
		IntStream.range(0, 1000).forEach((i) -> many.add("2027-01-01-" + i));
		this.transport.speaks("2025-06-18", "2025-11-25").on("initialize", (request) -> refusal(-32022, many));
		StepVerifier.create(this.session.open()).expectErrorSatisfies((ex) -> {
			assertThat(ex).isInstanceOf(SessionProtocolException.class)
				.message()
				.startsWith("The server supports protocol version 2026-07-28 , 2027-01-01-0, ")
				.endsWith(", the client supports 2025-06-18, 2025-11-25")
				.hasSizeLessThan(1000)
				.doesNotContain("\n", "\u202e");
			assertThat(((SessionProtocolException) ex).getNextStep()).contains("share a protocol version");
		}).verify(SOON);
		assertThat(this.transport.received("initialize")).hasSize(1);
	}

	@Test
	void anErrorOfSomethingElseIsNotMetWithOtherRevisions() {
		this.transport.on("initialize",
				(request) -> Mono.error(McpError.builder(-32603)
					.message("Down since 2025-06-18")
					.data(Map.of("since", List.of("2025-06-18")))
					.build()));
		StepVerifier.create(this.session.open()).expectError(McpError.class).verify(SOON);
		assertThat(this.transport.received("initialize")).hasSize(1);
	}

	@Test
	void whatTheServerSaysOfItselfIsBoundedAndPrintable() {
		String large = "x".repeat(1_000_000);
		this.transport.on("initialize",
				(request) -> Mono.just(Map.of("protocolVersion", "2025-11-25", "capabilities", Map.of(), "instructions",
						"Use\tit\nwell\u202e\u001b[31m " + large, "serverInfo",
						Map.of("name", "a\n\u202eb" + large, "title", large, "version", "1\n" + large, "description",
								large, "websiteUrl", "javascript:alert(1)", "icons",
								List.of(Map.of("src", "https://a.example/i.png", "mimeType", "image/png", "sizes",
										List.of("48x48")), Map.of("src", "javascript:alert(1)"),
										Map.of("src", "https://a.example/" + large))))));
		ServerDescription server = this.session.open().block(SOON);
		Implementation info = server.serverInfo();
		assertThat(info.name()).startsWith("a bx").hasSizeLessThan(300);
		assertThat(info.title()).startsWith("xxx").hasSizeLessThan(300);
		assertThat(info.version()).startsWith("1 x").hasSizeLessThan(300);
		assertThat(info.description()).hasSizeLessThan(3000);
		assertThat(info.websiteUrl()).isNull();
		assertThat(info.icons())
			.containsExactly(new Icon("https://a.example/i.png", "image/png", List.of("48x48"), null));
		assertThat(server.instructions()).startsWith("Use it\nwell xxx").hasSizeLessThan(70_000);
	}

	@Test
	void whatTheServerLeavesOutStaysOut() {
		Implementation info = this.session.open().block(SOON).serverInfo();
		assertThat(info.name()).isEqualTo("scripted");
		assertThat(info.title()).isNull();
		assertThat(info.description()).isNull();
		assertThat(info.websiteUrl()).isNull();
	}

	private static Mono<?> answer(String version) {
		return Mono.just(Map.of("protocolVersion", version, "capabilities", Map.of(), "serverInfo",
				Map.of("name", "s", "version", "1")));
	}

	private static Mono<?> refusal(int code, List<?> supported) {
		return Mono.error(McpError.builder(code)
			.message("Unsupported protocol version")
			.data(Map.of("supported", supported, "requested", "?"))
			.build());
	}

	@Test
	void failureToConnectFailsTheHandshake() {
		IOException cause = new IOException("refused");
		this.transport.connection(Mono.error(cause)).ignore("initialize");
		assertFails(this.session.open(), cause);
		assertThat(this.transport.received()).isEmpty();
	}

	@Test
	void lateFailureToConnectFailsTheHandshake() {
		Sinks.Empty<Void> connection = Sinks.empty();
		this.transport.connection(connection.asMono()).ignore("initialize");
		IOException cause = new IOException("refused");
		assertFailure(this.session.open(), () -> connection.tryEmitError(cause)).isSameAs(cause);
	}

	@Test
	void connectionThatBreaksLaterEndsTheSession() {
		Sinks.Empty<Void> connection = Sinks.empty();
		this.transport.connection(connection.asMono()).ignore("tools/call");
		open();
		IOException cause = new IOException("broke");
		assertFailure(call("echo"), () -> connection.tryEmitError(cause)).isSameAs(cause);
	}

	@Test
	void connectionMayCompleteNeverOrAtOnce() {
		PublisherProbe<Void> connection = PublisherProbe.of(Mono.never());
		this.transport.connection(connection.mono());
		open();
		connection.assertWasNotCancelled();
		this.session.close().block(SOON);
		connection.assertWasCancelled();
	}

	@ParameterizedTest
	@ValueSource(classes = { JSONRPCRequest.class, JSONRPCNotification.class })
	void failureToSendFailsTheHandshake(Class<?> unsent) {
		IOException cause = new IOException("reset");
		this.transport.wire((message) -> unsent.isInstance(message) ? Mono.error(cause) : Mono.empty());
		assertFails(this.session.open(), cause);
	}

	@Test
	void silenceFailsTheHandshakeInTime() {
		this.transport.ignore("initialize");
		timesOut();
		assertThat(this.transport.received("notifications/cancelled")).isEmpty();
		assertThat(this.transport.cancelledSends()).isOne();
	}

	@Test
	void initializedThatCannotBeSentFailsTheHandshakeInTime() {
		this.transport.wire((message) -> (message instanceof JSONRPCNotification) ? Mono.never() : Mono.empty());
		timesOut();
		assertThat(this.transport.received()).hasSize(1);
	}

	@Test
	void silenceNamesTheRequestsThatWereSent() {
		this.transport.speaks("2025-11-25", "2026-07-28").ignore("server/discover").ignore("initialize");
		assertFailure(this.session.open(), () -> assertThat(this.session.handshake()).isEqualTo("server/discover"),
				() -> this.timer.advance(INITIALIZATION_TIMEOUT))
			.isInstanceOf(SessionTimeoutException.class)
			.hasMessage("No response to server/discover or initialize within 20000 ms");
	}

	private void timesOut() {
		assertFailure(this.session.open(), () -> this.timer.advance(INITIALIZATION_TIMEOUT.minusNanos(1)),
				() -> assertThat(this.timer.pending()).isPositive(), () -> this.timer.advance(Duration.ofNanos(1)))
			.isInstanceOf(SessionTimeoutException.class)
			.hasFieldOrPropertyWithValue("cancelled", false)
			.hasMessage("No response to initialize within 20000 ms");
	}

	@Test
	void cancellingIsNotToldToTheServer() {
		PublisherProbe<Void> connection = PublisherProbe.of(Mono.never());
		this.transport.connection(connection.mono()).ignore("initialize");
		Disposable opening = this.session.open().subscribe();
		assertThat(this.session.pendingCount()).isOne();
		opening.dispose();
		assertThat(this.transport.received()).extracting(ScriptedTransport.Received::method)
			.containsExactly("initialize");
		assertThat(this.transport.cancelledSends()).isOne();
		connection.assertWasCancelled();
	}

	@Test
	void sessionIsOpenedOnce() {
		open();
		assertFailure(this.session.open()).isInstanceOf(IllegalStateException.class)
			.hasMessage("The session was opened before");
		assertThat(this.transport.connectCount()).isOne();
	}

	@Test
	void closedSessionDoesNotConnect() {
		this.session.close().block(SOON);
		StepVerifier.create(this.session.open()).expectError(CancellationException.class).verify(SOON);
		assertThat(this.transport.connectCount()).isZero();
	}

	@Test
	void terminationFailsTheHandshake() {
		this.transport.ignore("initialize");
		IOException cause = new IOException("The child exited");
		assertFailure(this.session.open(), () -> this.session.terminate(cause)).isSameAs(cause);
	}

	@Test
	void echoIsNoServer() {
		ScriptedTransport echo = this.transport;
		echo.wire((message) -> Mono.fromRunnable(() -> echo.deliver(message))).ignore("initialize");
		failsWith(SessionProtocolException.class, "The server echoes each message, so it is not an MCP server");
		assertThat(echo.received().size()).isLessThanOrEqualTo(1);
	}

	@Test
	void requestToInitializeIsRefusedOnceTheSessionIsOpen() {
		open();
		this.transport.serverAsks("s1", "initialize", "{}");
		assertThat(this.transport.received().get(2).json().get("error").get("code").asInt()).isEqualTo(-32601);
		this.session.ping(MINUTE).block(SOON);
	}

	@Test
	void pingOfTheServerIsAnsweredDuringTheHandshake() {
		AtomicReference<JSONRPCResponse> answer = new AtomicReference<>();
		this.transport.wire((message) -> Mono.fromRunnable(() -> {
			if (message instanceof JSONRPCResponse response) {
				answer.set(response);
			}
		})).on("initialize", (request) -> {
			this.transport.serverAsks("p1", "ping", null);
			return Mono.never();
		});
		Disposable opening = this.session.open().subscribe();
		assertThat(answer.get().id()).isEqualTo("p1");
		opening.dispose();
	}

	@Test
	void transportWithoutRevisionsFailsTheHandshake() {
		this.transport.speaks();
		failsWith(IllegalArgumentException.class, "The transport has no protocol version");
		assertThat(this.transport.connectCount()).isZero();
	}

	private void failsWith(Class<? extends Throwable> type, String message) {
		assertFailure(this.session.open()).isInstanceOf(type).hasMessage(message);
	}

}
