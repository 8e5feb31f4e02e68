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
public final class ToolInterceptors {

	/**
	 * No interceptors.
	 */
	public static final ToolInterceptors NONE = new ToolInterceptors(List::of, () -> {
		throw new IllegalStateException("Nothing to run");
	});

	private final Supplier<List<McpToolInterceptor>> interceptors;

	private final Supplier<ServerThreads> threads;

	private volatile @Nullable List<McpToolInterceptor> known;

	/**
	 * Create an instance. The interceptors, the outermost first, are not created before
	 * the first call, as they may use the tools themselves.
	 * @param threads where interceptors may block whose callers do not wait
	 */
	public ToolInterceptors(Supplier<List<McpToolInterceptor>> interceptors, Supplier<ServerThreads> threads) {
		this.interceptors = interceptors;
		this.threads = threads;
	}

	private List<McpToolInterceptor> all() {
		List<McpToolInterceptor> known = this.known;
		if (known == null) {
			known = List.copyOf(this.interceptors.get());
			this.known = known;
		}
		return known;
	}

	boolean isEmpty() {
		return all().isEmpty();
	}

	McpToolResult call(ToolHandle tool, McpToolRequest request) {
		ContextView context = request.context();
		return new Call(tool, context, isEmpty() ? context : tool.withThread(context)).begin(request);
	}

	/**
	 * Run the interceptors without blocking, once for each subscription.
	 */
	Mono<McpToolResult> callAsync(ToolHandle tool, McpToolRequest request) {
		return Mono.deferContextual((context) -> new Call(tool, context, context).beginAsync(request));
	}

	/**
	 * One call. Logs each failure once: that of the tool, which an interceptor may hide,
	 * or of an interceptor.
	 */
	private final class Call {

		private final ToolHandle tool;

		private final ContextView context;

		// with what is bound to the caller's thread
		private final ContextView captured;

		private final UnaryOperator<Runnable> caller;

		// for threads, which counts towards the timeout
		private volatile Duration waited = Duration.ZERO;

		private volatile @Nullable Throwable lastFailure;

		// which interrupts the thread of the interceptors
		private volatile boolean cancelled;

		private Call(ToolHandle tool, ContextView context, ContextView captured) {
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
				return logged(() -> this.tool.callServer(request.withContext(merged(this.context, request.context())),
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
				return logged(Mono.defer(() -> this.tool.callServerAsync(request, this.waited)))
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
					+ " gave no result of MCP tool '" + this.tool.name() + "'");
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
				}, timeout.minus(before), () -> ToolCaller.timedOut(entry,
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

	}

}
