package io.github.mcpclient.transport.http;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.McpRequestHeaders;
import io.github.mcpclient.transport.McpTransportFactory;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes transports for MCP's streamable HTTP. Each has connections of its own, which it
 * closes when it is closed or dies. Safe for use by many threads.
 *
 * <p>
 * Where the type of a server was {@linkplain McpServerDefinition#typeInferred()
 * inferred}, and the server answers {@code initialize} with HTTP 400, 404 or 405, the
 * transport tries the older HTTP with server-sent events, once, as the specification says
 * (revision 2025-11-25, {@code basic/transports#backwards-compatibility}).
 */
public final class StreamableHttpTransportFactory implements McpTransportFactory {

	private static final Set<String> TYPES = new LinkedHashSet<>(List.of(McpServerDefinition.STREAMABLE_HTTP, "http",
			"streamableHttp", "streamable_http", "streamablehttp"));

	private final HttpTransports transports;

	/**
	 * Create a factory.
	 * @param clients builds the HTTP clients
	 * @param headers what requests get beside the configured headers
	 * @param mapper reads and writes messages
	 * @param timer limits times; its tasks do not block
	 */
	public StreamableHttpTransportFactory(McpHttpClients clients, McpRequestHeaders headers, JsonMapper mapper,
			Scheduler timer) {
		this.transports = new HttpTransports(clients, headers, mapper, timer);
	}

	@Override
	public Set<String> types() {
		return new LinkedHashSet<>(TYPES);
	}

	/**
	 * {@inheritDoc}
	 * @throws TransportException if the definition cannot be used: its url, a header, its
	 * SSL bundle
	 */
	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		StreamableHttpTransport transport = this.transports.streamable(definition);
		return definition.typeInferred() ? new InferredHttpTransport(transport, () -> this.transports.sse(definition))
				: transport;
	}

}
