package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.RequestObserver;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Observes one connection, in addition to its requests. Changes arrive on its serial
 * queue.
 */
public interface ConnectionObserver extends RequestObserver {

	/**
	 * The connection was created, and nothing has happened yet.
	 */
	void created(ObservedConnection connection);

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
	 * The connection is closed permanently.
	 */
	void closed(ObservedConnection connection);

	/**
	 * Provides observers.
	 */
	@FunctionalInterface
	interface Source {

		/**
		 * Return the observers of the connection to a server.
		 */
		List<ConnectionObserver> of(McpServerDefinition server);

	}

	/**
	 * A connection as its observers see it, at any time.
	 */
	interface ObservedConnection {

		/**
		 * Return the configured name of the server.
		 */
		String name();

		/**
		 * Return the definition of the server.
		 */
		McpServerDefinition definition();

		/**
		 * Return only the state.
		 */
		McpServerState state();

		/**
		 * Return the number of pending requests.
		 */
		int pendingCount();

		/**
		 * Return the number of known deviations from the protocol.
		 */
		int deviationCount();

		/**
		 * Return the tools of the latest listing, in the server's order.
		 */
		List<Tool> tools();

	}

}
