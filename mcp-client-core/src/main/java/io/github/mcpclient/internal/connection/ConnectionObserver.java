package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.RequestObserver;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Observes one connection, beside its requests. Changes arrive on its serial queue.
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
	 * The connection is closed for good.
	 */
	void closed(ObservedConnection connection);

	/**
	 * What has observers.
	 */
	@FunctionalInterface
	interface Source {

		/**
		 * Return those of the connection to a server.
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
		 * Return the state alone.
		 */
		McpServerState state();

		/**
		 * Return how many requests wait for their answers.
		 */
		int pendingCount();

		/**
		 * Return how many deviations from the protocol are known.
		 */
		int deviationCount();

		/**
		 * Return the tools of the latest listing, in the server's order.
		 */
		List<Tool> tools();

	}

}
