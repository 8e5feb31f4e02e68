package io.github.mcpclient.testsupport;

import java.time.Duration;
import java.util.Map;

import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.jackson3.JacksonMcpJsonMapper;
import io.modelcontextprotocol.json.schema.jackson3.DefaultJsonSchemaValidator;
import io.modelcontextprotocol.server.McpServer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.mcp.server.webflux.transport.WebFluxStatelessServerTransport;
import org.springframework.ai.mcp.server.webflux.transport.WebFluxStreamableServerTransportProvider;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;

/**
 * Spring AI's servers for streamable HTTP, with and without sessions, on the SDK's.
 */
public final class SpringServer implements AutoCloseable {

	private static final McpJsonMapper mapper = new JacksonMcpJsonMapper(JsonMapper.builder().build());

	private static final Tool ADD = Tool.builder("add", Map.of("type", "object")).build();

	private final LoopResources loops = LoopResources.create("spring-server", 1, true);

	private final DisposableServer http;

	private SpringServer(RouterFunction<?> routes) {
		this.http = HttpServer.create()
			.host("127.0.0.1")
			.port(Peers.freePort())
			.runOn(this.loops)
			.handle(new ReactorHttpHandlerAdapter(RouterFunctions.toHttpHandler(routes)))
			.bindNow();
	}

	public static SpringServer withSessions() {
		WebFluxStreamableServerTransportProvider transport = WebFluxStreamableServerTransportProvider.builder()
			.jsonMapper(mapper)
			.messageEndpoint("/mcp")
			.build();
		McpServer.sync(transport)
			.jsonMapper(mapper)
			.jsonSchemaValidator(new DefaultJsonSchemaValidator())
			.serverInfo("spring", "1")
			.capabilities(ServerCapabilities.builder().tools(true).build())
			.toolCall(ADD, (exchange, request) -> sum(request))
			.build();
		return new SpringServer(transport.getRouterFunction());
	}

	public static SpringServer withoutSessions() {
		WebFluxStatelessServerTransport transport = WebFluxStatelessServerTransport.builder()
			.jsonMapper(mapper)
			.messageEndpoint("/mcp")
			.build();
		McpServer.sync(transport)
			.jsonMapper(mapper)
			.jsonSchemaValidator(new DefaultJsonSchemaValidator())
			.serverInfo("spring", "1")
			.capabilities(ServerCapabilities.builder().tools(false).build())
			.toolCall(ADD, (context, request) -> sum(request))
			.build();
		return new SpringServer(transport.getRouterFunction());
	}

	private static CallToolResult sum(CallToolRequest request) {
		int sum = ((Number) request.arguments().get("a")).intValue()
				+ ((Number) request.arguments().get("b")).intValue();
		return CallToolResult.builder().addTextContent(String.valueOf(sum)).build();
	}

	public int port() {
		return this.http.port();
	}

	@Override
	public void close() {
		this.http.disposeNow(Duration.ofSeconds(30));
		this.loops.disposeLater().block(Duration.ofSeconds(30));
	}

}
