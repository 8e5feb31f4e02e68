package io.github.mcpclient.tool;

import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Chain;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.support.CallerContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

/**
 * Runs the interceptors of calls: on the caller's thread if that waits, and otherwise on
 * a thread that may block. Safe for use by many threads.
 */
public final class ToolInterceptors {

	/**
	 * No interceptors.
	 */
	public static final ToolInterceptors NONE = new ToolInterceptors(List::of, Schedulers::immediate);

	private static final Logger logger = LoggerFactory.getLogger(ToolInterceptors.class);

	private final Supplier<List<McpToolInterceptor>> interceptors;

	private final Supplier<Scheduler> scheduler;

	private volatile @Nullable List<McpToolInterceptor> known;

	/**
	 * Create an instance. The interceptors, the outermost first, are not created before
	 * the first call, as they may use the tools themselves. The scheduler's threads, for
	 * callers that do not wait, may block.
	 */
	public ToolInterceptors(Supplier<List<McpToolInterceptor>> interceptors, Supplier<Scheduler> scheduler) {
		this.interceptors = interceptors;
		this.scheduler = scheduler;
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
		return new Call(tool, request.context(), tool::callServer).run(request);
	}

	/**
	 * Run the interceptors on a thread that may block, once for each subscription.
	 */
	Mono<McpToolResult> callAsync(ToolHandle tool, McpToolRequest request) {
		return Mono.deferContextual((context) -> Mono.create((sink) -> {
			Call call = new Call(tool, context, (last) -> tool.callServer(last.withContext(context)));
			Runnable run = CallerContext.capture(context).apply(() -> sink.success(call.run(request)));
			Disposable task = this.scheduler.get().schedule(() -> {
				try {
					run.run();
				}
				catch (Throwable ex) {
					// an Error, too: the caller waits for a signal
					if (call.cancelled) {
						logger.debug("The call of MCP tool '{}' was cancelled", tool.name(), ex);
					}
					else {
						sink.error(ex);
					}
				}
			});
			sink.onCancel(() -> {
				call.cancelled = true;
				task.dispose();
			});
		}));
	}

	/**
	 * One call. Logs each failure once: that of the tool, which an interceptor may hide,
	 * or of an interceptor.
	 */
	private final class Call {

		private final ToolHandle tool;

		private final ContextView context;

		private final Function<McpToolRequest, McpToolResult> server;

		private volatile @Nullable Throwable lastFailure;

		// which interrupts the thread of the interceptors
		private volatile boolean cancelled;

		private Call(ToolHandle tool, ContextView context, Function<McpToolRequest, McpToolResult> server) {
			this.tool = tool;
			this.context = context;
			this.server = server;
		}

		private McpToolResult run(McpToolRequest request) {
			return logged(() -> {
				ToolCaller.checkThread(this.tool.name());
				this.tool.current();
				return proceed(0, request);
			});
		}

		private McpToolResult proceed(int index, McpToolRequest request) {
			if (index == all().size()) {
				return logged(() -> this.server.apply(request));
			}
			McpToolInterceptor interceptor = all().get(index);
			McpToolResult result = interceptor.intercept(this.tool, request, new Chain() {

				@Override
				public McpToolResult proceed(McpToolRequest next) {
					return Call.this.proceed(index + 1, next);
				}

				@Override
				public ContextView context() {
					return Call.this.context;
				}

			});
			if (result == null) {
				throw new IllegalStateException("The McpToolInterceptor " + interceptor.getClass().getName()
						+ " gave no result of MCP tool '" + this.tool.name() + "'");
			}
			return result;
		}

		private McpToolResult logged(Supplier<McpToolResult> call) {
			try {
				return call.get();
			}
			catch (Throwable ex) {
				Throwable cause = Exceptions.unwrap(ex);
				if (!this.cancelled && this.lastFailure != cause) {
					this.tool.failed(ex);
				}
				this.lastFailure = cause;
				throw ex;
			}
		}

	}

}
