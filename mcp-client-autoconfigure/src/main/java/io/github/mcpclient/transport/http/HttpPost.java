package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

import io.github.mcpclient.transport.AnswerEnvelope;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

/**
 * A message on its way to the server. It is done once, successfully or not; what is left
 * of its response after that is read to its end for a moment, so that the connection can
 * be used again.
 */
abstract class HttpPost implements HttpExchange.Receiver {

	private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);

	/**
	 * How servers in use say it: "Session not found", "Bad Request: No valid session ID
	 * provided", "Invalid or missing session ID", "Session has been terminated".
	 */
	private static final Pattern SESSION_UNKNOWN = Pattern
		.compile("\\s*(?:[\\w ]{1,30}: )?(?:the |your )?(?:(?:no|no valid|no such|no active|unknown|invalid|missing"
				+ "|expired|invalid or (?:missing|expired)|missing or invalid) (?:mcp[ -])?session\\b"
				+ "|(?:mcp[ -])?session(?:[ -]id)?(?: header)?(?: with id)?[ :'\"]*(?:(?:is|has|was|does|could) )?"
				+ "(?:been )?(?:not (?:be )?(?:found|known|valid|exist)|doesn't exist|unknown|invalid|missing|expired"
				+ "|terminated|closed)\\b)", Pattern.CASE_INSENSITIVE);

	private static final int LONGEST_TELLING = 200;

	/**
	 * Short, since each such request takes a connection meanwhile.
	 */
	private static final Duration ANSWERED_ELSEWHERE_TIMEOUT = Duration.ofMillis(100);

	private final HttpTransport transport;

	private final byte[] body;

	private final MonoSink<Void> sink;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicBoolean done = new AtomicBoolean();

	/**
	 * What is under way: an exchange, or the wait before the next one.
	 */
	private final Disposable.Swap current = Disposables.swap();

	private final Disposable.Swap deadline = Disposables.swap();

	private volatile HttpRequests requests;

	private boolean redirected;

	HttpPost(HttpTransport transport, HttpRequests requests, byte[] body, MonoSink<Void> sink) {
		this.transport = transport;
		this.requests = requests;
		this.body = body;
		this.sink = sink;
	}

	/**
	 * Return what the message is found by while it is under way.
	 * @return the key of the id of a request
	 */
	Object key() {
		return this;
	}

	/**
	 * The key of an id: some servers make a string of a number.
	 */
	static String key(@Nullable Object id) {
		return String.valueOf(id);
	}

	final ContextView context() {
		return this.sink.contextView();
	}

	/**
	 * Send the message, unless it was dropped. Called once.
	 */
	final void start() {
		if (this.begun.compareAndSet(false, true)) {
			this.sink.onCancel(this::cancel);
			exchange(request(this.requests, this.body), this);
		}
	}

	/**
	 * Fail, unless done, because the transport ends.
	 * @param cause why; possibly processed, if the message was sent
	 */
	final void drop(TransportException cause) {
		fail(this.begun.compareAndSet(false, true) ? cause.notSent() : cause);
	}

	/**
	 * Return the request to make.
	 * @param requests the requests of the session
	 * @param body the message
	 * @return the request
	 */
	abstract ResponseReceiver<?> request(HttpRequests requests, byte[] body);

	/**
	 * The server answered with success.
	 * @param response the head of the response
	 * @param exchange the exchange
	 * @return what to do with the body
	 */
	abstract HttpBody accepted(HttpClientResponse response, HttpExchange exchange);

	/**
	 * The server answered with an error status.
	 * @param status the status
	 * @param headers the headers of the response
	 * @param content its body, or the beginning of it
	 */
	abstract void rejected(int status, HttpHeaders headers, byte[] content);

	final boolean isDone() {
		return this.done.get();
	}

	/**
	 * Claim to be the one who ends the wait for an answer.
	 * @return whether the caller is the first one, and must {@link #succeed} or fail
	 */
	final boolean complete() {
		return this.done.compareAndSet(false, true);
	}

	final void succeed() {
		this.sink.success();
	}

	/**
	 * Fail, unless done, and drop what is under way.
	 * @param failure why
	 */
	final void fail(Throwable failure) {
		boolean first = complete();
		this.current.dispose();
		this.deadline.dispose();
		if (first) {
			this.sink.error(failure);
		}
		// not earlier: the transport may wait for the last one to be told of its fate
		this.transport.remove(this);
	}

	/**
	 * Drop what is under way.
	 */
	final void release() {
		this.current.dispose();
		this.deadline.dispose();
		this.transport.remove(this);
	}

	private void cancel() {
		// who got the answer may well cancel while it is being delivered
		if (complete()) {
			release();
		}
	}

	/**
	 * Run a task if the message is not {@link #release released} soon: enough time for
	 * the rest of a response, after which the connection can be used again.
	 */
	final void inAMoment(Runnable task) {
		after(DRAIN_TIMEOUT, task);
	}

	/**
	 * {@link #release Release} soon: the answer came on another stream, and the server
	 * may leave the response to this message open.
	 */
	final void releaseAnsweredElsewhere() {
		after(ANSWERED_ELSEWHERE_TIMEOUT, this::release);
	}

	private void after(Duration delay, Runnable task) {
		this.deadline.update(this.transport.timer().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS));
	}

	final void exchange(ResponseReceiver<?> request, HttpExchange.Receiver receiver) {
		HttpExchange exchange = new HttpExchange(receiver);
		if (this.current.update(exchange)) {
			exchange.start(request);
		}
	}

	final void later(Runnable task, long delayMillis) {
		this.current.update(this.transport.timer().schedule(task, delayMillis, TimeUnit.MILLISECONDS));
	}

	@Override
	public final HttpBody head(HttpClientResponse response, HttpExchange exchange) {
		int status = response.status().code();
		if (status >= 200 && status < 300) {
			return accepted(response, exchange);
		}
		if (status >= 300 && status < 400) {
			redirect(status, response.responseHeaders().get(HttpHeaderNames.LOCATION));
			return IgnoredBody.INSTANCE;
		}
		return new HttpErrorBody(response, exchange, this.transport.timer(), this::rejected);
	}

	@Override
	public final void failed(Throwable failure) {
		Runnable fail = () -> fail(failures().exchange(failure));
		if (!this.transport.terminateIfGone(failure, fail)) {
			fail.run();
		}
	}

	/**
	 * Return the words for failures, without the headers of this message.
	 */
	final HttpFailures failures() {
		return this.transport.failures().without(this.requests.provided());
	}

	private void redirect(int status, @Nullable String header) {
		HttpRequests requests = this.requests;
		URI location = (header != null) ? HttpUris.resolve(requests.uri(), header) : null;
		boolean sameMethod = status == 307 || status == 308;
		if (location == null || this.redirected || !sameMethod || !HttpUris.isSameOrigin(requests.uri(), location)) {
			fail(failures().redirect(status, location));
			return;
		}
		// a missing slash at the end, most often: the server did not look at the message
		this.redirected = true;
		this.transport.moved(location);
		this.requests = requests.withUri(location);
		exchange(request(this.requests, this.body), this);
	}

	final HttpRequests requests() {
		return this.requests;
	}

	/**
	 * Find out whether an error status means that the server does not know the session.
	 * @param status the status
	 * @param error the body, if it is a JSON-RPC error
	 * @param text what the body says, without the id of the session
	 * @return whether the session is lost, if there was one
	 */
	static boolean isSessionLost(int status, @Nullable JsonNode error, String text) {
		if (status != 400) {
			return status == 404;
		}
		// not the specified answer, but what servers in use say
		int code = (error != null) ? error.path("error").path("code").asInt(0) : -32000;
		return mayBeSessionError(code, text);
	}

	/**
	 * End the transport, since the session is lost. The server may have acted on this
	 * message if it answered it, and not just to say that it does not know the session.
	 * @param status the status
	 * @param answer the error that answers this message, if any
	 * @param text what the server says, without the id of the session
	 */
	final void sessionLost(int status, @Nullable JSONRPCError answer, String text) {
		boolean answered = answer != null && !saysSessionUnknown(text);
		this.transport.sessionLost(failures().sessionLost(status, true, null),
				() -> fail(failures().sessionLost(status, answered, answered ? answer : null)));
	}

	/**
	 * Return the id of the request that this is.
	 * @return the id, or {@code null} for other messages
	 */
	@Nullable Object id() {
		return null;
	}

	/**
	 * Return the error that a body is, if it has the id of this request, or is too large
	 * to be sure of the contrary.
	 * @param status the status
	 * @param error the body, if it is a JSON-RPC error
	 * @param content the body, or the beginning of it
	 * @return the error, or {@code null}
	 */
	final @Nullable JSONRPCError answer(int status, @Nullable JsonNode error, byte[] content) {
		boolean cut = content.length == HttpErrorBody.MAX_SIZE;
		if (cut && error == null && id() != null && AnswerEnvelope.isAnswer(content, 0, content.length)) {
			return new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, "The server's error is too large to be read");
		}
		Object id = (error != null) ? JsonRpcCodec.id(error.get("id")) : null;
		boolean ours = id != null && id() != null && key(id).equals(key(id()));
		return (error != null && ours) ? HttpTransport.details(error, status) : null;
	}

	/**
	 * Return whether the text of an error says that the session is not known, rather than
	 * something else of a session.
	 */
	static boolean saysSessionUnknown(String text) {
		return SESSION_UNKNOWN.matcher(text.substring(0, Math.min(text.length(), LONGEST_TELLING))).lookingAt();
	}

	static boolean mayBeSessionError(int code, String text) {
		return ((code >= -32099 && code <= -32000) || code == -32600)
				&& text.toLowerCase(Locale.ROOT).contains("session");
	}

	static String errorText(@Nullable JsonNode error, byte[] content) {
		return (error != null) ? error.path("error").path("message").asString("") : HttpFailures.text(content);
	}

	/**
	 * A body that nobody wants.
	 */
	enum IgnoredBody implements HttpBody {

		INSTANCE;

		@Override
		public void data(ByteBuf chunk) {
		}

		@Override
		public void end(@Nullable Throwable failure) {
		}

	}

}
