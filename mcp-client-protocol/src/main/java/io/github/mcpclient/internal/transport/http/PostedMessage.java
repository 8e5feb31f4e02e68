package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.ContextView;

/**
 * A message on its way to the server. It ends once, successfully or not: a request when
 * its response arrives; a notification, or a response to the server, when the server
 * accepts it. The remaining part of the HTTP response is then read for a moment, so that
 * the connection can be reused.
 */
final class PostedMessage implements HttpExchange.Handler, SessionCheck.Refused, Subscription {

	// enough to read the remaining response, after which the connection can be reused
	static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);

	// short, since each such request occupies a connection during that time
	private static final Duration ANSWERED_ELSEWHERE_TIMEOUT = Duration.ofMillis(100);

	private final HttpTransport transport;

	private final @Nullable MessageHeaders headers;

	private final McpHttpProtocol protocol;

	// null if the message has no response
	private final @Nullable JSONRPCRequest request;

	private final Object key;

	private final byte[] body;

	private final CoreSubscriber<? super Void> sender;

	private final int maxAnswerSize;

	// an exchange, or the wait before the next one
	private final Disposable.Swap current = Disposables.swap();

	private final Disposable.Swap deadline = Disposables.swap();

	private volatile HttpExchange exchange;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicBoolean done = new AtomicBoolean();

	// the last response in it to another request, and how many there were

	private volatile @Nullable JSONRPCResponse other;

	private volatile int others;

	// whether a response arrived that may not be one
	private volatile boolean inDoubt;

	PostedMessage(HttpTransport transport, HttpEndpoint endpoint, JSONRPCMessage message,
			CoreSubscriber<? super Void> sender) {
		HttpSetup setup = transport.setup();
		this.transport = transport;
		this.headers = MessageHeaders.of(sender.currentContext());
		this.protocol = (this.headers != null) ? transport.stateless() : transport.protocol();
		this.request = (message instanceof JSONRPCRequest asked) ? asked : null;
		// some servers send a numeric ID as a string
		this.key = (this.request != null) ? String.valueOf(this.request.id()) : this;
		this.body = setup.codec().encode(message);
		this.sender = sender;
		this.maxAnswerSize = (this.request != null) ? setup.resultLimit().size(this.request) : Integer.MAX_VALUE;
		this.exchange = exchange("POST", endpoint, this);
	}

	/**
	 * Return the ID of the request as text, or this message if it is not a request.
	 */
	Object key() {
		return this.key;
	}

	@Override
	public @Nullable JSONRPCRequest request() {
		return this.request;
	}

	@Nullable Object id() {
		return (this.request != null) ? this.request.id() : null;
	}

	boolean is(String method) {
		return this.request != null && method.equals(this.request.method());
	}

	HttpTransport transport() {
		return this.transport;
	}

	HttpExchange exchange() {
		return this.exchange;
	}

	@Override
	public HttpFailures failures() {
		return this.exchange.failures();
	}

	int maxAnswerSize() {
		return this.maxAnswerSize;
	}

	@Override
	public ContextView context() {
		return this.sender.currentContext();
	}

	/**
	 * Send the message, unless it was dropped or cancelled. Called once.
	 */
	void start() {
		if (isDone()) {
			release();
		}
		else if (this.begun.compareAndSet(false, true)) {
			this.exchange.start();
		}
	}

	/**
	 * Request the remaining part of the response, after a delay in milliseconds.
	 */
	void resumeAfter(long delay, HttpExchange.Handler handler) {
		this.current.update(this.transport.setup().timer().schedule(() -> {
			HttpEndpoint endpoint = this.transport.endpoint().with(this.exchange.endpoint().provided());
			this.exchange = exchange("GET", endpoint, handler);
			this.exchange.start();
		}, delay, TimeUnit.MILLISECONDS));
	}

	private HttpExchange exchange(String method, HttpEndpoint endpoint, HttpExchange.Handler handler) {
		return new HttpExchange(this.transport.setup(), this.transport.headers(), method, endpoint, this.current,
				handler);
	}

	@Override
	public Flux<ByteBuf> request(HttpEndpoint endpoint) {
		return (this.request != null) ? endpoint.call() : endpoint.notification();
	}

	@Override
	public byte[] body() {
		return this.body;
	}

	@Override
	public Map<String, String> headers() {
		return (this.headers != null) ? this.headers.headers() : Map.of();
	}

	@Override
	public void redirected(URI location) {
		// a missing slash at the end, most often: the server did not look at the message
		this.transport.update((endpoint) -> endpoint.withUri(location));
	}

	@Override
	public HttpBody accepted(HttpClientResponse response, Disposable attempt) {
		if (this.request != null) {
			return this.protocol.accepted(this, response, attempt);
		}
		after(DRAIN_TIMEOUT, this::finish);
		if (!response.responseHeaders().contains(HttpHeaderNames.CONTENT_LENGTH) && complete()) {
			succeed();
		}
		// else the end is near, and with it a connection for the next message
		return HttpBody.ignoredUntilEnd(this::finish);
	}

	private void finish() {
		boolean first = complete();
		release();
		if (first) {
			succeed();
		}
	}

	/**
	 * A message arrived in the response.
	 * @return whether it is the response to this request, and the first one: the caller
	 * must {@link #succeed}
	 */
	boolean receive(JSONRPCMessage message) {
		if (!(message instanceof JSONRPCResponse response)) {
			this.transport.deliver(message, context());
			return false;
		}
		if (!isAnswer(response)) {
			this.transport.misplaced();
			this.others++;
			this.other = response;
			return false;
		}
		return answer(response);
	}

	boolean isAnswer(JSONRPCResponse response) {
		return response.id().equals(id()) || this.key.equals(String.valueOf(response.id()));
	}

	/**
	 * The HTTP response is over without a response to the request. A single error in it
	 * with another ID can only belong to this request. A result, which may belong to
	 * another client, is not accepted.
	 */
	void unanswered(TransportException failure) {
		JSONRPCResponse other = this.other;
		if (other == null) {
			fail(failure);
			return;
		}
		String id = failures().line(String.valueOf(other.id()));
		if (other.error() == null || this.others > 1 || this.transport.isPending(other.id())) {
			fail(new TransportException("The server responded with the ID of another request", " (" + id + ")",
					"The response may belong to another client, and is ignored. Correct the server, or the gateway in"
							+ " front of it, to respond with the ID of the request.",
					true, null)
				.atStep(McpServerStatus.StepKind.PROTOCOL));
			return;
		}
		String detail = "error " + other.error().code() + " with the ID " + id;
		this.transport.setup().reader().deviation(Kind.RESPONSE_ID, detail);
		conclude(JSONRPCResponse.error(id(), other.error()));
	}

	/**
	 * A malformed response that can only belong to this request. The caller of a tool, a
	 * model for example, can read the reason.
	 */
	void malformed(MalformedMessageException failure) {
		MalformedMessageException quoted = failure.quoting(failures().secrets());
		if (!is(McpSchema.METHOD_TOOLS_CALL)) {
			fail(quoted);
			return;
		}
		String text = "The MCP server returned a malformed tool result: " + quoted.getReason();
		conclude(JSONRPCResponse.result(id(),
				Map.of("content", List.of(Map.of("type", "text", "text", text)), "isError", true)));
	}

	private void conclude(JSONRPCResponse answer) {
		if (answer(answer)) {
			release();
			succeed();
		}
	}

	/**
	 * The response arrived.
	 * @return whether it is the first one: the caller must {@link #succeed}
	 */
	boolean answer(JSONRPCResponse response) {
		JSONRPCError error = response.error();
		if (error != null && !this.inDoubt && this.protocol.check()
			.maySignalLostSession(this, 200, String.valueOf(error.message()), error, () -> conclude(response))) {
			return false;
		}
		if (!complete()) {
			return false;
		}
		if (!this.protocol.check().isOwn(this.request)) {
			this.transport.deliver(response);
		}
		return true;
	}

	/**
	 * The response arrived on another stream than the one of the request.
	 * @param size its size in bytes
	 */
	void answeredElsewhere(JSONRPCResponse response, int size) {
		if (size > this.maxAnswerSize) {
			failAsTooLarge();
		}
		else if (answer(response)) {
			Disposable pending = this.current.get();
			if (pending == null || pending.isDisposed()) {
				release();
			}
			else {
				// the server may leave the response open
				after(ANSWERED_ELSEWHERE_TIMEOUT, this::release);
			}
			succeed();
		}
	}

	/**
	 * The response is final only if no other reason for it is found. The request is
	 * pending until then: the end of the transport waits for it.
	 */
	@Override
	public void doubt() {
		this.inDoubt = true;
	}

	boolean isInDoubt() {
		return this.inDoubt;
	}

	/**
	 * The server accepted the request, but did not respond to it.
	 * @param text the text that the server sent instead of a response
	 * @param otherwise what to do if the session is not lost
	 */
	void doubt(int status, String text, Runnable otherwise) {
		// the response may arrive on another stream
		if (status == 202 || !this.protocol.check().maySignalLostSession(this, status, text, null, otherwise)) {
			otherwise.run();
		}
	}

	boolean isDone() {
		return this.done.get();
	}

	/**
	 * Return whether the caller is the first to end the message, and must
	 * {@link #succeed} or fail.
	 */
	private boolean complete() {
		return this.done.compareAndSet(false, true);
	}

	void succeed() {
		this.sender.onComplete();
	}

	@Override
	public void fail(Throwable failure) {
		boolean first = complete();
		this.current.dispose();
		this.deadline.dispose();
		if (first) {
			this.sender.onError(failures().exchange(failure));
		}
		// not earlier: the transport may wait for the last one to learn of its fate
		this.transport.remove(this);
	}

	void failAsTooLarge() {
		fail(this.transport.setup().resultLimit().exceeded());
	}

	/**
	 * Fail, unless done, because the transport ends.
	 */
	void drop(TransportException cause) {
		fail(this.begun.compareAndSet(false, true) ? cause.notSent() : cause);
	}

	void release() {
		this.current.dispose();
		this.deadline.dispose();
		this.transport.remove(this);
	}

	@Override
	public void request(long count) {
		// it is sent in any case
	}

	@Override
	public void cancel() {
		// the receiver of the response may cancel while it is being delivered
		if (complete()) {
			release();
		}
	}

	/**
	 * Run a task if the message is not {@link #release released} before.
	 */
	void after(Duration delay, Runnable task) {
		this.deadline.update(this.transport.setup().timer().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS));
	}

	@Override
	public void failed(Throwable failure) {
		if (!this.transport.terminateIfGone(failure, () -> fail(failure))) {
			fail(failure);
		}
	}

	@Override
	public void rejected(HttpError error) {
		if (this.protocol.hasSession() && error.status() == 404) {
			sessionLost(error);
		}
		else if (this.request == null
				|| !this.protocol.check().maySignalLostSession(this, error, answer(error), () -> refused(error))) {
			refused(error);
		}
	}

	@Override
	public boolean concernsCredentials(HttpError error) {
		return !this.protocol.check().isOfSession(error) && (this.exchange.endpoint()
			.provided()
			.authorization()
			.isEmpty()
				|| !(this.protocol instanceof StatelessProtocol discovering && discovering.refusesMethod(this, error)));
	}

	private @Nullable JSONRPCError answer(HttpError error) {
		return (this.request != null) ? error.answerTo(this.key) : null;
	}

	/**
	 * Fail, or deliver the response that the error is.
	 */
	private void refused(HttpError error) {
		boolean answered = answer(error) != null;
		if (this.request != null && error.json() != null
				&& this.protocol.isAnswer(this, error, error.json(), answered)) {
			if (answer(JSONRPCResponse.error(id(), error.details(error.json())))) {
				succeed();
			}
			release();
		}
		else {
			String text = this.protocol.mask(error.text());
			fail(this.protocol.refusal(error.failure(failures(), text, answered)));
		}
	}

	/**
	 * End the transport, since the session is lost. The server may have acted on this
	 * message if its response says more than that it does not know the session.
	 */
	private void sessionLost(HttpError error) {
		HttpSetup setup = this.transport.setup();
		boolean cookies = setup.cookies() == null && error.headers().contains(HttpHeaderNames.SET_COOKIE);
		String hint = !cookies ? ""
				: ". Its responses set cookies: if it keeps losing sessions, a load balancer may need them: set "
						+ setup.failures().property("cookies") + " to true";
		JSONRPCError answer = HttpStatusException.saysSessionUnknown(this.protocol.mask(error.text())) ? null
				: answer(error);
		String summary = McpHttpProtocol.SESSION_LOST + " (HTTP " + error.status() + ")";
		this.transport.sessionLost(HttpStatusException.sessionLost(error.status(), summary, hint, null, true, null),
				() -> fail(
						HttpStatusException.sessionLost(error.status(), summary, hint, null, answer != null, answer)));
	}

	McpHttpProtocol protocol() {
		return this.protocol;
	}

	/**
	 * Return whether the response is a stream without an end.
	 */
	boolean isStanding() {
		return this.headers != null && this.headers.standing();
	}

}
