package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * MCP's streamable HTTP (MCP 2025-11-25, basic/transports), from the client's side. Each
 * message is a separate POST; the response arrives in the HTTP response, as JSON or in an
 * event stream. Another event stream, opened with GET once the session is initialized,
 * carries server-initiated messages.
 *
 * <p>
 * The transport fails when the server no longer knows the session (HTTP 404 on a POST, or
 * a result of {@link SessionCheck}), and when nothing listens at its address any more.
 * All other failures affect only their request.
 *
 * <p>
 * Messages are handed over on an event loop: messages of one response in their order,
 * messages of several responses possibly at the same time.
 */
final class StreamableProtocol implements McpHttpProtocol {

	private static final Logger logger = LoggerFactory.getLogger(StreamableProtocol.class);

	private static final Duration DELETE_TIMEOUT = Duration.ofSeconds(2);

	private static final int MAX_SESSION_ID_LENGTH = 4096;

	// the status with which a server without streamable HTTP responds to initialize
	private static final Set<Integer> UNKNOWN = Set.of(400, 404, 405);

	private final HttpTransport transport;

	private final StreamableGetStream stream;

	private final AtomicBoolean streaming = new AtomicBoolean();

	private final SessionCheck check;

	StreamableProtocol(HttpTransport transport) {
		this.transport = transport;
		this.check = new SessionCheck(transport.setup(), transport, true);
		this.stream = new StreamableGetStream(transport, this.check);
	}

	@Override
	public Mono<Void> initialize(Mono<Void> sent) {
		return sent.onErrorResume(HttpStatusException.class,
				(refusal) -> (mayKnowSse(refusal.getStatus()) && !refusesVersion(refusal))
						? initializeSse(sent, refusal) : Mono.error(refusal));
	}

	@Override
	public Mono<Void> initialized(Mono<Void> sent) {
		return sent.doOnSuccess((ignored) -> openStream()).doOnError(this::mayRefuseInitialized, (ex) -> openStream());
	}

	private boolean refusesVersion(HttpStatusException refusal) {
		return this.transport.setup().failures().otherVersion().equals(refusal.getNextStep());
	}

	// the session is used nevertheless
	private boolean mayRefuseInitialized(Throwable failure) {
		return !this.transport.hasEnded() && !(failure instanceof HttpStatusException refusal && refusal.isChallenge());
	}

	private void openStream() {
		if (this.streaming.compareAndSet(false, true)) {
			this.stream.open();
		}
	}

	// whether to try HTTP with server-sent events after an error status for initialize
	private boolean mayKnowSse(int status) {
		return this.transport.setup().definition().typeInferred() && UNKNOWN.contains(status);
	}

	private Mono<Void> initializeSse(Mono<Void> sent, HttpStatusException refusal) {
		SseProtocol sse = new SseProtocol(this.transport, refusal);
		return this.transport.switchTo(sse).then(sent).doOnSuccess((ignored) -> {
			sse.succeeded();
			String name = this.transport.setup().serverName();
			logger.atInfo()
				.addKeyValue(LogKeys.SERVER, name)
				.addKeyValue(LogKeys.TRANSPORT, sse.type())
				.log("MCP server '{}' uses HTTP with server-sent events (it responds with HTTP {} to streamable"
						+ " HTTP). Set {} to sse to skip that attempt.", name, refusal.getStatus(),
						PropertyNames.ofServer(name, "type"));
		}).onErrorMap(sse::word);
	}

	@Override
	public HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt) {
		String sessionId = request.is(McpSchema.METHOD_INITIALIZE)
				? response.responseHeaders().get(HttpEndpoint.SESSION_ID) : null;
		if (sessionId != null && !sessionId.isEmpty()) {
			if (sessionId.length() > MAX_SESSION_ID_LENGTH || !sessionId.chars().allMatch((c) -> c > ' ' && c < 0x7F)) {
				request.fail(new TransportException(
						"The server's session ID of " + sessionId.length() + " characters cannot be used: at most "
								+ MAX_SESSION_ID_LENGTH + " are allowed, all of them visible ASCII",
						"Configure the server to use shorter session IDs, without blanks.", null));
				return HttpBody.IGNORED;
			}
			this.transport.update((endpoint) -> endpoint.withSessionId(sessionId));
		}
		this.check.accepted(request.request(), null);
		return StreamedAnswer.read(request, response, attempt, null);
	}

	@Override
	public boolean isAnswer(PostedMessage request, HttpError error, JsonNode json, boolean ours) {
		boolean initialize = request.is(McpSchema.METHOD_INITIALIZE);
		boolean refused = initialize && error.refusesVersion();
		if (initialize && !refused && mayKnowSse(error.status())) {
			// a reason to try HTTP with server-sent events, rather than a response
			return false;
		}
		JsonNode id = json.path("id");
		boolean anonymous = id.isMissingNode() || id.isNull();
		return refused ? ours || anonymous : switch (error.status()) {
			case 400, 422, 500 -> ours || anonymous;
			case 404 -> ours;
			default -> false;
		};
	}

	@Override
	public SessionCheck check() {
		return this.check;
	}

	@Override
	public boolean hasSession() {
		return this.transport.endpoint().sessionId() != null;
	}

	@Override
	public String mask(String text) {
		String sessionId = this.transport.endpoint().sessionId();
		return (sessionId != null) ? text.replace(sessionId, Secrets.MASK) : text;
	}

	@Override
	public void closeStream(TransportException cause) {
		this.stream.dispose();
	}

	/**
	 * {@inheritDoc} Sends {@code DELETE} where there is a session id.
	 */
	@Override
	public Mono<Void> endSession() {
		if (!hasSession() || !this.transport.setup().http().terminateOnClose()) {
			return Mono.empty();
		}
		return this.transport.endpoint("DELETE")
			.flatMap((endpoint) -> delete(endpoint, true))
			.map(HttpClientResponse::status)
			.timeout(DELETE_TIMEOUT, this.transport.setup().timer())
			.doOnNext((status) -> logger.debug("Ended the session: HTTP {}", status.code()))
			.doOnError((failure) -> logger.debug("The session was not ended", failure))
			.onErrorComplete()
			.then();
	}

	private Mono<HttpClientResponse> delete(HttpEndpoint endpoint, boolean again) {
		RequestHeaders provided = endpoint.provided();
		Proofs proofs = this.transport.headers().proofs(this.transport.setup().definition(), provided);
		if (proofs == null) {
			return endpoint.delete(DELETE_TIMEOUT).response();
		}
		return proofs.make("DELETE", endpoint.uri(), provided.authorization())
			.flatMap((proof) -> endpoint.withProof(proof).delete(DELETE_TIMEOUT).response())
			.flatMap((response) -> (proofs.answered(endpoint.uri(), response.status().code(),
					response.responseHeaders()::getAll) && again) ? delete(endpoint, false) : Mono.just(response));
	}

}
