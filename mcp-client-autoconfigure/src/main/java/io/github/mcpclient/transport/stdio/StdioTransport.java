package io.github.mcpclient.transport.stdio;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.transport.AnswerEnvelope;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.ResultLimit;
import io.github.mcpclient.transport.ResultTooLargeException;
import io.github.mcpclient.transport.SupervisedTransport;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema;
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
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Speaks to a child process over its standard streams, one message a line (revision
 * 2025-11-25, {@code basic/transports#stdio}). Messages are delivered on a scheduler, so
 * that no one else's code runs on the thread that reads.
 *
 * <p>
 * {@link #connect connect} completes when the process has started; cancelling it does not
 * stop the process, closing the transport does.
 */
final class StdioTransport implements SupervisedTransport, ChildProcess.Listener {

	private static final Log logger = LogFactory.getLog(StdioTransport.class);

	private static final long MIN_INBOX = 1024 * 1024;

	private static final int MAX_IN_FLIGHT = 10_000;

	private static final int MAX_UNLIMITED = 100;

	private static final int CONNECTION_LOST = -32000;

	private final String name;

	private final JsonRpcCodec codec;

	private final ClientScheduler scheduler;

	private final ChildProcess process;

	private final StdioInbox inbox;

	private final StdioNoise noise;

	private final Sinks.Empty<Void> started = Sinks.empty();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	/**
	 * Requests that were not answered, kept only for a client that knows nothing of
	 * {@link #termination()}.
	 */
	private final Set<Object> inFlight = boundedSet(MAX_IN_FLIGHT);

	private final ResultLimit resultLimit;

	/**
	 * Requests under way whose answers may have the size of any message: few, so that a
	 * call costs nothing.
	 */
	private final Set<String> unlimited = boundedSet(MAX_UNLIMITED);

	/**
	 * The id of the request to initialize, until it is answered: nothing else is asked
	 * meanwhile.
	 */
	private volatile @Nullable Object handshake;

	private volatile boolean supervised;

	private final AtomicReference<@Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>>> handler = new AtomicReference<>();

	StdioTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			ChildTree.Patience patience, StdioNoise noise) {
		this.name = definition.name();
		this.codec = new JsonRpcCodec(mapper);
		this.noise = noise;
		this.resultLimit = new ResultLimit(definition);
		long capacity = Math.max(definition.limits().maxMessageSize().toBytes(), MIN_INBOX);
		this.scheduler = scheduler;
		this.inbox = new StdioInbox(scheduler, capacity, this::deliver);
		this.process = new ChildProcess(definition, McpServerSecrets.of(definition), patience, scheduler, this);
	}

	/**
	 * Creates a set that forgets the eldest: those that were never answered.
	 */
	private static <T> Set<T> boundedSet(int max) {
		return Collections.newSetFromMap(Collections.synchronizedMap(new LinkedHashMap<T, Boolean>() {

			@Override
			protected boolean removeEldestEntry(Map.Entry<T, Boolean> eldest) {
				return size() > max;
			}

		}));
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
		// who sends something else than a request may go on with code of his own
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
			sending(request);
		}
		this.process.write(json, sink);
	}

	private void sending(JSONRPCRequest request) {
		if (McpSchema.METHOD_INITIALIZE.equals(request.method())) {
			this.handshake = request.id();
		}
		if (!ResultLimit.appliesTo(request)) {
			this.unlimited.add(String.valueOf(request.id()));
		}
		if (!this.supervised) {
			this.inFlight.add(request.id());
		}
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
		this.supervised = true;
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
		handler.apply(Mono.just(message)).subscribe((ignored) -> {
		}, (ex) -> logger.warn("A message of MCP server '" + this.name + "' could not be handled", ex));
	}

	private void announceEnd(TransportException reason, boolean requested) {
		this.started.tryEmitError(reason);
		if (requested) {
			this.termination.tryEmitEmpty();
			return;
		}
		if (!this.supervised) {
			JSONRPCError error = new JSONRPCError(CONNECTION_LOST, String.valueOf(reason.getMessage()));
			List.copyOf(this.inFlight).forEach((id) -> deliver(JSONRPCResponse.error(id, error)));
		}
		this.termination.tryEmitError(reason);
	}

	@Override
	public void started() {
		this.started.tryEmitEmpty();
	}

	@Override
	public boolean line(byte[] buffer, int offset, int length) {
		if (isBlank(buffer, offset, length)) {
			return false;
		}
		try {
			List<JSONRPCMessage> messages = this.codec.decode(buffer, offset, length, this.handshake);
			messages.forEach((message) -> receive(message, length));
			return true;
		}
		catch (MalformedMessageException ex) {
			this.noise.skip(buffer, offset, length, ex);
			return false;
		}
	}

	private boolean isBlank(byte[] buffer, int offset, int length) {
		for (int i = offset; i < offset + length; i++) {
			if (buffer[i] != ' ' && buffer[i] != '\t' && buffer[i] != '\r') {
				return false;
			}
		}
		return true;
	}

	private void receive(JSONRPCMessage message, int size) {
		if (!(message instanceof JSONRPCResponse response)) {
			this.inbox.put(message, size);
			return;
		}
		this.handshake = null;
		if (!this.supervised) {
			this.inFlight.remove(response.id());
		}
		if (!isUnlimited(response.id()) && size > this.resultLimit.size()) {
			refuse(response.id());
		}
		else {
			this.inbox.put(response, size);
		}
	}

	@Override
	public boolean skipped(byte[] buffer, int offset, int length) {
		Object id = AnswerEnvelope.id(buffer, offset, length);
		boolean limited = this.resultLimit.size() != Integer.MAX_VALUE;
		if (id == null || !limited || isUnlimited(id)) {
			return false;
		}
		this.inFlight.remove(id);
		refuse(id);
		return true;
	}

	private boolean isUnlimited(Object id) {
		return !this.unlimited.isEmpty() && this.unlimited.remove(String.valueOf(id));
	}

	/**
	 * Answers in place of the server.
	 */
	private void refuse(Object id) {
		ResultTooLargeException failure = this.resultLimit.exceeded();
		this.inbox.put(JSONRPCResponse.error(id,
				new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, String.valueOf(failure.getMessage()), failure)),
				0);
	}

	@Override
	public void ended(TransportException reason, boolean requested) {
		this.inbox.finish(requested, () -> announceEnd(reason, requested));
	}

}
