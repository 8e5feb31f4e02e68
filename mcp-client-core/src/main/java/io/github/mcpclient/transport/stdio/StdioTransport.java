package io.github.mcpclient.transport.stdio;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.HeapShare;
import io.github.mcpclient.transport.DuplexTransport;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.SkippedMessages;
import io.github.mcpclient.transport.UnreadMessageException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks to a child process over its standard streams, one message a line (revision
 * 2025-11-25, {@code basic/transports#stdio}). It has begun when the process has started.
 */
class StdioTransport extends DuplexTransport {

	private static final String UNFRAMED = "messages that do not begin and end with a line";

	private final ChildProcess process;

	/**
	 * Where the thread that reads waits until more can be delivered.
	 */
	private final Semaphore room = new Semaphore(0);

	private final SkippedMessages skipped;

	private final StdoutObjects objects;

	// of the thread that reads

	/**
	 * What is shown of all that is no message, or is beside one.
	 */
	private String noise = "";

	/**
	 * Whether the last line had something else than one message.
	 */
	private boolean mixed;

	/**
	 * Whether the last line was taken for one before its line feed came.
	 */
	private boolean early;

	private boolean oneALine;

	StdioTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			ChildTree.Patience patience, SkippedMessages skipped) {
		super(definition, mapper, scheduler, skipped);
		this.skipped = skipped;
		this.objects = new StdoutObjects(definition.limits().maxMessageSize().toBytes());
		this.process = new ChildProcess(definition, McpServerSecrets.of(definition), patience, scheduler, this);
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
	 * @param program what was started, and where
	 */
	void launched(String program, long pid) {
	}

	/**
	 * Returns what the process wrote to its output before its first message.
	 */
	List<String> noise() {
		return this.process.noise();
	}

	/**
	 * Takes a line of the process, and returns whether it makes sense.
	 */
	boolean line(byte[] buffer, int offset, int length) {
		if (isBlank(buffer, offset, length)) {
			return false;
		}
		try (HeapShare.Lease lease = lease()) {
			this.mixed = false;
			List<JSONRPCMessage> messages = decode(buffer, offset, length, lease);
			if (!this.mixed && !messages.isEmpty()) {
				this.objects.clear();
				this.oneALine |= !this.early;
			}
			messages.forEach((message) -> queue(message, (int) Math.max(length, lease.held())));
			return !messages.isEmpty();
		}
	}

	@Override
	protected @Nullable List<JSONRPCMessage> find(byte[] line, int offset, int length, HeapShare.Lease lease) {
		this.mixed = true;
		List<JSONRPCMessage> messages = new ArrayList<>();
		List<byte[]> objects = this.objects.take(line, offset, length);
		boolean text = this.objects.isText();
		boolean found = false;
		for (byte[] object : objects) {
			try {
				found |= text ? hold(object) : messages.addAll(message(object, 0, object.length, lease));
			}
			catch (MalformedMessageException | UnreadMessageException ex) {
				// as text
			}
		}
		if (found) {
			report(text ? "'" + this.skipped.line(this.objects.beside()) + "' beside a message" : UNFRAMED);
		}
		else if (!this.objects.isOpen()) {
			report("'" + this.skipped.line(new String(line, offset, length, StandardCharsets.UTF_8)) + "'");
			return null;
		}
		return messages;
	}

	private void report(String seen) {
		// one that varies is still the same
		this.noise = (this.noise.isEmpty() || seen.contains("\"jsonrpc")) ? seen : this.noise;
		deviation(Kind.STDOUT, this.noise);
	}

	/**
	 * Takes what was read, after its lines, and returns whether it ends with a message
	 * whose line has not ended: some have no line feed. Once one has, this does nothing.
	 */
	boolean endsMessage(byte[] chunk, int count) {
		if (this.oneALine) {
			return false;
		}
		int first = (count > 1 && chunk[0] == '\r') ? 1 : 0;
		if (this.early && chunk[first] != '\n' && chunk[first] != '\r') {
			report(UNFRAMED);
		}
		this.early = this.objects.isComplete(chunk, count);
		return this.early;
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
	 * Takes the start and the end of a line that is too long, and returns whether the
	 * process may go on.
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
