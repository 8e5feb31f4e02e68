package io.github.mcpclient.faults;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.util.concurrent.GlobalEventExecutor;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.resources.LoopResources;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A {@link FaultyPeer} over streamable HTTP or the older SSE.
 */
final class FaultyServer implements FaultyPeer {

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private static final List<String> TOOLS = List.of("hang", "huge", "endless", "noise", "ids", "storm");

	private static final byte[] HUNDRED_KILOBYTES = "x".repeat(100_000).getBytes(StandardCharsets.US_ASCII);

	private static final String CHANGED = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}";

	/**
	 * What the values of the results of some tools are declared to match.
	 */
	private static final Map<String, String> PATTERNS = Map.of("nested", "(?:(?:){2147483647}){2147483647}", "optional",
			"(?:" + "a?".repeat(2000) + ")*b", "lookahead", "^(?=(a+)+$)(a+)+b$");

	/**
	 * In one piece, as each is sent on its own.
	 */
	private static final String HUNDRED_CHANGES = String.join("\n\nevent: message\ndata: ",
			Collections.nCopies(100, CHANGED));

	private final Transport transport;

	private final LoopResources loops = LoopResources.create("faulty-server", 1, true);

	private final Map<String, Stream> streams = new ConcurrentHashMap<>();

	private final Set<String> sessions = ConcurrentHashMap.newKeySet();

	private final Set<Behaviour> behaviours = ConcurrentHashMap.newKeySet();

	private final AtomicInteger starts = new AtomicInteger();

	private final AtomicInteger listings = new AtomicInteger();

	private final AtomicInteger openings = new AtomicInteger();

	private final AtomicInteger failures = new AtomicInteger();

	private final AtomicInteger cancelled = new AtomicInteger();

	private final int port;

	private @Nullable DisposableServer server;

	private ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);

	private volatile List<String> tools = TOOLS;

	private volatile int failureStatus = 503;

	private volatile int unknownSessionStatus = 404;

	private volatile int streamStatus = 200;

	private volatile @Nullable Duration streamLife;

	FaultyServer(Transport transport, int port) {
		this.transport = transport;
		this.server = bind((port != 0) ? port : Peers.freePort());
		this.port = this.server.port();
	}

	int port() {
		return this.port;
	}

	@Override
	public String[] properties(String name) {
		return properties(name, this.port);
	}

	/**
	 * How an application reaches it through another port.
	 */
	String[] properties(String name, int port) {
		String prefix = "mcp.servers." + name;
		return new String[] {
				prefix + ".url=http://localhost:" + port + ((this.transport == Transport.SSE) ? "/sse" : "/mcp"),
				prefix + ".type=" + this.transport.id() };
	}

	@Override
	public void down() {
		DisposableServer server = this.server;
		if (server != null) {
			server.channel().close().syncUninterruptibly();
			this.connections.close().syncUninterruptibly();
			this.streams.clear();
			this.sessions.clear();
			this.server = null;
		}
	}

	@Override
	public void up() {
		this.server = bind(this.port);
	}

	@Override
	public void tools(String... names) {
		this.tools = List.of(names);
	}

	@Override
	public void behave(Behaviour behaviour, boolean on) {
		if (on) {
			this.behaviours.add(behaviour);
		}
		else {
			this.behaviours.remove(behaviour);
		}
	}

	/**
	 * Answer the next requests with an error status.
	 */
	void failNext(int requests, int status) {
		this.failureStatus = status;
		this.failures.set(requests);
	}

	/**
	 * How to answer a request of a session that is not known: 404, 400, or 200 with an
	 * error of JSON-RPC.
	 */
	void unknownSessionStatus(int status) {
		this.unknownSessionStatus = status;
	}

	void forgetSessions() {
		this.sessions.clear();
	}

	/**
	 * How to answer the request for the stream of events.
	 */
	void streamStatus(int status) {
		this.streamStatus = status;
	}

	/**
	 * End each stream of events that was opened with GET after a while.
	 * @param life how long streams live, or {@code null} for as long as they like
	 */
	void streamLife(@Nullable Duration life) {
		this.streamLife = life;
	}

	/**
	 * How often the stream of events was asked for.
	 */
	int openings() {
		return this.openings.get();
	}

	/**
	 * How many answers the client did not wait for.
	 */
	int cancelled() {
		return this.cancelled.get();
	}

	/**
	 * Tell, on all streams of events, that there are other tools.
	 */
	void announceTools() {
		this.streams.values().forEach((stream) -> stream.emit(text(CHANGED)));
	}

	@Override
	public int starts() {
		return this.starts.get();
	}

	@Override
	public int listings() {
		return this.listings.get();
	}

	@Override
	public void close() {
		down();
		this.loops.disposeLater(Duration.ZERO, Duration.ofSeconds(2)).block();
	}

	private DisposableServer bind(int port) {
		this.connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
		return HttpServer.create()
			.host("127.0.0.1")
			.port(port)
			.channelGroup(this.connections)
			.runOn(this.loops)
			.route((routes) -> routes.post("/mcp", this::post)
				.get("/mcp", this::listen)
				.delete("/mcp", (request, response) -> response.status(200).send())
				.get("/sse", this::open)
				.post("/message/{session}", this::message))
			.bindNow();
	}

	/**
	 * A message over streamable HTTP.
	 */
	private Publisher<Void> post(HttpServerRequest request, HttpServerResponse response) {
		return request.receive().aggregate().asString(StandardCharsets.UTF_8).flatMap((body) -> {
			JsonNode message = JSON.readTree(body);
			String session = request.requestHeaders().get("Mcp-Session-Id");
			boolean initialize = message.path("method").asString("").equals("initialize");
			if (isFailing()) {
				return fail(response);
			}
			if (!initialize && (session == null || !this.sessions.contains(session))) {
				return unknownSession(message, response);
			}
			if (message.get("id") == null) {
				return response.status(202).send().then();
			}
			if (initialize) {
				String id = UUID.randomUUID().toString();
				this.sessions.add(id);
				response.header("Mcp-Session-Id", id);
			}
			List<Flux<ByteBuf>> answers = answers(message, this.streams.get(String.valueOf(session)));
			if (answers.isEmpty()) {
				return Mono.<Void>never().doOnCancel(this.cancelled::incrementAndGet);
			}
			if (answers.size() == 1) {
				return send(response.header("Content-Type", "application/json"), answers.get(0));
			}
			return send(response.sse(), Flux.concat(answers.stream().map(FaultyServer::event).toList()));
		});
	}

	private Mono<Void> send(HttpServerResponse response, Flux<ByteBuf> content) {
		return response.send(content.doOnCancel(this.cancelled::incrementAndGet), (piece) -> true).then();
	}

	private Mono<Void> unknownSession(JsonNode message, HttpServerResponse response) {
		int status = this.unknownSessionStatus;
		if (status == 404) {
			return response.status(404).send().then();
		}
		return response.status(status)
			.header("Content-Type", "application/json")
			.sendString(Mono.just("{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32000,\"message\":"
					+ "\"Bad Request: No valid session ID provided\"},\"id\":"
					+ ((status == 200) ? message.path("id").toString() : "null") + "}"))
			.then();
	}

	private Mono<Void> fail(HttpServerResponse response) {
		int status = this.failureStatus;
		return ((status == 503) ? response.header("Retry-After", "1") : response).status(status).send().then();
	}

	private boolean isFailing() {
		return this.failures.getAndUpdate((left) -> Math.max(0, left - 1)) > 0;
	}

	/**
	 * The stream of streamable HTTP.
	 */
	private Publisher<Void> listen(HttpServerRequest request, HttpServerResponse response) {
		this.openings.incrementAndGet();
		if (this.streamStatus != 200) {
			return response.status(this.streamStatus).send();
		}
		String session = String.valueOf(request.requestHeaders().get("Mcp-Session-Id"));
		if (!this.sessions.contains(session)) {
			return response.status(404).send();
		}
		Flux<ByteBuf> events = open(session).events();
		Duration life = this.streamLife;
		return send(response.sse(), (life != null) ? events.take(life) : events);
	}

	/**
	 * The stream of the older transport.
	 */
	private Publisher<Void> open(HttpServerRequest request, HttpServerResponse response) {
		this.openings.incrementAndGet();
		if (isFailing()) {
			return fail(response);
		}
		String session = UUID.randomUUID().toString();
		this.sessions.add(session);
		ByteBuf endpoint = buffer("event: endpoint\ndata: /message/" + session + "\n\n");
		return send(response.sse(), Flux.just(endpoint).concatWith(open(session).events()));
	}

	/**
	 * A message over the older transport.
	 */
	private Publisher<Void> message(HttpServerRequest request, HttpServerResponse response) {
		String session = String.valueOf(request.param("session"));
		return request.receive().aggregate().asString(StandardCharsets.UTF_8).flatMap((body) -> {
			JsonNode message = JSON.readTree(body);
			Stream stream = this.streams.get(session);
			if (stream == null || !this.sessions.contains(session)) {
				return response.status(this.unknownSessionStatus).send().then();
			}
			if (message.get("id") != null) {
				answers(message, stream).forEach(stream::emit);
			}
			return response.status(202).send().then();
		});
	}

	private Stream open(String session) {
		Stream stream = new Stream();
		this.streams.put(session, stream);
		return stream;
	}

	/**
	 * What to send when a message asks for an answer: one message, several, or none.
	 */
	private List<Flux<ByteBuf>> answers(JsonNode message, @Nullable Stream stream) {
		String id = message.path("id").toString();
		JsonNode params = message.path("params");
		String method = message.path("method").asString("");
		if (method.equals("initialize")) {
			this.starts.incrementAndGet();
		}
		if (this.behaviours.contains(Behaviour.SILENT)) {
			return List.of();
		}
		return switch (method) {
			case "initialize" -> List.of(result(id,
					Map.of("protocolVersion", params.path("protocolVersion").asString(), "capabilities",
							Map.of("tools", Map.of("listChanged", true)), "serverInfo",
							Map.of("name", "faulty", "version", "1"))));
			case "tools/list" -> this.behaviours.contains(Behaviour.ANNOUNCING)
					? List.of(text(CHANGED), result(id, listing())) : List.of(result(id, listing()));
			case "tools/call" -> call(id, params, stream);
			default -> List.of(result(id, Map.of()));
		};
	}

	private Map<String, Object> listing() {
		int listing = this.listings.incrementAndGet();
		if (this.behaviours.contains(Behaviour.ENDLESS_LISTING)) {
			return Map.of("tools", List.of(tool("tool-" + listing)), "nextCursor", String.valueOf(listing));
		}
		List<Map<String, Object>> tools = new ArrayList<>();
		tools.add(tool("echo"));
		tools.add(Map.of("name", "read", "inputSchema", Map.of("type", "object"), "annotations",
				Map.of("readOnlyHint", true)));
		this.tools.forEach((name) -> tools.add(tool(name)));
		if (this.behaviours.contains(Behaviour.ALTERNATING)) {
			tools.add(tool((listing % 2 == 0) ? "even" : "odd"));
		}
		for (int i = 1; this.behaviours.contains(Behaviour.MANY) && i <= 10_000; i++) {
			tools.add(tool("tool-" + i));
		}
		return Map.of("tools", tools);
	}

	private static Map<String, Object> tool(String name) {
		Map<String, Object> object = Map.of("type", "object");
		String pattern = PATTERNS.get(name);
		if (pattern == null) {
			return Map.of("name", name, "inputSchema", object);
		}
		return Map.of("name", name, "inputSchema", object, "outputSchema",
				Map.of("type", "object", "properties", Map.of("value", Map.of("type", "string", "pattern", pattern))));
	}

	private static List<Flux<ByteBuf>> call(String id, JsonNode params, @Nullable Stream stream) {
		String name = params.path("name").asString("");
		Flux<ByteBuf> answer = textResult(id, name);
		return switch (name) {
			case "hang" -> List.of();
			case "huge" ->
				List.of(Flux.concat(text(head(id)), Flux.range(0, 1000).map((i) -> piece()), text("\"}]}}")));
			case "endless" ->
				List.of(Flux.concat(text(head(id)), Flux.range(0, Integer.MAX_VALUE).map((i) -> piece())));
			case "noise" -> List.of(text("Listening on port 3000"), text("{nonsense"), text("[]"), answer);
			case "ids" -> List.of(textResult("\"unknown\"", "wrong"), textResult("null", "wrong"), answer,
					textResult(id, "wrong"));
			case "storm" -> {
				for (int i = 0; i < 100 && stream != null; i++) {
					stream.emit(text(HUNDRED_CHANGES));
				}
				yield List.of(answer);
			}
			case "nested", "optional", "lookahead" -> List
				.of(result(id, Map.of("content", List.of(), "structuredContent", Map.of("value", "a".repeat(2000)))));
			default -> List.of(textResult(id, "echo " + params.path("arguments").path("message").asString("")));
		};
	}

	private static String head(String id) {
		return "{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"";
	}

	private static ByteBuf piece() {
		return Unpooled.wrappedBuffer(HUNDRED_KILOBYTES);
	}

	private static Flux<ByteBuf> textResult(String id, String text) {
		return result(id, Map.of("content", List.of(Map.of("type", "text", "text", text))));
	}

	private static Flux<ByteBuf> result(String id, Map<String, Object> result) {
		return text("{\"jsonrpc\":\"2.0\",\"id\":" + id + ",\"result\":" + JSON.writeValueAsString(result) + "}");
	}

	private static Flux<ByteBuf> event(Flux<ByteBuf> data) {
		return Flux.concat(text("event: message\ndata: "), data, text("\n\n"));
	}

	private static Flux<ByteBuf> text(String... text) {
		return Flux.defer(() -> Flux.fromStream(Arrays.stream(text).map(FaultyServer::buffer)));
	}

	private static ByteBuf buffer(String text) {
		return Unpooled.copiedBuffer(text, StandardCharsets.UTF_8);
	}

	/**
	 * A stream of events.
	 */
	private static final class Stream {

		private final Sinks.Many<Flux<ByteBuf>> messages = Sinks.many().unicast().onBackpressureBuffer();

		void emit(Flux<ByteBuf> message) {
			this.messages.emitNext(message, Sinks.EmitFailureHandler.busyLooping(Duration.ofSeconds(5)));
		}

		Flux<ByteBuf> events() {
			return Flux.just(buffer(": open\n\n")).concatWith(this.messages.asFlux().concatMap(FaultyServer::event));
		}

	}

}
