package io.github.mcpclient.transport.http;

import java.time.Duration;

import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.MessageReader;
import io.github.mcpclient.transport.UnreadMessageException;
import io.github.mcpclient.transport.http.HttpContentBuffer.TooLargeException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.netty.http.client.HttpClientResponse;
import reactor.util.context.ContextView;

/**
 * The answer to a request in a stream of events: that of the response, or, where the
 * server closes a stream that can be continued, one that continues it.
 */
final class StreamedAnswer implements HttpExchange.Handler, SseStream.Owner {

	static final String ITS_LOG = "Check the server's log.";

	// so many attempts to continue a stream in a row may bring nothing: about two minutes
	// of them, whoever waits
	private static final int MAX_FRUITLESS = 8;

	private final PostedMessage request;

	private final HttpTransport transport;

	private final SseReconnect reconnect = new SseReconnect();

	private StreamedAnswer(PostedMessage request) {
		this.request = request;
		this.transport = request.transport();
	}

	/**
	 * Return what to do with the body of the response to a request: JSON, or a stream.
	 */
	static HttpBody read(PostedMessage request, HttpClientResponse response, Disposable attempt) {
		return read(request, response, attempt, null);
	}

	private static HttpBody read(PostedMessage request, HttpClientResponse response, Disposable attempt,
			@Nullable StreamedAnswer continued) {
		HttpHeaders headers = response.responseHeaders();
		int status = response.status().code();
		// what Netty has decoded has none
		String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING, "");
		if (!encoding.isEmpty() && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(encoding)) {
			request.fail(new HttpStatusException(status,
					"The server answered with a body of the content encoding " + request.failures().line(encoding)
							+ ", which was not asked for",
					"Have the server, and any gateway in front of it, heed the header Accept-Encoding.", true));
			return HttpBody.IGNORED;
		}
		String type = HttpEndpoint.mediaType(headers);
		if (type == null || type.equalsIgnoreCase(HttpEndpoint.JSON)) {
			return new JsonAnswer(request, status, attempt);
		}
		if (type.equalsIgnoreCase(HttpEndpoint.EVENT_STREAM)) {
			StreamedAnswer answer = (continued != null) ? continued : new StreamedAnswer(request);
			return new SseStream(request.transport().setup(), response, attempt, answer.reconnect.lastEventId(),
					answer);
		}
		HttpFailures failures = request.failures();
		request.fail("0".equals(headers.get(HttpHeaderNames.CONTENT_LENGTH)) ? JsonAnswer.noBody(status, failures)
				: new HttpStatusException(status,
						"The server answered with " + failures.line(type) + " instead of JSON or an event stream",
						failures.checkEndpoint(), true));
		return HttpBody.IGNORED;
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		if (size > this.request.maxAnswerSize() && message instanceof JSONRPCResponse response
				&& this.request.isAnswer(response)) {
			this.request.failAsTooLarge();
		}
		else if (this.request.receive(message)) {
			this.request.after(PostedMessage.DRAIN_TIMEOUT, this.request::release);
			this.request.succeed();
		}
	}

	@Override
	public void unreadable(byte[] data, UnreadMessageException failure) {
		if (MessageReader.isAnswer(data, 0, data.length)) {
			this.request.fail(failure);
		}
	}

	@Override
	public Secrets credentialsSent() {
		return this.request.exchange().credentials();
	}

	@Override
	public @Nullable Object onlyRequest() {
		return this.request.id();
	}

	@Override
	public boolean endsInSilence(boolean resumable) {
		return this.request.isStanding() || (resumable && this.request.protocol().resumes());
	}

	@Override
	public int suspectSize() {
		return this.request.maxAnswerSize();
	}

	@Override
	public void answerTooLarge() {
		this.request.failAsTooLarge();
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		stream.report(this.reconnect);
		ended(failure, null);
	}

	private void ended(@Nullable Throwable failure, @Nullable Duration retryAfter) {
		if (this.request.isDone() || this.request.isInDoubt()) {
			this.request.release();
		}
		else if (failure instanceof TooLargeException || failure instanceof UnreadMessageException) {
			this.request.fail(failure);
		}
		else if (!mayResume() || this.reconnect.fruitless() >= MAX_FRUITLESS) {
			this.request.fail(brokenStream(failure));
		}
		else {
			this.request.resumeAfter(this.reconnect.nextDelay(retryAfter), this);
		}
	}

	private boolean mayResume() {
		return this.request.protocol().resumes() && this.reconnect.lastEventId() != null;
	}

	private TransportException brokenStream(@Nullable Throwable failure) {
		if (failure == null) {
			return new TransportException("The server closed the stream before it answered", ITS_LOG, null);
		}
		TransportException cause = this.request.failures().exchange(failure);
		return new TransportException("The stream broke before the server answered: " + cause.getMessage(),
				cause.getNextStep(), failure);
	}

	@Override
	public Flux<ByteBuf> request(HttpEndpoint endpoint) {
		return endpoint.stream(this.reconnect.lastEventId());
	}

	@Override
	public ContextView context() {
		return this.request.context();
	}

	@Override
	public HttpBody accepted(HttpClientResponse response, Disposable attempt) {
		return read(this.request, response, attempt, this);
	}

	@Override
	public void rejected(HttpError error) {
		if (error.status() >= 500 || error.status() == 429) {
			ended(null, HttpError.retryAfter(error.status(), error.headers()));
		}
		else {
			this.request.fail(new TransportException("The server closed the stream before it answered,"
					+ " and does not resume it (HTTP " + error.status() + ")", ITS_LOG, null));
		}
	}

	@Override
	public void failed(Throwable failure) {
		if (failure instanceof TransportException) {
			this.request.fail(failure);
		}
		else if (!this.transport.terminateIfGone(failure, () -> this.request.fail(failure))) {
			ended(failure, null);
		}
	}

}
