package io.github.mcpclient.test.server;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The reply of an {@link McpTestServer} to a request: the response, and how it is sent.
 * Immutable.
 *
 * <p>
 * Some replies are specific to HTTP. A {@linkplain #status status} of 400 or more fails
 * the client's send operation in memory, and is a JSON-RPC error over stdio. Over these
 * transports, a reply of many {@linkplain #events events} is sent as one message.
 */
public final class McpTestReply {

	private static final int PIECE = 8192;

	private Kind kind;

	private @Nullable Object value;

	private int status;

	private Map<String, String> headers = Map.of();

	private boolean events;

	private List<Object> before = List.of();

	private List<Object> afterwards = List.of();

	private Mono<?> gate = Mono.empty();

	private Way way = Way.DIRECT;

	private End end = End.ORDERLY;

	private McpTestReply(Kind kind, @Nullable Object value) {
		this.kind = kind;
		this.value = value;
	}

	private McpTestReply(McpTestReply other) {
		this(other.kind, other.value);
		this.status = other.status;
		this.headers = other.headers;
		this.events = other.events;
		this.before = other.before;
		this.afterwards = other.afterwards;
		this.gate = other.gate;
		this.way = other.way;
		this.end = other.end;
	}

	/**
	 * Send the default response of the server. Other methods of this class modify it:
	 * {@code standard().after(gate)} delays the default response.
	 * @return the reply
	 */
	public static McpTestReply standard() {
		return new McpTestReply(Kind.STANDARD, null);
	}

	/**
	 * Respond to a tool call with a text.
	 * @param text the text
	 * @return the reply
	 */
	public static McpTestReply text(String text) {
		return result(Map.of("content", List.of(Map.of("type", "text", "text", text))));
	}

	/**
	 * Respond to a tool call with a result that is an error for the model.
	 * @param text the text
	 * @return the reply
	 */
	public static McpTestReply toolError(String text) {
		return result(Map.of("content", List.of(Map.of("type", "text", "text", text)), "isError", true));
	}

	/**
	 * Respond with a result.
	 * @param result the result: a map, a record of the SDK's {@code McpSchema}, or its
	 * JSON as a string, to which the server adds nothing
	 * @return the reply
	 */
	public static McpTestReply result(Object result) {
		return new McpTestReply(Kind.RESULT, result);
	}

	/**
	 * Respond with a JSON-RPC error.
	 * @param code the code
	 * @param message the message
	 * @return the reply
	 */
	public static McpTestReply error(int code, String message) {
		return new McpTestReply(Kind.ERROR, Map.of("code", code, "message", message));
	}

	/**
	 * Respond with a JSON-RPC error that has data.
	 * @param code the code
	 * @param message the message
	 * @param data the data
	 * @return the reply
	 */
	public static McpTestReply error(int code, String message, Object data) {
		return new McpTestReply(Kind.ERROR, Map.of("code", code, "message", message, "data", data));
	}

	/**
	 * Respond with {@code input_required}, as the stateless protocol does for calls,
	 * prompts and resources: with {@link #withInputRequest}, {@link #withState} or both.
	 * If it is the response to every request, the client repeats the request endlessly.
	 * @return the reply
	 */
	public static McpTestReply inputRequired() {
		return result(Map.of("resultType", "input_required"));
	}

	/**
	 * Respond to a tool call with a task: in 2025-11-25 if the client requests a task, in
	 * 2026-07-28 if the client declares the extension, without which the call is
	 * rejected. Other clients receive the result of the task, or an error if the tool
	 * requires a task.
	 * @param pollInterval the interval at which the client should poll the task
	 * @param work the work of the task
	 * @return the reply
	 * @see McpTestServer#withTasks()
	 */
	public static McpTestReply task(Duration pollInterval, McpTestTask.Work work) {
		return new McpTestReply(Kind.TASK, new TaskWork(pollInterval, work));
	}

	/**
	 * Send text where a message is expected: as the body, as the data of an event, or as
	 * a line of stdout.
	 * @param text the text
	 * @return the reply
	 */
	public static McpTestReply raw(String text) {
		return new McpTestReply(Kind.RAW, text);
	}

	/**
	 * Send bytes where a message is expected, as {@link #raw(String)} does.
	 * @param bytes the bytes, which need not be text in UTF-8
	 * @return the reply
	 */
	public static McpTestReply raw(byte[] bytes) {
		return raw(Json.text(bytes));
	}

	/**
	 * Respond to a tool call with a text of many characters, which the server streams
	 * without holding it in memory.
	 * @param characters the length of the text
	 * @return the reply
	 */
	public static McpTestReply flood(long characters) {
		return new McpTestReply(Kind.FLOOD, characters);
	}

	/**
	 * Respond to a tool call with a text that never ends.
	 * @return the reply
	 */
	public static McpTestReply endless() {
		return flood(Long.MAX_VALUE);
	}

	/**
	 * Respond with an HTTP status and an empty body.
	 * @param status the status
	 * @return the reply
	 */
	public static McpTestReply status(int status) {
		McpTestReply reply = new McpTestReply(Kind.HTTP, null);
		reply.status = status;
		return reply;
	}

	/**
	 * Respond with a stream of raw events. The stream ends after the last event; without
	 * events, it ends before the response.
	 * @param events the text of the stream, with the blank line after each event
	 * @return the reply
	 */
	public static McpTestReply events(String... events) {
		return events(Flux.fromArray(events));
	}

	/**
	 * Respond with a stream of raw events.
	 * @param events the text of the stream, of which each piece is sent at once; its end
	 * is the end of the stream
	 * @return the reply
	 */
	public static McpTestReply events(Publisher<String> events) {
		return status(200).body("text/event-stream", events);
	}

	/**
	 * Never respond.
	 * @return the reply
	 */
	public static McpTestReply never() {
		return new McpTestReply(Kind.NEVER, null);
	}

	/**
	 * Close the connection without a response. Over stdio, kill the process.
	 * @return the reply
	 */
	public static McpTestReply cut() {
		return new McpTestReply(Kind.CUT, null);
	}

	/**
	 * Respond with messages, of which the last may be the response.
	 */
	static McpTestReply stream(Flux<Flux<String>> messages) {
		return new McpTestReply(Kind.STREAM, messages).asEvents().withHeader("X-Accel-Buffering", "no");
	}

	/**
	 * Return the JSON of a notification, for {@link #precededBy}.
	 * @param method the method
	 * @param params the parameters
	 * @return the message
	 */
	public static String notification(String method, Map<String, ?> params) {
		return Json.write(Json.notification(method, params));
	}

	/**
	 * Add an input request to {@link #inputRequired()}.
	 * @param key the key of the response in {@link McpTestRequest#inputResponses()}
	 * @param method the method, such as {@code elicitation/create}
	 * @param params the parameters
	 * @return the reply
	 */
	public McpTestReply withInputRequest(String key, String method, Map<String, ?> params) {
		return withResult((result) -> result.withObjectProperty("inputRequests")
			.set(key, Json.MAPPER.valueToTree(Json.notification(method, params))));
	}

	/**
	 * Set the state that the client must send when it repeats the request. The server
	 * rejects a repeated request without this state, or with another state.
	 * @param requestState the state
	 * @return the reply
	 */
	public McpTestReply withState(String requestState) {
		return withResult((result) -> result.put("requestState", requestState));
	}

	/**
	 * Set the HTTP status of a response.
	 * @param status the status
	 * @return the reply
	 */
	public McpTestReply withStatus(int status) {
		return with((reply) -> reply.status = status);
	}

	/**
	 * Add an HTTP header, or replace one that the server sets.
	 * @param name the name
	 * @param value the value
	 * @return the reply
	 */
	public McpTestReply withHeader(String name, String value) {
		Map<String, String> headers = new LinkedHashMap<>(this.headers);
		headers.put(name, value);
		return with((reply) -> reply.headers = headers);
	}

	/**
	 * Add the header {@code Retry-After}.
	 * @param delay the delay, in whole seconds
	 * @return the reply
	 */
	public McpTestReply retryAfter(Duration delay) {
		return withHeader("Retry-After", String.valueOf(delay.toSeconds()));
	}

	/**
	 * Set the HTTP body.
	 * @param contentType the content type
	 * @param body the body
	 * @return the reply
	 */
	public McpTestReply body(String contentType, String body) {
		return body(contentType, Mono.just(body));
	}

	/**
	 * Set the HTTP body.
	 * @param contentType the content type
	 * @param body the body, of which each piece is sent at once
	 * @return the reply
	 */
	public McpTestReply body(String contentType, Publisher<String> body) {
		return withHeader("Content-Type", contentType).with((reply) -> {
			reply.kind = Kind.HTTP;
			reply.value = body;
		});
	}

	/**
	 * Send the response when a stage completes, such as a future of the test. Preceding
	 * events, and the headers of their HTTP response, are sent immediately.
	 * @param stage the stage to wait for
	 * @return the reply
	 */
	public McpTestReply after(CompletionStage<?> stage) {
		return with((reply) -> reply.gate = Mono.fromCompletionStage(stage));
	}

	/**
	 * Delay the response. For fast and reliable tests, prefer a
	 * {@linkplain #after(CompletionStage) future}.
	 * @param delay the delay after the request
	 * @return the reply
	 */
	public McpTestReply after(Duration delay) {
		return with((reply) -> reply.gate = Mono.delay(delay));
	}

	/**
	 * Respond to a POST with an event stream rather than JSON.
	 * @return the reply
	 */
	public McpTestReply asEvents() {
		return with((reply) -> reply.events = true);
	}

	/**
	 * Send messages immediately, before the response.
	 * @param messages strings, which are sent verbatim, or values to write as JSON
	 * @return the reply, {@linkplain #asEvents() as events}
	 */
	public McpTestReply precededBy(Object... messages) {
		return asEvents().with((reply) -> reply.before = plus(this.before, messages));
	}

	/**
	 * Send messages after the response.
	 * @param messages strings, which are sent verbatim, or values to write as JSON
	 * @return the reply, {@linkplain #asEvents() as events}
	 */
	public McpTestReply followedBy(Object... messages) {
		return asEvents().with((reply) -> reply.afterwards = plus(this.afterwards, messages));
	}

	/**
	 * Accept a POST with status 202, and send the response on the event stream that the
	 * client opened with GET.
	 * @return the reply
	 */
	public McpTestReply onListeningStream() {
		return with((reply) -> reply.way = Way.LISTENING_STREAM);
	}

	/**
	 * Respond to a POST with a stream that sends an event ID and ends. The response is
	 * sent when the client resumes the stream with {@code Last-Event-ID}.
	 * @return the reply
	 */
	public McpTestReply onResumption() {
		return with((reply) -> reply.way = Way.RESUMPTION);
	}

	/**
	 * Close the connection at the end of the HTTP response.
	 * @return the reply
	 */
	public McpTestReply thenCut() {
		return with((reply) -> reply.end = End.CUT);
	}

	/**
	 * Never end the HTTP response.
	 * @return the reply
	 */
	public McpTestReply thenHang() {
		return with((reply) -> reply.end = End.HANG);
	}

	private static List<Object> plus(List<Object> list, Object... more) {
		List<Object> all = new ArrayList<>(list);
		all.addAll(List.of(more));
		return all;
	}

	private McpTestReply with(Consumer<McpTestReply> change) {
		McpTestReply copy = new McpTestReply(this);
		change.accept(copy);
		return copy;
	}

	/**
	 * Apply the changes of a standard reply to the default response.
	 */
	McpTestReply over(McpTestReply standard) {
		return with((reply) -> {
			reply.kind = standard.kind;
			reply.value = standard.value;
			reply.status = (this.status != 0) ? this.status : standard.status;
			reply.headers = new LinkedHashMap<>(standard.headers);
			reply.headers.putAll(this.headers);
			reply.events |= standard.events;
			reply.before = plus(this.before, standard.before.toArray());
			reply.afterwards = plus(standard.afterwards, this.afterwards.toArray());
			reply.gate = this.gate.then(standard.gate.then());
			reply.way = (this.way != Way.DIRECT) ? this.way : standard.way;
			reply.end = (this.end != End.ORDERLY) ? this.end : standard.end;
		});
	}

	/**
	 * Change a result, except if the test has provided its JSON.
	 */
	McpTestReply withResult(Consumer<ObjectNode> change) {
		return (!isWritten() && json() instanceof ObjectNode result) ? with((reply) -> {
			ObjectNode changed = result.deepCopy();
			change.accept(changed);
			reply.value = changed;
		}) : this;
	}

	McpTestReply withMeta(Map<String, ?> meta) {
		return withResult(
				(result) -> result.withObjectProperty("_meta").setAll(Json.MAPPER.<ObjectNode>valueToTree(meta)));
	}

	/**
	 * Whether the test has provided the JSON, which is sent verbatim.
	 */
	boolean isWritten() {
		return this.value instanceof String;
	}

	/**
	 * Return the result, or {@code null} if the reply has no result.
	 */
	@Nullable JsonNode json() {
		if (this.kind != Kind.RESULT) {
			return null;
		}
		return (this.value instanceof String text) ? Json.read(text) : Json.MAPPER.valueToTree(this.value);
	}

	/**
	 * Return the JSON-RPC error, or an empty map if the reply has no error.
	 */
	Map<?, ?> error() {
		return (this.kind == Kind.ERROR && this.value instanceof Map<?, ?> error) ? error : Map.of();
	}

	@Nullable TaskWork taskWork() {
		return (this.value instanceof TaskWork work) ? work : null;
	}

	Kind kind() {
		return this.kind;
	}

	int statusOr(int standard) {
		return (this.status != 0) ? this.status : standard;
	}

	Map<String, String> headers() {
		return this.headers;
	}

	boolean isEvents() {
		return this.events;
	}

	Mono<Void> gate() {
		return this.gate.then();
	}

	Way way() {
		return this.way;
	}

	End end() {
		return this.end;
	}

	/**
	 * Whether the reply consists of messages.
	 */
	boolean isMessage() {
		return switch (this.kind) {
			case RESULT, ERROR, RAW, FLOOD, STREAM -> true;
			default -> false;
		};
	}

	boolean hasBody() {
		return this.value != null;
	}

	@SuppressWarnings("unchecked")
	Flux<String> body() {
		return (this.value != null) ? Flux.from((Publisher<String>) this.value) : Flux.empty();
	}

	/**
	 * Return all messages in order, in pieces, each after its delay.
	 */
	@SuppressWarnings("unchecked")
	Flux<Flux<String>> messages(@Nullable Object id) {
		Flux<Flux<String>> single = isMessage() ? Flux.just(message(id)) : Flux.empty();
		Flux<Flux<String>> answer = (this.kind == Kind.STREAM && this.value != null) ? (Flux<Flux<String>>) this.value
				: single;
		return Flux.concat(Flux.fromIterable(this.before).map((each) -> Flux.just(Json.write(each))),
				gate().thenMany(answer), Flux.fromIterable(this.afterwards).map((each) -> Flux.just(Json.write(each))));
	}

	/**
	 * Return only the response, in pieces.
	 */
	Flux<String> message(@Nullable Object id) {
		Object value = this.value;
		return switch (this.kind) {
			case RESULT -> Flux.just(Json.response(id, "result", value));
			case ERROR -> Flux.just(Json.response(id, "error", value));
			case RAW -> Flux.just(String.valueOf(value));
			case FLOOD -> flood(id, (value instanceof Long characters) ? characters : 0);
			default -> Flux.empty();
		};
	}

	private static Flux<String> flood(@Nullable Object id, long characters) {
		String[] frame = Json.response(id, "result", Map.of("content", List.of(Map.of("type", "text", "text", "|"))))
			.split("\\|");
		String piece = "x".repeat(PIECE);
		Flux<String> text = Flux.generate(() -> characters, (left, sink) -> {
			sink.next((left < PIECE) ? piece.substring(0, left.intValue()) : piece);
			if (left <= PIECE) {
				sink.complete();
			}
			return left - PIECE;
		});
		return Flux.concat(Flux.just(frame[0]), text, Flux.just(frame[1]));
	}

	enum Kind {

		STANDARD, RESULT, ERROR, RAW, FLOOD, STREAM, TASK, HTTP, NEVER, CUT

	}

	/**
	 * The task of a reply.
	 *
	 * @param pollInterval the interval at which the client should poll the task
	 * @param work the work of the task
	 */
	record TaskWork(Duration pollInterval, McpTestTask.Work work) {
	}

	enum Way {

		DIRECT, LISTENING_STREAM, RESUMPTION

	}

	enum End {

		ORDERLY, CUT, HANG

	}

}
