package io.github.mcpclient.transport.stdio;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;

/**
 * Follows the thread that reads one of the output streams of a child process.
 */
final class ChildReader {

	private final CompletableFuture<Void> done = new CompletableFuture<>();

	private volatile boolean waiting;

	/**
	 * Returns the stream to read instead of the given one.
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

	CompletableFuture<Void> done() {
		return this.done;
	}

	/**
	 * Returns whether the thread has something to do, or has not begun to read.
	 */
	boolean isBusy() {
		return !this.waiting && !this.done.isDone();
	}

}
