package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;

import io.github.mcpclient.internal.session.RequestObserver.ObservedAnswer;
import io.github.mcpclient.internal.session.RequestObserver.ObservedRequest;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.client.McpAsyncClient;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * JSON-RPC requests over one transport: matches responses to requests, and ends all
 * requests when the session ends.
 *
 * <p>
 * Request IDs are integers, as servers expect. They start at a random number, which
 * avoids collisions with other clients behind a gateway that broadcasts its responses.
 * Servers may echo the number or its digits as a string.
 *
 * <p>
 * Requests may race with the end of the session. So a request is registered first and
 * then checks for the end, while the end is set first and then visits the registered
 * requests: one of them sees the other, so each request ends.
 *
 * <pre class="code">
 * channel.request(call).subscribe(...); // {"id": 7, "method": "tools/call", ...}
 * channel.receive(response); // {"id": 7, "result": ...}, or {"id": "7", ...}
 * channel.terminate(cause, unsent); // fails all pending and later requests
 * </pre>
 */
final class RequestChannel implements RequestObserver.Protocol {

	private static final Logger logger = LoggerFactory.getLogger(RequestChannel.class);

	// so many digits do not overflow
	private static final int LONGEST_ID = 18;

	static final int MAX_QUIET_SENDS = 256;

	static final Duration QUIET_SEND_TIMEOUT = Duration.ofSeconds(10);

	private final McpClientTransport transport;

	private final Scheduler scheduler;

	private final BiConsumer<String, Runnable> progress;

	private final String serverName;

	private final AtomicLong defects = new AtomicLong();

	private final List<? extends RequestObserver> observers;

	private final boolean wantsProgress;

	private final @Nullable MessageRecorder recorder;

	private final long firstId;

	private final AtomicLong ids;

	private final Map<Long, PendingRequest<?>> pending = new ConcurrentHashMap<>();

	private final AtomicInteger quietSends = new AtomicInteger();

	private final AtomicReference<@Nullable End> terminated = new AtomicReference<>();

	private volatile @Nullable String protocolVersion;

	private volatile boolean open;

	RequestChannel(McpClientTransport transport, Scheduler scheduler, BiConsumer<String, Runnable> progress,
			SessionOptions options, boolean wantsProgress, @Nullable MessageRecorder recorder, long firstId) {
		this.transport = transport;
		this.scheduler = scheduler;
		this.progress = progress;
		this.serverName = options.serverName();
		this.observers = options.observers();
		this.wantsProgress = wantsProgress;
		this.recorder = recorder;
		this.firstId = firstId;
		this.ids = new AtomicLong(firstId);
	}

	/**
	 * Log a defect of the client, and return the failure of the request.
	 */
	SessionProtocolException defect(Throwable failure) {
		TransportException defect = UnreadMessageException.defect(this.serverName, this.defects, failure);
		return new SessionProtocolException(String.valueOf(defect.getMessage()), defect.getNextStep(), defect);
	}

	<T> Mono<T> request(Call<T> call, WireFormat format) {
		return request(call, call.reader(), format);
	}

	/**
	 * Send a request whose result is read in another way.
	 */
	<T> Mono<T> request(Call<?> call, BiFunction<McpTransport, Object, T> reader, WireFormat format) {
		return new Mono<>() {

			@Override
			public void subscribe(CoreSubscriber<? super T> subscriber) {
				subscriber.onSubscribe(new PendingRequest<>(RequestChannel.this, call, reader, format, subscriber));
			}

		};
	}

	Mono<Void> notify(String method) {
		return Mono.defer(() -> send(new JSONRPCNotification(method))).contextWrite(this::context);
	}

	/**
	 * Send a response in the context of the call that led to the request, if any. A limit
	 * on refusals leaves room for other responses.
	 */
	void respond(JSONRPCResponse response, Context context) {
		sendQuietly(response, "a response", context,
				(response.error() != null) ? MAX_QUIET_SENDS / 2 : MAX_QUIET_SENDS);
	}

	void negotiated(String protocolVersion) {
		this.protocolVersion = protocolVersion;
	}

	boolean wantsProgress() {
		return this.wantsProgress;
	}

	/**
	 * Let requests other than the handshake pass.
	 */
	void open() {
		this.open = true;
	}

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
	 * Take note of a message before it is dealt with.
	 */
	void received(JSONRPCMessage message) {
		if (this.recorder != null) {
			PendingRequest<?> request = (message instanceof JSONRPCResponse response) ? find(response.id()) : null;
			this.recorder.record(false, message, (request != null) ? request.method() : null);
		}
	}

	/**
	 * Return whether a request has or had the ID of the response.
	 */
	boolean receive(JSONRPCResponse response) {
		if (receive("response", response.id(), (request) -> request.receive(response)) != null) {
			return true;
		}
		Long id = number(response.id());
		return id != null && id >= this.firstId && id < this.ids.get();
	}

	/**
	 * Return the tool whose pending call the progress is of, if any.
	 */
	@Nullable String receive(ProgressNotification notification) {
		PendingRequest<?> request = receive("progress notification", notification.progressToken(),
				(pending) -> pending.progress(notification));
		return (request != null) ? request.toolName() : null;
	}

	private @Nullable PendingRequest<?> receive(String message, @Nullable Object id,
			Consumer<PendingRequest<?>> receiver) {
		PendingRequest<?> request = find(id);
		if (request != null) {
			receiver.accept(request);
		}
		else {
			logger.debug("Ignored a late or unsolicited {} of MCP server '{}'", message, this.serverName);
		}
		return request;
	}

	int pendingCount() {
		return (int) this.pending.values().stream().filter((request) -> !request.isStanding()).count();
	}

	/**
	 * Return in how many handlers a pending request is nested at most.
	 */
	int deepest() {
		return this.pending.values().stream().mapToInt(PendingRequest::depth).max().orElse(0);
	}

	int quietSends() {
		return this.quietSends.get();
	}

	long nextId() {
		return this.ids.getAndIncrement();
	}

	ProgressQueue progressQueue(Consumer<ProgressNotification> consumer) {
		return new ProgressQueue(consumer, (task) -> this.progress.accept(this.serverName, task), this.serverName);
	}

	/**
	 * Register a request, or return why it must fail at once.
	 */
	@Nullable Throwable register(long id, PendingRequest<?> request, boolean handshake) {
		if (!this.open && !handshake && this.terminated.get() == null) {
			return new IllegalStateException("The session is not open yet");
		}
		this.pending.put(id, request);
		// after the entry was made: either this or terminate() sees the other
		End end = this.terminated.get();
		return (end != null) ? end.unsent() : null;
	}

	void remove(long id) {
		this.pending.remove(id);
	}

	List<ObservedRequest> observe(Call<?> call, long id, WireFormat format, ContextView caller) {
		String version = format.version();
		return observed(
				(observer) -> observer.begin(call, id, (version != null) ? new Spoken(this, version) : this, caller));
	}

	List<ObservedAnswer> observe(JSONRPCRequest request, ContextView call) {
		return observed((observer) -> observer.receive(request, this, call));
	}

	// without a stream, as there is one observer at most, most often
	private <T> List<T> observed(Function<RequestObserver, @Nullable T> begin) {
		List<T> observed = List.of();
		for (RequestObserver observer : this.observers) {
			T begun = begin.apply(observer);
			if (begun != null) {
				observed = observed.isEmpty() ? new ArrayList<>(1) : observed;
				observed.add(begun);
			}
		}
		return observed;
	}

	@Override
	public @Nullable String version() {
		return this.protocolVersion;
	}

	@Override
	public @Nullable String networkVersion() {
		return (this.transport instanceof SupervisedTransport supervised) ? supervised.networkProtocolVersion() : null;
	}

	McpClientTransport transport() {
		return this.transport;
	}

	Scheduler scheduler() {
		return this.scheduler;
	}

	long nanoTime() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	Disposable schedule(Runnable task, Duration delay) {
		return this.scheduler.schedule(task, TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
	}

	/**
	 * Run a task on a thread that must not block.
	 */
	void execute(Runnable task) {
		try {
			this.scheduler.schedule(task);
		}
		catch (RejectedExecutionException ex) {
			// the application is going down: late is worse than here
			task.run();
		}
	}

	// the operator timeout would log, with a stack trace, a deadline of the source that
	// passes at the same time
	<T> Mono<T> within(Mono<T> source, Duration timeout, String request) {
		Mono<T> deadline = Mono.delay(Deadline.atMostForever(timeout), this.scheduler)
			.then(Mono.error(() -> new SessionTimeoutException(request, timeout)));
		return Mono.firstWithSignal(deadline, source);
	}

	Mono<Void> send(String method, long id, @Nullable Object params) {
		return send(new JSONRPCRequest(method, wireId(id), params));
	}

	private Mono<Void> send(JSONRPCMessage message) {
		if (this.recorder != null) {
			this.recorder.record(true, message, null);
		}
		return this.transport.sendMessage(message);
	}

	void sendCancelled(long id, String reason, Context context) {
		sendQuietly(
				new JSONRPCNotification("notifications/cancelled", Map.of("requestId", wireId(id), "reason", reason)),
				"the cancellation of request " + id, context, MAX_QUIET_SENDS);
	}

	/**
	 * Send a request whose response is ignored.
	 */
	void sendLast(Call<?> call, WireFormat format, Context context) {
		long id = nextId();
		Object params = call.params(id, this.transport, false, format.meta());
		sendQuietly(new JSONRPCRequest(call.method(), wireId(id), params), call.method(),
				format.sending(call, id, context), MAX_QUIET_SENDS);
	}

	/**
	 * Add the values that the SDK's own transports expect to the context of a caller.
	 */
	Context context(Context context) {
		String version = this.protocolVersion;
		return (version != null) ? context.put(McpAsyncClient.NEGOTIATED_PROTOCOL_VERSION, version) : context;
	}

	/**
	 * Send a message that no caller waits for, or drop it: a server that does not read
	 * must not consume more and more memory.
	 */
	private void sendQuietly(JSONRPCMessage message, String description, Context context, int limit) {
		if (this.terminated.get() != null) {
			return;
		}
		if (this.quietSends.incrementAndGet() > limit) {
			this.quietSends.decrementAndGet();
			logger.debug("Dropped {} to MCP server '{}': {} messages wait to be sent", description, this.serverName,
					limit);
			return;
		}
		within(Monos.guarded(() -> send(message)), QUIET_SEND_TIMEOUT, description)
			.doFinally((signal) -> this.quietSends.decrementAndGet())
			.contextWrite(context(context))
			.subscribe(null,
					(ex) -> logger.debug("Could not send {} to MCP server '{}'", description, this.serverName, ex));
	}

	private @Nullable PendingRequest<?> find(@Nullable Object id) {
		Long number = number(id);
		return (number != null) ? this.pending.get(number) : null;
	}

	private static @Nullable Long number(@Nullable Object id) {
		if (id instanceof Number number && number.doubleValue() == number.longValue()) {
			return number.longValue();
		}
		if (id instanceof String text && !text.isEmpty() && text.length() <= LONGEST_ID
				&& text.chars().allMatch((c) -> c >= '0' && c <= '9')) {
			return Long.parseLong(text);
		}
		return null;
	}

	/**
	 * Parsers return an {@code Integer} where it fits, to which this is equal.
	 */
	private static Object wireId(long id) {
		return (id == (int) id) ? (Object) (int) id : (Object) id;
	}

	/**
	 * The protocol version of a request, regardless of whether the session is open.
	 */
	private record Spoken(RequestChannel channel, String version) implements RequestObserver.Protocol {

		@Override
		public @Nullable String networkVersion() {
			return this.channel.networkVersion();
		}

	}

	/**
	 * Why the session ended, for sent and for unsent requests.
	 */
	private record End(Throwable cause, Throwable unsent) {
	}

}
