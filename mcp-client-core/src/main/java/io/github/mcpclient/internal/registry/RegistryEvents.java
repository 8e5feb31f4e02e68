package io.github.mcpclient.internal.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Publishes events in order, on a dedicated thread, after the tool beans were updated
 * from the catalog.
 */
final class RegistryEvents {

	private static final int MAX_QUEUED = 10_000;

	private static final int MAX_THREADS = 128;

	private static final Logger logger = LoggerFactory.getLogger(RegistryEvents.class);

	private final DefaultMcpServerRegistry.HostApplication application;

	private final Supplier<Map<String, McpTool>> listed;

	private final ThreadPoolExecutor publisher = new ThreadPoolExecutor(1, 1, 10, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(MAX_QUEUED), DaemonThreads.blocking("mcp-events"));

	// for messages: a listener that blocks delays only its server
	private final ServerThreads listenerThreads;

	private volatile List<McpMessageListener> listeners = List.of();

	private volatile boolean progressWanted;

	// concurrent changes, such as the changes of a start, are shown at once
	private final AtomicBoolean toolsPending = new AtomicBoolean();

	// listed tools that were not shown yet
	private final Set<String> pendingNames = ConcurrentHashMap.newKeySet();

	private volatile @Nullable Thread thread;

	RegistryEvents(DefaultMcpServerRegistry.HostApplication application, Supplier<Map<String, McpTool>> listed,
			Scheduler timer) {
		this.application = application;
		this.listed = listed;
		this.publisher.allowCoreThreadTimeOut(true);
		String name = "mcp-listeners";
		this.listenerThreads = new ServerThreads(name, new Limits(MAX_THREADS, MAX_QUEUED, MAX_THREADS, MAX_THREADS),
				DaemonThreads.cached(DaemonThreads.blocking(name)), timer);
	}

	void catalogChanged(List<McpToolsChangedEvent> changes) {
		changes.forEach((change) -> {
			change.removed().forEach(this.pendingNames::remove);
			this.pendingNames.addAll(change.added());
		});
		this.toolsPending.set(true);
		changes.forEach(this::publish);
	}

	void stateChanged(McpServerState previous, McpServerStatus status) {
		if (status.state() == McpServerState.READY) {
			// it may be the last server that could have had an injected tool
			this.toolsPending.set(true);
		}
		publish(new McpServerStateChangedEvent(previous, status));
	}

	void publish(McpServerEvent event) {
		schedule(() -> publishNow(event));
	}

	void publishNow(McpServerEvent event) {
		this.application.publish(event);
	}

	/**
	 * Determine the listeners of messages, before the first message.
	 */
	void findListeners() {
		this.listeners = List.copyOf(this.application.listeners());
		this.progressWanted = !this.listeners.isEmpty() || this.application.listensToProgress();
	}

	List<McpMessageListener> listeners() {
		return this.listeners;
	}

	boolean wantsProgress() {
		return this.progressWanted;
	}

	ServerMessages messages(String serverName, Scheduler timer) {
		return new ServerMessages(serverName, this, (task) -> this.listenerThreads.execute(serverName, task), timer);
	}

	/**
	 * Show all tools to the application, on the thread of the start.
	 */
	void showTools() {
		this.application.showTools(this.listed.get().keySet(), this.listed);
	}

	/**
	 * Complete when the listed tools are beans: immediately for a listener, otherwise not
	 * before a bean in creation is complete.
	 */
	Mono<Void> toolsShown() {
		return Mono.create((sink) -> {
			if (this.thread == Thread.currentThread()) {
				showPendingTools();
				sink.success();
			}
			else if (!schedule(sink::success)) {
				sink.success();
			}
		});
	}

	private void showPendingTools() {
		if (this.toolsPending.getAndSet(false)) {
			List<String> names = new ArrayList<>();
			this.pendingNames.removeIf(names::add);
			try {
				this.application.showTools(names, this.listed);
			}
			catch (Throwable ex) {
				this.pendingNames.addAll(names);
				throw ex;
			}
		}
	}

	void close() {
		this.publisher.shutdownNow();
		this.listenerThreads.dispose();
	}

	private boolean schedule(Runnable task) {
		try {
			this.publisher.execute(() -> {
				this.thread = Thread.currentThread();
				run(this::showPendingTools);
				run(task);
			});
			return true;
		}
		catch (RejectedExecutionException | OutOfMemoryError ex) {
			// or no more threads can be created
			logger.debug("An event of an MCP server is not published: the application is stopping, or its listeners are"
					+ " {} events behind", MAX_QUEUED);
			return false;
		}
	}

	private void run(Runnable task) {
		try {
			task.run();
		}
		catch (Throwable ex) {
			logger.warn("A listener of MCP server events failed", ex);
		}
	}

}
