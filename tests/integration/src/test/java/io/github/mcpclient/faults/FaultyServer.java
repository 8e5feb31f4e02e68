package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.faults.Transport;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FaultyPeer} over streamable HTTP, the older SSE, or WebSocket.
 */
final class FaultyServer implements FaultyPeer {

	static final McpTestReply NO_SESSION = McpTestReply.error(-32000, "Bad Request: No valid session ID provided");

	private static final String CHANGED = McpTestReply.notification("notifications/tools/list_changed", Map.of());

	// what the values of the results of some tools are declared to match
	private static final Map<String, String> PATTERNS = Map.of("nested", "(?:(?:){2147483647}){2147483647}", "optional",
			"(?:" + "a?".repeat(2000) + ")*b", "lookahead", "^(?=(a+)+$)(a+)+b$");

	private final Transport transport;

	// called hundreds of thousands of times, while the heap is watched
	private final McpTestServer server = McpTestServer.create().recordAtMost(100);

	private final Set<Behaviour> behaviours = ConcurrentHashMap.newKeySet();

	private final AtomicInteger starts = new AtomicInteger();

	private final AtomicInteger listings = new AtomicInteger();

	private final AtomicInteger openings = new AtomicInteger();

	private volatile List<String> tools = List.of("hang", "huge", "endless", "noise", "ids", "storm");

	private volatile McpTestReply stream = McpTestReply.standard();

	FaultyServer(Transport transport) {
		this.transport = transport;
		this.server.on("initialize", (request) -> initialize())
			.on("tools/list", (request) -> list())
			.on("tools/call", this::call)
			.on("GET", this::openStream)
			.start();
	}

	int port() {
		return this.server.port();
	}

	@Override
	public String[] properties(String name) {
		return properties(name, port());
	}

	/**
	 * How an application reaches it through another port.
	 */
	String[] properties(String name, int port) {
		String prefix = "mcp.servers." + name;
		String scheme = hasSessions() ? "http" : "ws";
		return new String[] { prefix + ".url=" + scheme + "://localhost:" + port + (isSse() ? "/sse" : "/mcp"),
				prefix + ".type=" + this.transport.id() };
	}

	boolean hasSessions() {
		return this.transport != Transport.WEBSOCKET;
	}

	private boolean isSse() {
		return this.transport == Transport.SSE;
	}

	@Override
	public void down() {
		this.server.stop();
	}

	@Override
	public void up() {
		this.server.start();
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
	 * The server below, for what is its alone.
	 */
	McpTestServer script() {
		return this.server;
	}

	/**
	 * Answer the next requests with an error status; over SSE, those for a stream, and
	 * over WebSocket the handshakes.
	 */
	void failNext(int requests, int status) {
		this.server.onNext((this.transport == Transport.STREAMABLE_HTTP) ? "POST" : "GET",
				Collections.nCopies(requests, refusal(status)).toArray(McpTestReply[]::new));
	}

	static McpTestReply refusal(int status) {
		McpTestReply refusal = McpTestReply.status(status);
		return (status == 503) ? refusal.retryAfter(Duration.ofSeconds(1)) : refusal;
	}

	/**
	 * How to answer requests for the stream of events of streamable HTTP.
	 */
	void stream(McpTestReply stream) {
		this.stream = stream;
	}

	/**
	 * How often the stream of events was asked for.
	 */
	int openings() {
		return this.openings.get();
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
		this.server.close();
	}

	McpTestReply openStream(McpTestRequest request) {
		this.openings.incrementAndGet();
		return (this.transport != Transport.STREAMABLE_HTTP || request.sessionId() == null) ? McpTestReply.standard()
				: this.stream;
	}

	private McpTestReply initialize() {
		this.starts.incrementAndGet();
		return this.behaviours.contains(Behaviour.SILENT) ? McpTestReply.never() : McpTestReply.standard();
	}

	private McpTestReply list() {
		int listing = this.listings.incrementAndGet();
		if (this.behaviours.contains(Behaviour.ENDLESS_LISTING)) {
			return McpTestReply
				.result(Map.of("tools", List.of(tool("tool-" + listing)), "nextCursor", String.valueOf(listing)));
		}
		List<Map<String, Object>> tools = new ArrayList<>();
		tools.add(tool("echo"));
		tools.add(Map.of("name", "read", "inputSchema", Map.of("type", "object"), "annotations",
				Map.of("readOnlyHint", true)));
		this.tools.forEach((name) -> tools.add(tool(name)));
		if (this.behaviours.contains(Behaviour.ALTERNATING)) {
			tools.add(tool((listing % 2 == 0) ? "even" : "odd"));
		}
		for (int i = 1; this.behaviours.contains(Behaviour.MANY) && i <= FaultyPeer.many(this.transport); i++) {
			tools.add(tool("tool-" + i));
		}
		McpTestReply reply = McpTestReply.result(Map.of("tools", tools));
		return this.behaviours.contains(Behaviour.ANNOUNCING) ? reply.precededBy(CHANGED) : reply;
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

	private McpTestReply call(McpTestRequest request) {
		McpTestReply answer = McpTestReply.text(request.name());
		return switch (request.name()) {
			case "hang" -> McpTestReply.never();
			case "huge" -> McpTestReply.flood(100_000_000);
			case "endless" -> McpTestReply.endless();
			case "noise" -> answer.precededBy("Listening on port 3000", "{nonsense", "[]");
			case "ids" -> answer.precededBy(wrong("\"unknown\""), wrong("null")).followedBy(wrong(request.id()));
			case "storm" -> {
				String announcements = request.argument("message");
				for (int i = announcements.isEmpty() ? 10_000 : Integer.parseInt(announcements); i > 0; i--) {
					this.server.notifyToolsListChanged();
				}
				yield answer;
			}
			case "nested", "optional", "lookahead" -> McpTestReply
				.result(Map.of("content", List.of(), "structuredContent", Map.of("value", "a".repeat(2000))));
			default -> McpTestReply.text("echo " + request.argument("message"));
		};
	}

	private static String wrong(@Nullable String id) {
		return "{\"jsonrpc\":\"2.0\",\"id\":" + id
				+ ",\"result\":{\"content\":[{\"type\":\"text\",\"text\":\"wrong\"}]}}";
	}

}
