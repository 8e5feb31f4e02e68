package io.github.mcpclient.internal.answer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.event.McpLogMessageEvent;
import io.github.mcpclient.event.McpProgressEvent;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.ServerThreads;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Calls annotated methods for the events of servers: for messages and progress on the
 * thread of the event, which is a thread of the server; for changes of lists on dedicated
 * threads, each with the current list, so that several changes during a slow call are
 * reported as one.
 */
final class AnnotatedListeners {

	/**
	 * For each kind of list of a server: one call in progress, and the next one.
	 */
	static final ServerThreads.Limits LIMITS = new ServerThreads.Limits(1, 1);

	private static final Logger logger = LoggerFactory.getLogger(AnnotatedListeners.class);

	private final Map<ListenerKind, List<BeanMethod>> methods;

	private final Supplier<McpServerRegistry> registry;

	private final ServerThreads threads;

	private final LogLimit failures;

	/**
	 * Create listeners.
	 * @param threads the threads, with the {@link #LIMITS}
	 * @param timer provides the time
	 */
	AnnotatedListeners(Map<ListenerKind, List<BeanMethod>> methods, Supplier<McpServerRegistry> registry,
			ServerThreads threads, Scheduler timer) {
		this.methods = methods;
		this.registry = registry;
		this.threads = threads;
		this.failures = new LogLimit(() -> timer.now(TimeUnit.NANOSECONDS), 10, Duration.ofMinutes(1));
	}

	boolean listenToProgress() {
		return this.methods.containsKey(ListenerKind.PROGRESS);
	}

	/**
	 * Call the methods; never fails.
	 */
	void tell(McpServerEvent event) {
		this.methods.forEach((kind, methods) -> {
			List<BeanMethod> told = new ArrayList<>(methods);
			told.removeIf((method) -> !method.isFor(event.serverName()));
			if (!kind.event.isInstance(event) || told.isEmpty()) {
				return;
			}
			Runnable task = () -> this.registry.get()
				.find(event.serverName())
				.ifPresent((server) -> told.forEach((method) -> call(kind, method, event, server)));
			if (event instanceof McpLogMessageEvent || event instanceof McpProgressEvent) {
				task.run();
				return;
			}
			try {
				this.threads.execute(kind + " of " + event.serverName(), task);
			}
			catch (RejectedExecutionException ex) {
				logger.trace("The one that waits finds this change, or the application is stopping", ex);
			}
		});
	}

	private void call(ListenerKind kind, BeanMethod method, McpServerEvent event, McpServer server) {
		try {
			if (method
				.invoke(kind.arguments(event, server, method.method().getParameterCount())) instanceof Mono<?> done) {
				done.block();
			}
		}
		catch (Throwable ex) {
			this.failures.log(
					() -> LogKeys.line(logger, Level.WARN, server.name())
						.setCause(ex)
						.log("MCP server '{}': {} failed", server.name(), method),
					(notice) -> logger.warn("Failed methods with annotations of Spring AI: {}", notice));
		}
	}

}
