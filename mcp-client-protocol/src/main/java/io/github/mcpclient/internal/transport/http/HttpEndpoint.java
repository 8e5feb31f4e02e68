package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.time.Duration;

import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClient;
import reactor.netty.http.client.HttpClient.ResponseReceiver;

import org.springframework.util.StringUtils;

/**
 * Where the HTTP requests of a session go, with all headers that they share. Immutable,
 * and safe for use by many threads.
 */
final class HttpEndpoint {

	static final String JSON = "application/json";

	static final String EVENT_STREAM = "text/event-stream";

	static final String SESSION_ID = "Mcp-Session-Id";

	private static final String PROTOCOL_VERSION = "MCP-Protocol-Version";

	private static final String LAST_EVENT_ID = "Last-Event-ID";

	private final HttpClient client;

	private final Duration timeout;

	private final Session session;

	// made once, since that takes a large part of the time of a call, and cached from the
	// second
	// call on, since many servers are listed and never called
	private volatile @Nullable Flux<ByteBuf> call;

	private volatile boolean called;

	/**
	 * Describe the endpoint before there is a session.
	 * @param client the client, with the headers that the user configured
	 * @param timeout how long the server may be silent if no caller waits for a response
	 */
	HttpEndpoint(HttpClient client, URI uri, Duration timeout) {
		this(client, timeout, new Session(uri, null, null, RequestHeaders.NONE, null));
	}

	private HttpEndpoint(HttpClient client, Duration timeout, Session session) {
		this.client = client;
		this.timeout = timeout;
		this.session = session;
	}

	HttpEndpoint withSessionId(String id) {
		return with(new Session(this.session.uri, id, this.session.protocolVersion, this.session.provided, null));
	}

	HttpEndpoint withProtocolVersion(String protocolVersion) {
		return with(new Session(this.session.uri, this.session.id, protocolVersion, this.session.provided, null));
	}

	HttpEndpoint withUri(URI uri) {
		return with(new Session(uri, this.session.id, this.session.protocolVersion, this.session.provided, null));
	}

	/**
	 * Return the same with validated headers that replace configured ones.
	 */
	HttpEndpoint with(RequestHeaders provided) {
		return provided.equals(this.session.provided) ? this
				: with(new Session(this.session.uri, this.session.id, this.session.protocolVersion, provided, null));
	}

	/**
	 * Return the same for one request.
	 * @param proof that the request may use its token
	 */
	HttpEndpoint withProof(String proof) {
		return with(new Session(this.session.uri, this.session.id, this.session.protocolVersion, this.session.provided,
				proof));
	}

	/**
	 * Return the same for a server that chose HTTP/1.1, with a connection for each call.
	 */
	HttpEndpoint withoutHttp2() {
		HttpClient other = McpHttpClients.withoutHttp2(this.client);
		return (other == this.client) ? this : new HttpEndpoint(other, this.timeout, this.session);
	}

	private HttpEndpoint with(Session session) {
		return new HttpEndpoint(this.client, this.timeout, session);
	}

	/**
	 * Return the headers of the requests in addition to the configured ones.
	 */
	RequestHeaders provided() {
		return this.session.provided;
	}

	URI uri() {
		return this.session.uri;
	}

	@Nullable String protocolVersion() {
		return this.session.protocolVersion;
	}

	@Nullable String sessionId() {
		return this.session.id;
	}

	/**
	 * POST a request; the caller that waits for the response limits its time.
	 */
	Flux<ByteBuf> call() {
		Flux<ByteBuf> call = this.call;
		if (call == null) {
			call = post(this.client);
			this.call = this.called ? call : null;
			this.called = true;
		}
		return call;
	}

	/**
	 * POST a message that has no response.
	 */
	Flux<ByteBuf> notification() {
		return post(this.client.responseTimeout(this.timeout));
	}

	private Flux<ByteBuf> post(HttpClient client) {
		return client.headers((headers) -> {
			this.session.addTo(headers);
			headers.set(HttpHeaderNames.ACCEPT, JSON + ", " + EVENT_STREAM).set(HttpHeaderNames.CONTENT_TYPE, JSON);
		}).post().uri(this.session.uri).send(HttpExchange::send).response(HttpExchange::received);
	}

	/**
	 * Open a stream, or continue one.
	 */
	Flux<ByteBuf> stream(@Nullable String lastEventId) {
		return this.client.headers((headers) -> {
			this.session.addTo(headers);
			headers.set(HttpHeaderNames.ACCEPT, EVENT_STREAM);
			if (lastEventId != null) {
				headers.set(LAST_EVENT_ID, lastEventId);
			}
		}).get().uri(this.session.uri).response(HttpExchange::received);
	}

	/**
	 * End the session.
	 */
	ResponseReceiver<?> delete(Duration timeout) {
		return this.client.headers(this.session::addTo).responseTimeout(timeout).delete().uri(this.session.uri);
	}

	/**
	 * Return the media type of a response without its parameters.
	 */
	static @Nullable String mediaType(HttpHeaders headers) {
		return mediaType(headers.get(HttpHeaderNames.CONTENT_TYPE));
	}

	/**
	 * Return the media type without its parameters, the first where a proxy has made a
	 * list of it.
	 */
	static @Nullable String mediaType(@Nullable String contentType) {
		if (!StringUtils.hasLength(contentType)) {
			return null;
		}
		int end = 0;
		while (end < contentType.length() && contentType.charAt(end) != ';' && contentType.charAt(end) != ',') {
			end++;
		}
		return contentType.substring(0, end).trim();
	}

	private record Session(URI uri, @Nullable String id, @Nullable String protocolVersion, RequestHeaders provided,
			@Nullable String proof) {

		void addTo(HttpHeaders headers) {
			this.provided.provided().forEach(headers::set);
			this.provided.authorization().forEach(headers::set);
			if (this.proof != null) {
				headers.set(Proofs.HEADER, this.proof);
			}
			headers.remove(SESSION_ID).remove(PROTOCOL_VERSION);
			if (this.id != null) {
				headers.set(SESSION_ID, this.id);
			}
			if (this.protocolVersion != null) {
				headers.set(PROTOCOL_VERSION, this.protocolVersion);
			}
		}

	}

}
