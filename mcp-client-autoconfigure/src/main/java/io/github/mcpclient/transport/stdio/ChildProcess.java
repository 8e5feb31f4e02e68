package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Stdio;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.AnswerEnvelope;
import io.github.mcpclient.transport.TransportException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
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
 * input, one reads its errors. Whatever ends the process goes through {@link #end}; the
 * first reason counts.
 */
final class ChildProcess implements LineSplitter.Consumer {

	private static final Log logger = LogFactory.getLog(ChildProcess.class);

	/**
	 * How long to wait, when the process seems to have ended, before looking whether
	 * there is a rest of what it had to say.
	 */
	private static final Duration LAST_WORDS = Duration.ofMillis(20);

	/**
	 * How often to look, while there is nothing to read.
	 */
	private static final int MAX_QUIET_LOOKS = 10;

	/**
	 * How often to look at most: on a busy machine it takes time to read.
	 */
	private static final int MAX_LOOKS = 100;

	/**
	 * How long to wait, once all processes are gone, for the threads that served them.
	 */
	private static final Duration LAST_BYTES = Duration.ofMillis(300);

	/**
	 * How long the end may take at most, whatever the system does.
	 */
	private static final Duration STOP_LIMIT = ChildTree.Patience.STOP.total().plus(Duration.ofMillis(500));

	private static final long MIN_QUEUE = 1024 * 1024;

	/**
	 * The largest array that all virtual machines can make.
	 */
	private static final int MAX_ARRAY = Integer.MAX_VALUE - 16;

	/**
	 * How many times as large as a message may be an answer is that is passed over: one
	 * without end would keep the process busy, and us.
	 */
	private static final int MAX_PASSED_OVER = 64;

	private static final int MAX_NOISE = 4 * 1024;

	private static final int EXIT_BY_SIGNAL = 128;

	private static final Map<Integer, String> SIGNALS = Map.of(1, "hung up", 2, "interrupted", 4, "illegal instruction",
			6, "aborted", 7, "bus error", 9, "killed", 11, "segmentation fault", 13, "broken pipe", 15, "terminated");

	private static final Pattern BROKEN_CACHE = Pattern
		.compile("MODULE_NOT_FOUND|Cannot find (?:module|package)|ENOTEMPTY");

	private static final Pattern NPX_FOLDER = Pattern.compile("[/\\\\]_npx[/\\\\]+([0-9a-f]{4,64})\\b");

	private final String name;

	private final Charset encoding;

	private final int maxLineLength;

	private final ChildTree.Patience patience;

	private final Secrets secrets;

	private final ClientScheduler scheduler;

	private final Listener listener;

	private final ChildLauncher launcher;

	private final ChildStdin stdin;

	private final ChildStderr stderr;

	private final AtomicBoolean begun = new AtomicBoolean();

	private final AtomicBoolean losing = new AtomicBoolean();

	private final AtomicReference<@Nullable TransportException> ended = new AtomicReference<>();

	/**
	 * The process, or {@code null} once it is certain that there will be none.
	 */
	private final CompletableFuture<@Nullable ChildTree> launched = new CompletableFuture<>();

	private final ChildReader stdoutReader = new ChildReader();

	private final ChildReader stderrReader = new ChildReader();

	private final Sinks.Empty<Void> stopped = Sinks.empty();

	/**
	 * What the process wrote to its output that makes no sense, as long as nothing else
	 * did: some programs complain there.
	 */
	private final ChildLines stdout = new ChildLines();

	private volatile boolean answered;

	private volatile byte @Nullable [] firstSent;

	ChildProcess(McpServerDefinition definition, Secrets secrets, ChildTree.Patience patience,
			ClientScheduler scheduler, Listener listener) {
		Stdio stdio = definition.stdio();
		Assert.notNull(stdio, "'definition' must have a command");
		this.name = definition.name();
		this.encoding = stdio.encoding();
		this.maxLineLength = (int) Math.min(MAX_ARRAY, definition.limits().maxMessageSize().toBytes());
		this.patience = patience;
		this.secrets = secrets;
		this.scheduler = scheduler;
		this.listener = listener;
		this.launcher = ChildLauncher.of(this.name, stdio);
		this.stdin = new ChildStdin(Math.max(this.maxLineLength, MIN_QUEUE),
				"Check whether the program at " + property("command") + " hangs.", scheduler);
		this.stderr = new ChildStderr(this.name, secrets, this::nanoTime);
	}

	/**
	 * Starts the process, on a thread of its own. Returns whether this is the first call,
	 * and nothing has ended the process before.
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
			end(cannotStart(ex), false);
		}
		return true;
	}

	boolean isBegun() {
		return this.begun.get();
	}

	/**
	 * Writes a line, given without its end, as soon as the process has started.
	 */
	void write(byte[] line, MonoSink<Void> sink) {
		if (this.firstSent == null) {
			this.firstSent = line;
		}
		this.stdin.write(line, sink);
	}

	boolean hasEnded() {
		return this.ended.get() != null;
	}

	List<String> stderr() {
		return this.stderr.lines().toList();
	}

	/**
	 * Ends the process, once: fails what is to be written, notifies the listener, and
	 * stops it.
	 * @param requested whether it was asked for
	 */
	void end(TransportException reason, boolean requested) {
		if (!this.ended.compareAndSet(null, reason)) {
			return;
		}
		this.stdin.refuse(reason);
		if (this.begun.compareAndSet(false, true)) {
			this.launched.complete(null);
		}
		this.launched.thenAccept((tree) -> stop(tree, requested ? this.patience : ChildTree.Patience.LOST));
		this.listener.ended(reason, requested);
	}

	/**
	 * Completes after the end when all processes are stopped or, after a limited time,
	 * once those that are known were killed.
	 */
	Mono<Void> stopped() {
		return this.stopped.asMono().timeout(STOP_LIMIT, Mono.fromRunnable(this::giveUp), this.scheduler);
	}

	private void giveUp() {
		// on a machine so busy that the thread that stops them is late
		ChildTree tree = this.launched.getNow(null);
		if (tree != null) {
			tree.kill();
		}
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
			logger.debug("Cannot read on from the process of MCP server '" + this.name + "'", ex);
		}
		catch (RuntimeException | Error ex) {
			logger.error("Cannot read on from the process of MCP server '" + this.name + "'", ex);
			end(failure("The output of the process could not be read: " + ex.getClass().getName(), "", ex), false);
		}
		finally {
			this.stdoutReader.done().complete(null);
			lost("The process closed its stdout");
		}
	}

	private @Nullable ChildTree launch() {
		ChildTree tree = null;
		try {
			if (this.ended.get() == null) {
				tree = new ChildTree(this.name, this.launcher.start(), this.launcher.marker(), this::nanoTime);
				logger.debug("Started process " + tree.process().pid() + " of MCP server '" + this.name + "'");
				attach(tree.process());
			}
		}
		catch (RuntimeException | Error ex) {
			if (tree != null) {
				tree.kill();
			}
			tree = null;
			end((ex instanceof TransportException known) ? known : cannotStart(ex), false);
		}
		// who ended it meanwhile waits for this to stop it
		this.launched.complete(tree);
		if (tree != null) {
			this.listener.started();
		}
		return tree;
	}

	private void attach(Process process) {
		startThread("stderr", () -> {
			try {
				InputStream in = this.stderrReader.follow(process.getErrorStream());
				this.stderr.pump(Utf8Streams.decode(in, this.encoding));
			}
			finally {
				this.stderrReader.done().complete(null);
			}
		});
		startThread("stdin", () -> this.stdin.pump(Utf8Streams.encode(process.getOutputStream(), this.encoding),
				() -> lost("The process closed its stdin")));
		process.onExit().thenRun(() -> lost("The process exited"));
	}

	private void read(ChildTree tree) throws IOException {
		InputStream in = Utf8Streams.decode(this.stdoutReader.follow(tree.process().getInputStream()), this.encoding);
		LineSplitter splitter = new LineSplitter(this.maxLineLength, AnswerEnvelope.EXCERPT, false, this);
		byte[] chunk = new byte[64 * 1024];
		boolean looked = false;
		for (int count = in.read(chunk); count != -1; count = in.read(chunk)) {
			if (this.ended.get() != null) {
				// read on: a process that cannot write does not end by itself
				continue;
			}
			splitter.accept(chunk, count);
			if (splitter.skipped() > (long) MAX_PASSED_OVER * this.maxLineLength) {
				tooLarge();
			}
			if (this.answered && !looked) {
				// by now a wrapper has started what it wraps
				tree.look();
				looked = true;
			}
		}
		if (this.ended.get() == null) {
			splitter.end();
		}
	}

	@Override
	public void line(byte[] buffer, int offset, int length, boolean truncated) {
		if (this.ended.get() != null) {
			return;
		}
		if (truncated) {
			if (!this.listener.skipped(buffer, offset, length)) {
				tooLarge();
			}
		}
		else if (!this.answered && isEcho(buffer, offset, length)) {
			end(failure("The process sends back what it is sent, so that it is no MCP server", "", null), false);
		}
		else if (this.listener.line(buffer, offset, length)) {
			this.answered = true;
		}
		else if (!this.answered) {
			keep(buffer, offset, length);
		}
	}

	@Override
	public void overflow(byte[] buffer, int length) {
		if (!AnswerEnvelope.isAnswer(buffer, 0, length)) {
			tooLarge();
		}
	}

	private boolean isEcho(byte[] buffer, int offset, int length) {
		byte[] sent = this.firstSent;
		return sent != null && Arrays.equals(sent, 0, sent.length, buffer, offset, offset + length);
	}

	private void keep(byte[] buffer, int offset, int length) {
		int head = Math.min(length, MAX_NOISE);
		String line = this.secrets.line(new String(buffer, offset, head, StandardCharsets.UTF_8), ChildLines.MAX_LENGTH,
				head < length);
		if (!line.isEmpty()) {
			this.stdout.add(line);
		}
	}

	private void tooLarge() {
		end(new TransportException("The process sent a message of more than " + this.maxLineLength + " bytes",
				"Raise " + property("max-message-size") + " if such messages are to be expected.", null), false);
	}

	/**
	 * Ends a process that seems to be lost. To find out how it ended may take a moment.
	 */
	private void lost(String symptom) {
		if (this.ended.get() != null || !this.losing.compareAndSet(false, true)) {
			return;
		}
		this.launched.thenAccept((tree) -> {
			if (tree != null) {
				CompletableFuture<Void> silence = CompletableFuture.allOf(tree.process().onExit(),
						this.stdoutReader.done(), this.stderrReader.done());
				awaitLastWords(silence, 0, 0, () -> end(epitaph(tree.process(), symptom), false));
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
				boolean quiet = !this.stdoutReader.isBusy() && !this.stderrReader.isBusy();
				awaitLastWords(silence, looks + 1, quiet ? quietLooks + 1 : quietLooks, then);
			});
	}

	private TransportException epitaph(Process process, String symptom) {
		StringBuilder summary = new StringBuilder();
		if (process.isAlive()) {
			summary.append(symptom);
		}
		else {
			summary.append("The process exited with code ").append(process.exitValue());
			String signal = SIGNALS.get(process.exitValue() - EXIT_BY_SIGNAL);
			summary.append((signal != null) ? " (" + signal + ")" : "");
		}
		summary.append(this.answered ? "" : " before it answered");
		return failure(summary.toString(), lastWords(), null);
	}

	private String lastWords() {
		String stderr = this.stderr.lines().summary();
		if (!stderr.isEmpty()) {
			return ": last lines of stderr: " + stderr;
		}
		boolean quote = !this.answered && !this.stdout.toList().isEmpty();
		return quote ? ": last lines of stdout: " + this.stdout.summary() : "";
	}

	private TransportException failure(String summary, String details, @Nullable Throwable cause) {
		String cure = brokenCache();
		String nextStep = this.answered ? "Its log may tell why; it is started by " + property("command") + " and args."
				: "Run the command by hand, and check " + property("command") + ", args and env.";
		return new TransportException(summary, details, (cure != null) ? cure : nextStep, true, cause);
	}

	/**
	 * What {@code npx} installs is broken for good where that was interrupted.
	 */
	private @Nullable String brokenCache() {
		String lines = String.join("\n", this.stderr.lines().toList());
		Matcher folder = NPX_FOLDER.matcher(lines);
		if (this.answered || !folder.find() || !BROKEN_CACHE.matcher(lines).find()) {
			return null;
		}
		return "What npx has installed is not complete: delete the folder _npx/" + folder.group(1)
				+ " in npm's cache (see: npm config get cache), and it is installed anew.";
	}

	private static TransportException cannotStart(Throwable cause) {
		return new TransportException("The process cannot be started: " + cause.getClass().getName(),
				"The system may be out of threads, processes or memory.", false, cause);
	}

	private String property(String setting) {
		return "mcp.servers." + this.name + "." + setting;
	}

	private void stop(@Nullable ChildTree tree, ChildTree.Patience patience) {
		if (tree == null) {
			this.stopped.tryEmitEmpty();
			return;
		}
		try {
			// a thread of its own: all others of ours may be blocked by the process
			startThread("stop", () -> {
				try {
					stopAll(tree, patience);
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

	private void stopAll(ChildTree tree, ChildTree.Patience patience) {
		tree.stop(this.stdin::close, patience);
		try {
			CompletableFuture.allOf(this.stdoutReader.done(), this.stderrReader.done(), this.stdin.done())
				.get(LAST_BYTES.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			logger.debug("The standard streams of MCP server '" + this.name
					+ "' are still open: it left a process behind that cannot be told to be its own");
		}
		catch (ExecutionException ex) {
			logger.debug("The streams of MCP server '" + this.name + "' failed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Notified of what the process does, on the thread that reads. Buffers are not to be
	 * kept.
	 */
	interface Listener {

		void started();

		/**
		 * Takes a line of the output, and returns whether it makes sense.
		 */
		boolean line(byte[] buffer, int offset, int length);

		/**
		 * Takes the start and the end of a line that is too long, and seems to be an
		 * answer. Returns whether the process may go on.
		 */
		boolean skipped(byte[] buffer, int offset, int length);

		/**
		 * Notified once, on any thread, that the process has ended or is about to. Must
		 * not block. Lines may still arrive.
		 */
		void ended(TransportException reason, boolean requested);

	}

}
