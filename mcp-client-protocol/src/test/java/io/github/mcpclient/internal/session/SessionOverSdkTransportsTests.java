package io.github.mcpclient.internal.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.testsupport.Peers;
import io.modelcontextprotocol.client.transport.HttpClientStreamableHttpTransport;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.server.McpSyncServerExchange;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.scheduler.Schedulers;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.test.StepVerifier;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.client.webflux.transport.WebClientStreamableHttpTransport;
import org.springframework.ai.mcp.server.webflux.transport.WebFluxStreamableServerTransportProvider;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.server.RouterFunctions;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests a session over transports that are not ours, with a server that is not ours.
 */
class SessionOverSdkTransportsTests {

	private static final McpJsonMapper mapper = new JacksonMcpJsonMapper(JsonMapper.builder().build());

	private static McpSyncServer server;

	private static DisposableServer http;

	private final VirtualScheduler timer = new VirtualScheduler();

	private final RecordingListener listener = new RecordingListener();

	@BeforeAll
	static void startServer() {
		WebFluxStreamableServerTransportProvider transport = WebFluxStreamableServerTransportProvider.builder()
			.jsonMapper(mapper)
			.messageEndpoint("/mcp")
			.build();
		server = McpServer.sync(transport)
			.jsonMapper(mapper)
			.jsonSchemaValidator(new DefaultJsonSchemaValidator())
			.serverInfo("sdk", "1")
			.capabilities(ServerCapabilities.builder().tools(true).logging().build())
			.toolCall(tool("slow"), SessionOverSdkTransportsTests::slow)
			.toolCall(tool("failing"),
					(exchange, request) -> CallToolResult.builder().addTextContent("no").isError(true).build())
			.build();
		http = HttpServer.create()
			.host("127.0.0.1")
			.port(0)
			.handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(transport.getRouterFunction())))
			.bindNow();
	}

	@AfterAll
	static void stopServer() {
		server.closeGracefully();
		http.disposeNow(LIMIT);
	}

	@ParameterizedTest
	@EnumSource
	void wholeLifeOfASession(SdkTransport type) {
		Session session = session(type);
		assertThat(session.open().block(LIMIT).serverInfo().name()).isEqualTo("sdk");
		assertThat(session.list(ItemKind.TOOLS).block(LIMIT)).extracting(Tool::name)
			.containsExactlyInAnyOrder("slow", "failing");
		session.ping(LIMIT).block(LIMIT);
		List<ProgressNotification> progress = Collections.synchronizedList(new ArrayList<>());
		CallToolRequest call = CallToolRequest.builder("slow").arguments(Map.of("steps", 3)).build();
		CallToolResult answer = session.request(SessionFixture.tool(call, LIMIT, null, progress::add)).block(LIMIT);
		assertThat(answer.content()).containsExactly(TextContent.builder("after 3 steps").build());
		assertThat(answer.structuredContent()).isEqualTo(Map.of("steps", 3));
		SessionFixture.await(() -> progress.size() == 3);
		assertThat(progress).extracting(ProgressNotification::progress).containsExactly(1.0, 2.0, 3.0);
		SessionFixture.await(() -> !this.listener.logMessages().isEmpty());
		assertThat(this.listener.logMessages())
			.contains(new RecordingListener.LogMessage(LoggingLevel.WARNING, "slow", "done"));
		CallToolResult failure = session
			.request(SessionFixture.tool(CallToolRequest.builder("failing").arguments(Map.of()).build(), null))
			.block(LIMIT);
		assertThat(failure.isError()).isTrue();
		assertThat(session.pendingCount()).isZero();
		session.close().block(LIMIT);
		StepVerifier.create(session.ping(LIMIT)).expectError(CancellationException.class).verify(LIMIT);
		SessionFixture.await(() -> this.timer.pending() == 0);
	}

	@ParameterizedTest
	@EnumSource
	void changedListIsTold(SdkTransport type) {
		Session session = session(type);
		session.open().block(LIMIT);
		SessionFixture.await(() -> {
			// the stream that carries it is opened some time after the handshake
			server.notifyToolsListChanged();
			return !this.listener.listChanges().isEmpty();
		});
		session.close().block(LIMIT);
	}

	@ParameterizedTest
	@EnumSource
	void refusedConnectionFailsTheHandshakeAtOnce(SdkTransport type) {
		Session session = session(type.create("http://127.0.0.1:" + Peers.freePort()));
		StepVerifier.create(session.open()).expectError().verify(LIMIT);
		assertThat(session.pendingCount()).isZero();
		session.close().block(LIMIT);
	}

	private Session session(SdkTransport type) {
		return session(type.create("http://127.0.0.1:" + http.port()));
	}

	private Session session(McpClientTransport transport) {
		SessionOptions options = SessionFixture.options("sdk", 100);
		return (Session) new DefaultSessionFactory(this.timer,
				(server, task) -> Schedulers.boundedElastic().schedule(task))
			.create(transport, options, this.listener);
	}

	private static Tool tool(String name) {
		return Tool.builder(name, Map.of("type", "object")).build();
	}

	private static CallToolResult slow(McpSyncServerExchange exchange, CallToolRequest request) {
		int steps = (Integer) request.arguments().get("steps");
		for (int step = 1; step <= steps; step++) {
			exchange
				.progressNotification(ProgressNotification.builder(request.meta().get("progressToken"), step).build());
		}
		exchange.loggingNotification(
				LoggingMessageNotification.builder(LoggingLevel.WARNING, "done").logger("slow").build());
		return CallToolResult.builder()
			.addTextContent("after " + steps + " steps")
			.structuredContent(Map.of("steps", steps))
			.build();
	}

	enum SdkTransport {

		WEB_CLIENT {

			@Override
			McpClientTransport create(String url) {
				return WebClientStreamableHttpTransport.builder(WebClient.builder().baseUrl(url))
					.jsonMapper(mapper)
					.endpoint("/mcp")
					.build();
			}

		},

		JDK_CLIENT {

			@Override
			McpClientTransport create(String url) {
				return HttpClientStreamableHttpTransport.builder(url).jsonMapper(mapper).endpoint("/mcp").build();
			}

		};

		abstract McpClientTransport create(String url);

	}

}
