package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.Map;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClient.RequestSender;
import reactor.netty.http.client.HttpClient.ResponseReceiver;

/**
 * The HTTP requests of a session, with all headers that they share. Immutable, and safe
 * for use by many threads.
 */
final class HttpRequests {

	static final String JSON = "application/json";

	static final String EVENT_STREAM = "text/event-stream";

	static final String SESSION_ID = "Mcp-Session-Id";

	private static final String PROTOCOL_VERSION = "MCP-Protocol-Version";

	private static final String LAST_EVENT_ID = "Last-Event-ID";

	private final HttpClient client;

	private final URI uri;

	private final Duration timeout;

	private final @Nullable String sessionId;

	private final @Nullable String protocolVersion;

	private final Map<String, String> provided;

	private final HttpClient sessionClient;

	private final RequestSender call;

	private final RequestSender notification;

	/**
	 * Describe the requests before there is a session.
	 * @param client the client, with the headers that the user configured
	 * @param timeout how long the server may be silent where nobody waits for an answer
	 */
	HttpRequests(HttpClient client, URI uri, Duration timeout) {
		this(client, uri, timeout, null, null, Map.of());
	}

	private HttpRequests(HttpClient client, URI uri, Duration timeout, @Nullable String sessionId,
			@Nullable String protocolVersion, Map<String, String> provided) {
		this.client = client;
		this.uri = uri;
		this.timeout = timeout;
		this.sessionId = sessionId;
		this.protocolVersion = protocolVersion;
		this.provided = provided;
		this.sessionClient = client.headers(this::session);
		HttpClient post = this.sessionClient
			.headers((headers) -> headers.set(HttpHeaderNames.ACCEPT, JSON + ", " + EVENT_STREAM)
				.set(HttpHeaderNames.CONTENT_TYPE, JSON));
		this.call = post.post().uri(uri);
		this.notification = post.responseTimeout(timeout).post().uri(uri);
	}

	private void session(HttpHeaders headers) {
		this.provided.forEach(headers::set);
		headers.remove(SESSION_ID).remove(PROTOCOL_VERSION);
		if (this.sessionId != null) {
			headers.set(SESSION_ID, this.sessionId);
		}
		if (this.protocolVersion != null) {
			headers.set(PROTOCOL_VERSION, this.protocolVersion);
		}
	}

	HttpRequests withSessionId(String sessionId) {
		return new HttpRequests(this.client, this.uri, this.timeout, sessionId, this.protocolVersion, this.provided);
	}

	HttpRequests withProtocolVersion(String protocolVersion) {
		return new HttpRequests(this.client, this.uri, this.timeout, this.sessionId, protocolVersion, this.provided);
	}

	HttpRequests withUri(URI uri) {
		return new HttpRequests(this.client, uri, this.timeout, this.sessionId, this.protocolVersion, this.provided);
	}

	/**
	 * Return the same requests with headers that take the place of configured ones.
	 * @param provided names and values, which have been validated
	 */
	HttpRequests with(Map<String, String> provided) {
		return provided.equals(this.provided) ? this
				: new HttpRequests(this.client, this.uri, this.timeout, this.sessionId, this.protocolVersion, provided);
	}

	/**
	 * Return the headers that the requests have beside the configured ones.
	 */
	Map<String, String> provided() {
		return this.provided;
	}

	URI uri() {
		return this.uri;
	}

	@Nullable String sessionId() {
		return this.sessionId;
	}

	/**
	 * POST a request; who waits for its answer limits its time.
	 */
	ResponseReceiver<?> call(byte[] message) {
		return send(this.call, message);
	}

	/**
	 * POST a message that has no answer.
	 */
	ResponseReceiver<?> notification(byte[] message) {
		return send(this.notification, message);
	}

	private static ResponseReceiver<?> send(RequestSender sender, byte[] message) {
		// one buffer, as a Mono, is sent as one message, with its length
		return sender.send((request, outbound) -> outbound.send(Mono.just(Unpooled.wrappedBuffer(message))));
	}

	/**
	 * Open a stream, or continue one.
	 */
	ResponseReceiver<?> stream(@Nullable String lastEventId) {
		return this.sessionClient.headers((headers) -> {
			headers.set(HttpHeaderNames.ACCEPT, EVENT_STREAM);
			if (lastEventId != null) {
				headers.set(LAST_EVENT_ID, lastEventId);
			}
		}).get().uri(this.uri);
	}

	/**
	 * End the session.
	 */
	ResponseReceiver<?> delete(Duration timeout) {
		return this.sessionClient.responseTimeout(timeout).delete().uri(this.uri);
	}

	/**
	 * Return the media type of a response without its parameters.
	 */
	static @Nullable String mediaType(HttpHeaders headers) {
		String contentType = headers.get(HttpHeaderNames.CONTENT_TYPE);
		int end = (contentType != null) ? contentType.indexOf(';') : -1;
		return (end != -1) ? contentType.substring(0, end).trim() : contentType;
	}

}
