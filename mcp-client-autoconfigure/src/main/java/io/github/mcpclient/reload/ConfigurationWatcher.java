package io.github.mcpclient.reload;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.reload.ConfigurationFiles.Stamp;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Looks at the files of the configuration, and has it reloaded when they differ from what
 * was read. They are polled, as file systems of containers and networks tell nobody of
 * changes: that is one look at each file, whatever the file system. A change counts once
 * two looks have seen the same, so that nothing is read while it is being written.
 */
final class ConfigurationWatcher implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ConfigurationWatcher.class);

	private final FreshEnvironment environment;

	private final Runnable reload;

	private final Duration interval;

	// of the thread alone
	private @Nullable Map<Path, Stamp> changed;

	// of the thread alone, too
	private boolean failed;

	private volatile @Nullable ScheduledExecutorService executor;

	/**
	 * Create a watcher.
	 * @param reload reads the environment, and throws no exception for a mistake
	 */
	ConfigurationWatcher(FreshEnvironment environment, Runnable reload, Duration interval) {
		this.environment = environment;
		this.reload = reload;
		this.interval = interval;
	}

	@Override
	public void start() {
		ScheduledExecutorService executor = Executors
			.newSingleThreadScheduledExecutor(DaemonThreads.blocking("mcp-watching"));
		this.executor = executor;
		executor.execute(() -> safely(this::begin));
		executor.scheduleWithFixedDelay(() -> safely(this::look), this.interval.toNanos(), this.interval.toNanos(),
				TimeUnit.NANOSECONDS);
	}

	/**
	 * Stop, without waiting for a reload that is running.
	 */
	@Override
	public void stop() {
		ScheduledExecutorService executor = this.executor;
		if (executor != null) {
			// first, as what is interrupted fails
			this.executor = null;
			executor.shutdownNow();
		}
	}

	@Override
	public boolean isRunning() {
		return this.executor != null;
	}

	private void safely(Runnable task) {
		try {
			task.run();
			this.failed = false;
		}
		catch (Throwable ex) {
			if (isRunning() && !this.failed) {
				logger.warn("The files of the configuration of the MCP servers cannot be watched; this is tried again"
						+ " every " + this.interval.toMillis() + " ms", ex);
			}
			this.failed = true;
		}
	}

	/**
	 * Find the files, and read those that have changed since the application read them.
	 */
	void begin() {
		try {
			this.environment.get();
			Instant start = ProcessHandle.current().info().startInstant().orElse(Instant.EPOCH);
			if (this.environment.files().before().values().stream().noneMatch((file) -> file.isSince(start))) {
				return;
			}
		}
		catch (RuntimeException ex) {
			// reported by the reload
		}
		this.reload.run();
	}

	void look() {
		ConfigurationFiles files = this.environment.files();
		Map<Path, Stamp> now = files.now();
		if (now.equals(files.before())) {
			this.changed = null;
		}
		else if (!now.equals(this.changed)) {
			this.changed = now;
		}
		else {
			this.changed = null;
			this.reload.run();
		}
	}

}
