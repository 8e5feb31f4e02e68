package io.github.mcpclient.internal.transport.http;

import java.time.Duration;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.internal.transport.http.HttpContentBuffer.TooLargeException;
import io.github.mcpclient.spi.TransportException;
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
 * The response to a request in an event stream: the stream of the HTTP response, or, if
 * the server closes a stream that can be continued, the stream that continues it.
 */
final class StreamedAnswer implements HttpExchange.Handler, SseStream.Owner {

	static final String ITS_LOG = "Check the server's log.";

	// the number of consecutive attempts to continue a stream without a new event: about
	// two
	// minutes of them, for any caller
	private static final int MAX_FRUITLESS = 8;

	private final PostedMessage request;

	private final HttpTransport transport;

	private final SseReconnect reconnect = new SseReconnect();

	// the last event that is not a message, which may explain the missing response
	private volatile String noise = "";

	// the text that arrived instead of messages, or null after the first message: the
	// server
	// may have acted on the request then
	private volatile @Nullable String stray = "";

	private StreamedAnswer(PostedMessage request) {
		this.request = request;
		this.transport = request.transport();
	}

	/**
	 * Return the reader of the body of the response to a request: JSON, or a stream.
	 * @param continued the reader of an earlier stream of the response, or {@code null}
	 */
	static HttpBody read(PostedMessage request, HttpClientResponse response, Disposable attempt,
			@Nullable StreamedAnswer continued) {
		HttpHeaders headers = response.responseHeaders();
		int status = response.status().code();
		// a body that Netty has decoded has no content encoding
		String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING, "");
		if (!encoding.isEmpty() && !HttpHeaderValues.IDENTITY.contentEqualsIgnoreCase(encoding)) {
			request.fail(new HttpStatusException(status,
					"The server responded with a body of the content encoding " + request.failures().line(encoding)
							+ ", which was not requested",
					"Configure the server, and any gateway in front of it, to honor Accept-Encoding.", true));
			return HttpBody.IGNORED;
		}
		if (status == 202 && headers.contains(HttpError.CHALLENGE)) {
			HttpFailures failures = request.failures();
			return HttpError.page(response, attempt, request.transport().setup().timer(), failures,
					JsonAnswer.withoutBody(status, failures), request::fail);
		}
		String contentType = headers.get(HttpHeaderNames.CONTENT_TYPE, "");
		HttpSetup setup = request.transport().setup();
		return new LabelledAnswer(contentType, (type) -> switch (type) {
			case HttpEndpoint.JSON -> new JsonAnswer(request, status, contentType, attempt);
			case HttpEndpoint.EVENT_STREAM -> {
				StreamedAnswer answer = (continued != null) ? continued : new StreamedAnswer(request);
				yield new SseStream(setup, response, attempt, answer.reconnect.lastEventId(), answer);
			}
			default -> new HttpErrorBody(attempt, setup.timer(), (content) -> request.doubt(status,
					HttpFailures.text(content), () -> request.fail(other(request, response, content))));
		}, (found) -> {
			String seen = contentType.isEmpty() ? "no content type" : request.failures().line(contentType);
			setup.reader().deviation(Kind.CONTENT_TYPE, seen + " instead of " + found);
		});
	}

	private static TransportException other(PostedMessage request, HttpClientResponse response, byte[] content) {
		HttpHeaders headers = response.responseHeaders();
		int status = response.status().code();
		HttpFailures failures = request.failures();
		TransportException gateway = new HttpError(status, headers, content, null).gateway(failures, true);
		if (gateway != null) {
			return gateway;
		}
		String type = HttpEndpoint.mediaType(headers);
		if (content.length == 0 && (type == null || "0".equals(headers.get(HttpHeaderNames.CONTENT_LENGTH)))) {
			return JsonAnswer.withoutBody(status, failures);
		}
		String line = HttpError.isHtml(headers) ? "" : failures.line(HttpFailures.text(content));
		return new HttpStatusException(status,
				"The server responded with " + failures.line((type != null) ? type : "text of no known type")
						+ " instead of JSON or an event stream",
				line.isEmpty() ? "" : ": " + line, failures.checkEndpoint(), true, null);
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		this.stray = null;
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
	public void unreadable(byte[] data, TransportException failure) {
		boolean answer = MessageReader.isAnswer(data, 0, data.length);
		if (!(failure instanceof MalformedMessageException malformed)) {
			if (answer) {
				this.request.fail(failure);
			}
		}
		else if (answer && ((malformed.getAnswered() != null)
				? this.request.key().equals(malformed.getAnswered().toString()) : malformed.isSyntax())) {
			this.request.malformed(malformed);
		}
		else {
			this.stray = (this.stray != null) ? HttpFailures.text(data) : null;
			this.noise = ". It sent: " + malformed.quoting(this.request.failures().secrets()).getReason();
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
			TransportException broken = brokenStream(failure);
			String stray = this.stray;
			if (failure == null && stray != null) {
				this.request.doubt(200, stray, () -> this.request.fail(broken));
			}
			else {
				this.request.unanswered(broken);
			}
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
			return new TransportException("The server closed the stream before it responded", this.noise, ITS_LOG, true,
					null);
		}
		TransportException cause = this.request.failures().exchange(failure);
		return new TransportException("The stream broke before the server responded: " + cause.getMessage(),
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
			this.request.fail(new TransportException("The server closed the stream before it responded,"
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
