package io.github.mcpclient.transport.http;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the body of a response. Called on an event loop, serially.
 */
interface HttpBody {

	/**
	 * The next piece arrived.
	 * @param chunk the piece, decompressed; valid during the call only
	 */
	void data(ByteBuf chunk);

	/**
	 * The body ended. Not called after the exchange was disposed of.
	 * @param failure why it is incomplete, or {@code null} if it is complete
	 */
	void end(@Nullable Throwable failure);

	/**
	 * The exchange is over, in any way. Called on any thread.
	 */
	default void release() {
	}

}
