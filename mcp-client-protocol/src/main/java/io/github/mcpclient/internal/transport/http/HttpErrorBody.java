package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * The body of an error status, read up to a size and for a moment.
 */
final class HttpErrorBody implements HttpBody {

	static final int MAX_SIZE = 64 * 1024;

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	private final Disposable exchange;

	private final Consumer<byte[]> reader;

	private final Disposable deadline;

	private final HttpContentBuffer content = new HttpContentBuffer(MAX_SIZE, null);

	private final AtomicBoolean ended = new AtomicBoolean();

	/**
	 * Create the body of a response.
	 * @param reader takes the beginning of the body, empty if it is late; called once
	 */
	HttpErrorBody(Disposable exchange, Scheduler timer, Consumer<byte[]> reader) {
		this.exchange = exchange;
		this.reader = reader;
		this.deadline = timer.schedule(this::giveUp, TIMEOUT.toMillis(), TimeUnit.MILLISECONDS);
	}

	@Override
	public void data(ByteBuf chunk) {
		int left = MAX_SIZE - this.content.length();
		this.content.append(chunk, Math.min(left, chunk.readableBytes()));
		if (chunk.isReadable()) {
			this.exchange.dispose();
			end(null);
		}
	}

	@Override
	public void end(@Nullable Throwable failure) {
		if (this.ended.compareAndSet(false, true)) {
			this.reader.accept(this.content.toByteArray());
		}
	}

	private void giveUp() {
		if (this.ended.compareAndSet(false, true)) {
			this.exchange.dispose();
			this.reader.accept(new byte[0]);
		}
	}

	@Override
	public void release() {
		this.deadline.dispose();
	}

}
