package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.transport.MalformedMessageException;
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
import reactor.netty.http.client.HttpClient.ResponseReceiver;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.databind.JsonNode;

/**
 * A request, from its POST to its answer: in the response, in its stream of events, or,
 * where the server closes a stream that can be continued, in one that continues it.
 */
final class StreamableHttpCall extends StreamableHttpPost {

	private static final String JSON = "application/json";

	private static final String EVENT_STREAM = "text/event-stream";

	/**
	 * So many attempts to continue a stream in a row may bring nothing: about two minutes
	 * of them, whoever waits.
	 */
	private static final int MAX_FRUITLESS = 8;

	private final JSONRPCRequest request;

	private final String key;

	private final SseReconnect reconnect = new SseReconnect();

	/**
	 * Whether the answer came, but it is to be found out whether it is one.
	 */
	private volatile boolean inDoubt;

	StreamableHttpCall(StreamableHttpTransport transport, HttpRequests requests, JSONRPCRequest request, byte[] body,
			MonoSink<Void> sink) {
		super(transport, requests, body, sink);
		this.request = request;
		this.key = key(request.id());
	}

	@Override
	ResponseReceiver<?> request(HttpRequests requests, byte[] body) {
		return requests.call(body);
	}

	@Override
	Object id() {
		return this.request.id();
	}

	@Override
	Object key() {
		return this.key;
	}

	private boolean isInitialize() {
		return McpSchema.METHOD_INITIALIZE.equals(this.request.method());
	}

	@Override
	HttpBody accepted(HttpClientResponse response, HttpExchange exchange) {
		HttpHeaders headers = response.responseHeaders();
		if (isInitialize()) {
			TransportException refusal = transport().sessionStarted(headers);
			if (refusal != null) {
				fail(refusal);
				return IgnoredBody.INSTANCE;
			}
		}
		return body(response, exchange);
	}

	private HttpBody body(HttpClientResponse response, HttpExchange exchange) {
		String contentType = response.responseHeaders().get(HttpHeaderNames.CONTENT_TYPE);
		int status = response.status().code();
		if (contentType == null || isType(contentType, JSON)) {
			return new JsonBody(status, exchange);
		}
		if (isType(contentType, EVENT_STREAM)) {
			return stream(exchange);
		}
		fail("0".equals(response.responseHeaders().get(HttpHeaderNames.CONTENT_LENGTH)) ? failures().noBody(status)
				: failures().contentType(status, contentType));
		return IgnoredBody.INSTANCE;
	}

	static boolean isEventStream(@Nullable String contentType) {
		return contentType != null && isType(contentType, EVENT_STREAM);
	}

	private static boolean isType(String contentType, String type) {
		if (!contentType.regionMatches(true, 0, type, 0, type.length())) {
			return false;
		}
		return contentType.length() == type.length() || " ;\t".indexOf(contentType.charAt(type.length())) != -1;
	}

	private HttpBody stream(HttpExchange exchange) {
		SseStream stream = transport().stream(exchange, transport().resultLimit().size(this.request),
				this.reconnect.lastEventId(), new StreamOwner());
		Duration readTimeout = transport().sseReadTimeout();
		if (readTimeout != null) {
			stream.limitSilence(readTimeout, true);
		}
		return stream;
	}

	/**
	 * A message arrived.
	 * @return whether it is the answer, and the first one: the caller must
	 * {@link #succeed}
	 */
	private boolean receive(JSONRPCMessage message) {
		if (!(message instanceof JSONRPCResponse response)) {
			transport().deliver(message);
			return false;
		}
		if (!isAnswer(response)) {
			transport().misplaced();
			return false;
		}
		if (isSessionError(response)) {
			sessionError(response);
			return false;
		}
		if (!complete()) {
			return false;
		}
		if (isInitialize() && response.result() instanceof JsonNode result) {
			transport().negotiated(result.path("protocolVersion").asString(""));
		}
		transport().deliver(message);
		return true;
	}

	private boolean isAnswer(JSONRPCResponse response) {
		return this.key.equals(key(response.id()));
	}

	/**
	 * The answer arrived on the stream of unasked messages.
	 * @param response the answer
	 * @param size its size in bytes
	 */
	void answeredElsewhere(JSONRPCResponse response, int size) {
		if (size > transport().resultLimit().size(this.request)) {
			fail(transport().resultLimit().exceeded());
		}
		else if (receive(response)) {
			releaseAnsweredElsewhere();
			succeed();
		}
	}

	/**
	 * Whether the server may say with its answer that it does not know the session: some
	 * do that with a status of success.
	 */
	private boolean isSessionError(JSONRPCResponse response) {
		JSONRPCError error = response.error();
		return error != null && requests().sessionId() != null && !isInitialize()
				&& mayBeSessionError(error.code(), text(error));
	}

	private String text(JSONRPCError error) {
		return String.valueOf(error.message()).replace(String.valueOf(requests().sessionId()), "");
	}

	private void sessionError(JSONRPCResponse answer) {
		JSONRPCError error = answer.error();
		if (McpSchema.METHOD_PING.equals(this.request.method())) {
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
	boolean rejected(int status, JsonNode error, boolean ours) {
		if (isInitialize() && transport().definition().typeInferred() && InferredHttpTransport.mayBeOlder(status)
				&& !error.path("error").path("data").path("supported").isArray()) {
			// a reason to try another type, rather than an answer
			return false;
		}
		JsonNode id = error.path("id");
		boolean anonymous = id.isMissingNode() || id.isNull();
		boolean answer = switch (status) {
			case 400, 422, 500 -> ours || anonymous;
			case 404 -> ours;
			default -> false;
		};
		if (!answer) {
			return false;
		}
		if (receive(JSONRPCResponse.error(this.request.id(), HttpTransport.details(error, status)))) {
			succeed();
		}
		return true;
	}

	/**
	 * Answer in place of the server: who called a tool, a model for example, can read how
	 * the answer begins.
	 */
	private JSONRPCResponse malformed(MalformedMessageException failure, byte[] content) {
		String text = "The answer of the MCP server is not a well-formed result of a tool call: " + failure.getReason()
				+ ". It begins with: " + transport().failures().excerpt(content);
		return JSONRPCResponse.result(this.request.id(),
				Map.of("content", List.of(Map.of("type", "text", "text", text)), "isError", true));
	}

	private void streamEnded(@Nullable Throwable failure, @Nullable Duration retryAfter) {
		if (isDone() || this.inDoubt) {
			release();
		}
		else if (failure instanceof TooLargeException) {
			fail(failures().tooLarge());
		}
		else if (this.reconnect.lastEventId() == null || this.reconnect.fruitless() >= MAX_FRUITLESS) {
			fail(failures().brokenStream(failure));
		}
		else {
			later(this::resume, this.reconnect.nextDelay(retryAfter));
		}
	}

	private void resume() {
		exchange(transport().requests().with(requests().provided()).stream(this.reconnect.lastEventId()),
				new Resumption());
	}

	/**
	 * The body of a response that is the answer itself.
	 */
	private final class JsonBody implements HttpBody {

		private final int status;

		private final HttpExchange exchange;

		private final boolean limited;

		private final HttpContentBuffer content;

		JsonBody(int status, HttpExchange exchange) {
			this.status = status;
			this.exchange = exchange;
			int maxAnswerSize = transport().resultLimit().size(StreamableHttpCall.this.request);
			this.limited = maxAnswerSize != Integer.MAX_VALUE;
			this.content = new HttpContentBuffer(this.limited ? maxAnswerSize : transport().maxMessageSize());
		}

		@Override
		public void data(ByteBuf chunk) {
			try {
				this.content.append(chunk, chunk.readableBytes());
			}
			catch (TooLargeException ex) {
				this.exchange.dispose();
				fail(this.limited ? transport().resultLimit().exceeded() : failures().tooLarge());
			}
		}

		@Override
		public void end(@Nullable Throwable failure) {
			if (failure != null) {
				fail(failures().exchange(failure));
			}
			else if (this.content.length() == 0) {
				fail(failures().noBody(this.status));
			}
			else {
				received();
			}
		}

		private void received() {
			boolean answered = false;
			byte[] content = this.content.toByteArray();
			try {
				for (JSONRPCMessage message : transport().codec().decode(content, 0, content.length, id())) {
					answered |= receive(message);
				}
			}
			catch (MalformedMessageException ex) {
				if (!McpSchema.METHOD_TOOLS_CALL.equals(StreamableHttpCall.this.request.method())) {
					fail(ex);
					return;
				}
				answered = receive(malformed(ex, content));
			}
			if (answered) {
				StreamableHttpCall.this.release();
				succeed();
			}
			else if (!StreamableHttpCall.this.inDoubt) {
				fail(failures().noAnswer());
			}
		}

	}

	/**
	 * Reads the stream that the server answers with.
	 */
	private final class StreamOwner implements SseStream.Owner {

		@Override
		public void message(JSONRPCMessage message, int size) {
			if (size > transport().resultLimit().size(StreamableHttpCall.this.request)
					&& message instanceof JSONRPCResponse response && isAnswer(response)) {
				answerTooLarge();
			}
			else if (receive(message)) {
				inAMoment(StreamableHttpCall.this::release);
				succeed();
			}
		}

		@Override
		public Object onlyRequest() {
			return id();
		}

		@Override
		public void answerTooLarge() {
			fail(transport().resultLimit().exceeded());
		}

		@Override
		public void ended(SseStream stream, @Nullable Throwable failure) {
			stream.report(StreamableHttpCall.this.reconnect);
			streamEnded(failure, null);
		}

	}

	/**
	 * An attempt to continue the stream.
	 */
	private final class Resumption implements HttpExchange.Receiver {

		@Override
		public HttpBody head(HttpClientResponse response, HttpExchange exchange) {
			int status = response.status().code();
			if (status >= 200 && status < 300) {
				return body(response, exchange);
			}
			if (status >= 500 || status == 429) {
				streamEnded(null, HttpFailures.retryAfter(status, response.responseHeaders()));
			}
			else {
				fail(failures().notResumed(status));
			}
			return IgnoredBody.INSTANCE;
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
