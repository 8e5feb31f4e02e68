package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.LogKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A child process and the processes that it started, such as the {@code node} under
 * {@code npx}. A process whose parent has ended must have been seen before:
 * {@link #look()}. On Linux, others are found by the {@link ProcessTable#MARKER marker}
 * in their environment. Safe for use by many threads.
 */
final class ChildTree {

	private static final Logger logger = LoggerFactory.getLogger(ChildTree.class);

	private static final long POLL_NANOS = Duration.ofMillis(20).toNanos();

	// how often to look for further processes while waiting for the known ones
	private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

	private static final int MAX_NAMED = 20;

	private final String serverName;

	private final Process process;

	private final ProcessHandle root;

	private final String marker;

	private final LongSupplier nanoTime;

	// all processes that were seen, except for ended ones
	private final Set<ProcessHandle> known = ConcurrentHashMap.newKeySet();

	ChildTree(String serverName, Process process, String marker, LongSupplier nanoTime) {
		this.serverName = serverName;
		this.process = process;
		this.root = process.toHandle();
		this.marker = marker;
		this.nanoTime = nanoTime;
		this.known.add(this.root);
	}

	Process process() {
		return this.process;
	}

	/**
	 * Look for processes that have been started since.
	 */
	CompletableFuture<Void> look() {
		return ProcessTable.read()
			.thenAccept((table) -> this.known.addAll(table.family(List.copyOf(this.known), this.marker)));
	}

	/**
	 * Stop all of them: close the standard input of the first, wait, terminate, wait,
	 * kill. Blocks until they are gone or could not be killed in time. No signal waits
	 * for a look, which takes long under load.
	 */
	void stop(Runnable closeInput, Patience patience) {
		long asked = this.nanoTime.getAsLong() + patience.input().toNanos();
		long killed = asked + patience.termination().toNanos();
		awaitFirstLook(patience.input().dividedBy(2));
		closeInput.run();
		// not Process.destroy(), which waits for any thread that writes to the process
		boolean gone = awaitGone(asked, (process) -> {
		}) || awaitGone(killed, ProcessHandle::destroy)
				|| awaitGone(killed + patience.kill().toNanos(), ProcessHandle::destroyForcibly);
		if (!gone) {
			kill();
		}
	}

	/**
	 * Kill all known processes, and log a warning for each that has not ended.
	 */
	void kill() {
		this.known.forEach(ProcessHandle::destroyForcibly);
		List<Long> left = this.known.stream().filter(this::isRunning).map(ProcessHandle::pid).toList();
		if (!left.isEmpty()) {
			logger.atWarn()
				.addKeyValue(LogKeys.SERVER, this.serverName)
				.addKeyValue(LogKeys.TRANSPORT, McpServerDefinition.STDIO)
				.log("Processes of MCP server '{}' did not end in time: they were killed, and {} may be left: {}",
						this.serverName, left.size(), left.subList(0, Math.min(left.size(), MAX_NAMED)));
		}
	}

	/**
	 * A process that ends with its input may leave orphans, which should be known before.
	 */
	private void awaitFirstLook(Duration limit) {
		look().orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS).handle((ignored, ex) -> {
			if (ex != null) {
				logger.debug("Cannot look for the children of process {} in time", this.root.pid(), ex);
			}
			return ex;
		}).join();
	}

	/**
	 * Signal all that are known, and each that becomes known, and wait for their end.
	 * Returns whether it is certain that none is left.
	 */
	private boolean awaitGone(long deadline, Consumer<ProcessHandle> signal) {
		Set<ProcessHandle> signalled = new HashSet<>();
		CompletableFuture<Void> look = CompletableFuture.completedFuture(null);
		long lookedAt = this.nanoTime.getAsLong();
		boolean allGoneBefore = false;
		do {
			boolean looked = look.isDone();
			boolean found = false;
			for (ProcessHandle process : this.known) {
				if (signalled.add(process)) {
					signal.accept(process);
					found = true;
				}
			}
			this.known.removeIf((process) -> !isRunning(process));
			boolean allGone = this.known.isEmpty();
			if (looked && allGoneBefore && allGone && !found) {
				return true;
			}
			if (looked && (allGone || this.nanoTime.getAsLong() - lookedAt > LOOK_NANOS)) {
				// the last act of one that is gone may have been to start another
				allGoneBefore = allGone;
				look = look();
				lookedAt = this.nanoTime.getAsLong();
			}
			LockSupport.parkNanos(POLL_NANOS);
		}
		while (this.nanoTime.getAsLong() - deadline < 0);
		// some may not be known yet
		return false;
	}

	private boolean isRunning(ProcessHandle handle) {
		return handle.isAlive() && (handle.equals(this.root) || !isZombie(handle));
	}

	/**
	 * Return whether, on Linux, the process has ended but was not reaped. In a container
	 * whose first process is the application, no process reaps orphans.
	 */
	private static boolean isZombie(ProcessHandle handle) {
		try {
			String stat = Files.readString(Path.of("/proc", Long.toString(handle.pid()), "stat"),
					StandardCharsets.ISO_8859_1);
			// the name of the program, in parentheses, may hold anything
			int state = stat.lastIndexOf(')') + 2;
			return state < stat.length() && "ZX".indexOf(stat.charAt(state)) != -1;
		}
		catch (NoSuchFileException ex) {
			return Files.exists(Path.of("/proc/self/stat"));
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * How long to wait for the end after each step.
	 */
	record Patience(Duration input, Duration termination, Duration kill) {

		static final Patience STOP = new Patience(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofMillis(500));

		/** For a lost process that another one replaces. */
		static final Patience LOST = new Patience(Duration.ofMillis(500), Duration.ofSeconds(1),
				Duration.ofMillis(500));

		Duration total() {
			return this.input.plus(this.termination).plus(this.kill);
		}

	}

}
