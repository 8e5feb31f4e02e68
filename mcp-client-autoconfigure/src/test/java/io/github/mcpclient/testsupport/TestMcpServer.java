package io.github.mcpclient.testsupport;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import javax.net.ssl.SSLPeerUnverifiedException;

import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.Connection;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A small streamable HTTP server on a port of its own, with sessions, a listening stream,
 * tools that can be changed, and a delay before each answer.
 */
public final class TestMcpServer implements AutoCloseable {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final Set<String> sessions = ConcurrentHashMap.newKeySet();

	private final List<Sinks.Many<String>> streams = new CopyOnWriteArrayList<>();

	private final AtomicInteger initializations = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicInteger drops = new AtomicInteger();

	private final List<String> calls = new CopyOnWriteArrayList<>();

	private final AtomicBoolean closed = new AtomicBoolean();

	private final int failureStatus;

	private final int unknownSessionStatus;

	private final Mono<?> answering;

	private final int pageSize;

	private final Map<String, Object> capabilities;

	/**
	 * What the test answers, by method.
	 */
	private final Map<String, Function<JsonNode, Map<String, Object>>> answers = new ConcurrentHashMap<>();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final List<Map.Entry<String, HttpHeaders>> headers = new CopyOnWriteArrayList<>();

	private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	/**
	 * Not the global ones, which a context that closes disposes of.
	 */
	private final LoopResources loops = LoopResources.create("test-server", 1, true);

	private final DisposableServer server;

	private final boolean secure;

	private final Set<String> clients = ConcurrentHashMap.newKeySet();

	private volatile List<Map<String, Object>> tools;

	private volatile Function<JsonNode, Map<String, Object>> call = TestMcpServer::echo;

	private volatile boolean holding;

	private final AtomicInteger held = new AtomicInteger();

	private final Sinks.Empty<Void> released = Sinks.empty();

	private final List<JsonNode> progressTokens = new CopyOnWriteArrayList<>();

	private final List<String> notifications = new CopyOnWriteArrayList<>();

	private volatile int statusOfCalls;

	private volatile JsonNode client = JSON.createObjectNode();

	private TestMcpServer(Builder builder) {
		this.answering = builder.answering;
		this.unknownSessionStatus = builder.unknownSessionStatus;
		this.tools = List.copyOf(builder.tools);
		this.pageSize = builder.pageSize;
		this.capabilities = Map.copyOf(builder.capabilities);
		this.failures.set(builder.failures);
		this.failureStatus = builder.failureStatus;
		HttpServer server = HttpServer.create()
			.host("127.0.0.1")
			.port((builder.port != 0) ? builder.port : Peers.freePort())
			.channelGroup(this.connections)
			.runOn(this.loops)
			.route((routes) -> routes.post("/mcp", this::post).get("/mcp", this::get).delete("/mcp", this::delete));
		SslContext tls = builder.tls;
		this.secure = tls != null;
		this.server = ((tls != null) ? server.secure((spec) -> spec.sslContext(tls)) : server).bindNow();
	}

	public static Builder builder() {
		return new Builder();
	}

	public static TestMcpServer withTools(String... names) {
		return builder().tools(names).start();
	}

	public static Map<String, Object> tool(String name) {
		return Map.of("name", name, "description", "The tool " + name, "inputSchema",
				Map.of("type", "object", "properties", Map.of("message", Map.of("type", "string"))), "annotations",
				Map.of("readOnlyHint", true));
	}

	/**
	 * What the client that initialized a session last said that it can do.
	 */
	public JsonNode clientCapabilities() {
		return this.client.path("capabilities");
	}

	/**
	 * What the client that initialized a session last said that it is.
	 */
	public JsonNode clientInfo() {
		return this.client.path("clientInfo");
	}

	public int port() {
		return this.server.port();
	}

	public String url() {
		return (this.secure ? "https" : "http") + "://localhost:" + port() + "/mcp";
	}

	public URI uri() {
		return URI.create(url());
	}

	/**
	 * The sessions that were begun and not ended.
	 */
	public Set<String> sessions() {
		return this.sessions;
	}

	/**
	 * The listening streams that are open.
	 */
	public int streams() {
		return this.streams.size();
	}

	public int initializations() {
		return this.initializations.get();
	}

	/**
	 * The original names of the tools called so far.
	 */
	public List<String> calls() {
		return this.calls;
	}

	public void onCall(Function<JsonNode, Map<String, Object>> call) {
		this.call = call;
	}

	/**
	 * Answer no call any more, until told to.
	 */
	public void holdCalls() {
		this.holding = true;
	}

	/**
	 * The calls that wait for their answer, as far as the client waits for it, too.
	 */
	public int heldCalls() {
		return this.held.get();
	}

	/**
	 * Answer the calls that wait for it, once.
	 */
	public void answerHeldCalls() {
		this.released.tryEmitEmpty();
	}

	/**
	 * Tell on all listening streams that the calls that were held make progress.
	 */
	public void progress(int progress) {
		this.progressTokens.forEach((token) -> send("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\","
				+ "\"params\":{\"progressToken\":" + token + ",\"progress\":" + progress + "}}"));
	}

	/**
	 * The methods of the notifications so far.
	 */
	public List<String> notifications() {
		return this.notifications;
	}

	/**
	 * Answer a method, from now on.
	 * @param method the method
	 * @param answer makes a result of the parameters
	 */
	public void on(String method, Function<JsonNode, Map<String, Object>> answer) {
		this.answers.put(method, answer);
	}

	/**
	 * The methods of the requests so far.
	 */
	public List<String> requests() {
		return this.requests;
	}

	/**
	 * The names in the certificates of clients that sent something.
	 */
	public Set<String> clients() {
		return this.clients;
	}

	/**
	 * The headers of the HTTP requests so far.
	 * @param method {@code GET}, {@code DELETE}, or the method of the message
	 */
	public List<HttpHeaders> headers(String method) {
		return this.headers.stream().filter((entry) -> entry.getKey().equals(method)).map(Map.Entry::getValue).toList();
	}

	/**
	 * Answer the next messages with an error status.
	 */
	public void failNext(int messages) {
		this.failures.set(messages);
	}

	/**
	 * Close the connections of the next messages, instead of an answer.
	 */
	public void dropNext(int messages) {
		this.drops.set(messages);
	}

	public void forgetSessions() {
		this.sessions.clear();
	}

	/**
	 * Answer the next calls, once each, with an error and this HTTP status, and forget
	 * all sessions meanwhile.
	 * @param status the HTTP status, or 0 to answer as always again
	 */
	public void forgetSessionsInCalls(int status) {
		this.statusOfCalls = status;
	}

	/**
	 * Offer other tools, and say so on all listening streams.
	 */
	public void changeTools(String... names) {
		this.tools = toolList(names);
		notifyToolsChanged();
	}

	/**
	 * Offer other tools, without saying so.
	 */
	public void changeToolDefinitions(List<Map<String, Object>> tools) {
		this.tools = List.copyOf(tools);
	}

	public void notifyToolsChanged() {
		notify("notifications/tools/list_changed");
	}

	/**
	 * Notify on all listening streams.
	 */
	public void notify(String method) {
		send("{\"jsonrpc\":\"2.0\",\"method\":\"" + method + "\"}");
	}

	private void send(String message) {
		this.streams.forEach((stream) -> stream.tryEmitNext(message));
	}

	@Override
	public void close() {
		if (!this.closed.compareAndSet(false, true)) {
			return;
		}
		this.server.channel().close().syncUninterruptibly();
		this.connections.close().syncUninterruptibly();
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

	private void noteClient(Connection connection) {
		SslHandler tls = connection.channel().pipeline().get(SslHandler.class);
		try {
			this.clients.add(tls.engine().getSession().getPeerPrincipal().getName());
		}
		catch (SSLPeerUnverifiedException ex) {
			// it has no certificate
		}
	}

	private Publisher<Void> post(HttpServerRequest request, HttpServerResponse response) {
		if (this.secure) {
			request.withConnection(this::noteClient);
		}
		return request.receive().aggregate().asString(StandardCharsets.UTF_8).flatMap((body) -> {
			if (isOneOf(this.drops)) {
				response.withConnection((connection) -> connection.channel().close());
				return Mono.never();
			}
			if (isOneOf(this.failures)) {
				return response.status(this.failureStatus).send().then();
			}
			return answer(request, response, JSON.readTree(body));
		});
	}

	private static boolean isOneOf(AtomicInteger next) {
		return next.getAndUpdate((left) -> Math.max(0, left - 1)) > 0;
	}

	private Mono<Void> answer(HttpServerRequest request, HttpServerResponse response, JsonNode message) {
		String method = message.path("method").asString("");
		record(method, request);
		String session = request.requestHeaders().get("Mcp-Session-Id");
		if (!method.equals("initialize") && (session == null || !this.sessions.contains(session))) {
			// the official servers answer 400, and others success, under the request's id
			boolean answers = this.unknownSessionStatus == 400 || this.unknownSessionStatus == 200;
			JsonNode id = (this.unknownSessionStatus == 200) ? message.get("id") : null;
			return !answers ? response.status(this.unknownSessionStatus).send().then()
					: response.status(this.unknownSessionStatus)
						.header("Content-Type", "application/json")
						.sendString(Mono.just("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,"
								+ "\"message\":\"Bad Request: No valid session ID provided\"},\"id\":" + id + "}"))
						.then();
		}
		if (message.get("id") == null) {
			this.notifications.add(method);
			return response.status(202).send().then();
		}
		if (method.equals("initialize")) {
			this.client = message.path("params");
			String id = UUID.randomUUID().toString();
			this.sessions.add(id);
			this.initializations.incrementAndGet();
			response.header("Mcp-Session-Id", id);
		}
		if (this.statusOfCalls != 0 && method.equals("tools/call")) {
			this.calls.add(message.path("params").path("name").asString(""));
			forgetSessions();
			return response.status(this.statusOfCalls)
				.header("Content-Type", "application/json")
				.sendString(Mono.just("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,"
						+ "\"message\":\"The session ran out of stock\"},\"id\":" + message.get("id") + "}"))
				.then();
		}
		Mono<String> result = Mono.fromCallable(() -> {
			Map<String, Object> answer = result(method, message);
			return JSON.writeValueAsString(Map.of("jsonrpc", "2.0", "id", message.get("id"),
					answer.containsKey("error") ? "error" : "result", answer.getOrDefault("error", answer)));
		});
		response.header("Content-Type", "application/json");
		if (this.holding && method.equals("tools/call")) {
			return hold(response, message.path("params"), result);
		}
		return response.sendString(this.answering.then(result)).then();
	}

	private Mono<Void> hold(HttpServerResponse response, JsonNode params, Mono<String> result) {
		this.calls.add(params.path("name").asString(""));
		JsonNode token = params.path("_meta").path("progressToken");
		if (!token.isMissingNode()) {
			this.progressTokens.add(token);
		}
		this.held.incrementAndGet();
		return this.released.asMono()
			.then(Mono.defer(() -> response.sendString(result).then()))
			.doFinally((signal) -> this.held.decrementAndGet());
	}

	private Map<String, Object> result(String method, JsonNode message) {
		this.requests.add(method);
		Function<JsonNode, Map<String, Object>> answer = this.answers.get(method);
		if (answer != null) {
			return answer.apply(message.path("params"));
		}
		return switch (method) {
			case "initialize" -> Map.of("protocolVersion", message.path("params").path("protocolVersion").asString(),
					"capabilities", this.capabilities, "serverInfo", Map.of("name", "test", "version", "1"));
			case "tools/list" -> page(message.path("params").path("cursor").asString("0"));
			case "tools/call" -> {
				this.calls.add(message.path("params").path("name").asString(""));
				yield this.call.apply(message.path("params"));
			}
			default -> Map.of();
		};
	}

	private Map<String, Object> page(String cursor) {
		List<Map<String, Object>> all = this.tools;
		int from = Integer.parseInt(cursor);
		int to = Math.min(all.size(), from + this.pageSize);
		Map<String, Object> page = Map.of("tools", all.subList(Math.min(from, to), to));
		return (to < all.size()) ? Map.of("tools", all.subList(from, to), "nextCursor", String.valueOf(to)) : page;
	}

	private static Map<String, Object> echo(JsonNode params) {
		return Map.of("content", List.of(Map.of("type", "text", "text",
				params.path("name").asString("") + " " + params.path("arguments").path("message").asString(""))));
	}

	private void record(String method, HttpServerRequest request) {
		this.headers.add(Map.entry(method, request.requestHeaders().copy()));
	}

	private Publisher<Void> get(HttpServerRequest request, HttpServerResponse response) {
		record("GET", request);
		Sinks.Many<String> stream = Sinks.many().multicast().onBackpressureBuffer(256, false);
		this.streams.add(stream);
		Flux<String> events = Flux.just(": open\n\n")
			.concatWith(stream.asFlux().map((data) -> "event: message\ndata: " + data + "\n\n"))
			.doFinally((signal) -> this.streams.remove(stream));
		return response.sse()
			.send(events.map((event) -> Unpooled.copiedBuffer(event, StandardCharsets.UTF_8)), (event) -> true);
	}

	private Publisher<Void> delete(HttpServerRequest request, HttpServerResponse response) {
		record("DELETE", request);
		String session = request.requestHeaders().get("Mcp-Session-Id");
		if (session != null) {
			this.sessions.remove(session);
		}
		return response.status(200).send();
	}

	private static List<Map<String, Object>> toolList(String... names) {
		List<Map<String, Object>> tools = new ArrayList<>();
		for (String name : names) {
			tools.add(tool(name));
		}
		return tools;
	}

	/**
	 * Describes a server before it starts.
	 */
	public static final class Builder {

		private int port;

		private Mono<?> answering = Mono.empty();

		private @Nullable SslContext tls;

		private List<Map<String, Object>> tools = List.of();

		private int pageSize = 1000;

		private final Map<String, Object> capabilities = new HashMap<>(Map.of("tools", Map.of("listChanged", true)));

		private int unknownSessionStatus = 404;

		private int failures;

		private int failureStatus = 503;

		public Builder port(int port) {
			this.port = port;
			return this;
		}

		/**
		 * Speak TLS.
		 */
		public Builder tls(SslContext tls) {
			this.tls = tls;
			return this;
		}

		/**
		 * Wait before each answer.
		 */
		public Builder delay(Duration delay) {
			this.answering = Mono.delay(delay);
			return this;
		}

		/**
		 * Answer nothing before the test says so.
		 */
		public Builder answeringOnce(CompletableFuture<?> told) {
			this.answering = Mono.fromFuture(told, true);
			return this;
		}

		public Builder tools(String... names) {
			this.tools = toolList(names);
			return this;
		}

		public Builder toolDefinitions(List<Map<String, Object>> tools) {
			this.tools = tools;
			return this;
		}

		public Builder pageSize(int pageSize) {
			this.pageSize = pageSize;
			return this;
		}

		public Builder withoutToolsCapability() {
			this.capabilities.remove("tools");
			return this;
		}

		/**
		 * Declare a capability, whose methods the test answers.
		 */
		public Builder capability(String name) {
			this.capabilities.put(name, Map.of("listChanged", true));
			return this;
		}

		/**
		 * How to answer a request of a session that is not known.
		 */
		public Builder unknownSessionStatus(int status) {
			this.unknownSessionStatus = status;
			return this;
		}

		/**
		 * Answer the first requests with an error status.
		 */
		public Builder failFirst(int failures, int status) {
			this.failures = failures;
			this.failureStatus = status;
			return this;
		}

		public TestMcpServer start() {
			return new TestMcpServer(this);
		}

	}

}
