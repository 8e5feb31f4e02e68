package io.github.mcpclient.testsupport;

import java.time.Duration;
import java.util.Map;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.server.McpServerFeatures.SyncToolSpecification;
import io.modelcontextprotocol.server.McpSyncServer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.server.webflux.transport.WebFluxSseServerTransportProvider;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunctions;

/**
 * Spring's server for the older transport, with the SDK's server above it.
 */
@SuppressWarnings("removal")
public final class SpringSseServer implements AutoCloseable {

	private final LoopResources loops = LoopResources.create("spring-sse", 1, true);

	private final McpSyncServer server;

	private final DisposableServer http;

	private SpringSseServer(int port) {
		McpJsonMapper mapper = new JacksonMcpJsonMapper(JsonMapper.builder().build());
		WebFluxSseServerTransportProvider transport = WebFluxSseServerTransportProvider.builder()
			.jsonMapper(mapper)
			.sseEndpoint("/sse")
			.messageEndpoint("/mcp/message")
			.build();
		this.server = McpServer.sync(transport)
			.jsonMapper(mapper)
			.jsonSchemaValidator(new DefaultJsonSchemaValidator())
			.serverInfo("spring", "1")
			.capabilities(ServerCapabilities.builder().tools(true).build())
			.tools(tool("echo"))
			.build();
		this.http = HttpServer.create()
			.host("127.0.0.1")
			.port((port != 0) ? port : Peers.freePort())
			.runOn(this.loops)
			.handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(transport.getRouterFunction())))
			.bindNow();
	}

	/**
	 * Start a server.
	 * @param port the port, or 0 for any
	 */
	public static SpringSseServer start(int port) {
		return TestDefaults.closing(new SpringSseServer(port));
	}

	private static SyncToolSpecification tool(String name) {
		return SyncToolSpecification.builder()
			.tool(Tool.builder(name, Map.of("type", "object")).build())
			.callHandler((exchange, request) -> CallToolResult.builder()
				.addTextContent(name + " " + request.arguments().get("message"))
				.build())
			.build();
	}

	public void addTool(String name) {
		this.server.addTool(tool(name));
	}

	public int port() {
		return this.http.port();
	}

	public String url() {
		return "http://localhost:" + port() + "/sse";
	}

	@Override
	public void close() {
		this.http.disposeNow(Duration.ofSeconds(30));
		this.server.close();
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

}
