package io.github.mcpclient.connection;

import java.time.Duration;

import io.github.mcpclient.session.RequestObserver;
import org.jspecify.annotations.Nullable;

/**
 * Observes one connection, beside its requests. Changes arrive on its serial queue.
 */
public interface ConnectionObserver extends RequestObserver {

	/**
	 * The connection was created, and nothing has happened yet.
	 */
	void created(McpConnection connection);

	/**
	 * An attempt to connect begins.
	 */
	void connecting();

	/**
	 * A session that was READY has ended.
	 * @param cause why it was lost, or {@code null} if it was ended on request
	 */
	void sessionEnded(Duration duration, @Nullable String protocolVersion, @Nullable Throwable cause);

	/**
	 * The connection is closed for good.
	 */
	void closed(McpConnection connection);

}
