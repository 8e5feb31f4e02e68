package io.github.mcpclient.internal.registry;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

import io.github.mcpclient.McpException;
import io.github.mcpclient.event.McpLogMessageEvent;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpProgressEvent;
import io.github.mcpclient.event.McpResourceUpdatedEvent;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.event.McpServerExceptionEvent;
import io.github.mcpclient.event.McpServerNotification;
import io.github.mcpclient.internal.support.ListenerQueue;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.modelcontextprotocol.spec.McpSchema.LoggingMessageNotification;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.ResourcesUpdatedNotification;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;
import reactor.core.scheduler.Scheduler;

/**
 * Passes the notifications and exceptions of one server to listeners and, as events, to
 * the application.
 */
final class ServerMessages extends ListenerQueue<ServerMessages.Message> {

	static final int CAPACITY = 1000;

	private static final long MAX_SIZE = 1_000_000;

	private static final Logger logger = LoggerFactory.getLogger(ServerMessages.class);

	private final String serverName;

	private final RegistryEvents events;

	private final LogLimit drops;

	private final LogLimit failures;

	private final AtomicLong dropped = new AtomicLong();

	ServerMessages(String serverName, RegistryEvents events, Executor executor, Scheduler timer) {
		super(executor, CAPACITY, MAX_SIZE, MemoryBudget.of(serverName));
		this.serverName = serverName;
		this.events = events;
		this.drops = new LogLimit(() -> timer.now(TimeUnit.NANOSECONDS), 1, Duration.ofMinutes(1));
		this.failures = new LogLimit(() -> timer.now(TimeUnit.NANOSECONDS), 10, Duration.ofMinutes(1));
	}

	void notified(McpServerNotification notification) {
		McpServerEvent event = event(notification);
		if (event != null || !this.events.listeners().isEmpty()) {
			add(new Message(MemoryBudget.sizeOf(notification.params()),
					(listener) -> listener.onNotification(notification), event));
		}
	}

	void failed(McpException exception) {
		add(new Message(0, (listener) -> listener.onException(exception),
				new McpServerExceptionEvent(this.serverName, exception)));
	}

	private @Nullable McpServerEvent event(McpServerNotification notification) {
		if (notification.typed() instanceof LoggingMessageNotification message) {
			return new McpLogMessageEvent(this.serverName, message);
		}
		if (notification.typed() instanceof ResourcesUpdatedNotification updated) {
			return new McpResourceUpdatedEvent(this.serverName, updated.uri());
		}
		return (notification.typed() instanceof ProgressNotification progress && notification.toolName() != null)
				? new McpProgressEvent(this.serverName, notification.toolName(), progress) : null;
	}

	@Override
	protected long sizeOf(Message message) {
		return message.size();
	}

	@Override
	protected void deliver(Message message) {
		List<McpMessageListener> listeners = this.events.listeners();
		listeners.forEach((listener) -> run(() -> message.call().accept(listener)));
		McpServerEvent event = message.event();
		if (event != null) {
			run(() -> this.events.publishNow(event));
		}
	}

	private void run(Runnable listener) {
		try {
			listener.run();
		}
		catch (Throwable ex) {
			this.failures.log(
					() -> warning().setCause(ex)
						.log("A listener of messages of MCP server '{}' failed", this.serverName),
					(notice) -> warning().log("Failed listeners of messages of MCP server '{}': {}", this.serverName,
							notice));
		}
	}

	@Override
	protected void dropped(int count) {
		long all = this.dropped.addAndGet(count);
		this.drops.log(() -> warning().log(
				"Messages of MCP server '{}' are dropped, since its listeners are too slow: {} so far", this.serverName,
				all), (notice) -> {
				});
	}

	private LoggingEventBuilder warning() {
		return logger.atWarn().addKeyValue(LogKeys.SERVER, this.serverName);
	}

	/**
	 * A call for each listener, and an event to publish.
	 */
	record Message(long size, Consumer<McpMessageListener> call, @Nullable McpServerEvent event) {
	}

}
