package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.github.mcpclient.McpException;
import io.github.mcpclient.internal.session.RequestObserver.ObservedRequest;
import io.github.mcpclient.internal.support.CallOrigin;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * One pending request. It ends exactly once: with the response, a failure to send, its
 * deadline, the end of the session, or its cancellation. The thread that moves the state
 * to DONE signals the subscriber, so that no lock is needed. Reading the response may
 * take long: the deadline holds during that time, but the response counts as arrived.
 *
 * <p>
 * Of a response and a deadline that come at the same moment, the first to move the state
 * wins, and the other finds the request done: the caller sees one of them, never both.
 */
final class PendingRequest<T> implements Subscription {

	private static final Logger logger = LoggerFactory.getLogger(PendingRequest.class);

	// how long the response waits for a consumer of progress
	private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);

	private final RequestChannel channel;

	private final Call<?> call;

	private final BiFunction<McpTransport, Object, T> reader;

	private final WireFormat format;

	private final CoreSubscriber<? super T> subscriber;

	private final long id;

	private final @Nullable ProgressQueue progress;

	private final AtomicReference<State> state = new AtomicReference<>(State.NEW);

	// disposed at the end: a timer that is set later is cancelled at once

	private final Disposable.Swap deadline = Disposables.swap();

	private final Disposable.Swap idle = Disposables.swap();

	private final Disposable.Swap wait = Disposables.swap();

	private final Disposable.Swap following = Disposables.swap();

	// the result: written while reading, and not changed after that

	private @Nullable JSONRPCResponse answer;

	private @Nullable T result;

	private @Nullable Throwable failure;

	// where the message is, once it was handed to the transport
	private volatile @Nullable SendState sendState;

	private volatile @Nullable Subscription sending;

	private volatile List<ObservedRequest> observed = List.of();

	// of the task
	private int messages;

	PendingRequest(RequestChannel channel, Call<?> call, BiFunction<McpTransport, Object, T> reader, WireFormat format,
			CoreSubscriber<? super T> subscriber) {
		this.channel = channel;
		this.call = call;
		this.reader = reader;
		this.format = format;
		this.subscriber = subscriber;
		this.id = channel.nextId();
		Consumer<ProgressNotification> progress = call.options().progress();
		this.progress = (progress != null) ? channel.progressQueue(progress) : null;
	}

	/**
	 * Send the request, once the subscriber can take the response.
	 */
	@Override
	public void request(long count) {
		if (Operators.validate(count) && this.state.compareAndSet(State.NEW, State.WAITING)) {
			try {
				start();
			}
			catch (Throwable ex) {
				// includes errors that are fatal to Reactor, such as a missing class
				fail(ex);
			}
		}
	}

	private void start() {
		if (!isStanding() && !TaskRun.isAbout(this.call)) {
			this.observed = this.channel.observe(this.call, this.id, this.format, this.subscriber.currentContext());
		}
		Throwable refusal = this.channel.register(this.id, this, this.call.isHandshake());
		if (refusal != null) {
			fail(refusal);
			return;
		}
		if (!isStanding()) {
			Duration longest = this.call.options().longest();
			this.deadline.update(this.channel.schedule(() -> expire(longest), this.call.options().remaining()));
			awaitProgress();
		}
		if (isDone()) {
			// cancelled before it was registered
			this.channel.remove(this.id);
			observeCancellation();
			return;
		}
		if (this.call.isTask()) {
			follow();
			return;
		}
		Context context = this.channel.context(this.subscriber.currentContext());
		SendState sendState = SendState.within(context);
		context = sendState.in(context);
		this.sendState = sendState;
		if (!(this.channel.transport() instanceof SendState.Reporter)) {
			SendState.sent(context);
		}
		this.channel
			.send(this.call.method(), this.id,
					this.call.params(this.id, this.channel.transport(), this.channel.wantsProgress(), meta()))
			.subscribe(new Sending(this.format.sending(this.call, this.id, context)));
	}

	private Map<String, Object> meta() {
		Map<String, Object> ofProtocol = this.format.meta();
		Map<String, Object> all = null;
		for (ObservedRequest observed : this.observed) {
			Map<String, String> meta = observed.meta();
			if (!meta.isEmpty()) {
				all = (all != null) ? all : new LinkedHashMap<>();
				all.putAll(meta);
			}
		}
		if (all == null) {
			return ofProtocol;
		}
		all.putAll(ofProtocol);
		return all;
	}

	private void awaitProgress() {
		if (this.call.options().maxTimeout() != null) {
			Duration timeout = this.call.options().timeout();
			this.idle.update(this.channel.schedule(() -> expire(timeout), timeout));
		}
	}

	/**
	 * Take the response, which may say that the server runs the call as a task.
	 */
	void receive(JSONRPCResponse response) {
		if (this.call.isTask()) {
			logger.debug("Ignored another response to {}", this.call.name());
		}
		else if (toolName() != null && response.error() == null && ResultReader.isTask(response.result())) {
			try {
				run().onState(CallTask.State.created(this.channel.transport(), response.result(), this.call));
				follow();
			}
			catch (Throwable ex) {
				fail(ex);
			}
		}
		else {
			deliver(response);
		}
	}

	private TaskRun run() {
		return new TaskRun(this.channel, this.format, this.call, (message) -> progress(
				new ProgressNotification(this.id, (double) ++this.messages, null, message, null)));
	}

	// this request is pending for as long as the task is
	private void follow() {
		this.following.update(run().result().subscribe((result) -> {
			this.call.task().end();
			deliver(JSONRPCResponse.result(this.id, result));
		}, this::failTask, null, this.subscriber.currentContext()));
		if (isDone()) {
			cancelTask();
		}
	}

	private void failTask(Throwable cause) {
		if (cause instanceof McpError) {
			this.call.task().end();
		}
		else if (cause instanceof SessionProtocolException) {
			cancelTask();
		}
		fail(cause);
	}

	private boolean cancelTask() {
		try {
			boolean running = this.call.isTask() && !this.call.task().state().isOver();
			if (running) {
				this.channel.sendLast(run().cancellation(), this.format, this.subscriber.currentContext());
			}
			return running;
		}
		catch (IllegalStateException ex) {
			// its result has arrived on another thread
			return false;
		}
	}

	/**
	 * Pass the response on after the progress that arrived before it, but before the
	 * deadline and within a second.
	 */
	private void deliver(JSONRPCResponse response) {
		if (!this.state.compareAndSet(State.WAITING, State.READING)) {
			return;
		}
		read(response);
		if (this.progress == null) {
			signalAnswer(State.READING);
		}
		else if (this.state.compareAndSet(State.READING, State.READ)) {
			if (this.progress.afterwards(() -> this.channel.execute(() -> signalAnswer(State.READ)))) {
				this.channel.remove(this.id);
				this.wait.update(this.channel.schedule(() -> signalAnswer(State.READ), LONGEST_WAIT));
			}
			else {
				signalAnswer(State.READ);
			}
		}
	}

	private void read(JSONRPCResponse response) {
		this.answer = response;
		try {
			if (response.error() != null) {
				throw failure(this.format.explained(this.call, response.error()));
			}
			this.result = read(response.result());
		}
		catch (Throwable ex) {
			this.failure = ex;
		}
	}

	// a defect of the client fails the request only, and the server is not blamed for it
	private T read(Object result) {
		try {
			return this.reader.apply(this.channel.transport(), result);
		}
		catch (SessionProtocolException | McpException | TransportException ex) {
			throw ex;
		}
		catch (RuntimeException ex) {
			throw this.channel.defect(ex);
		}
	}

	private boolean signalAnswer(State expected) {
		if (!finish(expected)) {
			return false;
		}
		try {
			if (this.failure != null) {
				throw this.failure;
			}
			T result = Objects.requireNonNull(this.result);
			Object answer = Objects.requireNonNull(this.answer).result();
			this.observed.forEach((observed) -> observed.answered(result, answer));
			this.subscriber.onNext(result);
			this.subscriber.onComplete();
		}
		catch (Throwable ex) {
			signal(ex);
		}
		return true;
	}

	// an exception of the caller's code must not affect other requests, nor the
	// transport's thread
	private void signal(Throwable failure) {
		this.observed.forEach((observed) -> observed.failed(failure));
		try {
			this.subscriber.onError(failure);
		}
		catch (Throwable ex) {
			logger.warn("The subscriber to {} failed to handle its failure", this.call.name(), ex);
		}
	}

	// the error of a transport that could not read a response carries its failure
	private static RuntimeException failure(JSONRPCError error) {
		return (error.data() instanceof RuntimeException failure) ? failure : new McpError(error);
	}

	String method() {
		return this.call.method();
	}

	@Nullable String toolName() {
		return McpSchema.METHOD_TOOLS_CALL.equals(this.call.method()) ? this.call.subject() : null;
	}

	int depth() {
		CallOrigin origin = this.subscriber.currentContext().getOrDefault(CallOrigin.class, null);
		return (origin != null) ? origin.depth().getAsInt() : 0;
	}

	void progress(ProgressNotification notification) {
		awaitProgress();
		if (this.progress != null) {
			this.progress.add(notification);
		}
	}

	void terminate(Throwable cause, Throwable unsent) {
		if (finish(State.WAITING)) {
			// a request that is withdrawn in time is not sent any more
			discard();
			signal(mayHaveLeft() ? cause : unsent);
		}
		else {
			signalAnswer(State.READ);
		}
	}

	private boolean mayHaveLeft() {
		SendState sendState = this.sendState;
		return this.call.isTask() || (sendState != null && sendState.isSent());
	}

	@Override
	public void cancel() {
		if (finish(State.NEW)) {
			return;
		}
		if (finish(State.WAITING)) {
			observeCancellation();
			giveUp("The caller is no longer waiting");
		}
		else if (finish(State.READING) || finish(State.READ)) {
			observeCancellation();
			discard();
		}
	}

	private void observeCancellation() {
		this.observed.forEach((observed) -> observed.failed(new CancellationException()));
	}

	private void expire(Duration timeout) {
		if (finish(State.WAITING)) {
			boolean cancelled = giveUp("No response within " + timeout);
			signal(mayHaveLeft() ? new SessionTimeoutException(this.call.name(), timeout, cancelled)
					: SessionTimeoutException.unsent(this.call.name(), timeout));
		}
		else if (finish(State.READING)) {
			discard();
			signal(new SessionTimeoutException(this.call.name(), timeout));
		}
		else {
			signalAnswer(State.READ);
		}
	}

	private void fail(Throwable cause) {
		if (finish(State.WAITING)) {
			discard();
			signal(cause);
		}
		else if (!signalAnswer(State.READ)) {
			logger.debug("Ignored a failure of {}, which had ended", this.call.name(), cause);
		}
	}

	/**
	 * Return whether the server has something to cancel.
	 */
	private boolean giveUp(String reason) {
		boolean task = cancelTask();
		boolean cancelled = !this.call.isTask() && !this.call.isHandshake() && this.sending != null && mayHaveLeft();
		discard();
		if (cancelled && this.format.notifiesOfCancellation()) {
			this.channel.sendCancelled(this.id, reason, this.subscriber.currentContext());
		}
		return cancelled || task;
	}

	boolean isStanding() {
		return this.call.isStanding();
	}

	private boolean isDone() {
		return this.state.get() == State.DONE;
	}

	private boolean finish(State expected) {
		if (!this.state.compareAndSet(expected, State.DONE)) {
			return false;
		}
		if (expected != State.NEW) {
			this.channel.remove(this.id);
			this.idle.dispose();
			this.deadline.dispose();
			this.wait.dispose();
			this.following.dispose();
		}
		return true;
	}

	private void discard() {
		Subscription sending = this.sending;
		if (sending != null) {
			sending.cancel();
		}
		if (this.progress != null) {
			this.progress.clear();
		}
	}

	private enum State {

		NEW, WAITING, READING, READ, DONE

	}

	/**
	 * Observes the end of sending. The response does not cancel it, since that would
	 * close a connection that can be reused.
	 */
	private final class Sending implements CoreSubscriber<Void> {

		private final Context context;

		Sending(Context context) {
			this.context = context;
		}

		@Override
		public Context currentContext() {
			return this.context;
		}

		@Override
		public void onSubscribe(Subscription sending) {
			PendingRequest.this.sending = sending;
			if (isDone()) {
				sending.cancel();
			}
			else {
				sending.request(Long.MAX_VALUE);
			}
		}

		@Override
		public void onNext(Void nothing) {
		}

		@Override
		public void onError(Throwable failure) {
			fail(failure);
		}

		@Override
		public void onComplete() {
		}

	}

}
