package io.github.mcpclient.transport;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Stdio;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Speaks to a child process over its standard streams, one message a line.
 *
 * <p>
 * There are three threads: one starts the process and reads its output, one writes its
 * input, one reads its errors. Messages are delivered on Reactor's parallel scheduler, so
 * that no one else's code runs on the reader. Whatever ends the connection goes through
 * {@link #end}; the first reason counts.
 */
final class StdioTransport implements SupervisedTransport {

	private static final Log logger = LogFactory.getLog(StdioTransport.class);

	/**
	 * How long to wait, when the process seems to have ended, for the rest of what it had
	 * to say.
	 */
	private static final Duration LAST_WORDS = Duration.ofMillis(200);

	/**
	 * How long closing may take at most, whatever the system does.
	 */
	private static final Duration STOP_LIMIT = ChildTree.Patience.STOP.total().plus(Duration.ofMillis(500));

	/**
	 * How long to wait, once all processes are gone, for the threads that served them.
	 */
	private static final Duration LAST_BYTES = Duration.ofMillis(300);

	private static final long MIN_QUEUE = 1024 * 1024;

	private static final int NOISE_LENGTH = 200;

	private static final int MAX_IN_FLIGHT = 10_000;

	private static final int CONNECTION_LOST = -32000;

	private static final int EXIT_BY_SIGNAL = 128;

	private static final Map<Integer, String> SIGNALS = Map.of(1, "hung up", 2, "interrupted", 4, "illegal instruction",
			6, "aborted", 7, "bus error", 9, "killed", 11, "segmentation fault", 13, "broken pipe", 15, "terminated");

	private final String name;

	private final Stdio stdio;

	private final int maxMessageSize;

	private final ChildTree.Patience patience;

	private final ChildLauncher launcher;

	private final JsonRpcCodec codec;

	private final ChildText text;

	private final ChildStdin stdin;

	private final ChildStderr stderr;

	private final StdioInbox inbox;

	private final AtomicBoolean connected = new AtomicBoolean();

	private final AtomicBoolean losing = new AtomicBoolean();

	private final AtomicReference<@Nullable TransportException> ended = new AtomicReference<>();

	/**
	 * The process, or {@code null} once it is certain that there will be none.
	 */
	private final CompletableFuture<@Nullable ChildTree> child = new CompletableFuture<>();

	private final CompletableFuture<Void> stdoutDone = new CompletableFuture<>();

	private final CompletableFuture<Void> stderrDone = new CompletableFuture<>();

	private final Sinks.Empty<Void> started = Sinks.empty();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final Sinks.Empty<Void> stopped = Sinks.empty();

	/**
	 * Requests that were not answered, kept only for a client that knows nothing of
	 * {@link #termination()}.
	 */
	private final Set<Object> inFlight = Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<>() {

		@Override
		protected boolean removeEldestEntry(Map.Entry<Object, Boolean> eldest) {
			return size() > MAX_IN_FLIGHT;
		}

	}));

	private volatile boolean supervised;

	private volatile boolean answered;

	// of the thread that reads
	private long noise;

	private volatile Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = Function.identity();

	StdioTransport(McpServerDefinition definition, JsonMapper mapper) {
		this(definition, mapper, ChildTree.Patience.STOP);
	}

	StdioTransport(McpServerDefinition definition, JsonMapper mapper, ChildTree.Patience patience) {
		Stdio stdio = definition.stdio();
		Assert.notNull(stdio, "'definition' must have a command");
		this.name = definition.name();
		this.stdio = stdio;
		this.maxMessageSize = (int) Math.min(Integer.MAX_VALUE - 16, definition.limits().maxMessageSize().toBytes());
		this.patience = patience;
		this.launcher = ChildLauncher.of(this.name, stdio);
		this.codec = new JsonRpcCodec(mapper);
		this.text = ChildText.of(definition, stdio);
		long capacity = Math.max(this.maxMessageSize, MIN_QUEUE);
		this.stdin = new ChildStdin(capacity, "Check whether the program at " + property("command") + " hangs.");
		this.stderr = new ChildStderr(this.name, this.text);
		this.inbox = new StdioInbox(Schedulers.parallel(), capacity, this::deliver);
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			boolean first = this.connected.compareAndSet(false, true);
			TransportException reason = this.ended.get();
			if (reason != null && !first) {
				return Mono.error(reason);
			}
			if (!first) {
				return Mono.error(new IllegalStateException("This transport was connected already: make a new one"));
			}
			this.handler = handler;
			startReader();
			return this.started.asMono().publishOn(Schedulers.parallel());
		});
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		Mono<Void> sending = Mono.create((sink) -> send(message, sink));
		// who sends something else than a request may go on with code of his own
		return (message instanceof JSONRPCRequest) ? sending : sending.publishOn(Schedulers.parallel());
	}

	private void send(JSONRPCMessage message, MonoSink<Void> sink) {
		if (!this.connected.get()) {
			sink.error(new TransportException("The transport is not connected", null, false, null));
			return;
		}
		byte[] json;
		try {
			json = oneLine(this.codec.encode(message));
		}
		catch (JacksonException ex) {
			sink.error(new TransportException("The message cannot be written as JSON", null, false, ex));
			return;
		}
		if (!this.supervised && message instanceof JSONRPCRequest request) {
			this.inFlight.add(request.id());
		}
		this.stdin.write(json, sink);
	}

	private static byte[] oneLine(byte[] json) {
		for (int i = 0; i < json.length; i++) {
			if (json[i] == '\n' || json[i] == '\r') {
				// between tokens: in a string it would be escaped
				json[i] = ' ';
			}
		}
		return json;
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			end(new TransportException("The transport is closed", null, false, null), true);
			return this.stopped.asMono().take(STOP_LIMIT);
		});
	}

	@Override
	public Mono<Void> termination() {
		this.supervised = true;
		return this.termination.asMono();
	}

	@Override
	public List<String> stderr() {
		return this.stderr.lines();
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return this.codec.unmarshal(data, type);
	}

	private void startReader() {
		try {
			startThread("stdout", this::run);
		}
		catch (Error ex) {
			this.child.complete(null);
			end(cannotStart(ex), false);
		}
	}

	private void startThread(String role, Runnable task) {
		new TransportThread("mcp-" + this.name + "-" + role, task).start();
	}

	/**
	 * Start the process and read its output. The thread's task.
	 */
	private void run() {
		ChildTree tree = start();
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
			end(failure("The output of the process could not be read: " + ex.getClass().getName(), ex), false);
		}
		finally {
			this.stdoutDone.complete(null);
			lost("The process closed its stdout");
		}
	}

	private @Nullable ChildTree start() {
		ChildTree tree = null;
		try {
			if (this.ended.get() == null) {
				tree = new ChildTree(this.launcher.start());
				logger.debug("Started process " + tree.process().pid() + " of MCP server '" + this.name + "'");
				supply(tree.process());
			}
		}
		catch (RuntimeException | Error ex) {
			if (tree != null) {
				tree.kill();
			}
			tree = null;
			end((ex instanceof TransportException known) ? known : cannotStart(ex), false);
		}
		this.child.complete(tree);
		if (tree != null) {
			this.started.tryEmitEmpty();
		}
		return tree;
	}

	private static TransportException cannotStart(Throwable cause) {
		return new TransportException("The process cannot be started: " + cause.getClass().getName(),
				"The system may be out of threads, processes or memory.", false, cause);
	}

	private void supply(Process process) {
		Charset encoding = this.stdio.encoding();
		startThread("stderr", () -> {
			try {
				this.stderr.pump(Utf8InputStream.of(process.getErrorStream(), encoding));
			}
			finally {
				this.stderrDone.complete(null);
			}
		});
		startThread("stdin", () -> this.stdin.pump(Utf8OutputStream.of(process.getOutputStream(), encoding),
				(ex) -> lost("The process closed its stdin")));
		process.onExit().thenRun(() -> lost("The process exited"));
	}

	private void read(ChildTree tree) throws IOException {
		InputStream in = Utf8InputStream.of(tree.process().getInputStream(), this.stdio.encoding());
		LineSplitter splitter = new LineSplitter(this.maxMessageSize, false, this::line);
		byte[] chunk = new byte[64 * 1024];
		boolean looked = false;
		for (int count = in.read(chunk); count != -1; count = in.read(chunk)) {
			if (this.ended.get() != null) {
				// read on: a process that cannot write does not end by itself
				continue;
			}
			splitter.accept(chunk, count);
			if (splitter.isOverflowing()) {
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

	private void line(byte[] buffer, int offset, int length, boolean truncated) {
		if (truncated) {
			tooLarge();
		}
		if (this.ended.get() != null || isBlank(buffer, offset, length)) {
			return;
		}
		try {
			for (JSONRPCMessage message : this.codec.decode(buffer, offset, length)) {
				this.answered = true;
				if (!this.supervised && message instanceof JSONRPCResponse response) {
					this.inFlight.remove(response.id());
				}
				this.inbox.put(message, length);
			}
		}
		catch (MalformedMessageException ex) {
			noise(buffer, offset, length, ex);
		}
	}

	private static boolean isBlank(byte[] buffer, int offset, int length) {
		for (int i = offset; i < offset + length; i++) {
			if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
				return false;
			}
		}
		return true;
	}

	/**
	 * Report a line that is no message: the first one, and then ever fewer.
	 */
	private void noise(byte[] buffer, int offset, int length, MalformedMessageException reason) {
		this.noise++;
		boolean first = this.noise == 1;
		if (Long.bitCount(this.noise) != 1 || !(first ? logger.isInfoEnabled() : logger.isDebugEnabled())) {
			return;
		}
		int head = Math.min(length, 4 * NOISE_LENGTH);
		String line = this.text.clean(buffer, offset, head, head < length, NOISE_LENGTH);
		String message = "MCP server '" + this.name + "' wrote a line to its stdout that is no MCP message. Skipped "
				+ this.noise + " so far, this one since " + reason.getReason() + ": " + line;
		if (first) {
			logger.info(message);
		}
		else {
			logger.debug(message);
		}
	}

	private void tooLarge() {
		end(failure("The process sent a message of more than " + this.maxMessageSize + " bytes",
				"Raise " + property("max-message-size") + " if such messages are to be expected.", null), false);
	}

	private void deliver(JSONRPCMessage message) {
		this.handler.apply(Mono.just(message)).subscribe((ignored) -> {
		}, (ex) -> logger.warn("A message of MCP server '" + this.name + "' could not be handled", ex));
	}

	/**
	 * The process seems to be lost. Find out how, which may take a moment.
	 * @param symptom what was noticed
	 */
	private void lost(String symptom) {
		if (this.ended.get() != null || !this.losing.compareAndSet(false, true)) {
			return;
		}
		this.child.thenAccept((tree) -> {
			if (tree != null) {
				CompletableFuture.allOf(tree.process().onExit(), this.stdoutDone, this.stderrDone)
					.completeOnTimeout(null, LAST_WORDS.toMillis(), TimeUnit.MILLISECONDS)
					.whenComplete((ignored, ex) -> end(epitaph(tree.process(), symptom), false));
			}
		});
	}

	private TransportException epitaph(Process process, String symptom) {
		StringBuilder message = new StringBuilder(symptom);
		if (!process.isAlive()) {
			message.setLength(0);
			message.append("The process exited with code ").append(process.exitValue());
			String signal = SIGNALS.get(process.exitValue() - EXIT_BY_SIGNAL);
			message.append((signal != null) ? " (" + signal + ")" : "");
		}
		message.append(this.answered ? "" : " before it answered").append(this.stderr.summary());
		return failure(message.toString(), null);
	}

	private TransportException failure(String message, @Nullable Throwable cause) {
		return failure(message,
				this.answered ? "Its log may tell why; it is started by " + property("command") + " and args."
						: "Run the command by hand, and check " + property("command") + ", args and env.",
				cause);
	}

	private static TransportException failure(String message, String nextStep, @Nullable Throwable cause) {
		return new TransportException(message, nextStep, cause);
	}

	private String property(String setting) {
		return "mcp.servers." + this.name + "." + setting;
	}

	/**
	 * End the connection, once.
	 * @param reason why
	 * @param requested whether it was asked for
	 */
	private void end(TransportException reason, boolean requested) {
		if (!this.ended.compareAndSet(null, reason)) {
			return;
		}
		this.stdin.refuse(reason);
		if (this.connected.compareAndSet(false, true)) {
			this.child.complete(null);
		}
		this.child.thenAccept((tree) -> stop(tree, requested ? this.patience : ChildTree.Patience.LOST));
		this.inbox.finish(requested, () -> announceEnd(reason, requested));
	}

	private void announceEnd(TransportException reason, boolean requested) {
		this.started.tryEmitError(reason);
		if (requested) {
			this.termination.tryEmitEmpty();
			return;
		}
		if (!this.supervised) {
			List.copyOf(this.inFlight)
				.forEach((id) -> deliver(JSONRPCResponse.error(id,
						new JSONRPCError(CONNECTION_LOST, String.valueOf(reason.getMessage())))));
		}
		this.termination.tryEmitError(reason);
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
					stopNow(tree, patience);
				}
				finally {
					this.stopped.tryEmitEmpty();
				}
			});
		}
		catch (Error ex) {
			// the system has no thread left
			tree.kill();
			this.stopped.tryEmitEmpty();
			throw ex;
		}
	}

	private void stopNow(ChildTree tree, ChildTree.Patience patience) {
		if (!tree.stop(this.stdin::close, patience)) {
			logger.warn("The process " + tree.process().pid() + " of MCP server '" + this.name
					+ "', or one that it started, could not be stopped");
		}
		try {
			CompletableFuture.allOf(this.stdoutDone, this.stderrDone, this.stdin.done())
				.get(LAST_BYTES.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException ex) {
			logger.debug("The standard streams of MCP server '" + this.name
					+ "' are still open: it left a process behind that is no longer its own");
		}
		catch (ExecutionException ex) {
			logger.debug("The streams of MCP server '" + this.name + "' failed", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
