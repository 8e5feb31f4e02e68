package io.github.mcpclient.connection;

import org.jspecify.annotations.Nullable;

/**
 * Decides about a call right before it is sent, each time that it is: it may have waited
 * for another session, in which the server offers something else.
 */
@FunctionalInterface
public interface CallCheck {

	/**
	 * Return why the call must not be sent. Must not block.
	 * @return the failure of the call, or {@code null} to send it
	 */
	@Nullable RuntimeException refusal();

}
