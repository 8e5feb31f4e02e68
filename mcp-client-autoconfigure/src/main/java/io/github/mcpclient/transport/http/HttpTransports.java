package io.github.mcpclient.transport.http;

import java.net.URI;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.McpRequestHeaders;
import io.github.mcpclient.transport.TransportException;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes the transports over HTTP. Immutable, and safe for use by many threads.
 */
final class HttpTransports {

	private final McpHttpClients clients;

	private final JsonMapper mapper;

	private final JsonRpcCodec codec;

	private final Scheduler timer;

	private final McpRequestHeaders headers;

	HttpTransports(McpHttpClients clients, McpRequestHeaders headers, JsonMapper mapper, Scheduler timer) {
		this.headers = headers;
		this.clients = clients;
		this.mapper = mapper;
		this.codec = new JsonRpcCodec(mapper);
		this.timer = timer;
	}

	StreamableHttpTransport streamable(McpServerDefinition definition) {
		return new StreamableHttpTransport(setup(definition));
	}

	SseTransport sse(McpServerDefinition definition) {
		return new SseTransport(setup(definition));
	}

	private Setup setup(McpServerDefinition definition) {
		Http http = definition.http();
		if (http == null || !isHttp(http.url())) {
			throw new TransportException("The url is not one of HTTP",
					"Set mcp.servers." + definition.name() + ".url to one that begins with http:// or https://.", false,
					null);
		}
		HttpHeaderRules.check(definition, http.headers());
		return new Setup(definition, http, this.clients.create(definition, this.timer), this.headers, this.codec,
				this.mapper, this.timer);
	}

	private static boolean isHttp(URI url) {
		return url.getHost() != null
				&& ("http".equalsIgnoreCase(url.getScheme()) || "https".equalsIgnoreCase(url.getScheme()));
	}

	/**
	 * What a transport over HTTP is made of.
	 *
	 * @param definition the server
	 * @param http how to reach it; its headers have been checked
	 * @param pool the HTTP client, which the transport disposes of
	 * @param headers the headers that are asked for
	 * @param codec reads and writes messages
	 * @param mapper reads what is not a message
	 * @param timer delays
	 */
	record Setup(McpServerDefinition definition, Http http, HttpPool pool, McpRequestHeaders headers,
			JsonRpcCodec codec, JsonMapper mapper, Scheduler timer) {

	}

}
