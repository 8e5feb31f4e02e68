package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Chain;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.schema.CheckThreads;
import io.github.mcpclient.support.CallerContext;
import io.github.mcpclient.support.GuardedMono;
import io.github.mcpclient.support.ServerThreads;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Runs the interceptors of calls: on the caller's thread if that waits, and otherwise
 * where they say, which is a thread that may block unless they do not need any. Safe for
 * use by many threads.
 */
final class ToolInterceptors {

	private final Supplier<List<McpToolInterceptor>> interceptors;

	private final Supplier<ServerThreads> threads;

	private final CallLog log;

	private final ToolCaller caller;

	private volatile @Nullable List<McpToolInterceptor> known;

	/**
	 * Create an instance. The interceptors, the outermost first, are not created before
	 * the first call, as they may use the tools themselves.
	 * @param threads where interceptors may block whose callers do not wait
	 * @param checks where arguments and results are checked
	 */
	ToolInterceptors(Supplier<List<McpToolInterceptor>> interceptors, Supplier<ServerThreads> threads,
			CheckThreads checks) {
		this.interceptors = interceptors;
		this.threads = threads;
		this.log = new CallLog(checks::nanoTime);
		this.caller = new ToolCaller(checks, this.log);
	}

	private List<McpToolInterceptor> all() {
		List<McpToolInterceptor> known = this.known;
		if (known == null) {
			known = List.copyOf(this.interceptors.get());
			this.known = known;
		}
		return known;
	}

	CallLog log() {
		return this.log;
	}

	Supplier<ServerThreads> threads() {
		return this.threads;
	}

	McpToolResult call(CalledTool tool, McpToolRequest request) {
		if (all().isEmpty()) {
			try {
				return send(tool, request, Duration.ZERO);
			}
			catch (Throwable ex) {
				tool.failed(ex);
				throw ex;
			}
		}
		return new Call(tool, request.context(), withThread(tool, request.context())).begin(request);
	}

	/**
	 * Call a tool without blocking, once for each subscription.
	 */
	Mono<McpToolResult> callAsync(CalledTool tool, McpToolRequest request) {
		if (all().isEmpty()) {
			return Mono.defer(() -> sendAsync(tool, request, Duration.ZERO)).doOnError(tool::failed);
		}
		return Mono.deferContextual((context) -> new Call(tool, context, context).beginAsync(request))
			.contextWrite((context) -> withThread(tool, context));
	}

	private static Context withThread(CalledTool tool, ContextView context) {
		ToolEntry entry = tool.entry();
		return (entry != null) ? entry.connection().withThread(Context.of(context)) : Context.of(context);
	}

	private McpToolResult send(CalledTool tool, McpToolRequest request, Duration spent) {
		ToolCaller.checkThread(tool.name());
		ToolEntry entry = tool.current();
		return this.caller.call(tool, entry, request, spent);
	}

	private Mono<McpToolResult> sendAsync(CalledTool tool, McpToolRequest request, Duration spent) {
		ToolEntry entry = tool.current();
		return this.caller.callAsync(tool, entry, request, spent);
	}

	/**
	 * One call. Logs each failure once: that of the tool, which an interceptor may hide,
	 * or of an interceptor.
	 */
	private final class Call {

		private final CalledTool tool;

		private final ContextView context;

		// with what is bound to the caller's thread
		private final ContextView captured;

		private final UnaryOperator<Runnable> caller;

		// for threads, which counts towards the timeout
		private volatile Duration waited = Duration.ZERO;

		private volatile @Nullable Throwable lastFailure;

		// which interrupts the thread of the interceptors
		private volatile boolean cancelled;

		private Call(CalledTool tool, ContextView context, ContextView captured) {
			this.tool = tool;
			this.context = context;
			this.captured = captured;
			this.caller = CallerContext.capture(context);
		}

		private McpToolResult begin(McpToolRequest request) {
			return logged(() -> {
				ToolCaller.checkThread(this.tool.name());
				this.tool.current();
				return proceed(0, request);
			});
		}

		private Mono<McpToolResult> beginAsync(McpToolRequest request) {
			return logged(Mono.defer(() -> {
				this.tool.current();
				return proceedAsync(0, request);
			})).doOnCancel(() -> this.cancelled = true);
		}

		private McpToolResult proceed(int index, McpToolRequest request) {
			if (index == all().size()) {
				return logged(() -> send(this.tool, request.withContext(merged(this.context, request.context())),
						this.waited));
			}
			McpToolInterceptor interceptor = all().get(index);
			McpToolResult result = interceptor.intercept(this.tool, request, new Rest(this, index + 1, request));
			if (result == null) {
				throw noResult(interceptor);
			}
			return result;
		}

		private Mono<McpToolResult> proceedAsync(int index, McpToolRequest request) {
			if (index == all().size()) {
				return logged(Mono.defer(() -> sendAsync(this.tool, request, this.waited)))
					.contextWrite((context) -> merged(merged(this.captured, context), request.context()));
			}
			McpToolInterceptor interceptor = all().get(index);
			return GuardedMono.of(() -> {
				Mono<McpToolResult> result = interceptor.interceptAsync(this.tool, request,
						new Rest(this, index + 1, request));
				return (result != null) ? result : Mono.empty();
			}).switchIfEmpty(Mono.error(() -> noResult(interceptor)));
		}

		// what an interceptor adds takes precedence
		private static Context merged(ContextView context, ContextView added) {
			return Context.of(context).putAll(added);
		}

		private RuntimeException noResult(McpToolInterceptor interceptor) {
			return new IllegalStateException("The McpToolInterceptor " + interceptor.getClass().getName()
					+ " returned no result for MCP tool '" + this.tool.name() + "'");
		}

		private <T> Mono<T> blocking(McpToolRequest request, Callable<? extends T> code) {
			return Mono.defer(() -> {
				ToolEntry entry = this.tool.current();
				ServerThreads threads = ToolInterceptors.this.threads.get();
				Duration timeout = ToolCaller.timeout(entry, request);
				Duration before = this.waited;
				long asked = threads.nanoTime();
				return threads.call(entry.serverName(), this.caller, () -> {
					this.waited = before.plusNanos(threads.nanoTime() - asked);
					return code.call();
				}, timeout.minus(before), () -> ToolCaller.timedOut(entry, request,
						" (it waited for a thread for its interceptors; nothing was sent)", timeout));
			});
		}

		private McpToolResult logged(Supplier<McpToolResult> call) {
			try {
				return call.get();
			}
			catch (Throwable ex) {
				log(ex);
				throw ex;
			}
		}

		private Mono<McpToolResult> logged(Mono<McpToolResult> call) {
			return call.doOnError(this::log);
		}

		private void log(Throwable failure) {
			Throwable cause = Exceptions.unwrap(failure);
			if (!this.cancelled && this.lastFailure != cause) {
				this.tool.failed(failure);
			}
			this.lastFailure = cause;
		}

	}

	/**
	 * The rest of the chain of a call.
	 */
	private record Rest(Call call, int index, McpToolRequest request) implements Chain {

		@Override
		public McpToolResult proceed(McpToolRequest next) {
			return this.call.proceed(this.index, next);
		}

		@Override
		public Mono<McpToolResult> proceedAsync(McpToolRequest next) {
			return this.call.proceedAsync(this.index, next);
		}

		@Override
		public <T> Mono<T> blocking(Callable<? extends T> code) {
			return this.call.blocking(this.request, code);
		}

		@Override
		public ContextView context() {
			return this.call.context;
		}

		@Override
		public Duration remaining() {
			return ToolCaller.timeout(this.call.tool.current(), this.request).minus(this.call.waited);
		}

		@Override
		public boolean isToolUnchanged() {
			return true;
		}

		@Override
		public Mono<Object> identity() {
			return Mono.empty();
		}

	}

}
