package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.support.HeapShare;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.AnswerEnvelope;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.MessageLimitException;
import io.github.mcpclient.transport.MessageReader;
import io.github.mcpclient.transport.RequestHeaders;
import io.github.mcpclient.transport.TransportException;
import io.github.mcpclient.transport.http.HttpContentBuffer.TooLargeException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.MonoSink;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * A request of streamable HTTP, from its POST to its answer: in the response, in its
 * stream of events, or, where the server closes a stream that can be continued, in one
 * that continues it.
 */
final class StreamableCall extends HttpCall implements SseStream.Owner {

	// so many attempts to continue a stream in a row may bring nothing: about two minutes
	// of them, whoever waits
	private static final int MAX_FRUITLESS = 8;

	private static final String ITS_LOG = "The server's log may tell why.";

	private final StreamableProtocol protocol;

	private final SseReconnect reconnect = new SseReconnect();

	// whether the answer came, but it is to be found out whether it is one
	private volatile boolean inDoubt;

	StreamableCall(HttpTransport transport, StreamableProtocol protocol, HttpRequests requests, JSONRPCRequest request,
			byte[] body, MonoSink<Void> sink) {
		super(transport, requests, request, body, sink);
		this.protocol = protocol;
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		if (is(McpSchema.METHOD_INITIALIZE)) {
			TransportException refusal = this.protocol.sessionStarted(response.responseHeaders());
			if (refusal != null) {
				fail(refusal);
				return HttpBody.IGNORED;
			}
		}
		return body(response, exchange);
	}

	private HttpBody body(HttpClientResponse response, HttpExchange exchange) {
		HttpHeaders headers = response.responseHeaders();
		int status = response.status().code();
		String type = HttpRequests.mediaType(headers);
		if (type == null || type.equalsIgnoreCase(HttpRequests.JSON)) {
			return new JsonBody(status, exchange);
		}
		if (type.equalsIgnoreCase(HttpRequests.EVENT_STREAM)) {
			return new SseStream(setup(), exchange, this.reconnect.lastEventId(), this);
		}
		fail("0".equals(headers.get(HttpHeaderNames.CONTENT_LENGTH)) ? noBody(status)
				: new HttpStatusException(status,
						"The server answered with " + failures().line(type) + " instead of JSON or an event stream",
						failures().checkEndpoint(), true));
		return HttpBody.IGNORED;
	}

	private TransportException noBody(int status) {
		if (status == 202) {
			return new HttpStatusException(status, "The server accepted the request (HTTP 202), but does not answer it",
					"It has to answer requests with JSON or a stream of events: its log may tell why it did not.",
					true);
		}
		return new HttpStatusException(status, "The server answered without a body (HTTP " + status + ")",
				failures().checkEndpoint(), true);
	}

	/**
	 * A message arrived in the response.
	 * @return whether it is the answer, and the first one: the caller must
	 * {@link #succeed}
	 */
	private boolean handle(JSONRPCMessage message) {
		if (!(message instanceof JSONRPCResponse response)) {
			transport().deliver(message, context());
			return false;
		}
		if (!isAnswer(response)) {
			this.protocol.misplaced();
			return false;
		}
		return receive(response);
	}

	private boolean isAnswer(JSONRPCResponse response) {
		return key().equals(key(response.id()));
	}

	@Override
	boolean receive(JSONRPCResponse response) {
		JSONRPCError error = response.error();
		if (error != null && isSessionError(error)) {
			sessionError(response, error);
			return false;
		}
		return super.receive(response);
	}

	// whether the server may say with its answer that it does not know the session: some
	// do that with a status of success
	private boolean isSessionError(JSONRPCError error) {
		return this.protocol.hasSession() && !is(McpSchema.METHOD_INITIALIZE)
				&& HttpError.mayBeSessionError(error.code(), text(error));
	}

	private String text(JSONRPCError error) {
		return this.protocol.mask(String.valueOf(error.message()));
	}

	private void sessionError(JSONRPCResponse answer, JSONRPCError error) {
		if (is(McpSchema.METHOD_PING)) {
			// there is nothing else in a ping that could be wrong
			sessionLost(200, null, "");
			return;
		}
		// a tool may have sessions of its own, about which it complains
		this.inDoubt = true;
		release();
		transport().ping().onErrorComplete().subscribe(null, null, () -> {
			if (transport().hasEnded()) {
				sessionLost(200, error, text(error));
			}
			else if (complete()) {
				transport().deliver(answer);
				succeed();
			}
		});
	}

	@Override
	boolean isAnswered(HttpError error, JsonNode json, boolean ours) {
		boolean initialize = is(McpSchema.METHOD_INITIALIZE);
		boolean refused = initialize && error.refusesRevision();
		if (initialize && !refused && this.protocol.mayKnowSse(error.status())) {
			// a reason to try the older protocol, rather than an answer
			return false;
		}
		JsonNode id = json.path("id");
		boolean anonymous = id.isMissingNode() || id.isNull();
		boolean answer = refused ? ours || anonymous : switch (error.status()) {
			case 400, 422, 500 -> ours || anonymous;
			case 404 -> ours;
			default -> false;
		};
		if (answer && receive(JSONRPCResponse.error(id(), error.details(json)))) {
			succeed();
		}
		return answer;
	}

	@Override
	public void message(JSONRPCMessage message, int size) {
		if (size > maxAnswerSize() && message instanceof JSONRPCResponse response && isAnswer(response)) {
			failAsTooLarge();
		}
		else if (handle(message)) {
			after(DRAIN_TIMEOUT, this::release);
			succeed();
		}
	}

	@Override
	public void unreadable(byte[] data, MessageLimitException failure) {
		if (AnswerEnvelope.isAnswer(data, 0, data.length)) {
			fail(failure);
		}
	}

	@Override
	public Secrets credentialsSent() {
		return credentials();
	}

	@Override
	public Object onlyRequest() {
		return id();
	}

	@Override
	public int suspectSize() {
		return maxAnswerSize();
	}

	@Override
	public void answerTooLarge() {
		failAsTooLarge();
	}

	@Override
	public void ended(SseStream stream, @Nullable Throwable failure) {
		stream.report(this.reconnect);
		streamEnded(failure, null);
	}

	private void streamEnded(@Nullable Throwable failure, @Nullable Duration retryAfter) {
		if (isDone() || this.inDoubt) {
			release();
		}
		else if (failure instanceof TooLargeException) {
			fail(failures().tooLarge());
		}
		else if (this.reconnect.lastEventId() == null || this.reconnect.fruitless() >= MAX_FRUITLESS) {
			fail(brokenStream(failure));
		}
		else {
			later(this::resume, this.reconnect.nextDelay(retryAfter));
		}
	}

	private TransportException brokenStream(@Nullable Throwable failure) {
		if (failure == null) {
			return new TransportException("The server closed the stream before it answered", ITS_LOG, null);
		}
		TransportException cause = failures().exchange(failure);
		return new TransportException("The stream broke before the server answered: " + cause.getMessage(),
				cause.getNextStep(), failure);
	}

	private void resume() {
		resume(new Resumption());
	}

	private void resume(Resumption resumption) {
		exchange(transport().requests().with(requests().provided()).stream(this.reconnect.lastEventId()), resumption);
	}

	/**
	 * The body of a response that is the answer itself.
	 */
	private final class JsonBody implements HttpBody {

		private final int status;

		private final HttpExchange exchange;

		private final HttpContentBuffer content;

		JsonBody(int status, HttpExchange exchange) {
			this.status = status;
			this.exchange = exchange;
			this.content = new HttpContentBuffer(Math.min(maxAnswerSize(), setup().maxMessageSize()));
		}

		@Override
		public void data(ByteBuf chunk) {
			try {
				this.content.append(chunk, chunk.readableBytes());
			}
			catch (TooLargeException ex) {
				this.exchange.dispose();
				fail((maxAnswerSize() != Integer.MAX_VALUE) ? setup().resultLimit().exceeded() : failures().tooLarge());
			}
		}

		@Override
		public void end(@Nullable Throwable failure) {
			if (failure != null) {
				fail(failures().exchange(failure));
			}
			else if (this.content.length() == 0) {
				fail(noBody(this.status));
			}
			else {
				received(this.content.toByteArray());
			}
		}

		private void received(byte[] content) {
			boolean answered = false;
			MessageReader reader = setup().reader();
			try (HeapShare.Lease lease = reader.lease()) {
				for (JSONRPCMessage message : reader.read(content, 0, content.length, id(), lease, credentials())) {
					answered |= handle(message);
				}
			}
			catch (MessageLimitException ex) {
				fail(ex);
				return;
			}
			catch (MalformedMessageException ex) {
				if (!is(McpSchema.METHOD_TOOLS_CALL)) {
					fail(ex);
					return;
				}
				answered = receive(malformed(ex, content));
			}
			if (answered) {
				StreamableCall.this.release();
				succeed();
			}
			else if (!StreamableCall.this.inDoubt) {
				fail(new TransportException("The exchange ended without an answer to the request", ITS_LOG, null));
			}
		}

		// answer in place of the server: who called a tool, a model for example, can read
		// how the answer begins
		private JSONRPCResponse malformed(MalformedMessageException failure, byte[] content) {
			String text = "The answer of the MCP server is not a well-formed result of a tool call: "
					+ failure.getReason() + ". It begins with: " + failures().line(HttpFailures.text(content));
			return JSONRPCResponse.result(id(),
					Map.of("content", List.of(Map.of("type", "text", "text", text)), "isError", true));
		}

	}

	/**
	 * An attempt to continue the stream.
	 */
	private final class Resumption implements HttpExchange.Receiver {

		private final HttpReauthorization reauthorization = new HttpReauthorization(setup(), transport().headers(),
				"GET");

		@Override
		public HttpBody head(HttpClientResponse response, HttpExchange exchange) {
			int status = response.status().code();
			if (status >= 200 && status < 300) {
				return body(response, exchange);
			}
			if (status >= 500 || status == 429) {
				streamEnded(null, HttpError.retryAfter(status, response.responseHeaders()));
			}
			else {
				HttpReauthorization.await(
						this.reauthorization.other(status, response.responseHeaders(),
								HttpReauthorization.source(response), requests().provided(), context()),
						current(), this::repeat, StreamableCall.this::fail, () -> refused(status));
			}
			return HttpBody.IGNORED;
		}

		private void repeat(RequestHeaders headers) {
			requests(requests().with(headers));
			resume(this);
		}

		private void refused(int status) {
			fail(new TransportException(
					"The server closed the stream before it answered, and does not resume it (HTTP " + status + ")",
					ITS_LOG, null));
		}

		@Override
		public void failed(Throwable failure) {
			Runnable fail = () -> fail(failures().exchange(failure));
			if (!transport().terminateIfGone(failure, fail)) {
				streamEnded(failure, null);
			}
		}

	}

}
