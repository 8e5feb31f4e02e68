package io.github.mcpclient.transport;

import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * A message of a server was not read, since it is beyond a bound of the client.
 */
public final class MessageLimitException extends TransportException {

	private MessageLimitException(String message, @Nullable String nextStep) {
		super(message, nextStep, null);
	}

	/**
	 * Create an exception for a message whose JSON is beyond a bound.
	 * @param excess what it has too much of
	 */
	static MessageLimitException json(String excess) {
		return new MessageLimitException("The server's message is not read, since it has " + excess,
				"Request less data.");
	}

	/**
	 * Create an exception for a message that takes more memory than is left for it.
	 */
	public static MessageLimitException memory() {
		return new MessageLimitException(
				"The server's message is not read, since what the server sends takes more memory than there is for it",
				"Request less data at a time, limit its calls with max-concurrent-calls, or give the application a"
						+ " larger heap.");
	}

}
