package io.github.mcpclient.internal.tool;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Chain;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.Deadline;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.internal.support.ServerThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The interceptors around one call, in two stages. Interceptors of the application run on
 * the caller's thread if it waits, and otherwise on a thread that they determine, which
 * may block unless all of them are non-blocking. Then the timeout of the call begins, and
 * the following interceptors never run on the caller's thread, which waits no longer than
 * the timeout. Logs each failure once: the failure of the tool, which an interceptor may
 * hide, or of an interceptor.
 */
final class ToolChain {

	private final ToolCaller caller;

	private final CalledTool tool;

	private final ContextView context;

	// with the context of the caller's thread
	private final ContextView captured;

	private final UnaryOperator<Runnable> binding;

	private final List<McpToolInterceptor> interceptors;

	private final Stage first;

	// shared by all attempts of interceptors
	private final SendState sent = new SendState();

	// the time spent waiting for threads, which counts towards the timeout
	private volatile Duration queued = Duration.ZERO;

	private volatile @Nullable Throwable lastFailure;

	// set before the thread of the interceptors is interrupted
	private volatile boolean cancelled;

	private ToolChain(ToolCaller caller, CalledTool tool, ToolEntry entry, List<McpToolInterceptor> interceptors,
			ContextView context, ContextView captured) {
		this.caller = caller;
		this.tool = tool;
		this.context = context;
		this.captured = captured;
		this.binding = CallerContext.capture(context);
		this.interceptors = interceptors;
		this.first = new Stage(entry, interceptors.subList(0, caller.ofApplication()), null);
	}

	/**
	 * Call a tool, and wait for the result.
	 * @param interceptors by phase
	 */
	static McpToolResult call(ToolCaller caller, CalledTool tool, ToolEntry entry,
			List<McpToolInterceptor> interceptors, McpToolRequest request) {
		ToolChain chain = new ToolChain(caller, tool, entry, interceptors, request.context(),
				entry.connection().withThread(Context.of(request.context())));
		return caller.readable(CalledTool.logged(() -> chain.proceed(0, request), chain::log));
	}

	/**
	 * Call a tool without blocking, once for each subscription.
	 * @param interceptors by phase
	 */
	static Mono<McpToolResult> callAsync(ToolCaller caller, CalledTool tool, ToolEntry entry,
			List<McpToolInterceptor> interceptors, McpToolRequest request) {
		return Mono.deferContextual((context) -> {
			ToolChain chain = new ToolChain(caller, tool, entry, interceptors, context, context);
			return chain.proceedAsync(chain.first, 0, request)
				.doOnError(chain::log)
				.map(caller::readable)
				.doOnCancel(() -> chain.cancelled = true);
		}).contextWrite(entry.connection()::withThread);
	}

	private McpToolResult proceed(int index, McpToolRequest request) {
		if (index == this.first.interceptors().size()) {
			return CalledTool.logged(() -> begin(request), this::log);
		}
		McpToolInterceptor interceptor = this.first.interceptors().get(index);
		McpToolResult result = interceptor.intercept(this.tool, request,
				new Link(this, this.first, index + 1, request, this.captured));
		if (result == null) {
			throw noResult(interceptor);
		}
		return result;
	}

	private McpToolResult begin(McpToolRequest request) {
		ToolCaller.checkThread(this.tool.name());
		Stage timed = timed(request);
		Context context = timed.entry().connection().withThread(merged(this.context, request.context()));
		return this.caller.await(timed.entry(), request, timed.deadline().remaining(), this.sent,
				proceedAsync(timed, 0, request).contextWrite(context));
	}

	private Mono<McpToolResult> proceedAsync(Stage stage, int index, McpToolRequest request) {
		if (index < stage.interceptors().size()) {
			return intercepted(stage, index, request);
		}
		if (stage.isTimed()) {
			return Mono.defer(() -> this.caller.send(this.tool, stage.entry(), request, stage.deadline()))
				.doOnError(this::log)
				.contextWrite(this.sent::in);
		}
		return Mono.defer(() -> {
			Stage timed = timed(request);
			Mono<McpToolResult> result = proceedAsync(timed, 0, request);
			return timed.interceptors().isEmpty() ? result
					: this.caller.limited(timed.entry(), request, timed.deadline(), this.sent, result);
		}).doOnError(this::log).contextWrite((context) -> merged(merged(this.captured, context), request.context()));
	}

	private Mono<McpToolResult> intercepted(Stage stage, int index, McpToolRequest request) {
		McpToolInterceptor interceptor = stage.interceptors().get(index);
		return Mono.deferContextual((subscriber) -> Monos.guarded(() -> {
			Mono<McpToolResult> result = interceptor.interceptAsync(this.tool, request,
					new Link(this, stage, index + 1, request, stage.isTimed() ? subscriber : this.captured));
			return (result != null) ? result : Mono.empty();
		})).switchIfEmpty(Mono.error(() -> noResult(interceptor)));
	}

	// the tool may have changed since the interceptors of the application began
	private Stage timed(McpToolRequest request) {
		ToolEntry entry = this.first.interceptors().isEmpty() ? this.first.entry() : this.tool.current();
		List<McpToolInterceptor> all = (entry == this.first.entry()) ? this.interceptors
				: this.caller.interceptors(entry);
		return new Stage(entry, all.subList(this.first.interceptors().size(), all.size()),
				this.caller.deadline(entry, request, this.queued));
	}

	// the context that an interceptor adds takes precedence
	private static Context merged(ContextView context, ContextView added) {
		return Context.of(context).putAll(added);
	}

	private RuntimeException noResult(McpToolInterceptor interceptor) {
		return new IllegalStateException("The McpToolInterceptor " + interceptor.getClass().getName()
				+ " returned no result for MCP tool '" + this.tool.name() + "'");
	}

	private void log(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		if (!this.cancelled && this.lastFailure != cause) {
			this.tool.failed(failure);
		}
		this.lastFailure = cause;
	}

	/**
	 * Interceptors that are called one after the other.
	 *
	 * @param entry the tool as listed when they begin
	 * @param end the deadline of the call, or {@code null} if its timeout has not begun
	 */
	private record Stage(ToolEntry entry, List<McpToolInterceptor> interceptors, @Nullable Deadline end) {

		boolean isTimed() {
			return this.end != null;
		}

		Deadline deadline() {
			return Objects.requireNonNull(this.end);
		}

	}

	/**
	 * The remaining interceptors and the call.
	 */
	private static final class Link implements Chain {

		private final ToolChain call;

		private final Stage stage;

		private final int index;

		private final McpToolRequest request;

		private final ContextView caller;

		// the authorization of the call, once its interceptor has requested it
		private volatile @Nullable Context authorized;

		private Link(ToolChain call, Stage stage, int index, McpToolRequest request, ContextView caller) {
			this.call = call;
			this.stage = stage;
			this.index = index;
			this.request = request;
			this.caller = caller;
		}

		@Override
		public McpToolResult proceed(McpToolRequest next) {
			if (!this.stage.isTimed()) {
				return this.call.proceed(this.index,
						(this.authorized != null) ? next.withContext(merged(next.context(), this.authorized)) : next);
			}
			ToolCaller.checkThread(this.call.tool.name());
			return this.call.caller.await(this.stage.entry(), next, remaining(), this.call.sent,
					proceedAsync(next).contextWrite((context) -> merged(this.caller, context)));
		}

		@Override
		public Mono<McpToolResult> proceedAsync(McpToolRequest next) {
			return this.call.proceedAsync(this.stage, this.index, next).contextWrite((context) -> {
				Context given = (next.context() != this.request.context()) ? merged(context, next.context()) : context;
				return (this.authorized != null) ? merged(given, this.authorized) : given;
			});
		}

		@Override
		public <T> Mono<T> blocking(Callable<? extends T> code) {
			return Mono.deferContextual((context) -> {
				ToolEntry entry = this.stage.entry();
				ServerThreads threads = this.call.caller.threads().get();
				Supplier<Throwable> tooLate = () -> ToolCaller
					.timedOut(entry, this.request,
							" (it waited for a thread for its interceptors"
									+ (this.call.sent.isSent() ? ")" : "; nothing was sent)"),
							!this.call.sent.isSent());
				if (this.stage.isTimed()) {
					return threads.call(entry.serverName(), CallerContext.capture(merged(this.caller, context)), code,
							remaining(), tooLate);
				}
				Duration before = this.call.queued;
				Deadline patience = this.call.caller.patience(entry, this.request, before);
				Duration all = patience.remaining();
				return threads.call(entry.serverName(), this.call.binding, () -> {
					this.call.queued = before.plus(all.minus(patience.remaining()));
					return code.call();
				}, all, tooLate);
			});
		}

		@Override
		public ContextView context() {
			return this.stage.isTimed() ? this.caller : this.call.context;
		}

		@Override
		public Duration remaining() {
			Deadline end = this.stage.end();
			return ((end != null) ? end : this.call.caller.deadline(this.stage.entry(), this.request, this.call.queued))
				.remaining();
		}

		@Override
		public boolean toolUnchanged() {
			return this.stage.entry().isStill(this.call.tool.entry());
		}

		@Override
		public Mono<Object> identity() {
			return Mono.defer(() -> {
				Context known = this.authorized;
				return (known != null) ? Mono.just(known)
						: this.call.caller.inTime(remaining(), this.stage.entry().connection().authorization());
			}).flatMap((context) -> {
				this.authorized = context;
				ToolEntry entry = this.stage.entry();
				Object listing = this.call.tool.listing(entry);
				return (listing != null)
						? Mono.<Object>just(
								new Identity(listing, entry.tool().name(), entry.connection().authorization(context)))
						: Mono.empty();
			}).contextWrite((context) -> merged(this.caller, context));
		}

	}

	/**
	 * The server's view of a call. References no objects of the server, as it may be
	 * stored in a cache.
	 *
	 * @param listing represents the listing of the server with its definition and
	 * connection
	 * @param tool the original name
	 * @param authorization the authorization of the caller, or {@code null} for the
	 * authorization of the connection
	 */
	private record Identity(Object listing, String tool, @Nullable Object authorization) {

		@Override
		public String toString() {
			return this.tool;
		}

	}

}
