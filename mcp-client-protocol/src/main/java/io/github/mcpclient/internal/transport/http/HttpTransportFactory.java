package io.github.mcpclient.internal.transport.http;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.JsonRpcCodec;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates the transports over HTTP. Each has dedicated connections, which it closes when
 * it is closed or fails. Safe for use by many threads.
 */
public final class HttpTransportFactory implements McpTransportFactory {

	/**
	 * The spellings of the type of MCP's streamable HTTP, the canonical one first. They
	 * are constants, which need no class.
	 */
	public static final String STREAMABLE_TYPES = McpServerDefinition.STREAMABLE_HTTP
			+ ",http,streamableHttp,streamable_http,streamablehttp";

	/**
	 * The spellings of the type of WebSocket, the canonical one first.
	 */
	public static final String WEB_SOCKET_TYPES = McpServerDefinition.WEBSOCKET + ",ws";

	private final Set<String> types;

	private final Function<HttpTransport, McpHttpProtocol> protocol;

	private final McpHttpClients clients;

	private final HeaderSources headers;

	private final JsonRpcCodec codec;

	private final ClientScheduler timer;

	private HttpTransportFactory(String types, Function<HttpTransport, McpHttpProtocol> protocol,
			McpHttpClients clients, HeaderSources headers, JsonMapper mapper, ClientScheduler timer) {
		this.types = types(types);
		this.protocol = protocol;
		this.clients = clients;
		this.headers = headers;
		this.codec = new JsonRpcCodec(mapper);
		this.timer = timer;
	}

	/**
	 * Create a factory of transports for MCP's streamable HTTP. If the type of a server
	 * was {@linkplain McpServerDefinition#typeInferred() inferred}, and the server
	 * responds to {@code initialize} with HTTP 400, 404 or 405, a transport tries HTTP
	 * with server-sent events, once, as the specification requires (MCP 2025-11-25,
	 * {@code basic/transports#backwards-compatibility}).
	 * @param clients builds the HTTP clients
	 * @param headers the request headers in addition to the configured ones
	 * @param mapper reads and writes messages
	 * @param timer limits times, and has the threads for large messages
	 */
	public static HttpTransportFactory streamable(McpHttpClients clients, HeaderSources headers, JsonMapper mapper,
			ClientScheduler timer) {
		return new HttpTransportFactory(STREAMABLE_TYPES, StreamableProtocol::new, clients, headers, mapper, timer);
	}

	/**
	 * Create a factory of transports for MCP's HTTP with server-sent events, which
	 * protocol version 2025-03-26 replaced with streamable HTTP. The URL of a server is
	 * the URL of its event stream.
	 * @param clients builds the HTTP clients
	 * @param headers the request headers in addition to the configured ones
	 * @param mapper reads and writes messages
	 * @param timer limits times, and has the threads for large messages
	 */
	public static HttpTransportFactory sse(McpHttpClients clients, HeaderSources headers, JsonMapper mapper,
			ClientScheduler timer) {
		return new HttpTransportFactory(McpServerDefinition.SSE, (transport) -> new SseProtocol(transport, null),
				clients, headers, mapper, timer);
	}

	/**
	 * Create a factory of transports over WebSocket, one message a text frame, with the
	 * subprotocol {@code mcp}.
	 * @param clients builds the HTTP clients, which make the handshakes
	 * @param headers the headers of handshakes in addition to the configured ones
	 * @param mapper reads and writes messages
	 * @param scheduler delivers messages, and limits times
	 */
	public static McpTransportFactory webSocket(McpHttpClients clients, HeaderSources headers, JsonMapper mapper,
			ClientScheduler scheduler) {
		return new WebSocketTransportFactory(clients, headers, mapper, scheduler);
	}

	static Set<String> types(String spellings) {
		return Collections.unmodifiableSet(new LinkedHashSet<>(List.of(spellings.split(","))));
	}

	@Override
	public Set<String> types() {
		return this.types;
	}

	/**
	 * {@inheritDoc}
	 * @throws TransportException if the definition cannot be used: its URL, a header, its
	 * SSL bundle
	 */
	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		return new HttpTransport(setup(definition), this.protocol);
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return new HttpTransport(HttpSteps.watch(setup(definition), steps), this.protocol);
	}

	private HttpSetup setup(McpServerDefinition definition) {
		return HttpSetup.of(definition, "http", this.clients, this.headers, this.codec, this.timer);
	}

}
