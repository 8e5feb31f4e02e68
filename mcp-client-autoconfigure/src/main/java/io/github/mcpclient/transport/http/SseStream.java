package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.transport.AnswerEnvelope;
import io.github.mcpclient.transport.JsonRpcCodec;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.http.HttpContentBuffer.TooLargeException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.netty.buffer.ByteBuf;
import io.netty.handler.timeout.ReadTimeoutException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * The body of a response that is a stream of messages.
 */
final class SseStream implements HttpBody, SseParser.Listener {

	private static final Log logger = LogFactory.getLog(SseStream.class);

	private final JsonRpcCodec codec;

	private final SseParser parser;

	private final @Nullable String firstEventId;

	private final HttpExchange exchange;

	private final Owner owner;

	private final Scheduler timer;

	private final AtomicBoolean ended = new AtomicBoolean();

	private final Disposable.Swap watch = Disposables.swap();

	private volatile boolean messages;

	private volatile long lastRead;

	SseStream(JsonRpcCodec codec, int maxMessageSize, int maxAnswerSize, Scheduler timer, @Nullable String lastEventId,
			HttpExchange exchange, Owner owner) {
		this.codec = codec;
		this.timer = timer;
		this.firstEventId = lastEventId;
		this.exchange = exchange;
		this.owner = owner;
		this.parser = new SseParser(maxMessageSize, maxAnswerSize, lastEventId, this);
	}

	/**
	 * End the stream when the server is silent, comments included, for longer than the
	 * given time.
	 * @param timeout the time
	 * @param onlyIfResumable whether to do that only where the stream can be continued
	 */
	void limitSilence(Duration timeout, boolean onlyIfResumable) {
		this.lastRead = now();
		watch(timeout, onlyIfResumable, timeout.toMillis());
	}

	private void watch(Duration timeout, boolean onlyIfResumable, long delay) {
		this.watch.update(this.timer.schedule(() -> {
			long left = timeout.toMillis() - (now() - this.lastRead);
			if (left > 0) {
				watch(timeout, onlyIfResumable, left);
			}
			else if (onlyIfResumable && this.parser.lastEventId() == null) {
				watch(timeout, onlyIfResumable, timeout.toMillis());
			}
			else {
				logger.debug("Ending a stream that is silent for too long");
				this.exchange.dispose();
				end(ReadTimeoutException.INSTANCE);
			}
		}, delay, TimeUnit.MILLISECONDS));
	}

	private long now() {
		return this.timer.now(TimeUnit.MILLISECONDS);
	}

	@Override
	public void data(ByteBuf chunk) {
		this.lastRead = now();
		try {
			this.parser.feed(chunk);
		}
		catch (TooLargeException ex) {
			this.exchange.dispose();
			end(ex);
		}
	}

	@Override
	public void message(byte[] data) {
		this.messages = true;
		try {
			for (JSONRPCMessage message : this.codec.decode(data, 0, data.length, this.owner.onlyRequest())) {
				this.owner.message(message, data.length);
			}
		}
		catch (MalformedMessageException ex) {
			logger.debug("Skipping an event", ex);
		}
		stopIfDisposed();
	}

	@Override
	public void endpoint(byte[] data) {
		this.owner.endpoint(data);
		stopIfDisposed();
	}

	@Override
	public void large(byte[] data) {
		if (AnswerEnvelope.isAnswer(data, 0, data.length)) {
			this.owner.answerTooLarge();
			stopIfDisposed();
		}
	}

	private void stopIfDisposed() {
		if (this.exchange.isDisposed()) {
			this.parser.stop();
		}
	}

	@Override
	public void end(@Nullable Throwable failure) {
		if (this.ended.compareAndSet(false, true)) {
			this.owner.ended(this, failure);
		}
	}

	@Override
	public void release() {
		this.watch.dispose();
	}

	/**
	 * Tell where the stream stands.
	 * @param reconnect told
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
		 * A message arrived.
		 * @param message the message
		 * @param size the size of what held it, in bytes
		 */
		void message(JSONRPCMessage message, int size);

		/**
		 * Return the only request that the stream can answer.
		 * @return its id, or {@code null} where there may be others
		 */
		default @Nullable Object onlyRequest() {
			return null;
		}

		/**
		 * An answer grows larger than it may be.
		 */
		default void answerTooLarge() {
		}

		/**
		 * The stream tells where to send messages.
		 * @param data what it says; valid during the call only
		 */
		default void endpoint(byte[] data) {
		}

		/**
		 * The stream ended. Not called after its exchange was disposed of by the owner.
		 * @param stream the stream
		 * @param failure why it broke, a {@link ReadTimeoutException} if it was silent
		 * for too long, or {@code null} if it was closed
		 */
		void ended(SseStream stream, @Nullable Throwable failure);

	}

}
