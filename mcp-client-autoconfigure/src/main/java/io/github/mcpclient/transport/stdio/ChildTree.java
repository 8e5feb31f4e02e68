package io.github.mcpclient.transport.stdio;

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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * A child process and the processes that it started, such as the {@code node} under
 * {@code npx}. Safe for use by many threads.
 *
 * <p>
 * A process whose parent has ended is no longer in the tree, so that it should have been
 * seen before: {@link #look()}. On Linux those that were not are found by the
 * {@link ProcessTable#MARKER marker} in their environment.
 */
final class ChildTree {

	private static final Log logger = LogFactory.getLog(ChildTree.class);

	private static final long POLL_MILLIS = 20;

	/**
	 * How old may be what is known of processes that are waited for.
	 */
	private static final long LOOK_NANOS = Duration.ofMillis(500).toNanos();

	/**
	 * How many processes to name in a line of the log.
	 */
	private static final int MAX_NAMED = 20;

	private final String serverName;

	private final Process process;

	private final ProcessHandle root;

	private final String marker;

	private final LongSupplier nanoTime;

	/**
	 * All that were seen, but for those that have ended.
	 */
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
	 * Looks for processes that were started meanwhile. Completes when those are known, or
	 * cannot be found out.
	 */
	CompletableFuture<Void> look() {
		return ProcessTable.read()
			.thenAccept((table) -> this.known.addAll(table.family(List.copyOf(this.known), this.marker)));
	}

	/**
	 * Stops all of them: closes the standard input of the first, waits, asks, waits,
	 * kills. Blocks until they are gone or, against all odds, could not be killed in
	 * time. No signal waits for a look, which takes long on a busy machine.
	 */
	void stop(Runnable closeInput, Patience patience) {
		long asked = this.nanoTime.getAsLong() + patience.input().toNanos();
		long killed = asked + patience.termination().toNanos();
		awaitFirstLook(patience.input().dividedBy(2));
		closeInput.run();
		// not Process.destroy(), which waits for whoever writes to the process
		boolean gone = awaitGone(asked, (process) -> {
		}) || awaitGone(killed, ProcessHandle::destroy)
				|| awaitGone(killed + patience.kill().toNanos(), ProcessHandle::destroyForcibly);
		if (!gone) {
			kill();
		}
	}

	/**
	 * Kills all that are known, at once, and warns of those that have not ended.
	 */
	void kill() {
		this.known.forEach(ProcessHandle::destroyForcibly);
		List<Long> left = this.known.stream().filter(this::isRunning).map(ProcessHandle::pid).toList();
		if (!left.isEmpty()) {
			logger.warn("Processes of MCP server '" + this.serverName + "' did not end in time: they were killed, and "
					+ left.size() + " may be left: " + left.subList(0, Math.min(left.size(), MAX_NAMED)));
		}
	}

	/**
	 * Whoever ends by the end of its input leaves orphans, which had better be known.
	 */
	private void awaitFirstLook(Duration limit) {
		try {
			look().get(limit.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (ExecutionException | TimeoutException ex) {
			logger.debug("Cannot look for the children of process " + this.root.pid() + " in time", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Signals all that are known, and each that becomes known, and waits for their end.
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
		}
		while (pause() && this.nanoTime.getAsLong() - deadline < 0);
		// some may not be known yet
		return false;
	}

	private static boolean pause() {
		try {
			new CountDownLatch(1).await(POLL_MILLIS, TimeUnit.MILLISECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			// nobody but us knows this thread: go on without waiting
			Thread.currentThread().interrupt();
			return false;
		}
	}

	private boolean isRunning(ProcessHandle handle) {
		return handle.isAlive() && (handle.equals(this.root) || !isZombie(handle));
	}

	/**
	 * Returns whether, on Linux, the process has ended and only waits for its parent to
	 * take notice. For a process that lost its parent that is the first process of the
	 * system or container, and an application that is this process does not care.
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
	 * How long to wait for a process to end.
	 *
	 * @param input after its standard input was closed
	 * @param termination after it was asked to end
	 * @param kill after it was killed
	 */
	record Patience(Duration input, Duration termination, Duration kill) {

		/**
		 * For a process that is to be stopped.
		 */
		static final Patience STOP = new Patience(Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ofMillis(500));

		/**
		 * For a process whose connection is lost: another one is to take its place.
		 */
		static final Patience LOST = new Patience(Duration.ofMillis(500), Duration.ofSeconds(1),
				Duration.ofMillis(500));

		Duration total() {
			return this.input.plus(this.termination).plus(this.kill);
		}

	}

}
