package io.github.mcpclient.tool;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Chain;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.support.CallerContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.ContextView;

/**
 * Runs the interceptors of calls: on the caller's thread if that waits, and otherwise on
 * a thread that may block. Safe for use by many threads.
 */
public final class ToolInterceptors {

	/**
	 * No interceptors.
	 */
	public static final ToolInterceptors NONE = new ToolInterceptors(List::of, () -> {
		throw new IllegalStateException("Nothing is to be run");
	});

	private static final Logger logger = LoggerFactory.getLogger(ToolInterceptors.class);

	private final Supplier<List<McpToolInterceptor>> interceptors;

	private final Supplier<Scheduler> scheduler;

	private volatile @Nullable List<McpToolInterceptor> known;

	/**
	 * Describe the interceptors.
	 * @param interceptors the interceptors, the outermost first; asked once, at the first
	 * call of a tool, as they may use the tools themselves
	 * @param scheduler runs them for callers that do not wait; its threads may block
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

	/**
	 * Run the interceptors on this thread.
	 * @param tool the tool that is called
	 * @param request what it is called with
	 * @param call calls the tool
	 * @return the result
	 */
	McpToolResult call(McpTool tool, McpToolRequest request, Function<McpToolRequest, McpToolResult> call) {
		ToolCaller.checkThread(tool.name());
		return new Link(all(), 0, tool, request.context(), call).proceed(request);
	}

	/**
	 * Run the interceptors on a thread that may block, for each subscriber anew.
	 * @param tool the tool that is called
	 * @param request what it is called with
	 * @param call calls the tool, and waits
	 * @return the result
	 */
	Mono<McpToolResult> callAsync(McpTool tool, McpToolRequest request, Function<McpToolRequest, McpToolResult> call) {
		return Mono.deferContextual((context) -> Mono.create((sink) -> schedule(tool, request, call, context, sink)));
	}

	private void schedule(McpTool tool, McpToolRequest request, Function<McpToolRequest, McpToolResult> call,
			ContextView context, MonoSink<McpToolResult> sink) {
		Link chain = new Link(all(), 0, tool, context, (last) -> call.apply(last.withContext(context)));
		Runnable proceed = CallerContext.restoredIn(() -> sink.success(chain.proceed(request)), context);
		AtomicBoolean cancelled = new AtomicBoolean();
		Disposable task = this.scheduler.get().schedule(() -> run(tool, proceed, sink, cancelled));
		sink.onCancel(() -> {
			cancelled.set(true);
			task.dispose();
		});
	}

	private static void run(McpTool tool, Runnable proceed, MonoSink<McpToolResult> sink, AtomicBoolean cancelled) {
		try {
			proceed.run();
		}
		catch (Throwable ex) {
			// Whatever it is, checked or an Error: the caller waits for a signal
			if (cancelled.get()) {
				logger.debug("The call of MCP tool '{}' was cancelled", tool.name(), ex);
			}
			else {
				sink.error(ex);
			}
		}
	}

	/**
	 * The way from one interceptor on.
	 */
	private record Link(List<McpToolInterceptor> all, int index, McpTool tool, ContextView context,
			Function<McpToolRequest, McpToolResult> end) implements Chain {

		@Override
		public McpToolResult proceed(McpToolRequest request) {
			if (this.index == this.all.size()) {
				return this.end.apply(request);
			}
			McpToolInterceptor interceptor = this.all.get(this.index);
			McpToolResult result = interceptor.intercept(this.tool, request,
					new Link(this.all, this.index + 1, this.tool, this.context, this.end));
			if (result == null) {
				throw new IllegalStateException("The McpToolInterceptor " + interceptor.getClass().getName()
						+ " gave no result of MCP tool '" + this.tool.name() + "'");
			}
			return result;
		}

	}

}
