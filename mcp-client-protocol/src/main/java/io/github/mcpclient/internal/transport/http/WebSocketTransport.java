package io.github.mcpclient.internal.transport.http;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.DuplexTransport;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.OutboundQueue;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.handler.codec.http.websocketx.CorruptedWebSocketFrameException;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;
import reactor.core.publisher.Sinks;
import reactor.netty.Connection;
import tools.jackson.databind.json.JsonMapper;

/**
 * Exchanges messages with a server over a WebSocket, one message a text frame. Binary
 * frames are read as well, since some servers send nothing else.
 */
final class WebSocketTransport extends DuplexTransport implements HeaderSources.Target {

	private static final Duration GOODBYE_TIMEOUT = Duration.ofSeconds(1);

	// close codes from here on have no common meaning (RFC 6455, 7.4.2)
	private static final int PRIVATE_CODES = 3000;

	private final McpServerDefinition definition;

	private final WebSocketHandshake handshake;

	private final ClientScheduler scheduler;

	private final OutboundQueue outbound;

	// why nothing can be sent any more; null as long as it can
	private final AtomicReference<@Nullable TransportException> end = new AtomicReference<>();

	private final Disposable.Swap opening = Disposables.swap();

	private final Sinks.Empty<Void> closed = Sinks.empty();

	private volatile @Nullable WebSocketConnection connection;

	WebSocketTransport(McpServerDefinition definition, WebSocketHandshake handshake, JsonMapper mapper,
			ClientScheduler scheduler, DuplexTransport.Skipped skipped) {
		super(definition, mapper, scheduler, skipped);
		this.definition = definition;
		this.handshake = handshake;
		this.scheduler = scheduler;
		this.outbound = new OutboundQueue(definition.limits().maxMessageSize().toBytes(), "The server does not read",
				"Check why it is slow, or limit the calls with "
						+ PropertyNames.ofServer(definition.name(), "max-concurrent-calls") + ".",
				scheduler, this::flush);
	}

	@Override
	public void authorizeBy(HeaderSources headers) {
		this.handshake.authorizeBy(headers);
	}

	@Override
	protected boolean begin() {
		if (hasEnded()) {
			return false;
		}
		this.opening.update(this.handshake.open().subscribe(this::opened, this::lost));
		return true;
	}

	private void opened(Connection opened) {
		WebSocketConnection connection = new WebSocketConnection(opened, this.definition, this);
		this.connection = connection;
		connection.start();
		begun();
		flush();
	}

	private void flush() {
		WebSocketConnection connection = this.connection;
		if (connection != null) {
			connection.flush();
		}
	}

	@Override
	protected void write(byte[] json, MonoSink<Void> sink) {
		this.outbound.add(json, sink);
	}

	OutboundQueue outbound() {
		return this.outbound;
	}

	/**
	 * Take a message, which is read on another thread.
	 * @param text whether it has to be UTF-8, which is checked if it is not a message
	 */
	void received(byte[] json, boolean text) {
		queue(json.length, () -> {
			try (MemoryBudget.Lease lease = lease()) {
				List<JSONRPCMessage> messages = decode(json, 0, json.length, lease);
				messages.forEach(this::deliver);
				if (text && messages.isEmpty()) {
					requireUtf8(json);
				}
			}
		});
	}

	private void requireUtf8(byte[] text) {
		try {
			StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(text));
		}
		catch (CharacterCodingException ex) {
			lost(new CorruptedWebSocketFrameException(WebSocketCloseStatus.INVALID_PAYLOAD_DATA,
					"a message is not valid UTF-8"));
		}
	}

	@Override
	protected Secrets credentials() {
		return this.handshake.credentials();
	}

	@Override
	protected void room() {
		WebSocketConnection connection = this.connection;
		if (connection != null) {
			connection.readOn();
		}
	}

	/**
	 * The handshake or the connection failed.
	 */
	void lost(Throwable failure) {
		end(this.handshake.failure(failure), false);
	}

	/**
	 * The server closed the connection, with a status if it sent one.
	 */
	void closed(@Nullable WebSocketCloseStatus status) {
		if (status == null || status.equals(WebSocketCloseStatus.EMPTY)) {
			end(new TransportException("The server closed the connection without a reason",
					"The server, or a gateway in front of it, may have been stopped: check its log.", null), false);
			return;
		}
		int code = status.code();
		String said = (status.reasonText() != null) ? this.handshake.line(status.reasonText()) : "";
		String meaning = (code == WebSocketCloseStatus.NORMAL_CLOSURE.code()) ? " Normal closure"
				: (code < PRIVATE_CODES) ? " " + WebSocketCloseStatus.valueOf(code).reasonText() : "";
		String nextStep = (code == WebSocketCloseStatus.POLICY_VIOLATION.code())
				? "Check " + PropertyNames.ofServer(this.definition.name(), "headers")
						+ " and auth: the credentials may be missing or expired."
				: "It may have been restarted: check its log.";
		end(new TransportException("The server closed the connection: " + code + meaning,
				said.isBlank() ? "" : " (" + said + ")", nextStep, true, null), false);
	}

	private void end(TransportException reason, boolean requested) {
		if (!this.end.compareAndSet(null, reason)) {
			return;
		}
		this.opening.dispose();
		this.outbound.refuse(reason);
		ended(reason, requested);
		WebSocketConnection connection = this.connection;
		Mono<Void> goodbye = (requested && connection != null) ? connection.goodbye() : Mono.empty();
		goodbye.timeout(GOODBYE_TIMEOUT, this.scheduler)
			.onErrorComplete()
			.then(this.handshake.dispose())
			.subscribe(null, null, this.closed::tryEmitEmpty);
	}

	@Override
	public Mono<Void> closeGracefully() {
		return Mono.defer(() -> {
			end(closed(), true);
			return this.closed.asMono();
		});
	}

	@Override
	public boolean hasEnded() {
		return this.end.get() != null;
	}

	@Override
	public String toString() {
		return "WebSocketTransport[" + this.definition.target() + "]";
	}

}
