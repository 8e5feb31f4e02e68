package io.github.mcpclient.internal.transport;

import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * A message of a server was not read, since it exceeds a limit of the client, or the
 * client failed.
 */
public final class UnreadMessageException extends TransportException {

	private static final Logger logger = LoggerFactory.getLogger(UnreadMessageException.class);

	private UnreadMessageException(String message, @Nullable String nextStep, @Nullable Throwable cause) {
		super(message, nextStep, cause);
	}

	/**
	 * Create an exception for a message whose JSON exceeds a limit.
	 * @param excess the excessive part, such as {@code too many values}
	 */
	static UnreadMessageException json(String excess) {
		return new UnreadMessageException("The server's message is not read, since it has " + excess,
				"Request less data.", null);
	}

	/**
	 * Create an exception for a message that takes more memory than is left for it.
	 */
	public static UnreadMessageException memory() {
		return new UnreadMessageException(
				"The server's message is not read, since the server's messages take more memory than is available",
				"Request less data at a time, limit its calls with max-concurrent-calls, or give your application a"
						+ " larger heap.",
				null);
	}

	/**
	 * Create an exception for a message that the client fails to read because of a
	 * defect, and log the defect: the first one with its stack trace at {@code ERROR},
	 * then ever fewer, since a server may send the same message again.
	 * @param count the number of previous defects for the server
	 */
	public static UnreadMessageException defect(String serverName, AtomicLong count, Throwable failure) {
		RuntimeException printable = new IllegalStateException(failure.getClass().getName() + details(failure));
		printable.setStackTrace(failure.getStackTrace());
		long defects = count.incrementAndGet();
		logger.atLevel((Long.bitCount(defects) == 1) ? Level.ERROR : Level.DEBUG)
			.addKeyValue(LogKeys.SERVER, serverName)
			.setCause(printable)
			.log("The client failed to read a message of MCP server '{}', because of a bug in the client: {} so far."
					+ " Please report this, with the stack trace.", serverName, defects);
		return new UnreadMessageException("The client failed to read the message, because of a bug in the client",
				"Please report this, with the stack trace that is logged at level ERROR.", printable);
	}

	// these are worded by the JVM; others may quote the server
	private static String details(Throwable failure) {
		return (failure instanceof IndexOutOfBoundsException || failure instanceof NullPointerException
				|| failure instanceof ClassCastException) ? ": " + failure.getMessage() : "";
	}

}
