package io.github.mcpclient.auth.oauth2;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.internal.support.Loopback;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.spi.TransportException;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClientResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.Assert;

/**
 * HTTP requests to the authorization server that a server names. Requests to URLs that
 * are not configured are limited to the addresses of {@link AddressPolicy}. Blocks.
 */
final class AuthorizationHttp {

	private static final int MAX_BODY_SIZE = 1024 * 1024;

	private static final int MAX_URL_LENGTH = 4096;

	private static final Duration MAX_PATIENCE = Duration.ofMinutes(15);

	private static final byte[] PING = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"ping\"}"
		.getBytes(StandardCharsets.UTF_8);

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private final McpServerDefinition definition;

	private final Http http;

	private final URI server;

	private final Failures failures;

	private final AuthorizationClients clients;

	private final BiConsumer<Kind, String> deviations;

	private final Set<String> configured = ConcurrentHashMap.newKeySet();

	private final AddressPolicy addressPolicy = new AddressPolicy();

	AuthorizationHttp(McpServerDefinition definition, AuthorizationClients clients,
			BiConsumer<Kind, String> deviations) {
		Http http = definition.http();
		Assert.notNull(http, "'definition' must have a URL");
		this.definition = definition;
		this.http = http;
		this.server = URI.create(http.url().toString().replaceFirst("(?i)^ws", "http"));
		this.failures = new Failures(definition);
		this.clients = clients;
		this.deviations = deviations;
		OAuth2 settings = definition.auth().oauth2();
		Stream.of(settings.issuerUri(), settings.tokenUri(), settings.authorizationUri())
			.filter((url) -> url != null)
			.forEach(this::trust);
	}

	McpServerDefinition definition() {
		return this.definition;
	}

	Failures failures() {
		return this.failures;
	}

	/**
	 * Report a deviation of the server or its authorization server from the protocol that
	 * was accepted.
	 * @param detail the observation, without secrets
	 */
	void deviation(Kind kind, String detail) {
		this.deviations.accept(kind, detail);
	}

	/**
	 * Return the server's URL; for a WebSocket, the URL of the handshake.
	 */
	URI server() {
		return this.server;
	}

	/**
	 * Exempt the origin of a configured URL from the address policy.
	 */
	void trust(String url) {
		this.configured.add(origin(URI.create(url)));
	}

	/**
	 * Return the response to GET of a URL.
	 */
	Response get(String url) {
		return exchange(HttpMethod.GET, uri(url), new HttpHeaders(), new byte[0]);
	}

	/**
	 * Post a JSON object.
	 */
	Response post(String url, Map<String, ?> body) {
		HttpHeaders headers = new HttpHeaders();
		headers.setContentType(MediaType.APPLICATION_JSON);
		return exchange(HttpMethod.POST, uri(url), headers, MAPPER.writeValueAsBytes(body));
	}

	static @Nullable Map<String, Object> json(byte[] body) {
		try {
			return MAPPER.readValue(body, new TypeReference<>() {
			});
		}
		catch (JacksonException ex) {
			return null;
		}
	}

	/**
	 * Validate a URL that a server named, including URLs for a browser.
	 */
	URI uri(String url) {
		if (url.length() > MAX_URL_LENGTH) {
			throw this.failures.of("A URL of the authorization server is not used, since it is longer than "
					+ MAX_URL_LENGTH + " characters", url, "Contact the operator of the server.");
		}
		URI uri = parse(url);
		if (uri != null && uri.getHost() != null && uri.getRawUserInfo() == null && uri.getRawFragment() == null
				&& ("https".equalsIgnoreCase(uri.getScheme()) || isInsecureAllowed(uri))) {
			return uri;
		}
		throw this.failures.of("A URL of the authorization server is not used, since it does not begin with https", url,
				"Use https, or set {auth}.allow-insecure=true where the network can be trusted.");
	}

	private boolean isInsecureAllowed(URI uri) {
		return "http".equalsIgnoreCase(uri.getScheme()) && (Loopback.is(uri) || this.definition.auth().allowInsecure());
	}

	/**
	 * Return the challenge of the server itself: its response to a request without
	 * credentials, which has no effect if the server accepts it.
	 */
	BearerChallenge challenge() {
		boolean posts = McpServerDefinition.STREAMABLE_HTTP.equals(this.definition.type());
		HttpHeaders headers = new HttpHeaders();
		this.http.headers().forEach(headers::set);
		headers.remove(HttpHeaders.AUTHORIZATION);
		headers.setContentType(MediaType.APPLICATION_JSON);
		headers.setAccept(List.of(MediaType.APPLICATION_JSON, MediaType.TEXT_EVENT_STREAM));
		// the content may be an endless stream
		Response answer = exchange("The server", this.clients.create(this.definition).doOnResponse(this::narrow),
				posts ? HttpMethod.POST : HttpMethod.GET, this.server, headers, posts ? PING : new byte[0],
				(content) -> Mono.just(new ByteArrayOutputStream()));
		return BearerChallenge.parse((answer.status.value() == HttpStatus.UNAUTHORIZED.value())
				? answer.headers.getOrDefault(HttpHeaders.WWW_AUTHENTICATE, List.of()) : List.of());
	}

	private void narrow(HttpClientResponse response, Connection connection) {
		if (this.http.proxy() == null && connection.channel().remoteAddress() instanceof InetSocketAddress address) {
			this.addressPolicy.narrow(List.of(address.getAddress()));
		}
	}

	/**
	 * Make a request, within the timeout and without redirects.
	 */
	Response exchange(HttpMethod method, URI uri, HttpHeaders headers, byte[] body) {
		headers.setAccept(List.of(MediaType.APPLICATION_JSON));
		Response response = exchange("The authorization server", null, method, uri, headers, body,
				(content) -> content.asByteArray().collect(ByteArrayOutputStream::new, AuthorizationHttp::append));
		TransportException refusal = (method.equals(HttpMethod.POST) && response.retryAfter() == null)
				? this.failures.gateway(uri.toString(), response) : null;
		if (refusal != null) {
			throw refusal;
		}
		return response;
	}

	private Response exchange(String peer, @Nullable HttpClient client, HttpMethod method, URI uri, HttpHeaders headers,
			byte[] body, Function<ByteBufFlux, Mono<ByteArrayOutputStream>> reader) {
		Duration timeout = this.definition.timeouts().connect();
		try {
			return Objects.requireNonNull(((client != null) ? client : client(uri))
				.headers((all) -> headers.forEach((name, values) -> all.set(name, values)))
				.request(io.netty.handler.codec.http.HttpMethod.valueOf(method.name()))
				.uri(uri)
				.send(Mono.fromSupplier(() -> Unpooled.wrappedBuffer(body)))
				.response((received, content) -> reader.apply(content)
					.map((bytes) -> new Response(received, bytes.toByteArray())))
				.single()
				.block(timeout));
		}
		catch (RuntimeException ex) {
			Throwable cause = (ex.getCause() != null) ? ex.getCause() : ex;
			boolean late = ex instanceof IllegalStateException && ex.getMessage() != null
					&& ex.getMessage().startsWith("Timeout");
			String reason = late ? "no response within " + timeout.toMillis() + " ms"
					: String.valueOf(cause.getMessage());
			throw this.failures.of(peer + " at " + Redaction.url(uri) + " cannot be reached", reason,
					reason.startsWith("Filtered host")
							? "The server is not allowed to name this address: if you trust the address, set "
									+ "{auth}.oauth2.issuer-uri or token-uri."
							: "Check that it runs, and that the application can reach it.");
		}
	}

	private static void append(ByteArrayOutputStream body, byte[] bytes) {
		Assert.state(body.size() + bytes.length <= MAX_BODY_SIZE, "the response is larger than 1 MB");
		body.writeBytes(bytes);
	}

	LoopResources eventLoops() {
		return this.clients.create(this.definition).configuration().loopResources();
	}

	AddressPolicy addressPolicy() {
		return this.addressPolicy;
	}

	private HttpClient client(URI uri) {
		if (this.configured.contains(origin(uri))) {
			return this.clients.create(this.definition);
		}
		if (!this.addressPolicy.isKnown()) {
			// once: the name may have another address later
			this.addressPolicy.narrow(resolve(this.http.url().getHost()));
		}
		if (this.http.proxy() != null) {
			// the proxy resolves the name; if this machine resolves it, too, the policy
			// must allow all of its addresses
			if (!resolve(uri.getHost()).stream().allMatch(this.addressPolicy::matches)) {
				throw new IllegalArgumentException(
						"Filtered host: it is at an address of this network, and the MCP " + "server is not");
			}
			return this.clients.create(this.definition);
		}
		return this.clients.create(this.definition, this.addressPolicy);
	}

	private static List<InetAddress> resolve(String host) {
		try {
			return List.of(InetAddress.getAllByName(host));
		}
		catch (UnknownHostException ex) {
			return List.of();
		}
	}

	/**
	 * Parse untrusted text as a URL; {@code null} if it is not a URL.
	 */
	static @Nullable URI parse(String text) {
		try {
			return URI.create(text);
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	static String origin(URI uri) {
		int port = (uri.getPort() != -1) ? uri.getPort() : ("https".equalsIgnoreCase(uri.getScheme()) ? 443 : 80);
		return (uri.getScheme() + "://" + uri.getHost() + ":" + port).toLowerCase(Locale.ROOT);
	}

	/**
	 * A response whose content has been read.
	 */
	record Response(HttpStatusCode status, HttpHeaders headers, byte[] body) implements ClientHttpResponse {

		Response(HttpClientResponse response, byte[] body) {
			this(HttpStatusCode.valueOf(response.status().code()), new HttpHeaders(), body);
			response.responseHeaders().forEach((header) -> this.headers.add(header.getKey(), header.getValue()));
		}

		/**
		 * Return the same with other content.
		 */
		Response of(Map<String, ?> members) {
			HttpHeaders other = new HttpHeaders();
			other.setContentType(MediaType.APPLICATION_JSON);
			return new Response(this.status, other, MAPPER.writeValueAsBytes(members));
		}

		/**
		 * Return the delay that the authorization server requests, at most
		 * {@link #MAX_PATIENCE}; {@code null} if it requests no delay.
		 */
		@Nullable Duration retryAfter() {
			String value = this.headers.getFirst(HttpHeaders.RETRY_AFTER);
			if (value == null || (this.status.value() != 429 && this.status.value() != 503)) {
				return null;
			}
			try {
				long seconds = value.matches("\\d{1,9}") ? Long.parseLong(value)
						: (this.headers.getFirstDate(HttpHeaders.RETRY_AFTER) - Clock.systemUTC().millis()) / 1000;
				return Duration.ofSeconds(Math.max(0, Math.min(seconds, MAX_PATIENCE.toSeconds())));
			}
			catch (IllegalArgumentException ex) {
				return null;
			}
		}

		/**
		 * Return the requested JSON object, or {@code null} if this is not one.
		 */
		@Nullable Map<String, Object> json() {
			return this.status.is2xxSuccessful() ? AuthorizationHttp.json(this.body) : null;
		}

		@Override
		public HttpStatusCode getStatusCode() {
			return this.status;
		}

		@Override
		public String getStatusText() {
			return "";
		}

		@Override
		public HttpHeaders getHeaders() {
			return this.headers;
		}

		@Override
		public InputStream getBody() {
			return new ByteArrayInputStream(this.body);
		}

		@Override
		public void close() {
			// read to its end
		}

	}

}
