package io.github.mcpclient.session;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.support.Departure;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * JSON-RPC requests over one transport: matches answers to requests, and ends them all
 * when the session ends. It knows nothing of what the methods mean.
 *
 * <p>
 * Ids are integers, as those of the official TypeScript and Python clients, so that
 * servers are used to them. They begin anywhere, so that clients of a gateway that
 * broadcasts its answers do not take those of each other. A response is matched whether
 * the server echoes the number or its digits as a string.
 */
final class RequestChannel {

	private static final Log logger = LogFactory.getLog(RequestChannel.class);

	/**
	 * Longest string that is surely a number without an overflow.
	 */
	private static final int LONGEST_ID = 18;

	private final McpClientTransport transport;

	private final Alarm alarm;

	private final Supplier<Scheduler> userScheduler;

	private final String serverName;

	private final QuietSender quietSender;

	private final AtomicLong ids;

	private final Map<Long, PendingRequest<?>> pending = new ConcurrentHashMap<>();

	private final AtomicReference<@Nullable End> terminated = new AtomicReference<>();

	private volatile @Nullable String protocolVersion;

	private volatile boolean open;

	RequestChannel(McpClientTransport transport, Alarm alarm, Supplier<Scheduler> userScheduler, String serverName,
			long firstId) {
		this.transport = transport;
		this.alarm = alarm;
		this.userScheduler = userScheduler;
		this.serverName = serverName;
		this.ids = new AtomicLong(firstId);
		this.quietSender = new QuietSender(transport::sendMessage, alarm, serverName);
	}

	/**
	 * Ask the server for something, for each subscriber anew.
	 * @param <T> the type of the result
	 * @param request the request
	 * @return the result
	 */
	<T> Mono<T> request(Request<T> request) {
		return new RequestMono<>(this, request);
	}

	/**
	 * Send a notification that matters.
	 * @param method the method
	 * @return completes when it was sent
	 */
	Mono<Void> notify(String method) {
		return Mono.defer(() -> this.transport.sendMessage(new JSONRPCNotification(method)))
			.contextWrite(this::context);
	}

	/**
	 * Answer a request of the server, without waiting.
	 * @param response the answer
	 */
	void respond(JSONRPCResponse response) {
		sendQuietly(response, "an answer", Context.empty());
	}

	/**
	 * Tell the transport, from now on, what was agreed on.
	 * @param protocolVersion the revision of the protocol that both sides speak
	 */
	void negotiated(String protocolVersion) {
		this.protocolVersion = protocolVersion;
	}

	/**
	 * Let requests other than the handshake pass.
	 */
	void open() {
		this.open = true;
	}

	/**
	 * Fail all requests under way, and every later one. Only the first cause counts.
	 * @param cause why
	 * @param unsent what to fail those with that were not sent
	 */
	void terminate(Throwable cause, Throwable unsent) {
		if (this.terminated.compareAndSet(null, new End(cause, unsent))) {
			// a request that registers from here on looks at the cause by itself
			this.pending.values().forEach((request) -> request.terminate(cause, unsent));
		}
	}

	@Nullable Throwable terminationCause() {
		End end = this.terminated.get();
		return (end != null) ? end.cause() : null;
	}

	/**
	 * Take a response from the transport.
	 * @param response the response
	 */
	void receive(JSONRPCResponse response) {
		PendingRequest<?> request = find(response.id());
		if (request != null) {
			request.receive(response);
		}
		else {
			logger.debug("Ignored a late or unasked response of MCP server '" + this.serverName + "'");
		}
	}

	/**
	 * Take a sign of progress from the transport.
	 * @param notification the notification
	 */
	void receive(ProgressNotification notification) {
		PendingRequest<?> request = find(notification.progressToken());
		if (request != null) {
			request.progress(notification);
		}
		else {
			logger.debug("Ignored late or unasked progress of MCP server '" + this.serverName + "'");
		}
	}

	int pendingCount() {
		return this.pending.size();
	}

	int quietSends() {
		return this.quietSender.underWay();
	}

	// What a request under way needs

	long nextId() {
		return this.ids.getAndIncrement();
	}

	@Nullable ProgressQueue progressQueue(@Nullable Consumer<ProgressNotification> consumer) {
		return (consumer != null) ? new ProgressQueue(consumer, this.userScheduler.get(), this.serverName) : null;
	}

	/**
	 * Make a request findable, unless the session does not take requests.
	 * @param request the request
	 * @return why it must fail at once, or {@code null}
	 */
	@Nullable Throwable register(PendingRequest<?> request) {
		if (!this.open && !request.isHandshake() && this.terminated.get() == null) {
			return new IllegalStateException("The session is not open yet");
		}
		this.pending.put(request.id(), request);
		// after the entry was made: either this or terminate() sees the other
		End end = this.terminated.get();
		return (end != null) ? end.unsent() : null;
	}

	/**
	 * Return whether the transport tells when a message leaves.
	 */
	boolean tellsDeparture() {
		return this.transport instanceof Departure.Teller;
	}

	void remove(PendingRequest<?> request) {
		this.pending.remove(request.id());
	}

	Disposable schedule(Runnable task, Duration delay) {
		return this.alarm.schedule(task, delay);
	}

	/**
	 * Run a task on a thread that must not block.
	 * @param task the task
	 */
	void execute(Runnable task) {
		this.alarm.run(task);
	}

	Mono<Void> send(String method, long id, @Nullable Object params) {
		return this.transport.sendMessage(new JSONRPCRequest(method, wireId(id), params));
	}

	void sendCancelled(long id, String reason, Context context) {
		sendQuietly(
				new JSONRPCNotification("notifications/cancelled", Map.of("requestId", wireId(id), "reason", reason)),
				"the cancellation of request " + id, context);
	}

	/**
	 * Add what the SDK's own transports look for to the context of a caller.
	 * @param context the caller's context
	 * @return the context to send in
	 */
	Context context(Context context) {
		String version = this.protocolVersion;
		return (version != null) ? context.put(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, version) : context;
	}

	private void sendQuietly(JSONRPCMessage message, String description, Context context) {
		if (this.terminated.get() == null) {
			this.quietSender.send(message, description, context(context));
		}
	}

	private @Nullable PendingRequest<?> find(@Nullable Object id) {
		if (id instanceof Number number && number.doubleValue() == number.longValue()) {
			return this.pending.get(number.longValue());
		}
		if (id instanceof String text && !text.isEmpty() && text.length() <= LONGEST_ID
				&& text.chars().allMatch((c) -> c >= '0' && c <= '9')) {
			return this.pending.get(Long.parseLong(text));
		}
		return null;
	}

	/**
	 * Return an id in the form in which JSON parsers return it, so that a transport finds
	 * the two equal.
	 */
	private static Object wireId(long id) {
		return (id == (int) id) ? (Object) (int) id : (Object) id;
	}

	/**
	 * The end of the session.
	 *
	 * @param cause why
	 * @param unsent the same for requests that were not sent
	 */
	private record End(Throwable cause, Throwable unsent) {
	}

}
