package io.github.mcpclient.transport.http;

import java.net.URI;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.ContextView;
import tools.jackson.databind.JsonNode;

/**
 * A message on its way to the server. It is done once, successfully or not: a
 * notification, or an answer to the server, when the server accepts it. What is left of
 * the response after that is read to its end for a moment, so that the connection can be
 * used again.
 */
class HttpPost extends HttpRequester {

	// enough for the rest of a response, after which the connection can be used again
	static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(1);

	private final byte[] body;

	private final MonoSink<Void> sink;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicBoolean done = new AtomicBoolean();

	HttpPost(HttpTransport transport, HttpRequests requests, byte[] body, MonoSink<Void> sink) {
		super(transport, requests, "POST");
		this.body = body;
		this.sink = sink;
	}

	/**
	 * The key of the id of a request: some servers make a string of a number.
	 */
	static String key(@Nullable Object id) {
		return String.valueOf(id);
	}

	Object key() {
		return this;
	}

	@Nullable Object id() {
		return null;
	}

	@Override
	final ContextView context() {
		return this.sink.contextView();
	}

	/**
	 * Send the message, unless it was dropped. Called once.
	 */
	final void start() {
		if (this.begun.compareAndSet(false, true)) {
			this.sink.onCancel(this::cancel);
			repeat();
		}
	}

	ResponseReceiver<?> request(HttpRequests requests, byte[] body) {
		return requests.notification(body);
	}

	final void exchange(ResponseReceiver<?> request, HttpExchange.Receiver receiver) {
		HttpExchange exchange = new HttpExchange(receiver);
		if (current().update(exchange)) {
			exchange.start(request);
		}
	}

	final void later(Runnable task, long delayMillis) {
		current().update(setup().timer().schedule(task, delayMillis, TimeUnit.MILLISECONDS));
	}

	@Override
	boolean mayFollow(int status) {
		return status == 307 || status == 308;
	}

	@Override
	void follow(URI location) {
		// a missing slash at the end, most often: the server did not look at the message
		transport().update((requests) -> requests.withUri(location));
		repeat();
	}

	@Override
	final void repeat() {
		exchange(request(requests(), this.body), this);
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
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

	final boolean isDone() {
		return this.done.get();
	}

	/**
	 * Return whether the caller is the first to end the message, and must
	 * {@link #succeed} or fail.
	 */
	final boolean complete() {
		return this.done.compareAndSet(false, true);
	}

	final void succeed() {
		this.sink.success();
	}

	@Override
	final void fail(Throwable failure) {
		boolean first = complete();
		current().dispose();
		deadline().dispose();
		if (first) {
			this.sink.error(failure);
		}
		// not earlier: the transport may wait for the last one to learn of its fate
		transport().remove(this);
	}

	/**
	 * Fail, unless done, because the transport ends.
	 */
	final void drop(TransportException cause) {
		fail(this.begun.compareAndSet(false, true) ? cause.notSent() : cause);
	}

	final void release() {
		current().dispose();
		deadline().dispose();
		transport().remove(this);
	}

	private void cancel() {
		// who got the answer may well cancel while it is being delivered
		if (complete()) {
			release();
		}
	}

	/**
	 * Run a task if the message is not {@link #release released} before.
	 */
	final void after(Duration delay, Runnable task) {
		deadline().update(setup().timer().schedule(task, delay.toMillis(), TimeUnit.MILLISECONDS));
	}

	@Override
	public final void failed(Throwable failure) {
		Runnable fail = () -> fail(failures().exchange(failure));
		if (!transport().terminateIfGone(failure, fail)) {
			fail.run();
		}
	}

	@Override
	final void rejected(HttpError error) {
		HttpProtocol protocol = transport().protocol();
		JSONRPCError answer = error.answerTo(id());
		String text = protocol.mask(error.text());
		if (protocol.hasSession() && error.isSessionLost(text)) {
			sessionLost(error.status(), answer, text);
		}
		else if (error.json() != null && isAnswered(error, error.json(), answer != null)) {
			release();
		}
		else {
			fail(protocol.refusal(error.failure(failures(), text, answer != null)));
		}
	}

	/**
	 * Take an error if it is the answer.
	 * @param ours whether it has the id of this request
	 */
	boolean isAnswered(HttpError error, JsonNode json, boolean ours) {
		return false;
	}

	/**
	 * End the transport, since the session is lost. The server may have acted on this
	 * message if it answered it, and not just to say that it does not know the session.
	 */
	final void sessionLost(int status, @Nullable JSONRPCError answer, String text) {
		boolean answered = answer != null && !HttpError.saysSessionUnknown(text);
		transport().sessionLost(sessionLost(status, true, null),
				() -> fail(sessionLost(status, answered, answered ? answer : null)));
	}

	private static TransportException sessionLost(int status, boolean processed, @Nullable JSONRPCError answer) {
		return new HttpStatusException(status, "The server no longer knows the session (HTTP " + status + ")", "", null,
				processed, answer, null);
	}

}
