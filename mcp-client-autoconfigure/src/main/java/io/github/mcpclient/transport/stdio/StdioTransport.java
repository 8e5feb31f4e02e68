package io.github.mcpclient.transport.stdio;

import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.RequestsInFlight;
import io.github.mcpclient.transport.SupervisedTransport;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Speaks to a child process over its standard streams, one message a line (revision
 * 2025-11-25, {@code basic/transports#stdio}). {@link #connect connect} completes when
 * the process has started; cancelling it does not stop the process, closing the transport
 * does.
 */
final class StdioTransport implements SupervisedTransport {

	private static final Logger logger = LoggerFactory.getLogger(StdioTransport.class);

	private static final long MIN_INBOX = 1024 * 1024;

	private final String name;

	private final JsonRpcCodec codec;

	private final ClientScheduler scheduler;

	private final ChildProcess process;

	private final StdioInbox inbox;

	private final StdioNoise noise;

	private final Sinks.Empty<Void> started = Sinks.empty();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final RequestsInFlight requests;

	private final AtomicReference<@Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>>> handler = new AtomicReference<>();

	StdioTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			ChildTree.Patience patience, StdioNoise noise) {
		this.name = definition.name();
		this.codec = new JsonRpcCodec(mapper);
		this.noise = noise;
		this.requests = new RequestsInFlight(definition);
		long capacity = Math.max(definition.limits().maxMessageSize().toBytes(), MIN_INBOX);
		this.scheduler = scheduler;
		this.inbox = new StdioInbox(scheduler, capacity, this::deliver);
		this.process = new ChildProcess(definition, McpServerSecrets.of(definition), patience, scheduler, this);
	}

	@Override
	public Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			if (!this.handler.compareAndSet(null, handler)) {
				return Mono.error(new IllegalStateException("This transport was connected before: make a new one"));
			}
			if (!this.process.start()) {
				return Mono.error(closed());
			}
			return this.started.asMono().publishOn(this.scheduler);
		});
	}

	@Override
	public Mono<Void> sendMessage(JSONRPCMessage message) {
		Mono<Void> sending = Mono.create((sink) -> send(message, sink));
		// the sender of a notification may go on with code of its own
		return (message instanceof JSONRPCRequest) ? sending : sending.publishOn(this.scheduler);
	}

	private void send(JSONRPCMessage message, MonoSink<Void> sink) {
		if (!this.process.isBegun()) {
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
		if (message instanceof JSONRPCRequest request) {
			this.requests.sending(request);
		}
		this.process.write(json, sink);
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

	private static TransportException closed() {
		return new TransportException("The transport is closed", null, false, null);
	}

	@Override
	public Mono<Void> termination() {
		this.requests.supervised();
		return this.termination.asMono();
	}

	@Override
	public boolean hasEnded() {
		return this.process.hasEnded();
	}

	@Override
	public List<String> stderr() {
		return this.process.stderr();
	}

	@Override
	public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return this.codec.unmarshal(data, type);
	}

	private void deliver(JSONRPCMessage message) {
		Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = this.handler.get();
		Assert.state(handler != null, "There is no handler");
		handler.apply(Mono.just(message))
			.subscribe(null, (ex) -> logger.warn("A message of MCP server '{}' could not be handled", this.name, ex));
	}

	void started() {
		this.started.tryEmitEmpty();
	}

	/**
	 * Takes a line of the process, and returns whether it makes sense.
	 */
	boolean line(byte[] buffer, int offset, int length) {
		if (isBlank(buffer, offset, length)) {
			return false;
		}
		try {
			this.codec.decode(buffer, offset, length, this.requests.handshake())
				.forEach((message) -> this.inbox.put(this.requests.received(message, length), length));
			return true;
		}
		catch (MalformedMessageException ex) {
			this.noise.skip(buffer, offset, length, ex);
			return false;
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
		JSONRPCResponse response = this.requests.skipped(buffer, offset, length);
		if (response != null) {
			this.inbox.put(response, 0);
		}
		return response != null;
	}

	/**
	 * Notified once, on any thread, that the process has ended or is about to. Lines may
	 * still arrive.
	 */
	void ended(TransportException reason, boolean requested) {
		this.inbox.finish(requested, () -> announceEnd(reason, requested));
	}

	private void announceEnd(TransportException reason, boolean requested) {
		this.started.tryEmitError(reason);
		if (requested) {
			this.termination.tryEmitEmpty();
			return;
		}
		this.requests.lost(reason).forEach(this::deliver);
		this.termination.tryEmitError(reason);
	}

}
