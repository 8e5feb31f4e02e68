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
 * Checks the files of the configuration, and reloads it when they have changed. Files are
 * polled, since file systems of containers and networks do not report changes. A change
 * is applied once two consecutive checks see the same files, so that no file is read
 * while it is being written.
 */
final class ConfigurationWatcher implements SmartLifecycle {

	private static final Logger logger = LoggerFactory.getLogger(ConfigurationWatcher.class);

	private final FreshEnvironment environment;

	private final Runnable reload;

	private final Duration interval;

	// confined to the thread
	private @Nullable Map<Path, Stamp> changed;

	// confined to the thread
	private boolean failed;

	private volatile @Nullable ScheduledExecutorService executor;

	/**
	 * Create a watcher.
	 * @param reload reads the environment, and throws no exception for an error
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
			// first, since an interrupted check fails
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
				logger.warn("The configuration files of the MCP servers cannot be watched; the next attempt is in "
						+ this.interval.toMillis() + " ms", ex);
			}
			this.failed = true;
		}
	}

	/**
	 * Find the files, and reload if they have changed since the application read them.
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
