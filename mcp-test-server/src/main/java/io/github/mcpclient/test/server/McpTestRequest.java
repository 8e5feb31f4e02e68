package io.github.mcpclient.test.server;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.databind.JsonNode;

/**
 * A message, or an HTTP request without a message, that an {@link McpTestServer}
 * received. Before the response, the server can send other messages to the client.
 */
public final class McpTestRequest implements AssertProvider<McpTestRequestAssert> {

	/**
	 * The prefix of the protocol's own names in {@code _meta}.
	 */
	static final String META = "io.modelcontextprotocol/";

	static final List<String> LOG_LEVELS = List.of("debug", "info", "notice", "warning", "error", "critical", "alert",
			"emergency");

	private final Questions questions;

	private final String httpMethod;

	private final String uri;

	private final Map<String, List<String>> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

	private final String body;

	private final JsonNode message;

	private final @Nullable Session session;

	// messages before the response, on the event stream of a POST
	private final Sinks.Many<Flux<String>> early = Sinks.many().unicast().onBackpressureBuffer();

	private final Sinks.Empty<Void> streaming = Sinks.empty();

	private volatile boolean accepted;

	private volatile boolean stateless;

	McpTestRequest(Questions questions, String httpMethod, String uri, Map<String, List<String>> headers, String body,
			@Nullable Session session) {
		this.questions = questions;
		this.httpMethod = httpMethod;
		this.uri = uri;
		this.headers.putAll(headers);
		this.body = body;
		this.message = Json.read(body);
		this.session = session;
	}

	/**
	 * Return the JSON-RPC method.
	 * @return the method, the HTTP method of a request without a message, or an empty
	 * string for a response to a request of the server
	 */
	public String method() {
		return this.message.isEmpty() ? this.httpMethod : this.message.path("method").asString("");
	}

	/**
	 * Return the HTTP method.
	 * @return the method, {@code POST} for messages over other transports
	 */
	public String httpMethod() {
		return this.httpMethod;
	}

	/**
	 * Return the path and query of the HTTP request, without decoding.
	 * @return the URI, empty for other transports
	 */
	public String uri() {
		return this.uri;
	}

	/**
	 * Return the path of the HTTP request.
	 * @return the path, empty for other transports
	 */
	public String path() {
		return URI.create(this.uri).getRawPath();
	}

	/**
	 * Return the query of the HTTP request.
	 * @return the query, or {@code null} if there is no query
	 */
	public @Nullable String query() {
		return URI.create(this.uri).getRawQuery();
	}

	/**
	 * Return the headers of the HTTP request, or of the handshake of a WebSocket.
	 * @return the headers by case-insensitive name; empty for other transports
	 */
	public Map<String, List<String>> headers() {
		return this.headers;
	}

	/**
	 * Return the first value of a header.
	 * @param name the name
	 * @return the value, or {@code null} if the header is missing
	 */
	public @Nullable String header(String name) {
		List<String> values = this.headers.get(name);
		return (values != null) ? values.get(0) : null;
	}

	/**
	 * Return the text of the message.
	 * @return the text, empty without a message
	 */
	public String body() {
		return this.body;
	}

	/**
	 * Return the request ID.
	 * @return the request ID as JSON, or {@code null} for a notification
	 */
	public @Nullable String id() {
		JsonNode id = idNode();
		return (id != null) ? id.toString() : null;
	}

	/**
	 * Return the session ID of the request.
	 * @return the session ID, or {@code null} without a known session
	 */
	public @Nullable String sessionId() {
		Session session = session();
		return (session != null) ? session.id() : null;
	}

	/**
	 * Return the parameters.
	 * @return the parameters, may be empty
	 */
	public Map<String, @Nullable Object> params() {
		return Json.map(this.message.path("params"));
	}

	/**
	 * Return the {@code _meta} of the parameters.
	 * @return the metadata, may be empty
	 */
	public Map<String, @Nullable Object> meta() {
		return Json.map(this.message.path("params").path("_meta"));
	}

	/**
	 * Return the {@code name} of a tool or a prompt, the {@code uri} of a resource, or
	 * the {@code taskId} of a task.
	 * @return the name, empty if it is missing
	 */
	public String name() {
		JsonNode params = this.message.path("params");
		return params.path("name").asString(params.path("uri").asString(params.path("taskId").asString("")));
	}

	/**
	 * Return the arguments of a call.
	 * @return the arguments, may be empty
	 */
	public Map<String, @Nullable Object> arguments() {
		return Json.map(this.message.path("params").path("arguments"));
	}

	/**
	 * Return the responses to the input requests of {@link McpTestReply#inputRequired()}.
	 * @return the responses by key, may be empty
	 */
	public Map<String, @Nullable Object> inputResponses() {
		return Json.map(this.message.path("params").path("inputResponses"));
	}

	/**
	 * Return the state that was set by {@link McpTestReply#withState}.
	 * @return the state, or {@code null} if it is missing
	 */
	public @Nullable String requestState() {
		return this.message.path("params").path("requestState").asString(null);
	}

	/**
	 * Return an argument of a call as text.
	 * @param name the name
	 * @return the argument, empty if it is missing
	 */
	public String argument(String name) {
		JsonNode argument = this.message.path("params").path("arguments").path(name);
		return argument.isValueNode() ? argument.asString() : argument.toString();
	}

	/**
	 * Send a notification to the client, before the response and on its stream.
	 * @param method the method
	 * @param params the parameters
	 */
	public void notify(String method, Map<String, ?> params) {
		send(Json.write(Json.notification(method, params)));
	}

	/**
	 * Notify the client of the progress of the request, if the client has requested it.
	 * @param progress the progress
	 * @param total the total
	 */
	public void progress(double progress, double total) {
		JsonNode token = this.message.path("params").path("_meta").path("progressToken");
		if (!token.isMissingNode()) {
			notify("notifications/progress", Map.of("progressToken", token, "progress", progress, "total", total));
		}
	}

	/**
	 * Send a log message to the client. With the stateless protocol, the request must
	 * have enabled messages of this level.
	 * @param level the level, such as {@code info}
	 * @param data the message
	 */
	public void log(String level, Object data) {
		int least = LOG_LEVELS.indexOf(metaNode("logLevel").asString(""));
		if (!this.stateless || (least >= 0 && LOG_LEVELS.indexOf(level) >= least)) {
			notify("notifications/message", Map.of("level", level, "data", data));
		}
	}

	/**
	 * Send a request to the client, on the stream of the response.
	 * @param method the method, such as {@code sampling/createMessage}
	 * @param params the parameters
	 * @return a future with the result, or with an {@link IllegalStateException} that has
	 * the client's JSON-RPC error as message
	 * @throws IllegalStateException if the request uses the stateless protocol, in which
	 * servers do not send requests
	 */
	public CompletableFuture<Map<String, @Nullable Object>> request(String method, Map<String, ?> params) {
		if (this.stateless) {
			throw new IllegalStateException("Servers send no requests in the protocol version of this request");
		}
		return this.questions.ask(method, params, this::send);
	}

	@Override
	public McpTestRequestAssert assertThat() {
		return new McpTestRequestAssert(this);
	}

	@Override
	public String toString() {
		return this.body.isEmpty() ? this.httpMethod + " " + this.uri : this.body;
	}

	private void send(String message) {
		Session session = session();
		if (session != null && !session.isStreamPerRequest()) {
			session.push(Flux.just(message));
			return;
		}
		synchronized (this.early) {
			this.early.tryEmitNext(Flux.just(message)).orThrow();
		}
		this.streaming.tryEmitEmpty();
	}

	/**
	 * Return a signal that completes when a message was sent before the response.
	 */
	Mono<Void> streaming() {
		return this.streaming.asMono();
	}

	Flux<Flux<String>> early() {
		return this.early.asFlux();
	}

	void answered() {
		this.early.tryEmitComplete();
	}

	/**
	 * Mark the request as accepted by the server's connection and session checks.
	 */
	void accept() {
		this.accepted = true;
	}

	boolean isAccepted() {
		return this.accepted;
	}

	JsonNode message() {
		return this.message;
	}

	@Nullable JsonNode idNode() {
		return this.message.get("id");
	}

	boolean isRequest() {
		return this.message.has("id") && this.message.has("method");
	}

	/**
	 * Return the session of the request, {@code null} for stateless HTTP requests.
	 */
	@Nullable Session session() {
		return (this.stateless && isHttp()) ? null : this.session;
	}

	boolean isHttp() {
		return !this.uri.isEmpty();
	}

	/**
	 * Whether the request uses the stateless protocol.
	 */
	boolean isStateless() {
		return this.stateless;
	}

	void stateless(boolean stateless) {
		this.stateless = stateless;
	}

	/**
	 * Return a value of the protocol in {@code _meta}.
	 */
	JsonNode metaNode(String name) {
		return this.message.path("params").path("_meta").path(META + name);
	}

}
