package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.internal.transport.stdio.StdioTransportFactory;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.TestDefaults;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what transports do where reading a message fails by a mistake of the client,
 * or of the parser.
 */
class ReaderDefectTests {

	private static final Duration TIMEOUT = Duration.ofSeconds(30);

	private static final ClientScheduler SCHEDULER = ClientScheduler.create();

	private static final JsonMapper BROKEN = JsonMapper.builder(new BrokenFactory()).build();

	@RegisterExtension
	private final CapturedLog log = new CapturedLog(UnreadMessageException.class);

	private final McpTestServer server = McpTestServer.create()
		.on("echo", McpTestReply.result("{\"fine\":1}"))
		.on("json", McpTestReply.result("{\"defect\":\"s3cret\"}"))
		.on("events", McpTestReply.result("{\"defect\":\"s3cret\"}").asEvents())
		.on("notified",
				McpTestReply.result("{\"fine\":2}")
					.precededBy("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/defect\",\"params\":{}}"))
		.start();

	private final BlockingQueue<JSONRPCMessage> received = new LinkedBlockingQueue<>();

	@ParameterizedTest
	@CsvSource({ "streamable, json", "streamable, events", "sse, json", "websocket, json", "stdio, json" })
	void costsTheMessageOnly(String type, String method) {
		SupervisedTransport transport = connect(type, Function.identity());
		assertDefect(failure(transport, 1, method));
		assertThat(answer(transport, 2, "echo").error()).isNull();
		if (!type.equals("streamable")) {
			return;
		}
		assertThat(answer(transport, 3, "notified").error()).isNull();
		assertThat(this.log.lines(Level.ERROR)).hasSize(2);
	}

	@ParameterizedTest
	@CsvSource({ "streamable, json", "streamable, events", "sse, json", "websocket, json", "stdio, json" })
	void ofWhoTakesTheMessageIsLoggedToo(String type, String method) {
		SupervisedTransport transport = connect(type, (message) -> {
			if (message instanceof JSONRPCResponse response && response.id().equals(1)) {
				throw new ArrayIndexOutOfBoundsException("Index 7");
			}
			return message;
		});
		transport.sendMessage(new JSONRPCRequest("2.0", "echo", 1, Map.of())).onErrorComplete().block(TIMEOUT);
		assertThat(answer(transport, 2, "echo").error()).isNull();
		assertThat(this.log.lines(Level.ERROR)).hasSize(1);
	}

	private void assertDefect(Throwable failure) {
		assertThat(failure).isInstanceOf(UnreadMessageException.class)
			.hasMessage("The client failed to read the message, because of a bug in the client");
		assertThat(((TransportException) failure).getNextStep()).startsWith("Please report this");
		List<ILoggingEvent> events = this.log.events();
		assertThat(this.log.lines(Level.ERROR)).singleElement().asString().contains("MCP server 'test'");
		assertThat(events.get(0).getThrowableProxy().getStackTraceElementProxyArray()).isNotEmpty();
		assertThat(events.get(0).getThrowableProxy().getMessage()).isEqualTo(IllegalStateException.class.getName());
	}

	private SupervisedTransport connect(String type, Function<JSONRPCMessage, JSONRPCMessage> receiver) {
		McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of());
		McpTransportFactory factory = switch (type) {
			case "streamable" -> HttpTransportFactory.streamable(clients, HeaderSources.NONE, BROKEN, SCHEDULER);
			case "sse" -> HttpTransportFactory.sse(clients, HeaderSources.NONE, BROKEN, SCHEDULER);
			case "websocket" -> new WebSocketTransportFactory(clients, HeaderSources.NONE, BROKEN, SCHEDULER);
			default -> new StdioTransportFactory(BROKEN, SCHEDULER);
		};
		SupervisedTransport transport = (SupervisedTransport) factory.create(definition(type));
		TestDefaults.afterTest(() -> transport.closeGracefully().block(TIMEOUT));
		transport.termination().subscribe(null, (ex) -> {
		});
		transport.connect((message) -> message.map(receiver).doOnNext(this.received::add)).block(TIMEOUT);
		answer(transport, "first", "initialize");
		transport.sendMessage(new JSONRPCNotification("2.0", "notifications/initialized", null)).block(TIMEOUT);
		return transport;
	}

	private McpServerDefinition definition(String type) {
		List<String> command = this.server.stdioCommand();
		return switch (type) {
			case "streamable" -> McpServerDefinition.http("test", URI.create(this.server.url())).build();
			case "sse" -> McpServerDefinition.of("test", "sse").url(URI.create(this.server.sseUrl())).build();
			case "websocket" ->
				McpServerDefinition.of("test", "websocket").url(URI.create(this.server.webSocketUrl())).build();
			default -> McpServerDefinition
				.stdio("test", command.get(0), command.subList(1, command.size()).toArray(String[]::new))
				.build();
		};
	}

	private JSONRPCResponse answer(SupervisedTransport transport, Object id, String method) {
		transport.sendMessage(new JSONRPCRequest("2.0", method, id, Map.of())).block(TIMEOUT);
		return answer(id);
	}

	private JSONRPCResponse answer(Object id) {
		try {
			JSONRPCMessage message = this.received.poll(TIMEOUT.toSeconds(), TimeUnit.SECONDS);
			assertThat(message).isInstanceOf(JSONRPCResponse.class);
			assertThat(((JSONRPCResponse) message).id()).isEqualTo(id);
			return (JSONRPCResponse) message;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// what the transport says, or an error in place of the answer
	private Throwable failure(SupervisedTransport transport, Object id, String method) {
		Throwable failure = transport.sendMessage(new JSONRPCRequest("2.0", method, id, Map.of()))
			.then(Mono.<Throwable>empty())
			.onErrorResume(Mono::just)
			.block(TIMEOUT);
		return (failure != null) ? failure : (Throwable) answer(id).error().data();
	}

	/**
	 * Fails as a parser with a defect does, and quotes what it reads.
	 */
	private static final class BrokenFactory extends JsonFactory {

		@Override
		public JsonParser createParser(ObjectReadContext context, byte[] content, int offset, int length) {
			String json = new String(content, offset, length, StandardCharsets.UTF_8);
			if (json.contains("defect")) {
				throw new IllegalStateException(json);
			}
			return super.createParser(context, content, offset, length);
		}

	}

}
