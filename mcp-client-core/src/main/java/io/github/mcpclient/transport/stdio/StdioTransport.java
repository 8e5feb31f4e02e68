package io.github.mcpclient.transport.stdio;

import java.util.List;
import java.util.concurrent.Semaphore;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.HeapShare;
import io.github.mcpclient.transport.DuplexTransport;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.SkippedMessages;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import tools.jackson.databind.json.JsonMapper;

/**
 * Speaks to a child process over its standard streams, one message a line (revision
 * 2025-11-25, {@code basic/transports#stdio}). It has begun when the process has started.
 */
class StdioTransport extends DuplexTransport {

	private final ChildProcess process;

	/**
	 * Where the thread that reads waits until more can be delivered.
	 */
	private final Semaphore room = new Semaphore(0);

	StdioTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			ChildTree.Patience patience, SkippedMessages skipped) {
		super(definition, mapper, scheduler, skipped);
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
			List<JSONRPCMessage> messages = decode(buffer, offset, length, lease);
			messages.forEach((message) -> queue(message, (int) Math.max(length, lease.held())));
			return !messages.isEmpty();
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
