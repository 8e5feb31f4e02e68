package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.internal.transport.UnreadMessageException;
import io.github.mcpclient.internal.transport.http.HttpContentBuffer.TooLargeException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.handler.timeout.ReadTimeoutException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The body of a response that is a stream of messages. A large message is read off the
 * event loop, and the stream is not read during that time. The stream ends when the
 * server sends nothing, not even a comment, for longer than {@code sse-read-timeout}. The
 * stream of a single request ends so only if it can be continued, or has no response to
 * wait for.
 */
final class SseStream implements HttpBody {

	private static final Logger logger = LoggerFactory.getLogger(SseStream.class);

	private final HttpSetup setup;

	private final SseParser parser;

	private final @Nullable String firstEventId;

	private final Disposable exchange;

	private final Owner owner;

	private final Channel channel;

	private final AtomicBoolean ended = new AtomicBoolean();

	private final Disposable.Swap watch = Disposables.swap();

	private volatile boolean messages;

	private volatile long lastRead;

	private volatile boolean reading;

	// whether the last event lacks its end
	private volatile boolean unfinished;

	// on the event loop: the data that arrived during a read, its memory, and the end of
	// the response

	private final Queue<ByteBuf> behind = new ArrayDeque<>(0);

	private final MemoryBudget.Lease memory;

	private @Nullable Runnable last;

	/**
	 * Create a stream, which may continue one after the event with the given id.
	 */
	SseStream(HttpSetup setup, HttpClientResponse response, Disposable exchange, @Nullable String lastEventId,
			Owner owner) {
		this.setup = setup;
		this.channel = ((Connection) response).channel();
		this.memory = setup.reader().memory().lease();
		this.exchange = exchange;
		this.firstEventId = lastEventId;
		this.owner = owner;
		this.parser = new SseParser(setup.maxMessageSize(), owner.suspectSize(), lastEventId,
				(owner.onlyRequest() != null) ? setup.reader().memory() : null);
		this.lastRead = now();
		Duration readTimeout = setup.http().sseReadTimeout();
		if (readTimeout != null) {
			watch(readTimeout.toMillis(), readTimeout.toMillis());
		}
	}

	private void watch(long timeout, long delay) {
		this.watch.update(this.setup.timer().schedule(() -> {
			long left = timeout - (now() - this.lastRead);
			if (left > 0) {
				watch(timeout, left);
			}
			else if (this.reading || !this.owner.endsInSilence(this.parser.lastEventId() != null)) {
				watch(timeout, timeout);
			}
			else {
				logger.debug("Ending a stream that is silent for too long");
				this.exchange.dispose();
				ended(ReadTimeoutException.INSTANCE);
			}
		}, delay, TimeUnit.MILLISECONDS));
	}

	private long now() {
		return this.setup.timer().now(TimeUnit.MILLISECONDS);
	}

	@Override
	public void data(ByteBuf chunk) {
		this.lastRead = now();
		try {
			if (!this.reading) {
				parse(chunk);
			}
			if (this.reading && chunk.isReadable()) {
				if (!this.memory.take(chunk.readableBytes())) {
					throw UnreadMessageException.memory();
				}
				this.behind.add(Unpooled.copiedBuffer(chunk));
			}
		}
		catch (TooLargeException | UnreadMessageException ex) {
			this.exchange.dispose();
			end(ex);
		}
	}

	private void parse(ByteBuf chunk) {
		SseParser.Event event = this.parser.next(chunk);
		while (event != null) {
			handle(event, this.parser.data());
			event = (this.reading || isGivenUp()) ? null : this.parser.next(chunk);
		}
	}

	// an exchange that is complete is disposed, too
	private boolean isGivenUp() {
		return this.exchange.isDisposed() && this.last == null;
	}

	private void handle(SseParser.Event event, byte[] data) {
		switch (event) {
			case MESSAGE -> message(data);
			case ENDPOINT -> this.owner.endpoint(data);
			case UNFINISHED -> {
				if (MessageReader.isAnswer(data, 0, data.length)) {
					this.owner.answerTooLarge();
				}
			}
		}
	}

	private void message(byte[] data) {
		try {
			if (!this.setup.reader().aside(data.length, () -> readAside(data))) {
				read(data);
				return;
			}
			this.reading = true;
			readOn(false);
		}
		catch (UnreadMessageException ex) {
			this.owner.unreadable(data, ex);
		}
	}

	private void readAside(byte[] data) {
		try {
			read(data);
		}
		finally {
			try {
				this.channel.eventLoop().execute(this::goOn);
			}
			catch (RejectedExecutionException ex) {
				// it has ended, and nothing else runs there
				goOn();
			}
		}
	}

	private void goOn() {
		this.reading = false;
		this.lastRead = now();
		try {
			while (!this.reading && !isGivenUp() && !this.behind.isEmpty()) {
				parse(this.behind.element());
				if (!this.behind.element().isReadable()) {
					this.behind.remove();
				}
			}
		}
		catch (TooLargeException | UnreadMessageException ex) {
			this.exchange.dispose();
			ended(ex);
		}
		catch (RuntimeException ex) {
			this.exchange.dispose();
			ended(this.setup.reader().defect(ex));
		}
		if (!this.reading) {
			this.behind.clear();
			this.memory.close();
			readOn(true);
			if (this.last != null) {
				this.last.run();
			}
		}
	}

	// once the response is complete, the connection may be that of another one
	private void readOn(boolean on) {
		if (this.last == null && !this.exchange.isDisposed()) {
			this.channel.config().setAutoRead(on);
		}
	}

	private void read(byte[] data) {
		MessageReader reader = this.setup.reader();
		try (MemoryBudget.Lease lease = reader.memory().lease()) {
			List<JSONRPCMessage> messages = reader.read(data, 0, data.length, this.owner.onlyRequest(), lease,
					this.owner.credentialsSent());
			if (this.unfinished) {
				reader.deviation(Kind.RESPONSE_END, "the end of the stream follows its data");
			}
			for (JSONRPCMessage message : messages) {
				this.messages = true;
				this.owner.message(message, data.length);
			}
		}
		catch (UnreadMessageException ex) {
			logger.debug("Skipping an event that exceeds a limit", ex);
			this.messages = true;
			this.owner.unreadable(data, ex);
		}
		catch (MalformedMessageException ex) {
			logger.debug("Skipping an event", ex);
			// the remaining part of a response can be requested
			if (!this.unfinished || !MessageReader.isAnswer(data, 0, data.length)) {
				this.owner.unreadable(data, ex);
			}
		}
		catch (RuntimeException ex) {
			this.owner.unreadable(data, reader.defect(ex));
		}
	}

	@Override
	public void end(@Nullable Throwable failure) {
		if (this.reading) {
			// an idle connection has to notice that it is closed
			this.channel.config().setAutoRead(true);
			this.last = () -> complete(failure);
		}
		else {
			complete(failure);
		}
	}

	// the last event may lack its blank line
	private void complete(@Nullable Throwable failure) {
		this.last = () -> ended(failure);
		if (failure == null && this.parser.end()) {
			this.unfinished = true;
			message(this.parser.data());
		}
		if (!this.reading) {
			ended(failure);
		}
	}

	private void ended(@Nullable Throwable failure) {
		if (this.ended.compareAndSet(false, true)) {
			this.owner.ended(this, failure);
		}
	}

	@Override
	public void release() {
		this.watch.dispose();
		this.parser.release();
	}

	/**
	 * Note where the stream stands.
	 */
	void report(SseReconnect reconnect) {
		String lastEventId = this.parser.lastEventId();
		reconnect.ended(lastEventId, this.parser.retryMillis(),
				this.messages || !Objects.equals(lastEventId, this.firstEventId));
	}

	/**
	 * Who reads the stream.
	 */
	interface Owner {

		/**
		 * A message arrived, in so many bytes.
		 */
		void message(JSONRPCMessage message, int size);

		/**
		 * A message arrived and is not read, or the data is not a message.
		 * @param data its text; valid during the call only
		 */
		void unreadable(byte[] data, TransportException failure);

		/**
		 * Return the credentials of the requests that the server may be responding to.
		 */
		Secrets credentialsSent();

		/**
		 * Return the ID of the only request whose response the stream can carry, or
		 * {@code null} if there may be others.
		 */
		default @Nullable Object onlyRequest() {
			return null;
		}

		/**
		 * Return whether the stream ends when the server is silent for too long.
		 * @param resumable whether the server named where to continue it
		 */
		default boolean endsInSilence(boolean resumable) {
			return true;
		}

		/**
		 * Return the size from which on a response is {@link #answerTooLarge too large}.
		 */
		default int suspectSize() {
			return Integer.MAX_VALUE;
		}

		default void answerTooLarge() {
		}

		/**
		 * The stream names the URL for messages.
		 * @param data the reference; valid during the call only
		 */
		default void endpoint(byte[] data) {
		}

		/**
		 * The stream ended. Not called after its exchange was disposed of by the owner.
		 * @param failure why it broke, a {@link ReadTimeoutException} if it was silent
		 * for too long, or {@code null} if it was closed
		 */
		void ended(SseStream stream, @Nullable Throwable failure);

	}

}
