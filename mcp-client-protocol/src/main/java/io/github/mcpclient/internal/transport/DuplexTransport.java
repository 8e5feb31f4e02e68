package io.github.mcpclient.internal.transport;

import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.spi.SupervisedTransport;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * A transport with one stream in each direction for all messages, whose IDs match
 * responses to requests. {@link #connect connect} completes when it {@link #begun has
 * begun}. Cancelling that does not end it; closing the transport does.
 */
public abstract class DuplexTransport implements SupervisedTransport {

	private static final long MIN_INBOUND = 1024 * 1024;

	private final String serverName;

	private final JsonRpcCodec codec;

	private final MessageReader reader;

	private final ClientScheduler scheduler;

	private final RequestsInFlight requests;

	private final Skipped skipped;

	private final InboundQueue inbound;

	private final Sinks.Empty<Void> begun = Sinks.empty();

	private final Sinks.Empty<Void> termination = Sinks.empty();

	private final AtomicReference<@Nullable Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>>> handler = new AtomicReference<>();

	/**
	 * Create a transport.
	 * @param skipped logs text that is not a message
	 */
	protected DuplexTransport(McpServerDefinition definition, JsonMapper mapper, ClientScheduler scheduler,
			Skipped skipped) {
		this.serverName = definition.name();
		this.codec = new JsonRpcCodec(mapper);
		this.reader = new MessageReader(this.codec, this.serverName, scheduler);
		this.scheduler = scheduler;
		this.requests = new RequestsInFlight(definition);
		this.skipped = skipped;
		long capacity = Math.max(definition.limits().maxMessageSize().toBytes(), MIN_INBOUND);
		this.inbound = new InboundQueue(scheduler, this.reader::execute, capacity, this::room);
	}

	/**
	 * Begin, once; return whether it does, since it may have been closed.
	 */
	protected abstract boolean begin();

	/**
	 * Write a message.
	 */
	protected abstract void write(byte[] json, MonoSink<Void> sink);

	/**
	 * Note that there is room for the next {@linkplain #queue message}, on any thread.
	 */
	protected abstract void room();

	@Override
	public final Mono<Void> connect(Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler) {
		return Mono.defer(() -> {
			if (!this.handler.compareAndSet(null, handler)) {
				return Mono.error(new IllegalStateException("This transport was connected before: make a new one"));
			}
			return begin() ? this.begun.asMono().publishOn(this.scheduler) : Mono.error(closed());
		});
	}

	@Override
	public final Mono<Void> sendMessage(JSONRPCMessage message) {
		Mono<Void> sending = Mono.create((sink) -> send(message, sink));
		// the sender of a notification may continue with application code
		return (message instanceof JSONRPCRequest) ? sending : sending.publishOn(this.scheduler);
	}

	private void send(JSONRPCMessage message, MonoSink<Void> sink) {
		if (this.handler.get() == null) {
			sink.error(new TransportException("The transport is not connected", null, false, null));
			return;
		}
		byte[] json;
		try {
			json = this.codec.encode(message);
		}
		catch (JacksonException ex) {
			sink.error(new TransportException("The message cannot be written as JSON", null, false, ex));
			return;
		}
		if (message instanceof JSONRPCRequest request) {
			this.requests.sending(request);
		}
		write(json, sink);
	}

	@Override
	public final Mono<Void> termination() {
		this.requests.supervised();
		return this.termination.asMono();
	}

	@Override
	public final <T> T unmarshalFrom(Object data, TypeRef<T> type) {
		return this.codec.unmarshal(data, type);
	}

	@Override
	public final List<String> protocolVersions() {
		return ProtocolRevisions.ALL;
	}

	/**
	 * Return the reason of an end on request.
	 */
	protected static TransportException closed() {
		return new TransportException("The transport is closed", null, false, null);
	}

	/**
	 * Queue the delivery of a message of so many bytes; there is room for the next one
	 * when {@link #room} is called.
	 */
	protected final void queue(int size, Runnable delivery) {
		this.inbound.add(size, delivery);
	}

	/**
	 * Return an error that replaces a response larger than any message may be, or
	 * {@code null} if it is not a response to a call.
	 * @param json the start and the end of the response
	 */
	protected final @Nullable JSONRPCResponse tooLarge(byte[] json, int offset, int length) {
		return this.requests.skipped(json, offset, length);
	}

	@Override
	public final void onDeviation(BiConsumer<Kind, String> listener) {
		this.reader.onDeviation(listener);
	}

	@Override
	public final void skipNotificationsUnless(Predicate<String> wanted) {
		this.reader.skipUnless(wanted);
	}

	/**
	 * Return the credentials with which the connection was opened, in addition to the
	 * configured ones.
	 */
	protected Secrets credentials() {
		return Secrets.NONE;
	}

	/**
	 * Return a lease that holds the memory of messages until they are processed.
	 */
	protected final MemoryBudget.Lease lease() {
		return this.reader.memory().lease();
	}

	/**
	 * Read bytes of the server; empty if they are not a message.
	 */
	protected final List<JSONRPCMessage> decode(byte[] json, int offset, int length, MemoryBudget.Lease lease) {
		try {
			return messages(json, offset, length, lease);
		}
		catch (MalformedMessageException ex) {
			this.skipped.skip(json, offset, length, credentials(),
					"that is not an MCP message (" + ex.getReason() + ")");
			return (ex.getAnswered() != null)
					? this.requests.failed(json, offset, length, ex.quoting(this.skipped.secrets().and(credentials())))
					: List.of();
		}
	}

	/**
	 * Read bytes that are exactly a message, or a batch of messages.
	 * @throws MalformedMessageException if they are not
	 */
	protected final List<JSONRPCMessage> messages(byte[] json, int offset, int length, MemoryBudget.Lease lease) {
		try {
			return this.reader.read(json, offset, length, this.requests.handshake(), lease, credentials())
				.stream()
				.map((message) -> this.requests.received(message, length))
				.toList();
		}
		catch (UnreadMessageException ex) {
			List<JSONRPCMessage> failed = this.requests.failed(json, offset, length, ex);
			if (failed.isEmpty()) {
				this.skipped.skip(json, offset, length, credentials(),
						"that exceeds a limit (" + ex.getMessage() + ")");
			}
			return failed;
		}
	}

	/**
	 * Report a deviation of the server from the protocol.
	 */
	protected final void deviation(Kind kind, String detail) {
		this.reader.deviation(kind, detail);
	}

	protected final void deliver(JSONRPCMessage message) {
		Function<Mono<JSONRPCMessage>, Mono<JSONRPCMessage>> handler = this.handler.get();
		Assert.state(handler != null, "The transport has no handler");
		handler.apply(Mono.just(message)).subscribe((ignored) -> {
		}, this.reader::defect);
	}

	/**
	 * Note that messages can be sent.
	 */
	public final void begun() {
		this.begun.tryEmitEmpty();
	}

	/**
	 * Note the end, once, on any thread: it is announced after the messages that arrived
	 * before.
	 * @param requested whether the transport was closed
	 */
	public final void ended(TransportException reason, boolean requested) {
		this.inbound.finish(requested, () -> {
			this.begun.tryEmitError(reason);
			if (requested) {
				this.termination.tryEmitEmpty();
				return;
			}
			this.requests.lost(reason).forEach(this::deliver);
			this.termination.tryEmitError(reason);
		});
	}

	/**
	 * Logs text of a server that is not a message: the first one at {@code INFO}, then
	 * ever fewer. Outlives connections, as a server that crashes repeatedly may write the
	 * same each time. Safe for use by many threads.
	 */
	public static final class Skipped {

		private static final Logger logger = LoggerFactory.getLogger(Skipped.class);

		private static final int MAX_LENGTH = 200;

		private final String serverName;

		private final String transport;

		private final Secrets secrets;

		private final AtomicLong count = new AtomicLong();

		/**
		 * Create a log.
		 */
		public Skipped(McpServerDefinition definition) {
			this.serverName = definition.name();
			this.transport = definition.type();
			this.secrets = McpServerSecrets.of(definition);
		}

		/**
		 * Return the configured secrets, which are not shown.
		 */
		Secrets secrets() {
			return this.secrets;
		}

		/**
		 * Log one that was skipped.
		 * @param credentials further secrets to mask
		 * @param what the description of the text, such as
		 * {@code that is not an MCP message}
		 */
		public void skip(byte[] buffer, int offset, int length, Secrets credentials, String what) {
			long count = this.count.incrementAndGet();
			Level level = (count == 1) ? Level.INFO : Level.DEBUG;
			if (Long.bitCount(count) == 1 && logger.isEnabledForLevel(level)) {
				logger.atLevel(level)
					.addKeyValue(LogKeys.SERVER, this.serverName)
					.addKeyValue(LogKeys.TRANSPORT, this.transport)
					.log("Skipped {} of MCP server '{}' {}: '{}'{}",
							McpServerDefinition.STDIO.equals(this.transport) ? "line " + count + " on the stdout"
									: "message " + count,
							this.serverName, what,
							this.secrets.and(credentials).line(buffer, offset, length, MAX_LENGTH, false),
							(count == 1) ? ". Further ones are logged at DEBUG." : "");
			}
		}

	}

}
