package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.SessionOptions;
import io.github.mcpclient.internal.support.SerialQueue;
import io.modelcontextprotocol.spec.McpClientTransport;

import org.springframework.util.Assert;

/**
 * The objects that the parts of one connection share.
 *
 * @param transports creates the transport of each attempt; application code
 * @param queue the serial queue of this connection
 * @param opening runs the beginning of each attempt, which may block
 * @param closing runs the end of each generation, which may block
 * @param throttle limits the attempts of all connections
 * @param deviations the deviations of the server, also for connections of users
 * @param users the number of users who have separate connections
 * @param ofUser whether this is the connection of a user
 */
record ConnectionContext(McpServerDefinition definition, Supplier<McpClientTransport> transports,
		McpSession.Factory sessions, SessionOptions options, SerialQueue queue, SerialQueue opening,
		SerialQueue closing, ConnectThrottle throttle, ErrorWording wording, Deviations deviations,
		McpConnectionListener listener, List<ConnectionObserver> observers, IntSupplier users, boolean ofUser) {

	/**
	 * The category of all log messages of a connection.
	 */
	static final String LOGGER = "io.github.mcpclient.connection.McpConnection";

	/**
	 * Return whether each message to the server is an HTTP request.
	 */
	boolean isHttp() {
		return this.definition.http() != null && !this.definition.type().equals(McpServerDefinition.WEBSOCKET);
	}

	Instant now() {
		return this.queue.clock().instant();
	}

	McpClientTransport newTransport() {
		McpClientTransport transport = this.transports.get();
		Assert.state(transport != null, "The McpTransportFactory returned no transport");
		return transport;
	}

	McpSession newSession(McpClientTransport transport, Duration limit, McpSession.Listener listener) {
		return this.sessions.create(transport, this.options.within(limit), listener);
	}

}
