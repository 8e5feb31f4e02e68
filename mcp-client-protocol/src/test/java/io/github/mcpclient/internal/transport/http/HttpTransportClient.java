package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.util.List;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.testsupport.TestDefaults;
import io.github.mcpclient.testsupport.TransportClient;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import tools.jackson.databind.json.JsonMapper;

/**
 * Drives a {@link HttpTransport} by hand, until the end of the test.
 */
final class HttpTransportClient extends TransportClient {

	private HttpTransportClient(McpTransportFactory factory, McpServerDefinition definition) {
		super(factory, definition);
	}

	static HttpTransportClient to(String url) {
		return to(url, scheduler());
	}

	static HttpTransportClient to(String url, ClientScheduler timer) {
		return to(url, timer, (builder) -> {
		});
	}

	static HttpTransportClient to(String url, Consumer<McpServerDefinitionBuilder> customizer) {
		return to(url, scheduler(), customizer);
	}

	static HttpTransportClient to(String url, ClientScheduler timer, Consumer<McpServerDefinitionBuilder> customizer) {
		McpServerDefinitionBuilder builder = McpServerDefinition.http("test", URI.create(url));
		customizer.accept(builder);
		return streamable(builder, clients(), HeaderSources.NONE, timer).connect();
	}

	/**
	 * A transport that asks for headers.
	 */
	static HttpTransportClient to(String url, HeaderSources headers) {
		return streamable(McpServerDefinition.http("test", URI.create(url)), clients(), headers, scheduler()).connect();
	}

	static HttpTransportClient to(McpServerDefinitionBuilder definition, McpHttpClients clients) {
		return streamable(definition, clients, HeaderSources.NONE, scheduler()).connect();
	}

	static HttpTransportClient unconnected(String url) {
		return streamable(McpServerDefinition.http("test", URI.create(url)), clients(), HeaderSources.NONE,
				scheduler());
	}

	/**
	 * A transport whose type is inferred, not connected yet.
	 */
	static HttpTransportClient inferred(String url) {
		return streamable(McpServerDefinition.http("test", URI.create(url)).typeInferred(true), clients(),
				HeaderSources.NONE, scheduler());
	}

	static HttpTransportClient unconnected(McpServerDefinitionBuilder definition, McpHttpClients clients) {
		return streamable(definition, clients, HeaderSources.NONE, scheduler());
	}

	private static HttpTransportClient streamable(McpServerDefinitionBuilder definition, McpHttpClients clients,
			HeaderSources headers, ClientScheduler timer) {
		return new HttpTransportClient(
				HttpTransportFactory.streamable(clients, headers, JsonMapper.builder().build(), timer),
				definition.build());
	}

	static HttpTransportClient sse(String url) {
		return sse(url, (builder) -> {
		});
	}

	static HttpTransportClient sse(String url, ClientScheduler timer) {
		return sse(url, HeaderSources.NONE, timer, (builder) -> {
		});
	}

	static HttpTransportClient sse(String url, Consumer<McpServerDefinitionBuilder> customizer) {
		return sse(url, HeaderSources.NONE, scheduler(), customizer);
	}

	static HttpTransportClient sse(String url, HeaderSources headers) {
		return sse(url, headers, scheduler(), (builder) -> {
		});
	}

	/**
	 * A transport of type {@code sse}, not connected yet.
	 */
	private static HttpTransportClient sse(String url, HeaderSources headers, ClientScheduler timer,
			Consumer<McpServerDefinitionBuilder> customizer) {
		McpServerDefinitionBuilder builder = McpServerDefinition.of("test", McpServerDefinition.SSE)
			.url(URI.create(url));
		customizer.accept(builder);
		return new HttpTransportClient(
				HttpTransportFactory.sse(clients(), headers, JsonMapper.builder().build(), timer), builder.build());
	}

	private static ClientScheduler scheduler() {
		ClientScheduler scheduler = ClientScheduler.create();
		// after the client
		TestDefaults.afterTest(scheduler::dispose);
		return scheduler;
	}

	private static McpHttpClients clients() {
		return new McpHttpClients(McpHttpClientFactory.simple(), List.of());
	}

	@Override
	public HttpTransportClient listen(Consumer<JSONRPCMessage> listener) {
		super.listen(listener);
		return this;
	}

	@Override
	public HttpTransportClient connect() {
		super.connect();
		return this;
	}

	@Override
	public HttpTransport transport() {
		return (HttpTransport) super.transport();
	}

	@Override
	public HttpTransportClient initialize() {
		super.initialize();
		return this;
	}

}
