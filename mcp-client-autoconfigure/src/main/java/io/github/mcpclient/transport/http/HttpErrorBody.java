package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.HttpHeaders;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClientResponse;

/**
 * The body of an error status. Its beginning is waited for a moment.
 */
final class HttpErrorBody implements HttpBody {

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

	static final int MAX_SIZE = 64 * 1024;

	private final int status;

	private final HttpHeaders headers;

	private final HttpExchange exchange;

	private final Reader reader;

	private final Disposable deadline;

	private final HttpContentBuffer content = new HttpContentBuffer(MAX_SIZE);

	private final AtomicBoolean ended = new AtomicBoolean();

	/**
	 * Create the body of a response.
	 * @param response the head of the response
	 * @param exchange the exchange
	 * @param timer limits the time
	 * @param reader told of the error, once
	 */
	HttpErrorBody(HttpClientResponse response, HttpExchange exchange, Scheduler timer, Reader reader) {
		this.status = response.status().code();
		this.headers = response.responseHeaders();
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
			this.reader.error(this.status, this.headers, this.content.toByteArray());
		}
	}

	private void giveUp() {
		if (this.ended.compareAndSet(false, true)) {
			this.exchange.dispose();
			this.reader.error(this.status, this.headers, new byte[0]);
		}
	}

	@Override
	public void release() {
		this.deadline.dispose();
	}

	/**
	 * Told of the error.
	 */
	@FunctionalInterface
	interface Reader {

		/**
		 * The server answered with an error status.
		 * @param status the status
		 * @param headers the headers of the response
		 * @param content its body, or the beginning of it
		 */
		void error(int status, HttpHeaders headers, byte[] content);

	}

}
