package io.github.mcpclient.transport;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A child process and the processes that it started, such as the {@code node} under
 * {@code npx}. Safe for use by many threads.
 *
 * <p>
 * A process whose parent has ended is no longer in the tree, so that it should have been
 * seen before: {@link #look()}. Those that were not are found by the {@link ChildPipes
 * pipes} that they still hold.
 */
final class ChildTree {

	private static final long POLL_MILLIS = 20;

	private final Process process;

	private final ProcessHandle root;

	private final ChildPipes pipes;

	private final Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();

	ChildTree(Process process) {
		this.process = process;
		this.root = process.toHandle();
		this.pipes = ChildPipes.of(this.root);
		this.seen.add(this.root);
	}

	Process process() {
		return this.process;
	}

	/**
	 * Look for processes that were started meanwhile. Reads the system's table of
	 * processes.
	 */
	void look() {
		for (ProcessHandle handle : List.copyOf(this.seen)) {
			handle.descendants().forEach(this.seen::add);
		}
	}

	/**
	 * Stop all of them: close the standard input of the first, wait, ask, wait, kill.
	 * Blocks until they are gone or, against all odds, could not be killed in time.
	 * @param closeInput closes the standard input; must not block
	 * @param patience how long to wait each time
	 * @return whether all of them are gone
	 */
	boolean stop(Runnable closeInput, Patience patience) {
		lookAgain();
		closeInput.run();
		if (awaitGone(patience.input())) {
			return true;
		}
		signal(ProcessHandle::destroy);
		if (awaitGone(patience.termination())) {
			return true;
		}
		kill();
		return awaitGone(patience.kill());
	}

	/**
	 * Kill all of them.
	 */
	void kill() {
		signal(ProcessHandle::destroyForcibly);
	}

	/**
	 * Look for processes that were started meanwhile, by one that has ended since, too.
	 */
	private void lookAgain() {
		look();
		this.pipes.holders().forEach(this.seen::add);
	}

	private void signal(Consumer<ProcessHandle> signal) {
		lookAgain();
		// not Process.destroy(), which waits for whoever writes to the process
		this.seen.stream().filter(this::isRunning).forEach(signal);
	}

	private boolean awaitGone(Duration patience) {
		CountDownLatch never = new CountDownLatch(1);
		try {
			for (long waited = 0; waited < patience.toMillis(); waited += POLL_MILLIS) {
				if (isGone()) {
					return true;
				}
				never.await(POLL_MILLIS, TimeUnit.MILLISECONDS);
			}
		}
		catch (InterruptedException ex) {
			// nobody but us knows this thread: go on without waiting
			Thread.currentThread().interrupt();
		}
		return isGone();
	}

	private boolean isGone() {
		if (this.seen.stream().anyMatch(this::isRunning)) {
			return false;
		}
		// its last act may have been to start another one
		lookAgain();
		return this.seen.stream().noneMatch(this::isRunning);
	}

	private boolean isRunning(ProcessHandle handle) {
		return handle.isAlive() && (handle.equals(this.root) || !isZombie(handle));
	}

	/**
	 * Whether the process has ended and only waits for its parent to take notice. For a
	 * process that lost its parent that is the first process of the system or container,
	 * and an application that is this process does not care.
	 * @param handle the process
	 * @return whether it is known to have ended; always {@code false} but on Linux
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
