package io.github.mcpclient.sample;

import java.time.Clock;
import java.time.Duration;
import java.util.List;

import io.micrometer.observation.ObservationRegistry;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpSyncServer;
import org.jspecify.annotations.Nullable;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.WebsocketServerSpec;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.server.webflux.transport.WebFluxStreamableServerTransportProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.server.RouterFunctions;

/**
 * An MCP server on a separate port, over HTTP and WebSocket, so that the sample requires
 * only Java. Applications that use existing MCP servers do not need it.
 */
@Component
class DemoMcpServer implements SmartLifecycle {

	private static final Duration STOP_TIMEOUT = Duration.ofSeconds(2);

	private final int port;

	private final ObservationRegistry observations;

	private List<McpSyncServer> mcpServers = List.of();

	private @Nullable DisposableServer httpServer;

	DemoMcpServer(@Value("${sample.demo-server.port}") int port, ObservationRegistry observations) {
		this.port = port;
		this.observations = observations;
	}

	@Override
	public void start() {
		McpJsonMapper json = new JacksonMcpJsonMapper(JsonMapper.shared());
		WebFluxStreamableServerTransportProvider transport = WebFluxStreamableServerTransportProvider.builder()
			.jsonMapper(json)
			.messageEndpoint("/mcp")
			.build();
		DemoWebSocket webSocket = new DemoWebSocket(json);
		this.mcpServers = List.of(build(McpServer.sync(transport), json), build(McpServer.sync(webSocket), json));
		ReactorHttpHandlerAdapter http = new ReactorHttpHandlerAdapter(
				RouterFunctions.toHttpHandler(transport.getRouterFunction()));
		WebsocketServerSpec spec = WebsocketServerSpec.builder().protocols("mcp").build();
		this.httpServer = HttpServer.create()
			.host("localhost")
			.port(this.port)
			.handle((request, response) -> request.requestHeaders().contains(HttpHeaders.UPGRADE)
					? response.sendWebsocket(webSocket::serve, spec) : http.apply(request, response))
			.bindNow();
	}

	private McpSyncServer build(McpServer.SyncSpecification<?> server, McpJsonMapper json) {
		return server.serverInfo("demo", "1.0.0")
			.jsonMapper(json)
			.tools(new DemoTools(json, Clock.systemUTC(), this.observations).specifications())
			.build();
	}

	@Override
	public void stop() {
		this.mcpServers.forEach(McpSyncServer::closeGracefully);
		if (this.httpServer != null) {
			this.httpServer.disposeNow(STOP_TIMEOUT);
			this.httpServer = null;
		}
	}

	@Override
	public boolean isRunning() {
		return this.httpServer != null;
	}

	/**
	 * An early phase: the server is there before the client connects, and until the
	 * client has said goodbye.
	 */
	@Override
	public int getPhase() {
		return 0;
	}

}
