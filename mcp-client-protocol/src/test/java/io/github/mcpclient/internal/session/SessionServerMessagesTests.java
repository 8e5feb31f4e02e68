package io.github.mcpclient.internal.session;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.internal.session.RecordingListener.LogMessage;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

import org.springframework.beans.BeanUtils;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for what a server says unasked.
 */
class SessionServerMessagesTests extends SessionFixture {

	@BeforeEach
	void begin() {
		open();
	}

	@ParameterizedTest
	@ValueSource(strings = { "s1", "7" })
	void pingIsAnswered(String id) {
		this.transport.serverAsks(id, "ping", null);
		assertThat(lastSent()).hasToString("{\"jsonrpc\":\"2.0\",\"id\":\"" + id + "\",\"result\":{}}");
		this.transport.serverAsks(7, "ping", "{}");
		assertThat(lastSent()).hasToString("{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}");
	}

	@ParameterizedTest
	@ValueSource(strings = { "sampling/createMessage", "elicitation/create", "roots/list", "tools/call", "x" })
	void anyOtherRequestIsRefused(String method) {
		this.transport.serverAsks("s1", method, "{\"a\": 1}");
		assertThat(lastSent()).hasToString("{\"jsonrpc\":\"2.0\",\"id\":\"s1\",\"error\":"
				+ "{\"code\":-32601,\"message\":\"Method not found: " + method + "\"}}");
	}

	@Test
	void requestsThatAreBeingAnsweredAreBounded() {
		SessionOptions options = OPTIONS;
		new DefaultSessionFactory(this.timer, (server, task) -> task.run())
			.create(this.transport, new SessionOptions(options.definition(), options.clientInfo(),
					options.initializationTimeout(), new ServerRequests() {

						@Override
						public Mono<?> answer(JSONRPCRequest request, ContextView call) {
							return Mono.never();
						}

					}, List.of(), (context) -> null), this.listener)
			.open()
			.block(SOON);
		String large = "{\"a\": \"" + "x".repeat(6_000_000) + "\"}";
		MemoryBudget memory = MemoryBudget.of(options.definition().name());
		long taken = Runtime.getRuntime().maxMemory() / 8 - 15_000_000;
		assertThat(memory.take(taken)).isTrue();
		try {
			for (int i = 0; i < 3; i++) {
				this.transport.serverAsks(i, "sampling/createMessage", large);
			}
		}
		finally {
			memory.give(taken);
		}
		String refusal = "{\"jsonrpc\":\"2.0\",\"id\":2,\"error\":{\"code\":-32000,\"message\":"
				+ "\"Too many requests are pending\"}}";
		assertThat(lastSent()).hasToString(refusal);
		this.transport.serverNotifies("notifications/cancelled", "{\"requestId\": 1}");
		this.transport.serverAsks(3, "sampling/createMessage", large);
		assertThat(lastSent()).as("no other").hasToString(refusal);
	}

	@ParameterizedTest
	@ValueSource(classes = { IllegalStateException.class, NoClassDefFoundError.class })
	void aRequestThatCannotBeAnsweredLeavesNothingBehind(Class<? extends Throwable> failure) {
		SessionOptions options = OPTIONS;
		new DefaultSessionFactory(this.timer, (server, task) -> task.run())
			.create(this.transport, new SessionOptions(options.definition(), options.clientInfo(),
					options.initializationTimeout(), new ServerRequests() {

						@Override
						public Mono<?> answer(JSONRPCRequest request, ContextView call) {
							ReflectionUtils.rethrowRuntimeException(BeanUtils.instantiateClass(failure));
							return Mono.empty();
						}

					}, List.of(), (context) -> null), this.listener)
			.open()
			.block(SOON);
		String large = "{\"a\": \"" + "x".repeat(6_000_000) + "\"}";
		MemoryBudget memory = MemoryBudget.of(options.definition().name());
		long taken = Runtime.getRuntime().maxMemory() / 8 - 15_000_000;
		assertThat(memory.take(taken)).isTrue();
		try {
			for (int i = 0; i < 4; i++) {
				this.transport.serverAsks(1, "sampling/createMessage", large);
				assertThat(lastSent()).hasToString("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":"
						+ "{\"code\":-32603,\"message\":\"Internal error\"}}");
			}
		}
		finally {
			memory.give(taken);
		}
	}

	@Test
	void endlessMethodIsNotReturned() {
		this.transport.serverAsks("s1", "x\n".repeat(10_000), null);
		assertThat(lastSent().get("error").get("message").asString()).hasSizeLessThan(200).doesNotContain("\n");
	}

	@Test
	void answersToAServerThatDoesNotReadAreBounded() {
		this.transport.wire((message) -> (message instanceof JSONRPCResponse) ? Mono.never() : Mono.empty());
		for (int i = 0; i < RequestChannel.MAX_QUIET_SENDS * 2; i++) {
			this.transport.serverAsks(i, "ping", null);
		}
		assertThat(this.session.channel().quietSends()).isEqualTo(RequestChannel.MAX_QUIET_SENDS);
		this.timer.advance(RequestChannel.QUIET_SEND_TIMEOUT);
		await(() -> this.session.channel().quietSends() == 0);
		assertThat(this.transport.cancelledSends()).isEqualTo(RequestChannel.MAX_QUIET_SENDS);
		this.session.ping(MINUTE).block(SOON);
	}

	@Test
	void answerThatCannotBeSentIsForgotten() {
		this.transport.wire((message) -> Mono.error(new IOException("reset")));
		assertThatNoException().isThrownBy(() -> this.transport.serverAsks(1, "ping", null));
		this.transport.wire((message) -> {
			throw new IllegalStateException("closed");
		});
		assertThatNoException().isThrownBy(() -> this.transport.serverAsks(2, "ping", null));
		assertThat(this.session.channel().quietSends()).isZero();
	}

	@Test
	void changedListIsTold() {
		this.transport.serverNotifies("notifications/tools/list_changed", null);
		this.transport.serverNotifies("notifications/tools/list_changed", "{}");
		assertThat(this.listener.listChanges()).containsExactly(ItemKind.TOOLS, ItemKind.TOOLS);
	}

	@ParameterizedTest
	@ValueSource(strings = { "notifications/cancelled", "notifications/resources/updated", "notifications/tasks/status",
			"notifications/initialized", "x" })
	void anyOtherNotificationIsIgnored(String method) {
		this.transport.serverNotifies(method, "{\"requestId\": 1}");
		this.transport.serverNotifies(method, null);
		assertThat(this.listener.listChanges()).isEmpty();
		assertThat(this.listener.logMessages()).isEmpty();
		this.session.ping(MINUTE).block(SOON);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			"text"                    | text
			{"a": [1, null, "b"]}     | {"a":[1,null,"b"]}
			[1, 2]                    | [1,2]
			5                         | 5
			true                      | true
			""")
	void logDataOfAnyTypeBecomesText(String data, String text) {
		this.transport.serverNotifies("notifications/message",
				"{\"level\": \"warning\", \"logger\": \"db\", \"data\": " + data + "}");
		assertThat(this.listener.logMessages()).containsExactly(new LogMessage(LoggingLevel.WARNING, "db", text));
	}

	@Test
	void logMessageWithoutAnythingIsToldAsSuch() {
		this.transport.serverNotifies("notifications/message", "{}");
		this.transport.serverNotifies("notifications/message", "{\"level\": \"loud\", \"logger\": 5, \"data\": null}");
		this.transport.serverNotifies("notifications/message", "{\"level\": 3}");
		this.transport.serverNotifies("notifications/message", null);
		assertThat(this.listener.logMessages()).hasSize(4)
			.allSatisfy((message) -> assertThat(message).isEqualTo(new LogMessage(LoggingLevel.INFO, null, "")));
	}

	@Test
	void logMessageCannotForgeLines() {
		this.transport.serverNotifies("notifications/message",
				"{\"logger\": \"a\\nb\", \"data\": \"one\\r\\ntwo\\u001b[2J\\u0000\\u202ethree\\u2028four\\tfive\"}");
		this.transport.serverNotifies("notifications/message", "{\"data\": {\"a\": \"one\\ntwo\\u202e\"}}");
		assertThat(this.listener.logMessages()).extracting(LogMessage::logger, LogMessage::text)
			.containsExactly(tuple("a b", "one twothree four five"), tuple(null, "{\"a\":\"one\\ntwo\"}"));
	}

	@Test
	void longLogMessageIsCut() {
		this.transport.serverNotifies("notifications/message", "{\"data\": \"" + "x".repeat(5000) + "\"}");
		assertThat(this.listener.logMessages()).singleElement()
			.satisfies((message) -> assertThat(message.text())
				.isEqualTo("x".repeat(Session.MAX_LOG_TEXT) + "... (5000 characters)"));
	}

	@Test
	void mapsOfAForeignTransportAreUnderstood() {
		this.transport.asMaps();
		this.transport.serverNotifies("notifications/message", "{\"level\": \"error\", \"data\": {\"a\": 1}}");
		assertThat(this.listener.logMessages()).containsExactly(new LogMessage(LoggingLevel.ERROR, null, "{\"a\":1}"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "[]", "5", "\"x\"" })
	void paramsThatAreNoObjectHarmNothing(String params) {
		assertThatNoException().isThrownBy(() -> this.transport.serverNotifies("notifications/message", params));
		assertThat(this.listener.logMessages()).isEmpty();
	}

	@Test
	void listenerThatThrowsHarmsNothing() {
		List<String> told = new ArrayList<>();
		McpSession.Listener failing = new McpSession.Listener() {

			@Override
			public void messageReceived() {
			}

			@Override
			public void listChanged(ItemKind<?> kind) {
				told.add(kind.plural());
				throw new IllegalStateException("of the listener");
			}

			@Override
			public void excluded(String kind, List<ExcludedItem> excluded) {
			}

			@Override
			public void log(LoggingLevel level, String logger, String text) {
				told.add("log");
				throw new IllegalStateException("of the listener");
			}

		};
		ScriptedTransport transport = new ScriptedTransport();
		McpSession session = new DefaultSessionFactory(this.timer, (server, task) -> task.run()).create(transport,
				OPTIONS, failing);
		session.open().block(SOON);
		assertThatNoException().isThrownBy(() -> {
			transport.serverNotifies("notifications/tools/list_changed", null);
			transport.serverNotifies("notifications/prompts/list_changed", null);
			transport.serverNotifies("notifications/resources/list_changed", null);
			transport.serverNotifies("notifications/message", "{}");
		});
		assertThat(told).containsExactly("tools", "prompts", "resources", "log");
		session.ping(MINUTE).block(SOON);
	}

	private JsonNode lastSent() {
		List<ScriptedTransport.Received> received = this.transport.received();
		return received.get(received.size() - 1).json();
	}

}
