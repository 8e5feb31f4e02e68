package io.github.mcpclient.internal.transport.http;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.DuplexTransport.Skipped;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.JsonRpcCodec;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import tools.jackson.databind.json.JsonMapper;

/**
 * Creates the transports over WebSocket, one message a text frame, with the subprotocol
 * {@code mcp}. The MCP specification does not have this transport: it is the one of the
 * SDKs that support WebSocket. Each transport has a dedicated connection. Safe for use by
 * many threads.
 */
final class WebSocketTransportFactory implements McpTransportFactory {

	private final McpHttpClients clients;

	private final HeaderSources headers;

	private final JsonMapper mapper;

	private final ClientScheduler scheduler;

	private final Map<McpServerDefinition, Skipped> skipped = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create a factory.
	 * @param clients builds the HTTP clients, which make the handshakes
	 * @param headers the headers of handshakes in addition to the configured ones
	 * @param mapper reads and writes messages
	 * @param scheduler delivers messages, and limits times
	 */
	WebSocketTransportFactory(McpHttpClients clients, HeaderSources headers, JsonMapper mapper,
			ClientScheduler scheduler) {
		this.clients = clients;
		this.headers = headers;
		this.mapper = mapper;
		this.scheduler = scheduler;
	}

	@Override
	public Set<String> types() {
		return HttpTransportFactory.types(HttpTransportFactory.WEB_SOCKET_TYPES);
	}

	/**
	 * {@inheritDoc}
	 * @throws TransportException if the definition cannot be used: its URL, a header, its
	 * SSL bundle
	 */
	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		return create(setup(definition), this.skipped.computeIfAbsent(definition, Skipped::new));
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		return create(HttpSteps.watch(setup(definition), steps), new Skipped(definition));
	}

	private HttpSetup setup(McpServerDefinition definition) {
		return HttpSetup.of(definition, "ws", this.clients, this.headers, new JsonRpcCodec(this.mapper),
				this.scheduler);
	}

	private McpClientTransport create(HttpSetup setup, Skipped skipped) {
		return new WebSocketTransport(setup.definition(), new WebSocketHandshake(setup), this.mapper, this.scheduler,
				skipped);
	}

}
