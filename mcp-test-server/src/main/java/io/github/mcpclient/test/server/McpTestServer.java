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
 * A scripted MCP server in the JVM of a test. It offers what the test gives it, does with
 * each request what the test's script says, and remembers what it received. All of it can
 * be changed at any time.
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
 * Clients reach it over streamable HTTP at {@link #url()}, over the older SSE at
 * {@link #sseUrl()}, over WebSocket at {@link #webSocketUrl()}, in memory by
 * {@link #transport()}, and over stdio by a child process that {@link #stdioCommand()}
 * starts; all at once, if they like. It speaks the protocol revisions 2024-11-05 to
 * 2025-11-25, and 2026-07-28 if {@link #protocolVersions} says so.
 *
 * <p>
 * A script is found by the JSON-RPC method, or by {@code GET}, {@code DELETE} and
 * {@code POST} (any message, over any transport). The latter take precedence, and apply
 * even before the server checks the path and the session. Safe for use by many threads.
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
	 * Create a server with settings of its HTTP, such as TLS.
	 * @param customizer changes the HTTP server
	 * @return the server
	 */
	public static McpTestServer create(UnaryOperator<HttpServer> customizer) {
		return new McpTestServer(customizer);
	}

	/**
	 * Start, or come back on the same port after {@link #stop()}.
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
	 * Stop at once: close all connections, refuse new ones, and forget all sessions.
	 * Child processes are killed, and those that are started later end with code 1.
	 * @return this server
	 */
	public synchronized McpTestServer stop() {
		this.http.unbind();
		this.dispatcher.stop();
		processes().forEach(McpTestProcess::kill);
		return this;
	}

	/**
	 * Stop for good, and release the port and all threads.
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
	 * Return the port of HTTP, which is the same as long as the server exists.
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
	 * Return the URL for the older SSE transport.
	 * @return the URL
	 */
	public String sseUrl() {
		return this.http.scheme() + "://localhost:" + port() + "/sse";
	}

	/**
	 * Return the URL for a WebSocket.
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
	 * Say what to do with each child process that starts, before it reads anything.
	 * @param onProcess what to do
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
	 * @return the youngest
	 */
	public McpTestProcess awaitProcess() {
		this.log.await(() -> !processes().isEmpty(), () -> "Expected a child process");
		return last(processes());
	}

	/**
	 * Set how long the methods that wait do so before they fail; 30 seconds by default.
	 * @param timeout how long
	 * @return this server
	 */
	public McpTestServer timeout(Duration timeout) {
		this.log.timeout(timeout);
		return this;
	}

	/**
	 * Set how many requests the server remembers, answered and pending; the newest 10,000
	 * by default.
	 * @param count how many at most
	 * @return this server
	 */
	public McpTestServer recordAtMost(int count) {
		this.log.limit(count);
		return this;
	}

	/**
	 * Set the name and version that the server reports, in sessions to come.
	 * @param name the name
	 * @param version the version
	 * @return this server
	 */
	public McpTestServer serverInfo(String name, String version) {
		this.dispatcher.contents().initialization().put("serverInfo", Map.of("name", name, "version", version));
		return this;
	}

	/**
	 * Give instructions to the client, in sessions to come.
	 * @param instructions the instructions
	 * @return this server
	 */
	public McpTestServer instructions(String instructions) {
		this.dispatcher.contents().initialization().put("instructions", instructions);
		return this;
	}

	/**
	 * Set the protocol revisions that the server speaks, from now on. To a client that
	 * asks for another one it offers the last of these.
	 *
	 * <p>
	 * With 2026-07-28 alone it has no sessions, refuses {@code initialize}, and checks
	 * the metadata and the headers of each request. With others besides, the metadata of
	 * each request decides how it is served. Without it, a script for
	 * {@code server/discover} says how clients that look for it are refused.
	 * @param versions the revisions
	 * @return this server
	 */
	public McpTestServer protocolVersions(String... versions) {
		this.dispatcher.contents().protocolVersions(List.of(versions));
		return this;
	}

	/**
	 * Declare a capability, in sessions to come. Tools, and prompts and resources where
	 * there are any, are declared without this.
	 * @param name the name
	 * @param value what is said of it, such as <code>Map.of("listChanged", true)</code>
	 * @return this server
	 */
	public McpTestServer capability(String name, Map<String, ?> value) {
		this.dispatcher.contents().capabilities().put(name, value);
		return this;
	}

	/**
	 * Do not declare a capability, in sessions to come.
	 * @param name the name
	 * @return this server
	 */
	public McpTestServer withoutCapability(String name) {
		this.dispatcher.contents().capabilities().remove(name);
		return this;
	}

	/**
	 * Declare tasks, in sessions to come and to clients of revision 2026-07-28.
	 * @return this server
	 * @see McpTestReply#task
	 */
	public McpTestServer withTasks() {
		capability("extensions", Map.of(Tasks.EXTENSION, Map.of()));
		return capability("tasks", Map.of("cancel", Map.of(), "requests", Map.of("tools", Map.of("call", Map.of()))));
	}

	/**
	 * Give no session ids and ask for none, as some servers do over streamable HTTP.
	 * @return this server
	 */
	public McpTestServer withoutSessions() {
		this.dispatcher.withoutSessions();
		return this;
	}

	/**
	 * Set the answer to a request in a session that the server does not know: the status
	 * 404 by default.
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
	 * Do otherwise than the specification, from now on.
	 * @return this server
	 */
	public McpTestServer deviates(McpTestDeviation... deviations) {
		List.of(deviations).forEach((deviation) -> deviation.apply(this));
		return this;
	}

	/**
	 * Say how long clients of revision 2026-07-28 may cache lists, resources and the
	 * result of {@code server/discover}; not at all by default.
	 * @param ttl how long
	 * @param scope for whom, {@code public} or {@code private}
	 * @return this server
	 */
	public McpTestServer caching(Duration ttl, String scope) {
		this.dispatcher.contents().caching(Map.of("ttlMs", ttl.toMillis(), "cacheScope", scope));
		return this;
	}

	/**
	 * Lose headers of HTTP requests before the server sees them, as some proxies do.
	 * @param prefix the beginning of their names in any case, such as {@code Mcp-}
	 * @return this server
	 */
	public McpTestServer loseHeaders(String prefix) {
		this.dispatcher.contents().loseHeaders(prefix);
		return this;
	}

	/**
	 * List tools, prompts and resources in pages.
	 * @param size how many are on a page
	 * @return this server
	 */
	public McpTestServer pageSize(int size) {
		this.dispatcher.contents().pageSize(size);
		return this;
	}

	/**
	 * Add a tool, or replace the one of this name.
	 * @param name the name
	 * @param reply the answer to each call
	 * @return this server
	 */
	public McpTestServer tool(String name, McpTestReply reply) {
		return tool(name, new Script.Fixed(reply));
	}

	/**
	 * Add a tool, or replace the one of this name.
	 * @param name the name
	 * @param handler answers calls
	 * @return this server
	 */
	public McpTestServer tool(String name, McpTestHandler handler) {
		return tool(Map.of("name", name, "description", "The tool " + name, "inputSchema", Map.of("type", "object")),
				handler);
	}

	/**
	 * Add a tool, or replace the one of this name.
	 * @param definition the tool as it is listed: an {@code McpSchema.Tool}, or a map
	 * @param handler answers calls
	 * @return this server
	 */
	public McpTestServer tool(Object definition, McpTestHandler handler) {
		this.dispatcher.contents().tools().put(definition, handler);
		return this;
	}

	/**
	 * Offer these tools and no others: read-only ones that answer with their name, a
	 * space and their argument {@code message}.
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
	 * Offer these tools and no others, which answer as those of
	 * {@link #tools(String...)}.
	 * @param definitions the tools as they are listed: an {@code McpSchema.Tool} each, or
	 * a map
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
	 * Add a prompt without arguments, or replace the one of this name.
	 * @param name the name
	 * @param text the text of its only message, the user's
	 * @return this server
	 */
	public McpTestServer prompt(String name, String text) {
		McpTestReply reply = McpTestReply.result(
				Map.of("messages", List.of(Map.of("role", "user", "content", Map.of("type", "text", "text", text)))));
		return prompt(Map.of("name", name), new Script.Fixed(reply));
	}

	/**
	 * Add a prompt, or replace the one of this name.
	 * @param definition the prompt as it is listed: an {@code McpSchema.Prompt}, or a map
	 * @param handler answers requests for it
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
	 * Add a resource, or replace the one of this URI.
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
	 * Add a resource, or replace the one of this URI.
	 * @param definition the resource as it is listed: an {@code McpSchema.Resource}, or a
	 * map
	 * @param handler answers requests for it
	 * @return this server
	 */
	public McpTestServer resource(Object definition, McpTestHandler handler) {
		this.dispatcher.contents().resources().put(definition, handler);
		return this;
	}

	/**
	 * Add a template of resources, or replace the one of this URI template.
	 * @param definition the template as it is listed: an
	 * {@code McpSchema.ResourceTemplate}, or a map
	 * @param handler answers requests for URIs that match
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
	 * Say what to do with requests, from now on.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param reply what to do; {@link McpTestReply#standard()} to answer as if there were
	 * no script
	 * @return this server
	 */
	public McpTestServer on(String method, McpTestReply reply) {
		return on(method, new Script.Fixed(reply));
	}

	/**
	 * Say what to do with requests, from now on.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param handler decides what to do
	 * @return this server
	 */
	public McpTestServer on(String method, McpTestHandler handler) {
		this.dispatcher.script().on(method, handler);
		return this;
	}

	/**
	 * Say what to do with the next requests, one reply for each. It is done before what
	 * {@link #on(String, McpTestReply)} says.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param replies what to do
	 * @return this server
	 */
	public McpTestServer onNext(String method, McpTestReply... replies) {
		this.dispatcher.script().onNext(method, Arrays.stream(replies).map(Script.Fixed::new).toList());
		return this;
	}

	/**
	 * Say what to do with the next request. It is done before what
	 * {@link #on(String, McpTestReply)} says.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param handler decides what to do
	 * @return this server
	 */
	public McpTestServer onNext(String method, McpTestHandler handler) {
		this.dispatcher.script().onNext(method, List.of(handler));
		return this;
	}

	/**
	 * Forget what was received, and restore the script and the contents that the server
	 * had when it was first started. Clients are not told.
	 * @return this server
	 */
	public synchronized McpTestServer reset() {
		this.dispatcher.reset();
		return forgetRequests();
	}

	/**
	 * Forget what was received.
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
	 * Notify all clients. A client that does not listen yet receives it as soon as it
	 * does; one of revision 2026-07-28 receives only what it is subscribed to when the
	 * notification is sent.
	 * @param method the method
	 * @param params the parameters
	 * @return this server
	 */
	public McpTestServer notifyClients(String method, Map<String, ?> params) {
		this.dispatcher.notifyClients(method, params);
		return this;
	}

	/**
	 * Send text to all clients where they expect messages.
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
	 * @return completes with the first result, or with an {@link IllegalStateException}
	 * that has the client's JSON-RPC error as message
	 */
	public CompletableFuture<Map<String, @Nullable Object>> request(String method, Map<String, ?> params) {
		return this.dispatcher.questions().ask(method, params, this.dispatcher::sendToClients);
	}

	/**
	 * Forget all sessions, so that each request is answered as one of an unknown session.
	 * Streams stay open.
	 * @return this server
	 */
	public McpTestServer forgetSessions() {
		this.dispatcher.forgetSessions();
		return this;
	}

	/**
	 * End the streams on which clients listen, in an orderly way. Subscriptions of
	 * revision 2026-07-28 end with their result.
	 * @return this server
	 */
	public McpTestServer closeStreams() {
		this.dispatcher.closeStreams();
		return this;
	}

	/**
	 * End the subscriptions of revision 2026-07-28 without a result: over HTTP close
	 * their connections, otherwise cancel them.
	 * @return this server
	 */
	public McpTestServer cutSubscriptions() {
		this.dispatcher.subscriptions().cut();
		return this;
	}

	/**
	 * Close all connections of HTTP at once, with all that is under way.
	 * @return this server
	 */
	public McpTestServer closeConnections() {
		this.http.closeConnections();
		return this;
	}

	/**
	 * Return all that was received, as far as the server {@linkplain #recordAtMost(int)
	 * remembers} it.
	 * @return the requests, notifications and answers of clients, oldest first
	 */
	public List<McpTestRequest> requests() {
		return this.log.requests();
	}

	/**
	 * Return what was received of one method.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @return the requests, oldest first
	 */
	public List<McpTestRequest> requests(String method) {
		return this.log.requests(method);
	}

	/**
	 * Wait until at least the given number of requests of a method were received.
	 * @param method the JSON-RPC method, or {@code GET}, {@code POST} or {@code DELETE}
	 * @param count how many at least
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
	 * Return the calls that reached a tool, or the script for {@code tools/call}: all but
	 * those that were refused before, as in an unknown session.
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
	 * Return the requests that are not answered yet, and for whose answer the client
	 * still waits as far as the server knows.
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
	 * Return the sessions that have begun and not ended.
	 * @return the ids
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
	 * Return how many clients listen on a stream, or with a subscription of revision
	 * 2026-07-28.
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
