package io.github.mcpclient.internal.transport.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The handling of the body of a response. Called on an event loop, serially.
 */
interface HttpBody {

	/**
	 * A body that is ignored.
	 */
	HttpBody IGNORED = new HttpBody() {

	};

	/**
	 * The next piece arrived.
	 * @param chunk the piece, decompressed; valid during the call only
	 */
	default void data(ByteBuf chunk) {
	}

	/**
	 * The body ended. Not called after the exchange was disposed of.
	 * @param failure why it is incomplete, or {@code null} if it is complete
	 */
	default void end(@Nullable Throwable failure) {
	}

	/**
	 * The exchange is over, in any way. Called on any thread.
	 */
	default void release() {
	}

	/**
	 * Return a body of which only the end matters.
	 */
	static HttpBody ignoredUntilEnd(Runnable end) {
		return new HttpBody() {

			@Override
			public void end(@Nullable Throwable failure) {
				end.run();
			}

		};
	}

}
