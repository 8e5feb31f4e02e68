package io.github.mcpclient.internal.transport.stdio;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.DuplexTransport;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exchanges messages with a child process over its standard streams, one message a line
 * (MCP 2025-11-25, {@code basic/transports#stdio}). It has begun when the process has
 * started.
 */
class StdioTransport extends DuplexTransport {

	private static final String UNFRAMED = "messages that do not begin and end with a line";

	// characters that separate or frame messages, and are not text that could quote one
	private static final Pattern FRAMING = Pattern.compile("(?i)[\\s,;\\[\\]]|data:|content-length: *\\d+");

	private static final int MAX_SHOWN = 200;

	private final ChildProcess process;

	// where the thread that reads waits until more can be delivered
	private final Semaphore room = new Semaphore(0);

	private final Secrets secrets;

	// of the thread that reads

	// whether a message had its own line: text before another one may quote it
	private boolean oneALine;

	// whether a message was the last, and its line has not ended
	private boolean early;

	StdioTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			ChildTree.Patience patience, DuplexTransport.Skipped skipped) {
		super(definition, mapper, scheduler, skipped);
		this.secrets = McpServerSecrets.of(definition);
		this.process = new ChildProcess(definition, this.secrets, patience, scheduler, this);
	}

	@Override
	protected boolean begin() {
		return this.process.start();
	}

	@Override
	protected void write(byte[] json, MonoSink<Void> sink) {
		this.process.write(oneLine(json), sink);
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
			this.process.end(closed(), true);
			return this.process.stopped();
		});
	}

	@Override
	public boolean hasEnded() {
		return this.process.hasEnded();
	}

	@Override
	public List<String> stderr() {
		return this.process.stderr();
	}

	/**
	 * The process was started.
	 * @param program the program that was started, and its directory
	 */
	void launched(String program, long pid) {
	}

	/**
	 * Return the lines that the process wrote to its output before its first message.
	 */
	List<String> noise() {
		return this.process.noise();
	}

	/**
	 * Return whether messages have their own lines, as far as is known.
	 */
	boolean oneALine() {
		return this.oneALine;
	}

	/**
	 * Take a line of the process, and return whether it makes sense.
	 */
	boolean line(byte[] buffer, int offset, int length) {
		boolean blank = isBlank(buffer, offset, length);
		if (this.early && !blank) {
			deviation(Kind.STDOUT, UNFRAMED);
		}
		this.oneALine |= this.early && blank;
		this.early = false;
		if (blank) {
			return false;
		}
		try (MemoryBudget.Lease lease = lease()) {
			List<JSONRPCMessage> messages = read(buffer, offset, length, lease);
			messages.forEach((message) -> queue(message, (int) Math.max(length, lease.held())));
			return !messages.isEmpty();
		}
	}

	private List<JSONRPCMessage> read(byte[] line, int offset, int length, MemoryBudget.Lease lease) {
		try {
			List<JSONRPCMessage> messages = messages(line, offset, length, lease);
			this.early = !this.oneALine && line[offset + length - 1] == '}';
			return messages;
		}
		catch (MalformedMessageException ex) {
			List<JSONRPCMessage> found = new ArrayList<>();
			LineSplitter parts = new LineSplitter(length, 0, false,
					(part, start, count, truncated) -> found.addAll(find(part, start, count, lease)));
			parts.splitObjects(true);
			parts.accept(Arrays.copyOfRange(line, offset, offset + length), length);
			parts.end();
			return found.isEmpty() ? decode(line, offset, length, lease) : found;
		}
	}

	/**
	 * Find a message at the end of a part of a line. After text, only a response is
	 * taken, and only until messages have their own lines: the text may be a log that
	 * quotes one.
	 */
	private List<JSONRPCMessage> find(byte[] part, int offset, int length, MemoryBudget.Lease lease) {
		int start = 0;
		while (start < length && part[offset + start] != '{') {
			start++;
		}
		String other = this.secrets.line(part, offset, start, MAX_SHOWN, false);
		boolean text = !FRAMING.matcher(other).replaceAll("").isEmpty();
		if (!text || !this.oneALine) {
			try {
				List<JSONRPCMessage> found = messages(part, offset + start, length - start, lease);
				if (!text || found.stream().allMatch(JSONRPCResponse.class::isInstance)) {
					deviation(Kind.STDOUT, text ? "'" + other + "' next to a message" : UNFRAMED);
					return found;
				}
			}
			catch (MalformedMessageException ex) {
				// as text
			}
		}
		if (text) {
			deviation(Kind.STDOUT, "'" + this.secrets.line(part, offset, length, MAX_SHOWN, false) + "'");
		}
		return List.of();
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
	 * Take the start and the end of a line that is too long, and return whether the
	 * process may continue.
	 */
	boolean skipped(byte[] buffer, int offset, int length) {
		JSONRPCResponse response = tooLarge(buffer, offset, length);
		if (response != null) {
			queue(response, 0);
		}
		return response != null;
	}

	private void queue(JSONRPCMessage message, int size) {
		queue(size, () -> deliver(message));
		this.room.acquireUninterruptibly();
	}

	@Override
	protected void room() {
		this.room.release();
	}

}
