package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;

import org.springframework.util.Assert;

/**
 * A child process of a server, from its start to the end of the last process that it
 * started itself. Runs once. Safe for use by many threads.
 *
 * <p>
 * There are three threads: one starts the process and reads its output, one writes its
 * input, one reads its errors. Each end of the process passes {@link #end}; the first
 * reason counts.
 */
final class ChildProcess implements LineSplitter.Consumer {

	private static final Logger logger = LoggerFactory.getLogger(ChildProcess.class);

	// how long to wait, when the process seems to have ended, before looking whether its
	// last output was read
	private static final Duration LAST_WORDS = Duration.ofMillis(20);

	private static final int MAX_QUIET_LOOKS = 10;

	// reading takes time under load
	private static final int MAX_LOOKS = 100;

	// how long to wait, once all processes are gone, for the threads that served them
	private static final Duration LAST_BYTES = Duration.ofMillis(300);

	private static final Duration STOP_LIMIT = ChildTree.Patience.STOP.total().plus(Duration.ofMillis(500));

	private static final long MIN_QUEUE = 1024 * 1024;

	private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

	// a response that is too large is skipped up to this multiple of the largest message
	private static final int MAX_PASSED_OVER = 64;

	// how long a thread waits for more to write
	private static final Duration IDLE = Duration.ofSeconds(10);

	private static final int MAX_ERROR_LINE = 4 * 1024;

	private final String name;

	private final Charset encoding;

	private final int maxLineLength;

	private final ChildTree.Patience patience;

	private final ClientScheduler scheduler;

	private final StdioTransport transport;

	private final ChildLauncher launcher;

	private final ChildStdin stdin;

	private final LineSplitter splitter;

	// keeps lines that make no sense only until the first that does: some programs write
	// errors to their output
	private final ChildOutput stdout;

	private final ChildOutput stderr;

	private final Logger stderrLog;

	private final LogLimit stderrLimit;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicBoolean losing = new AtomicBoolean();

	private final AtomicReference<@Nullable TransportException> ended = new AtomicReference<>();

	// the process, or null where there will be none
	private final CompletableFuture<@Nullable ChildTree> launched = new CompletableFuture<>();

	private final Sinks.Empty<Void> stopped = Sinks.empty();

	private volatile boolean answered;

	private volatile byte @Nullable [] firstSent;

	ChildProcess(McpServerDefinition definition, Secrets secrets, ChildTree.Patience patience,
			ClientScheduler scheduler, StdioTransport transport) {
		Stdio stdio = definition.stdio();
		Assert.notNull(stdio, "'definition' must have a command");
		this.name = definition.name();
		this.encoding = stdio.encoding();
		this.maxLineLength = (int) Math.min(MAX_ARRAY, definition.limits().maxMessageSize().toBytes());
		this.patience = patience;
		this.scheduler = scheduler;
		this.transport = transport;
		this.launcher = new ChildLauncher(this.name, stdio);
		this.stdin = new ChildStdin("mcp-" + this.name + "-stdin", IDLE, Math.max(this.maxLineLength, MIN_QUEUE),
				"Check whether the program at " + this.launcher.target() + " hangs.", scheduler);
		this.splitter = new LineSplitter(this.maxLineLength, MessageReader.EXCERPT, false, this);
		this.splitter.splitObjects(true);
		this.stdout = new ChildOutput(secrets);
		this.stderr = new ChildOutput(secrets);
		this.stderrLog = LoggerFactory.getLogger("io.github.mcpclient.stderr." + this.name);
		this.stderrLimit = new LogLimit(this::nanoTime);
	}

	/**
	 * Start the process, on a dedicated thread, unless it was started or ended before.
	 */
	boolean start() {
		if (!this.begun.compareAndSet(false, true)) {
			return false;
		}
		try {
			startThread("stdout", this::run);
		}
		catch (Error ex) {
			this.launched.complete(null);
			end(ChildFailures.cannotStart(ex), false);
		}
		return true;
	}

	/**
	 * Write a line, given without its end, as soon as the process has started.
	 */
	void write(byte[] line, MonoSink<Void> sink) {
		if (this.firstSent == null) {
			this.firstSent = line;
		}
		this.stdin.queue().add(line, sink);
	}

	boolean hasEnded() {
		return this.ended.get() != null;
	}

	List<String> stderr() {
		return this.stderr.lines();
	}

	/**
	 * Return the lines that it wrote to its output before its first message.
	 */
	List<String> noise() {
		return this.stdout.lines();
	}

	/**
	 * End the process, once: fail the waiting messages, and stop it.
	 */
	void end(TransportException reason, boolean requested) {
		if (!this.ended.compareAndSet(null, reason)) {
			return;
		}
		this.stdin.queue().refuse(reason);
		if (this.begun.compareAndSet(false, true)) {
			this.launched.complete(null);
		}
		this.launched.thenAccept((tree) -> stop(tree, requested ? this.patience : ChildTree.Patience.LOST));
		this.transport.ended(reason, requested);
	}

	/**
	 * Return a publisher that completes after the end, when all processes are stopped or,
	 * after a limited time, when all known processes have been killed.
	 */
	Mono<Void> stopped() {
		return this.stopped.asMono().timeout(STOP_LIMIT, Mono.fromRunnable(() -> {
			// on a machine so busy that the thread that stops them is late
			ChildTree tree = this.launched.getNow(null);
			if (tree != null) {
				tree.kill();
			}
		}), this.scheduler);
	}

	private long nanoTime() {
		return this.scheduler.now(TimeUnit.NANOSECONDS);
	}

	private void startThread(String role, Runnable task) {
		new TransportThread("mcp-" + this.name + "-" + role, task).start();
	}

	private void run() {
		ChildTree tree = launch();
		if (tree == null) {
			return;
		}
		try {
			read(tree);
		}
		catch (IOException ex) {
			logger.debug("Cannot read further output of the process of MCP server '{}'", this.name, ex);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Cannot read further output of the process of MCP server '{}'", this.name, ex);
			end(failures().of("The output of the process could not be read: " + ex.getClass().getName(), ex), false);
		}
		finally {
			this.stdout.done().complete(null);
			lost("The process closed its stdout");
		}
	}

	private @Nullable ChildTree launch() {
		ChildTree tree = null;
		try {
			if (this.ended.get() == null) {
				tree = new ChildTree(this.name, this.launcher.start(), this.launcher.marker(), this::nanoTime);
				logger.debug("Started process {} of MCP server '{}'", tree.process().pid(), this.name);
				attach(tree.process());
			}
		}
		catch (RuntimeException | Error ex) {
			if (tree != null) {
				tree.kill();
			}
			tree = null;
			end((ex instanceof TransportException known) ? known : ChildFailures.cannotStart(ex), false);
		}
		// a thread that ended the process waits for this to stop it
		this.launched.complete(tree);
		if (tree != null) {
			this.transport.launched(this.launcher.started(), tree.process().pid());
			this.transport.begun();
		}
		else {
			this.launcher.ended();
		}
		return tree;
	}

	private void attach(Process process) {
		startThread("stderr", () -> readErrors(process.getErrorStream()));
		this.stdin.start(process.getOutputStream(), this.encoding, () -> lost("The process closed its stdin"));
		process.onExit().thenRun(() -> lost("The process exited"));
	}

	private void readErrors(InputStream in) {
		LineSplitter splitter = new LineSplitter(MAX_ERROR_LINE, 0, true, this::errorLine);
		try {
			this.stderr.read(in, this.encoding, splitter::accept);
		}
		catch (IOException ex) {
			this.stderrLog.trace("Cannot read on", ex);
		}
		finally {
			splitter.end();
			this.stderr.done().complete(null);
		}
	}

	private void errorLine(byte[] buffer, int offset, int length, boolean truncated) {
		String line = this.stderr.keep(buffer, offset, length, truncated);
		if (!line.isEmpty() && this.stderrLog.isDebugEnabled()) {
			this.stderrLimit.log(() -> this.stderrLog.debug(line), this.stderrLog::debug);
		}
	}

	private void read(ChildTree tree) throws IOException {
		AtomicBoolean looked = new AtomicBoolean();
		this.stdout.read(tree.process().getInputStream(), this.encoding, (chunk, count) -> {
			if (this.ended.get() != null) {
				// read on: a process that cannot write does not end by itself
				return;
			}
			this.splitter.accept(chunk, count);
			if (this.splitter.skipped() > (long) MAX_PASSED_OVER * this.maxLineLength) {
				tooLarge();
			}
			if (this.answered && looked.compareAndSet(false, true)) {
				// by now a wrapper has started its program
				tree.look();
			}
		});
		if (this.ended.get() == null) {
			this.splitter.end();
		}
	}

	@Override
	public void line(byte[] buffer, int offset, int length, boolean truncated) {
		if (this.ended.get() != null) {
			return;
		}
		if (truncated) {
			if (!this.transport.skipped(buffer, offset, length)) {
				tooLarge();
			}
		}
		else if (!this.answered && isEcho(buffer, offset, length)) {
			end(failures().of("The process echoes each message, so it is not an MCP server", null), false);
		}
		else if (this.transport.line(buffer, offset, length)) {
			this.answered = true;
		}
		else if (!this.answered) {
			this.stdout.keep(buffer, offset, length, false);
		}
		this.splitter.splitObjects(!this.transport.oneALine());
	}

	@Override
	public void overflow(byte[] buffer, int length) {
		if (!MessageReader.isAnswer(buffer, 0, length)) {
			tooLarge();
		}
	}

	private boolean isEcho(byte[] buffer, int offset, int length) {
		byte[] sent = this.firstSent;
		return sent != null && Arrays.equals(sent, 0, sent.length, buffer, offset, offset + length);
	}

	private void tooLarge() {
		end(new TransportException("The process sent a message of more than " + this.maxLineLength + " bytes",
				"Raise " + PropertyNames.ofServer(this.name, "max-message-size") + " if you expect such messages.",
				null), false);
	}

	/**
	 * End a process that seems to be lost, once it is known how it ended.
	 */
	private void lost(String symptom) {
		if (this.ended.get() != null || !this.losing.compareAndSet(false, true)) {
			return;
		}
		this.launched.thenAccept((tree) -> {
			if (tree != null) {
				CompletableFuture<Void> silence = CompletableFuture.allOf(tree.process().onExit(), this.stdout.done(),
						this.stderr.done());
				awaitLastWords(silence, 0, 0, () -> end(failures().of(tree.process(), symptom), false));
			}
		});
	}

	private void awaitLastWords(CompletableFuture<Void> silence, int looks, int quietLooks, Runnable then) {
		if (silence.isDone() || looks == MAX_LOOKS || quietLooks == MAX_QUIET_LOOKS) {
			then.run();
			return;
		}
		silence.copy()
			.completeOnTimeout(null, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
			.whenComplete((ignored, ex) -> {
				// one that closes both is about to exit, most often: its code may be late
				boolean exiting = this.stdout.done().isDone() && this.stderr.done().isDone();
				boolean quiet = !exiting && !this.stdout.isBusy() && !this.stderr.isBusy();
				awaitLastWords(silence, looks + 1, quiet ? quietLooks + 1 : quietLooks, then);
			});
	}

	private ChildFailures failures() {
		return new ChildFailures(this.launcher, this.stdout, this.stderr, this.answered);
	}

	private void stop(@Nullable ChildTree tree, ChildTree.Patience patience) {
		if (tree == null) {
			this.stopped.tryEmitEmpty();
			return;
		}
		try {
			// a dedicated thread: the process may block all other threads of the client
			startThread("stop", () -> {
				try {
					try {
						tree.stop(this.stdin::close, patience);
					}
					finally {
						this.launcher.ended();
					}
					awaitLastBytes();
				}
				finally {
					this.stopped.tryEmitEmpty();
				}
			});
		}
		catch (Error ex) {
			// the system has no thread left
			tree.kill();
			this.stdin.close();
			this.stopped.tryEmitEmpty();
			throw ex;
		}
	}

	private void awaitLastBytes() {
		boolean ended = CompletableFuture.allOf(this.stdout.done(), this.stderr.done(), this.stdin.done())
			.thenApply((ignored) -> true)
			.completeOnTimeout(false, LAST_BYTES.toMillis(), TimeUnit.MILLISECONDS)
			.join();
		if (!ended) {
			logger.debug("The standard streams of MCP server '{}' are still open: it left a process behind "
					+ "that cannot be recognized", this.name);
		}
	}

}
