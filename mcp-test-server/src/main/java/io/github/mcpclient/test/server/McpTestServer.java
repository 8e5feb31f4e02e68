package io.github.mcpclient.test.server;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

import org.assertj.core.api.AssertProvider;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;

/**
 * A scripted MCP server in the JVM of a test. The test defines its tools, prompts,
 * resources and replies, and inspects the received requests. Everything can be changed at
 * any time.
 *
 * <pre class="code">
 * try (McpTestServer server = McpTestServer.create()
 *         .tool("search", McpTestReply.text("nothing found"))
 *         .start()) {
 *     server.onNext("tools/call", McpTestReply.status(503).retryAfter(Duration.ofSeconds(1)));
 *     // ... a client of server.url() ...
 *     assertThat(server).hasReceivedCall("search").hasArgument("query", "mcp");
 * }
 * </pre>
 *
 * <p>
 * Clients connect over streamable HTTP at {@link #url()}, over SSE at {@link #sseUrl()},
 * over WebSocket at {@link #webSocketUrl()}, in memory by {@link #transport()}, and over
 * stdio by a child process that {@link #stdioCommand()} starts. All of these are
 * available at the same time. The server supports the protocol versions 2024-11-05 to
 * 2025-11-25, and 2026-07-28 if it is set with {@link #protocolVersions}.
 *
 * <p>
 * A script is selected by the JSON-RPC method, or by {@code GET}, {@code DELETE} and
 * {@code POST} (any message, over any transport). Scripts for HTTP methods take
 * precedence, and apply before the server checks the path and the session. This class is
 * thread-safe.
 */
public final class McpTestServer implements AutoCloseable, AssertProvider<McpTestServerAssert> {

	private final Dispatcher dispatcher = new Dispatcher();

	private final RequestLog log = this.dispatcher.log();

	private final PortReservation port = new PortReservation();

	private final HttpEndpoint http;

	private volatile Consumer<McpTestProcess> onProcess = (process) -> {
	};

	private volatile @Nullable StdioEndpoint stdio;

	private McpTestServer(UnaryOperator<HttpServer> customizer) {
		this.http = new HttpEndpoint(this.dispatcher, customizer);
	}

	/**
	 * Create a server, which refuses connections until it is {@linkplain #start()
	 * started}.
	 * @return the server
	 */
	public static McpTestServer create() {
		return create(UnaryOperator.identity());
	}

	/**
	 * Create a server with HTTP settings, such as TLS.
	 * @param customizer customizes the HTTP server
	 * @return the server
	 */
	public static McpTestServer create(UnaryOperator<HttpServer> customizer) {
		return new McpTestServer(customizer);
	}

	/**
	 * Start, or start again on the same port after {@link #stop()}.
	 * @return this server
	 */
	public synchronized McpTestServer start() {
		if (!isRunning()) {
			this.http.bind(this.port.number());
			this.dispatcher.start();
		}
		return this;
	}

	/**
	 * Stop immediately: close all connections, refuse new ones, and forget all sessions.
	 * Child processes are killed; processes that start later end with code 1.
	 * @return this server
	 */
	public synchronized McpTestServer stop() {
		this.http.unbind();
		this.dispatcher.stop();
		processes().forEach(McpTestProcess::kill);
		return this;
	}

	/**
	 * Stop permanently, and release the port and all threads.
	 */
	@Override
	public synchronized void close() {
		stop();
		this.http.close();
		StdioEndpoint stdio = this.stdio;
		if (stdio != null) {
			stdio.close();
		}
		this.dispatcher.threads().shutdownNow();
		this.port.release();
	}

	/**
	 * Return whether the server is running.
	 * @return whether it was started and not stopped since
	 */
	public boolean isRunning() {
		return this.dispatcher.isRunning();
	}

	/**
	 * Return the HTTP port, which does not change.
	 * @return the port
	 */
	public int port() {
		return this.port.number();
	}

	/**
	 * Return the URL for streamable HTTP.
	 * @return the URL
	 */
	public String url() {
		return this.http.scheme() + "://localhost:" + port() + "/mcp";
	}

	/**
	 * Return the URL for the SSE transport.
	 * @return the URL
	 */
	public String sseUrl() {
		return this.http.scheme() + "://localhost:" + port() + "/sse";
	}

	/**
	 * Return the URL for WebSocket.
	 * @return the URL
	 */
	public String webSocketUrl() {
		return url().replaceFirst("http", "ws");
	}

	/**
	 * Return a new transport in memory, for one connection.
	 * @return the transport
	 */
	public McpTestTransport transport() {
		return new McpTestTransport(this.dispatcher);
	}

	/**
	 * Return the command that starts a child process, through which this server is
	 * reached over stdio. The process needs nothing from its environment.
	 * @return the executable and its arguments
	 */
	public synchronized List<String> stdioCommand() {
		StdioEndpoint stdio = this.stdio;
		if (stdio == null) {
			stdio = new StdioEndpoint(this.dispatcher, (process) -> this.onProcess.accept(process));
			this.stdio = stdio;
		}
		return stdio.command();
	}

	/**
	 * Set a callback for each child process, which runs before the process reads input.
	 * @param onProcess the callback
	 * @return this server
	 */
	public McpTestServer onProcess(Consumer<McpTestProcess> onProcess) {
		this.onProcess = onProcess;
		return this;
	}

	/**
	 * Return the child processes that are alive.
	 * @return the processes, oldest first
	 */
	public List<McpTestProcess> processes() {
		StdioEndpoint stdio = this.stdio;
		return (stdio != null) ? stdio.processes() : List.of();
	}

	/**
	 * Wait until there is a child process.
	 * @return the newest process
	 */
	public McpTestProcess awaitProcess() {
		this.log.await(() -> !processes().isEmpty(), () -> "Expected a child process");
		return last(processes());
	}

	/**
	 * Set the timeout of the methods that wait; 30 seconds by default.
	 * @param timeout the timeout
	 * @return this server
	 */
	public McpTestServer timeout(Duration timeout) {
		this.log.timeout(timeout);
		return this;
	}

	/**
	 * Set the maximum number of requests that the server records; the newest 10,000 by
	 * default.
	 * @param count the maximum number
	 * @return this server
	 */
	public McpTestServer recordAtMost(int count) {
		this.log.limit(count);
		return this;
	}

	/**
	 * Set the name and version that the server reports, in new sessions.
	 * @param name the name
	 * @param version the version
	 * @return this server
	 */
	public McpTestServer serverInfo(String name, String version) {
		this.dispatcher.contents().initialization().put("serverInfo", Map.of("name", name, "version", version));
		return this;
	}

	/**
	 * Set the instructions for the client, in new sessions.
	 * @param instructions the instructions
	 * @return this server
	 */
	public McpTestServer instructions(String instructions) {
		this.dispatcher.contents().initialization().put("instructions", instructions);
		return this;
	}

	/**
	 * Set the protocol versions that the server supports. If a client requests another
	 * version, the server responds with the last of these.
	 *
	 * <p>
	 * With only 2026-07-28, the server has no sessions, rejects {@code initialize}, and
	 * checks the metadata and headers of each request. With additional versions, the
	 * metadata of a request determines its protocol. Without 2026-07-28, a script for
	 * {@code server/discover} can define the response to that method.
	 * @param versions the protocol versions
	 * @return this server
	 */
	public McpTestServer protocolVersions(String... versions) {
		this.dispatcher.contents().protocolVersions(List.of(versions));
		return this;
	}

	/**
	 * Declare a capability, in new sessions. Tools, and existing prompts and resources,
	 * are declared automatically.
	 * @param name the name
	 * @param value the value, such as <code>Map.of("listChanged", true)</code>
	 * @return this server
	 */
	public McpTestServer capability(String name, Map<String, ?> value) {
		this.dispatcher.contents().capabilities().put(name, value);
		return this;
	}

	/**
	 * Omit a capability, in new sessions.
	 * @param name the name
	 * @return this server
	 */
	public McpTestServer withoutCapability(String name) {
		this.dispatcher.contents().capabilities().remove(name);
		return this;
	}

	/**
	 * Declare tasks, in new sessions and to clients of the stateless protocol.
	 * @return this server
	 * @see McpTestReply#task
	 */
	public McpTestServer withTasks() {
		capability("extensions", Map.of(Tasks.EXTENSION, Map.of()));
		return capability("tasks", Map.of("cancel", Map.of(), "requests", Map.of("tools", Map.of("call", Map.of()))));
	}

	/**
	 * Serve legacy protocol versions over streamable HTTP without session IDs.
	 * @return this server
	 */
	public McpTestServer withoutSessions() {
		this.dispatcher.withoutSessions();
		return this;
	}

	/**
	 * Set the response to requests of an unknown session: the status 404 by default.
	 * @param reply the reply
	 * @return this server
	 */
	public McpTestServer unknownSession(McpTestReply reply) {
		this.dispatcher.unknownSession(reply);
		return this;
	}

	void stdout(UnaryOperator<String> message) {
		this.dispatcher.stdout(message);
	}

	/**
	 * Apply deviations from the specification.
	 * @return this server
	 */
	public McpTestServer deviates(McpTestDeviation... deviations) {
		List.of(deviations).forEach((deviation) -> deviation.apply(this));
		return this;
	}

	/**
	 * Set how long clients of the stateless protocol may cache lists, resources and the
	 * result of {@code server/discover}; 0 by default.
	 * @param ttl the time to live
	 * @param scope the scope, {@code public} or {@code private}
	 * @return this server
	 */
	public McpTestServer caching(Duration ttl, String scope) {
		this.dispatcher.contents().caching(Map.of("ttlMs", ttl.toMillis(), "cacheScope", scope));
		return this;
	}

	/**
	 * Remove headers from HTTP requests before they are processed, as some proxies do.
	 * @param prefix the case-insensitive prefix of their names, such as {@code Mcp-}
	 * @return this server
	 */
	public McpTestServer loseHeaders(String prefix) {
		this.dispatcher.contents().loseHeaders(prefix);
		return this;
	}

	/**
	 * List tools, prompts and resources in pages.
	 * @param size the page size
	 * @return this server
	 */
	public McpTestServer pageSize(int size) {
		this.dispatcher.contents().pageSize(size);
		return this;
	}

	/**
	 * Add or replace a tool.
	 * @param name the name
	 * @param reply the reply to each call
	 * @return this server
	 */
	public McpTestServer tool(String name, McpTestReply reply) {
		return tool(name, new Script.Fixed(reply));
	}

	/**
	 * Add or replace a tool.
	 * @param name the name
	 * @param handler handles calls
	 * @return this server
	 */
	public McpTestServer tool(String name, McpTestHandler handler) {
		return tool(Map.of("name", name, "description", "The tool " + name, "inputSchema", Map.of("type", "object")),
				handler);
	}

	/**
	 * Add or replace a tool.
	 * @param definition the listed tool: an {@code McpSchema.Tool}, or a map
	 * @param handler handles calls
	 * @return this server
	 */
	public McpTestServer tool(Object definition, McpTestHandler handler) {
		this.dispatcher.contents().tools().put(definition, handler);
		return this;
	}

	/**
	 * Replace all tools by read-only tools that respond with their name, a space and
	 * their argument {@code message}.
	 * @param names the names
	 * @return this server
	 */
	public McpTestServer tools(String... names) {
		return tools(Arrays.stream(names)
			.map((name) -> Map.of("name", name, "description", "The tool " + name, "inputSchema",
					Map.of("type", "object", "properties", Map.of("message", Map.of("type", "string"))), "annotations",
					Map.of("readOnlyHint", true)))
			.toList());
	}

	/**
	 * Replace all tools by tools that respond as in {@link #tools(String...)}.
	 * @param definitions the listed tools: an {@code McpSchema.Tool} or a map each
	 * @return this server
	 */
	public McpTestServer tools(Collection<?> definitions) {
		this.dispatcher.contents().tools().replaceAll(definitions, McpTestServer::echo);
		return this;
	}

	private static McpTestReply echo(McpTestRequest request) {
		return McpTestReply.text(request.name() + " " + request.argument("message"));
	}

	/**
	 * Remove tools.
	 * @param names the names
	 * @return this server
	 */
	public McpTestServer removeTools(String... names) {
		this.dispatcher.contents().tools().remove(List.of(names));
		return this;
	}

	/**
	 * Add or replace a prompt without arguments.
	 * @param name the name
	 * @param text the text of its only message, with the role {@code user}
	 * @return this server
	 */
	public McpTestServer prompt(String name, String text) {
		McpTestReply reply = McpTestReply.result(
				Map.of("messages", List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", text)))));
		return prompt(Map.of("name", name), new Script.Fixed(reply));
	}

	/**
	 * Add or replace a prompt.
	 * @param definition the listed prompt: an {@code McpSchema.Prompt}, or a map
	 * @param handler handles requests for it
	 * @return this server
	 */
	public McpTestServer prompt(Object definition, McpTestHandler handler) {
		this.dispatcher.contents().prompts().put(definition, handler);
		return this;
	}

	/**
	 * Remove prompts.
	 * @param names the names
	 * @return this server
	 */
	public McpTestServer removePrompts(String... names) {
		this.dispatcher.contents().prompts().remove(List.of(names));
		return this;
	}

	/**
	 * Add or replace a resource.
	 * @param uri the URI, which is also its name
	 * @param text its text
	 * @return this server
	 */
	public McpTestServer resource(String uri, String text) {
		McpTestReply reply = McpTestReply
			.result(Map.of("contents", List.of(Map.of("uri", uri, "mimeType", "text/plain", "text", text))));
		return resource(Map.of("uri", uri, "name", uri, "mimeType", "text/plain"), new Script.Fixed(reply));
	}

	/**
	 * Add or replace a resource.
	 * @param definition the listed resource: an {@code McpSchema.Resource}, or a map
	 * @param handler handles requests for it
	 * @return this server
	 */
	public McpTestServer resource(Object definition, McpTestHandler handler) {
		this.dispatcher.contents().resources().put(definition, handler);
		return this;
	}

	/**
	 * Add or replace a resource template.
	 * @param definition the listed template: an {@code McpSchema.ResourceTemplate}, or a
	 * map
	 * @param handler handles requests for matching URIs
	 * @return this server
	 */
	public McpTestServer resourceTemplate(Object definition, McpTestHandler handler) {
		this.dispatcher.contents().templates().put(definition, handler);
		return this;
	}

	/**
	 * Remove resources.
	 * @param uris the URIs
	 * @return this server
	 */
	public McpTestServer removeResources(String... uris) {
		this.dispatcher.contents().resources().remove(List.of(uris));
		return this;
	}

	/**
	 * Set the reply to requests.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param reply the reply; {@link McpTestReply#standard()} for the default response
	 * @return this server
	 */
	public McpTestServer on(String method, McpTestReply reply) {
		return on(method, new Script.Fixed(reply));
	}

	/**
	 * Set the reply to requests.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param handler determines the reply
	 * @return this server
	 */
	public McpTestServer on(String method, McpTestHandler handler) {
		this.dispatcher.script().on(method, handler);
		return this;
	}

	/**
	 * Set the replies to the next requests, one for each. They take precedence over
	 * {@link #on(String, McpTestReply)}.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param replies the replies
	 * @return this server
	 */
	public McpTestServer onNext(String method, McpTestReply... replies) {
		this.dispatcher.script().onNext(method, Arrays.stream(replies).map(Script.Fixed::new).toList());
		return this;
	}

	/**
	 * Set the reply to the next request. It takes precedence over
	 * {@link #on(String, McpTestReply)}.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param handler determines the reply
	 * @return this server
	 */
	public McpTestServer onNext(String method, McpTestHandler handler) {
		this.dispatcher.script().onNext(method, List.of(handler));
		return this;
	}

	/**
	 * Forget all received requests, and restore the script and the contents of the first
	 * start. Clients are not notified.
	 * @return this server
	 */
	public synchronized McpTestServer reset() {
		this.dispatcher.reset();
		return forgetRequests();
	}

	/**
	 * Forget all received requests.
	 * @return this server
	 */
	public McpTestServer forgetRequests() {
		this.log.clear();
		return this;
	}

	/**
	 * Notify all clients that the list of tools has changed.
	 * @return this server
	 */
	public McpTestServer notifyToolsListChanged() {
		return notifyClients("notifications/tools/list_changed", Map.of());
	}

	/**
	 * Notify all clients that the list of prompts has changed.
	 * @return this server
	 */
	public McpTestServer notifyPromptsListChanged() {
		return notifyClients("notifications/prompts/list_changed", Map.of());
	}

	/**
	 * Notify all clients that the list of resources has changed.
	 * @return this server
	 */
	public McpTestServer notifyResourcesListChanged() {
		return notifyClients("notifications/resources/list_changed", Map.of());
	}

	/**
	 * Notify all clients. A client that does not listen yet receives the notification
	 * when it does; a client of the stateless protocol must have subscribed to it.
	 * @param method the method
	 * @param params the parameters
	 * @return this server
	 */
	public McpTestServer notifyClients(String method, Map<String, ?> params) {
		this.dispatcher.notifyClients(method, params);
		return this;
	}

	/**
	 * Send raw text to all clients in place of a message.
	 * @param text the text
	 * @return this server
	 */
	public McpTestServer sendToClients(String text) {
		this.dispatcher.sendToClients(text);
		return this;
	}

	/**
	 * Send a request to all clients; usually there is only one.
	 * @param method the method, such as {@code roots/list}
	 * @param params the parameters
	 * @return a future with the first result, or with an {@link IllegalStateException}
	 * that has the client's JSON-RPC error as message
	 */
	public CompletableFuture<Map<String, @Nullable Object>> request(String method, Map<String, ?> params) {
		return this.dispatcher.questions().ask(method, params, this.dispatcher::sendToClients);
	}

	/**
	 * Forget all sessions: each request receives the response for an unknown session.
	 * Streams stay open.
	 * @return this server
	 */
	public McpTestServer forgetSessions() {
		this.dispatcher.forgetSessions();
		return this;
	}

	/**
	 * End the event streams in an orderly way. Subscriptions of the stateless protocol
	 * end with their result.
	 * @return this server
	 */
	public McpTestServer closeStreams() {
		this.dispatcher.closeStreams();
		return this;
	}

	/**
	 * End the subscriptions of the stateless protocol without a result: close their
	 * connections over HTTP, cancel them over other transports.
	 * @return this server
	 */
	public McpTestServer cutSubscriptions() {
		this.dispatcher.subscriptions().cut();
		return this;
	}

	/**
	 * Close all HTTP connections immediately, including requests in flight.
	 * @return this server
	 */
	public McpTestServer closeConnections() {
		this.http.closeConnections();
		return this;
	}

	/**
	 * Return all {@linkplain #recordAtMost(int) recorded} messages.
	 * @return the requests, notifications and responses of clients, oldest first
	 */
	public List<McpTestRequest> requests() {
		return this.log.requests();
	}

	/**
	 * Return the recorded requests of one method.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @return the requests, oldest first
	 */
	public List<McpTestRequest> requests(String method) {
		return this.log.requests(method);
	}

	/**
	 * Wait until at least the given number of requests of a method were received.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param count the minimum number
	 * @return the requests, oldest first
	 */
	public List<McpTestRequest> awaitRequests(String method, int count) {
		this.log.await(() -> requests(method).size() >= count, () -> "Expected " + count + " of " + method);
		return requests(method);
	}

	/**
	 * Wait until a method was received.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @return the last request of this method
	 */
	public McpTestRequest awaitRequest(String method) {
		return last(awaitRequests(method, 1));
	}

	/**
	 * Wait until a tool was called.
	 * @param tool the tool's name
	 * @return the last call
	 */
	public McpTestRequest awaitCall(String tool) {
		this.log.await(() -> !calls(tool).isEmpty(), () -> "Expected a call of " + tool);
		return last(calls(tool));
	}

	/**
	 * Return the calls that reached a tool or the script for {@code tools/call}. Calls
	 * that were rejected earlier, such as in an unknown session, are excluded.
	 * @return the calls, oldest first
	 */
	public List<McpTestRequest> calls() {
		return requests("tools/call").stream().filter(McpTestRequest::isAccepted).toList();
	}

	/**
	 * Return the {@linkplain #calls() calls} of one tool.
	 * @param tool the tool's name
	 * @return the calls, oldest first
	 */
	public List<McpTestRequest> calls(String tool) {
		return calls().stream().filter((request) -> request.name().equals(tool)).toList();
	}

	/**
	 * Return the requests in flight: without a response, and not cancelled by the client.
	 * @param method the JSON-RPC method, or {@code POST}
	 * @return the requests, oldest first
	 */
	public List<McpTestRequest> pending(String method) {
		return this.log.pending(method);
	}

	/**
	 * Wait until exactly the given number of requests are {@linkplain #pending pending}.
	 * @param method the JSON-RPC method, or {@code POST}
	 * @param count how many
	 * @return this server
	 */
	public McpTestServer awaitPending(String method, int count) {
		this.log.await(() -> pending(method).size() == count, () -> "Expected " + count + " pending of " + method);
		return this;
	}

	/**
	 * Return the active sessions.
	 * @return the session IDs
	 */
	public Set<String> sessions() {
		return new TreeSet<>(this.dispatcher.sessions().keySet());
	}

	/**
	 * Wait until there are exactly the given number of sessions.
	 * @param count how many
	 * @return this server
	 */
	public McpTestServer awaitSessions(int count) {
		this.log.await(() -> this.dispatcher.sessions().size() == count, () -> "Expected " + count + " sessions");
		return this;
	}

	/**
	 * Return the number of clients that listen on an event stream, or with a subscription
	 * of the stateless protocol.
	 * @return the number of streams and subscriptions
	 */
	public int listeners() {
		return this.dispatcher.listeners();
	}

	/**
	 * Wait until exactly the given number of clients listen on a stream.
	 * @param count how many
	 * @return this server
	 */
	public McpTestServer awaitListeners(int count) {
		this.log.await(() -> listeners() == count, () -> "Expected " + count + " listeners");
		return this;
	}

	/**
	 * Return how many connections of HTTP are open.
	 * @return the number of connections
	 */
	public int connections() {
		return this.http.connections();
	}

	/**
	 * Return how many connections of HTTP there have been.
	 * @return the number of connections
	 */
	public int acceptedConnections() {
		return this.http.accepted();
	}

	/**
	 * Return for how many HTTP requests the connection was closed before the response
	 * ended, as when the client gives up.
	 * @return the number of requests
	 */
	public int abortedRequests() {
		return this.http.aborted();
	}

	@Override
	public McpTestServerAssert assertThat() {
		return new McpTestServerAssert(this);
	}

	private static <T> T last(List<T> list) {
		return list.get(list.size() - 1);
	}

}
