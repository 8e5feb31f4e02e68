package io.github.mcpclient.registry;

import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;

import io.github.mcpclient.McpPromptsChangedEvent;
import io.github.mcpclient.McpResourcesChangedEvent;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStateChangedEvent;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolsChangedEvent;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.tool.ToolCatalog;
import io.github.mcpclient.tool.ToolChanges;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Takes what connections tell to the catalog at once, and to the bean factory and the
 * application's listeners on a thread of their own, in order.
 */
final class RegistryEvents {

	private static final int MAX_QUEUED = 10_000;

	private static final Logger logger = LoggerFactory.getLogger(RegistryEvents.class);

	private final McpServerRegistry registry;

	private final ToolCatalog catalog;

	private final ToolBeans beans;

	private final NamedTools names;

	private final ApplicationEventPublisher publisher;

	private final Scheduler scheduler = Schedulers.newBoundedElastic(1, MAX_QUEUED, "mcp-events", 10, true);

	private final Scheduler.Worker worker = this.scheduler.createWorker();

	private final AtomicBoolean beansPending = new AtomicBoolean();

	private final AtomicBoolean namesPending = new AtomicBoolean();

	private volatile @Nullable Thread thread;

	RegistryEvents(McpServerRegistry registry, ToolCatalog catalog, ToolBeans beans, NamedTools names,
			ApplicationEventPublisher publisher) {
		this.registry = registry;
		this.catalog = catalog;
		this.beans = beans;
		this.names = names;
		this.publisher = publisher;
	}

	void serversChanged(Supplier<List<McpConnection>> connections, @Nullable String serverName) {
		this.catalog.servers(connections, serverName, this::catalogChanged);
	}

	void toolsChanged(McpConnection connection, List<Tool> tools) {
		this.catalog.update(connection, tools, this::catalogChanged);
	}

	private void catalogChanged(List<ToolChanges> changes) {
		// many changes at a time, such as those of a start, cost one look at all tools
		this.beansPending.set(true);
		changes.forEach((change) -> schedule(() -> this.publisher.publishEvent(event(change))));
	}

	private ApplicationEvent event(ToolChanges change) {
		return new McpToolsChangedEvent(this.registry, change.serverName(), change.added(), change.removed(),
				change.changed());
	}

	void promptsChanged(String serverName) {
		schedule(() -> this.publisher.publishEvent(new McpPromptsChangedEvent(this.registry, serverName)));
	}

	void resourcesChanged(String serverName) {
		schedule(() -> this.publisher.publishEvent(new McpResourcesChangedEvent(this.registry, serverName)));
	}

	void stateChanged(McpServerState previous, McpServerStatus status) {
		ApplicationEvent event = new McpServerStateChangedEvent(this.registry, previous, status);
		this.namesPending.compareAndSet(false, status.state() == McpServerState.READY);
		schedule(() -> this.publisher.publishEvent(event));
	}

	/**
	 * Make the tool beans follow the catalog. For the thread of the start; otherwise the
	 * thread of the events does so.
	 */
	void showBeans() {
		this.beansPending.set(false);
		this.beans.show();
	}

	/**
	 * Warn of tools that the application injects and no server has. For the thread of the
	 * start, as above.
	 */
	void checkNames() {
		this.names.warnOfMissing();
	}

	/**
	 * Return when the tools that are listed now are beans, which is not before a bean
	 * that is being created has been.
	 * @return completes then, and at once for a listener
	 */
	Mono<Void> beansShown() {
		return Mono.create((sink) -> {
			if (this.thread == Thread.currentThread()) {
				showPendingBeans();
				sink.success();
			}
			else if (!schedule(sink::success)) {
				sink.success();
			}
		});
	}

	private void showPendingBeans() {
		if (this.beansPending.get()) {
			showBeans();
		}
	}

	@Nullable String beanRefusal(McpTool tool) {
		return this.beans.refusal(tool);
	}

	void close() {
		this.worker.dispose();
		this.scheduler.dispose();
	}

	private boolean schedule(Runnable task) {
		try {
			this.worker.schedule(() -> {
				this.thread = Thread.currentThread();
				run(this::showPendingBeans);
				if (this.namesPending.compareAndSet(true, false)) {
					run(this::checkNames);
				}
				run(task);
			});
			return true;
		}
		catch (RejectedExecutionException ex) {
			logger.debug("An event of an MCP server is not published: the application stops, or its listeners are"
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
