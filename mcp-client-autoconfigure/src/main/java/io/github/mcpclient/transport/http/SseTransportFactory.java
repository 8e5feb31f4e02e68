package io.github.mcpclient.transport.http;

import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.McpRequestHeaders;
import io.github.mcpclient.transport.McpTransportFactory;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes transports for MCP's older HTTP with server-sent events, which revision
 * 2025-03-26 replaced with streamable HTTP. The url of a server is that of its stream of
 * events, and arrives as it stands. Each transport has connections of its own, which it
 * closes when it is closed or dies. Safe for use by many threads.
 */
public final class SseTransportFactory implements McpTransportFactory {

	private final HttpTransports transports;

	/**
	 * Create a factory.
	 * @param clients builds the HTTP clients
	 * @param headers what requests get beside the configured headers
	 * @param mapper reads and writes messages
	 * @param timer limits times; its tasks do not block
	 */
	public SseTransportFactory(McpHttpClients clients, McpRequestHeaders headers, JsonMapper mapper, Scheduler timer) {
		this.transports = new HttpTransports(clients, headers, mapper, timer);
	}

	@Override
	public Set<String> types() {
		return Set.of(McpServerDefinition.SSE);
	}

	/**
	 * {@inheritDoc}
	 * @throws TransportException if the definition cannot be used: its url, a header, its
	 * SSL bundle
	 */
	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		return this.transports.sse(definition);
	}

}
