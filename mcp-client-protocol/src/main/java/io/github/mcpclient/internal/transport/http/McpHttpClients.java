package io.github.mcpclient.internal.transport.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLParameters;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import io.github.mcpclient.internal.support.HttpHeaderValidator;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.util.AttributeKey;
import reactor.core.scheduler.Scheduler;
import reactor.netty.Connection;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.client.Http2AllocationStrategy;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.ConnectionProvider.ConnectionMetadata;
import reactor.netty.tcp.SslProvider;
import reactor.netty.transport.ProxyProvider;

import org.springframework.core.io.ClassPathResource;
import org.springframework.util.Assert;

/**
 * Builds the HTTP client of a server, with defaults that suit MCP. Safe for use by many
 * threads.
 *
 * <ul>
 * <li>The underlying client comes from an {@link McpHttpClientFactory}.</li>
 * <li>There is no proxy, regardless of the system properties, except for the proxy of the
 * server, or a proxy that an {@link McpHttpClientCustomizer} sets.</li>
 * <li>Each client has dedicated connections: for {@value #MAX_CALLS} concurrent calls, or
 * more if the server may have more, and some for other requests, such as the stream of a
 * session, so that none of them waits for another. An idle connection is closed after
 * {@value #MAX_IDLE_SECONDS} seconds, or, up to a minute, one second before the time that
 * the server's {@code Keep-Alive} header names: a call on a connection that the server
 * closes may or may not have been processed.</li>
 * </ul>
 */
public final class McpHttpClients {

	/**
	 * The name of the product in {@code User-Agent}.
	 */
	public static final String PRODUCT = "mcp-client";

	private static final int MAX_CALLS = 256;

	private static final int OTHER_CONNECTIONS = 16;

	static final int MAX_CONNECTIONS = MAX_CALLS + OTHER_CONNECTIONS;

	static final int MAX_PENDING = 1024;

	static final Duration ACQUIRE_TIMEOUT = Duration.ofSeconds(5);

	private static final Pattern OF_NO_COMMENT = Pattern.compile("[^\\x20-\\x7E]++|[()\\\\]++");

	private static final int MAX_APPLICATION = 80;

	private static final int MAX_IDLE_SECONDS = 4;

	private static final int LONGEST_IDLE_SECONDS = 60;

	static final Duration EVICTION_INTERVAL = Duration.ofSeconds(10);

	private final McpHttpClientFactory factory;

	private final List<McpHttpClientCustomizer> customizers;

	private final UnaryOperator<HttpClient> eventLoops;

	private final String userAgent;

	private final Map<Scheduler, Sweep> sweeps = new ConcurrentHashMap<>();

	/**
	 * Create a builder of clients.
	 * @param factory creates the underlying clients
	 * @param customizers applied to each client, in this order
	 */
	public McpHttpClients(McpHttpClientFactory factory, List<McpHttpClientCustomizer> customizers) {
		this(factory, customizers, UnaryOperator.identity(), PRODUCT);
	}

	/**
	 * Create a builder of clients.
	 * @param factory creates the underlying clients
	 * @param customizers applied to each client, in this order
	 * @param eventLoops sets on which event loops a client runs
	 * @param application the name of the application, which each request has in its
	 * {@code User-Agent}; {@value #PRODUCT} for none
	 */
	public McpHttpClients(McpHttpClientFactory factory, List<McpHttpClientCustomizer> customizers,
			UnaryOperator<HttpClient> eventLoops, String application) {
		this.factory = factory;
		this.customizers = List.copyOf(customizers);
		this.eventLoops = eventLoops;
		this.userAgent = userAgent(application);
	}

	// a comment has no parentheses within, and is read by people
	private static String userAgent(String application) {
		String name = OF_NO_COMMENT.matcher(application).replaceAll(" ").strip();
		String comment = (name.isEmpty() || application.equals(PRODUCT)) ? ""
				: " (" + name.substring(0, Math.min(name.length(), MAX_APPLICATION)).strip() + ")";
		return PRODUCT + "/" + version() + comment;
	}

	// not that of the package, which a native image does not have
	private static String version() {
		try {
			return new ClassPathResource("version.txt", McpHttpClients.class)
				.getContentAsString(StandardCharsets.US_ASCII)
				.strip();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Build a client for a server, to be disposed of by the caller.
	 * @throws TransportException if its SSL bundle is not there or cannot be used
	 */
	HttpPool create(McpServerDefinition definition, Scheduler timer) {
		Http http = definition.http();
		Assert.notNull(http, "'definition' must have a URL");
		ConnectionProvider connections = connections(definition, timer);
		try {
			HttpClient client = reach(definition, http, connections).doOnResponse(IdleEviction::onResponse)
				.doOnChannelInit((observer, channel, address) -> HttpLossHandler.addTo(channel));
			for (McpHttpClientCustomizer customizer : this.customizers) {
				client = customizer.customize(definition.name(), client);
			}
			// not before: with a proxy, names are resolved by it, unless somebody does
			// here
			client = InterimResponses.passOver(this.eventLoops.apply(client));
			String scheme = http.url().getScheme().toLowerCase(Locale.ROOT);
			if (scheme.startsWith("ws")) {
				client = withoutHttp2(client);
			}
			// not before: TLS depends on the protocols that a customizer sets
			if (scheme.endsWith("s")) {
				client = limitHandshake(client, definition.timeouts().connect());
			}
			return new HttpPool(client, connections);
		}
		catch (Throwable ex) {
			connections.dispose();
			throw ex;
		}
	}

	/**
	 * Build a client for the authorization servers of a server. It connects as the
	 * server's does, but shares nothing that a customizer may have added.
	 * @return a client whose connections end with their request
	 */
	public HttpClient createForAuthorization(McpServerDefinition definition) {
		Http http = definition.http();
		Assert.notNull(http, "'definition' must have a URL");
		return InterimResponses
			.passOver(this.eventLoops.apply(reach(definition, http, ConnectionProvider.newConnection())));
	}

	private HttpClient reach(McpServerDefinition definition, Http http, ConnectionProvider connections) {
		// the configured one everywhere: a gateway may let no other through
		String configured = HttpHeaderValidator.find(http.headers(), HttpHeaderNames.USER_AGENT);
		String userAgent = (configured != null) ? configured : this.userAgent;
		HttpClient client = this.factory.create(definition, connections)
			.headers((headers) -> headers.set(HttpHeaderNames.USER_AGENT, userAgent));
		Proxy proxy = http.proxy();
		return (proxy != null) ? client.proxy((spec) -> proxy(spec, proxy, definition.timeouts().connect())) : client;
	}

	private ConnectionProvider connections(McpServerDefinition definition, Scheduler timer) {
		Integer calls = definition.limits().maxConcurrentCalls();
		int connections = Math.max(MAX_CALLS, (calls != null) ? calls : 0) + OTHER_CONNECTIONS;
		return ConnectionProvider.builder("mcp-" + definition.name())
			.maxConnections(connections)
			// with HTTP/2, callers at the same time would open a connection each:
			// https://github.com/reactor/reactor-netty/issues/4050
			.allocationStrategy(
					Http2AllocationStrategy.builder().maxConnections(connections).strictConnectionReuse(true).build())
			.pendingAcquireMaxCount(MAX_PENDING)
			.pendingAcquireTimeout(ACQUIRE_TIMEOUT)
			.pendingAcquireTimer((task, delay) -> timer.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS))
			.evictionPredicate(new IdleEviction())
			.evictInBackground(EVICTION_INTERVAL, this.sweeps.computeIfAbsent(timer, Sweep::new))
			.lifo()
			.build();
	}

	private static void proxy(ProxyProvider.TypeSpec spec, Proxy proxy, Duration timeout) {
		ProxyProvider.Builder builder = spec.type(ProxyProvider.Proxy.HTTP)
			.host(proxy.host())
			.port(proxy.port())
			.connectTimeoutMillis(timeout.toMillis());
		if (proxy.username() != null) {
			String password = (proxy.password() != null) ? proxy.password() : "";
			builder.username(proxy.username()).password((username) -> password);
		}
	}

	/**
	 * Return the same client, or, if it supports several versions of HTTP, one that uses
	 * only HTTP/1.1.
	 */
	static HttpClient withoutHttp2(HttpClient client) {
		if (client.configuration().protocols().length == 1) {
			return client;
		}
		HttpClient other = client.protocol(HttpProtocol.HTTP11);
		SslProvider provider = other.configuration().sslProvider();
		return (provider != null) ? other.secure(SslProvider.addHandlerConfigurator(provider, (handler) -> {
			SSLParameters parameters = handler.engine().getSSLParameters();
			parameters.setApplicationProtocols(new String[] { ApplicationProtocolNames.HTTP_1_1 });
			handler.engine().setSSLParameters(parameters);
		})) : other;
	}

	private static HttpClient limitHandshake(HttpClient client, Duration timeout) {
		HttpClient secure = client.configuration().isSecure() ? client : client.secure();
		SslProvider provider = secure.configuration().sslProvider();
		Assert.state(provider != null, "No TLS");
		return secure.secure(SslProvider.addHandlerConfigurator(provider,
				(handler) -> handler.setHandshakeTimeoutMillis(timeout.toMillis())));
	}

	/**
	 * Closes connections before the server does.
	 */
	private static final class IdleEviction implements BiPredicate<Connection, ConnectionMetadata> {

		private static final AttributeKey<Long> MAX_IDLE_MILLIS = AttributeKey.valueOf(IdleEviction.class, "maxIdle");

		private static final int SHORTEST_IDLE_MILLIS = 1000;

		private static final Pattern TIMEOUT = Pattern.compile("(?i)\\btimeout=(\\d{1,5})\\b");

		/**
		 * Note how long the server keeps the connection open, if it declares that.
		 */
		static void onResponse(HttpClientResponse response, Connection connection) {
			String keepAlive = response.responseHeaders().get("Keep-Alive");
			if (keepAlive == null || connection.channel().hasAttr(MAX_IDLE_MILLIS)) {
				return;
			}
			Matcher timeout = TIMEOUT.matcher(keepAlive);
			if (timeout.find()) {
				long seconds = Math.min(LONGEST_IDLE_SECONDS, Integer.parseInt(timeout.group(1)) - 1L);
				connection.channel().attr(MAX_IDLE_MILLIS).set(seconds * 1000);
				if (seconds <= 0) {
					connection.markPersistent(false);
				}
			}
		}

		@Override
		public boolean test(Connection connection, ConnectionMetadata metadata) {
			if (!connection.channel().isActive() || !connection.isPersistent()) {
				return true;
			}
			// first, since it spares most calls the search for the limit
			long idle = metadata.idleTime();
			if (idle < SHORTEST_IDLE_MILLIS) {
				return false;
			}
			Long limit = connection.channel().attr(MAX_IDLE_MILLIS).get();
			return idle >= ((limit != null) ? limit : MAX_IDLE_SECONDS * 1000L);
		}

	}

}
