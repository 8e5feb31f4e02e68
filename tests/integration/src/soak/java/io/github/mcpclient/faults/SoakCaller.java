package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.NoSuchMcpToolException;

/**
 * Calls a tool of a server all the time, and judges what comes of it.
 */
final class SoakCaller extends Thread {

	private static final Duration BREATH = Duration.ofMillis(20);

	// what a busy machine may add to a timeout
	private static final Duration MARGIN = Duration.ofSeconds(7);

	private final SoakServer server;

	private final boolean async;

	private final SoakReport report;

	private final SoakPause pause;

	private volatile long answers;

	private volatile boolean ended;

	SoakCaller(SoakServer server, int number, SoakReport report, SoakPause pause) {
		super("soak-" + server.name() + "-" + number);
		this.server = server;
		this.async = number % 2 == 1;
		this.report = report;
		this.pause = pause;
		setDaemon(true);
	}

	@Override
	public void run() {
		for (long i = 0; !this.ended; i++) {
			String message = getName() + "-" + i;
			this.pause.call(() -> call(message));
			LockSupport.parkNanos(BREATH.toNanos());
		}
	}

	private void call(String message) {
		int window = this.server.window();
		long began = System.nanoTime();
		try {
			Map<String, Object> arguments = Map.of("message", message);
			String answer = this.async ? this.server.callAsync("echo", arguments) : this.server.call("echo", arguments);
			if (answer.equals("echo " + message)) {
				this.answers++;
				this.report.answered();
			}
			else {
				this.report.wrong(message + " was answered with " + answer);
			}
		}
		catch (McpToolException | NoSuchMcpToolException ex) {
			this.report.failedUnexpectedly(getName(), ex);
		}
		catch (McpException ex) {
			failed(ex, window);
		}
		catch (RuntimeException | Error ex) {
			this.report.failedUnexpectedly(getName(), ex);
		}
		Duration took = Duration.ofNanos(System.nanoTime() - began);
		if (took.compareTo(SoakServer.REQUEST_TIMEOUT.plus(MARGIN)) > 0) {
			this.report.failedUnexpectedly(getName(), new IllegalStateException("A call took " + took));
		}
	}

	private void failed(McpException ex, int window) {
		for (Throwable cause = ex; cause != null; cause = cause.getCause()) {
			this.report.inspect("Who reads why a call of " + getName() + " failed",
					SoakCredential.in(String.valueOf(cause.getMessage())), (credential) -> false);
		}
		if (this.server.mayHaveFailed(window) && this.server.explains(ex)) {
			this.report.failedAsExpected();
		}
		else {
			this.report.failedUnexpectedly(getName(), ex);
		}
	}

	/**
	 * How many right answers came.
	 */
	long answers() {
		return this.answers;
	}

	void end() throws InterruptedException {
		this.ended = true;
		join();
	}

}
