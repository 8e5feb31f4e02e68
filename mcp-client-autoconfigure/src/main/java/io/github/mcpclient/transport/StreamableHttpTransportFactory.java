package io.github.mcpclient.transport;

import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.modelcontextprotocol.spec.McpClientTransport;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes transports for MCP's streamable HTTP. Each has connections of its own, which it
 * closes when it is closed or dies. Safe for use by many threads.
 */
public final class StreamableHttpTransportFactory implements McpTransportFactory {

	private static final Set<String> TYPES = new LinkedHashSet<>(List.of(McpServerDefinition.STREAMABLE_HTTP, "http",
			"streamableHttp", "streamable_http", "streamablehttp"));

	private final McpHttpClients clients;

	private final JsonRpcCodec codec;

	private final JsonMapper mapper;

	private final Scheduler timer;

	/**
	 * Create a factory.
	 * @param clients builds the HTTP clients
	 * @param mapper reads and writes messages
	 */
	public StreamableHttpTransportFactory(McpHttpClients clients, JsonMapper mapper) {
		this(clients, mapper, Schedulers.parallel());
	}

	StreamableHttpTransportFactory(McpHttpClients clients, JsonMapper mapper, Scheduler timer) {
		this.clients = clients;
		this.mapper = mapper;
		this.codec = new JsonRpcCodec(mapper);
		this.timer = timer;
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
		Http http = definition.http();
		if (http == null || !isHttp(http.url())) {
			throw new TransportException("The url is not one of HTTP",
					"Set mcp.servers." + definition.name() + ".url to one that begins with http:// or https://.", false,
					null);
		}
		HttpHeaderRules.check(definition, http.headers());
		return new StreamableHttpTransport(definition, http, this.clients.create(definition), this.codec, this.mapper,
				this.timer);
	}

	private static boolean isHttp(URI url) {
		return url.getHost() != null
				&& ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()));
	}

}
