package io.github.mcpclient.transport.stdio;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * Follows the thread that reads one of the output streams of a child process: whether it
 * waits for more, has something to do, or is done. Safe for use by many threads.
 */
final class ChildReader {

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	private volatile boolean waiting;

	/**
	 * Follow who reads a stream.
	 * @param stream the stream
	 * @return the stream to read instead
	 */
	InputStream follow(InputStream stream) {
		return new FilterInputStream(stream) {

			@Override
			public int read(byte[] buffer, int offset, int length) throws IOException {
				ChildReader.this.waiting = true;
				try {
					return super.read(buffer, offset, length);
				}
				finally {
					ChildReader.this.waiting = false;
				}
			}

		};
	}

	/**
	 * Note that the thread is done with the stream.
	 */
	void end() {
		this.done.complete(null);
	}

	CompletableFuture<Void> done() {
		return this.done;
	}

	/**
	 * Return whether the thread has something to do, or has not begun to read.
	 * @return whether it is busy
	 */
	boolean isBusy() {
		return !this.waiting && !this.done.isDone();
	}

}
