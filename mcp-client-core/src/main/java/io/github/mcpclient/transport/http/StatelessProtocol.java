package io.github.mcpclient.transport.http;

import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.support.Departure;
import io.github.mcpclient.support.MessageHeaders;
import io.github.mcpclient.support.ProtocolRevisions;
import io.github.mcpclient.transport.HttpStatusException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.Context;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

/**
 * MCP's streamable HTTP without sessions (revision 2026-07-28,
 * {@code basic/transports/streamable-http}): each request is a POST of its own, and so is
 * the one for what the server says unasked. The end of the exchange cancels the request.
 *
 * <p>
 * What a server says that knows only sessions may come from a gateway, or concern one
 * request alone: the server is asked once more what it speaks, and the transport dies
 * only if the answer to that is no better.
 */
final class StatelessProtocol implements HttpProtocol {

	private static final String DISCOVER = "server/discover";

	private static final String REPLACED = "The server no longer speaks protocol revision "
			+ ProtocolRevisions.STATELESS;

	private final HttpTransport transport;

	// null as long as the server has not answered it
	private volatile @Nullable Question question;

	private final AtomicReference<Sinks.@Nullable Empty<Void>> check = new AtomicReference<>();

	// the id of the latest request of ours
	private volatile int checkId;

	private volatile boolean replaced;

	StatelessProtocol(HttpTransport transport) {
		this.transport = transport;
	}

	@Override
	public Mono<Void> open() {
		return Mono.empty();
	}

	@Override
	public Mono<Void> send(JSONRPCMessage message, Mono<Void> sent) {
		return sent;
	}

	@Override
	public HttpBody accepted(PostedMessage request, HttpClientResponse response, Disposable attempt) {
		if (request.is(DISCOVER)) {
			this.question = new Question(request.params(), new MessageHeaders(request.headers(), false));
		}
		return StreamedAnswer.read(request, response, attempt);
	}

	/**
	 * {@inheritDoc} What is not found may be the method.
	 */
	@Override
	public boolean isAnswer(PostedMessage request, HttpError error, JsonNode json, boolean ours) {
		JsonNode id = json.path("id");
		boolean anonymous = id.isMissingNode() || id.isNull();
		return switch (error.status()) {
			case 400, 404, 405, 422, 500, 501 -> ours || anonymous;
			default -> false;
		};
	}

	@Override
	public @Nullable String lost(PostedMessage request, HttpError error, String text) {
		if (!isOwn(request)
				|| !(error.knowsOnlySessions(text) || error.code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND)) {
			return null;
		}
		this.replaced = true;
		return REPLACED;
	}

	/**
	 * {@inheritDoc} Some servers do that with a status of success.
	 */
	@Override
	public boolean doubts(PostedMessage request, JSONRPCResponse answer, JSONRPCError error) {
		String text = String.valueOf(error.message());
		if (!isOwn(request) || !(error.code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND
				|| HttpError.saysOnlySessions(error.code(), text))) {
			return false;
		}
		this.replaced = true;
		request.sessionLost(REPLACED, 200, null, text);
		return true;
	}

	@Override
	public boolean doubts(PostedMessage request, HttpError error, String text) {
		Question question = this.question;
		if (question == null || isOwn(request) || !error.knowsOnlySessions(text)) {
			return false;
		}
		request.doubt(error, check(question, request.context()), () -> this.replaced ? REPLACED : null);
		return true;
	}

	/**
	 * Return whether other credentials are of no use, since the server may not know the
	 * method, and will be sent {@code initialize} with the same.
	 */
	boolean refusesMethod(PostedMessage request, HttpError error) {
		return this.question == null && request.is(DISCOVER) && error.mayRefuseMethod()
				&& ProtocolRevisions.allowsStateful(this.transport.setup().definition().protocol());
	}

	@Override
	public boolean isOwn(PostedMessage request) {
		return request.is(DISCOVER) && Integer.valueOf(this.checkId).equals(request.id());
	}

	/**
	 * Ask the server what it speaks, unless that is being asked, and complete when it is
	 * known or there is no answer. The id is an integer beyond those at which sessions
	 * begin.
	 */
	private Mono<Void> check(Question question, ContextView caller) {
		Sinks.Empty<Void> end = Sinks.empty();
		Sinks.Empty<Void> other = this.check.compareAndExchange(null, end);
		if (other != null) {
			return other.asMono();
		}
		HttpSetup setup = this.transport.setup();
		this.checkId = ThreadLocalRandom.current().nextInt(1 << 30, Integer.MAX_VALUE);
		JSONRPCRequest discover = new JSONRPCRequest(McpSchema.JSONRPC_VERSION, DISCOVER, this.checkId,
				question.params());
		Mono.defer(() -> this.transport.sendMessage(discover))
			.timeout(setup.definition().timeouts().connect(), setup.timer())
			.contextWrite(Context.of(caller).delete(Departure.class).put(MessageHeaders.class, question.headers()))
			.onErrorComplete()
			.subscribe(null, null, () -> {
				this.check.set(null);
				end.tryEmitEmpty();
			});
		return end.asMono();
	}

	/**
	 * {@inheritDoc} The server is there, whoever answers in its place.
	 */
	@Override
	public HttpStatusException refusal(HttpStatusException failure) {
		if (this.question == null || failure.getStatus() != 404) {
			return failure;
		}
		String summary = failure.getSummary();
		return new HttpStatusException(failure.getStatus(), summary,
				String.valueOf(failure.getMessage()).substring(summary.length()),
				"The server answers other requests: check any gateway in front of it, or its log.",
				failure.isPossiblyProcessed(), null, null);
	}

	@Override
	public boolean resumes() {
		return false;
	}

	@Override
	public void closeStream(TransportException cause) {
	}

	@Override
	public boolean hasSession() {
		return false;
	}

	@Override
	public String mask(String text) {
		return text;
	}

	/**
	 * How the session asked the server what it speaks.
	 */
	private record Question(@Nullable Object params, MessageHeaders headers) {
	}

}
