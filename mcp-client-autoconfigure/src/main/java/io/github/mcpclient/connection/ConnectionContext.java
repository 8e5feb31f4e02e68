package io.github.mcpclient.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.session.ServerRequests;
import io.github.mcpclient.session.SessionListener;
import io.github.mcpclient.session.SessionOptions;
import io.github.mcpclient.support.SerialQueue;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What the parts of one connection share.
 *
 * @param transports makes the transport of each attempt; foreign code
 * @param queue the serial queue of this connection
 * @param opening runs the beginning of each attempt, which may block
 * @param closing runs the end of each generation, which may block
 * @param requests answers what the server asks
 * @param users the connections of users, if there are no others to the server
 * @param ofUser whether this is one of those
 */
record ConnectionContext(McpServerDefinition definition, Supplier<McpClientTransport> transports,
		McpSessionFactory sessions, Implementation clientInfo, SerialQueue queue, SerialQueue opening,
		SerialQueue closing, ErrorWording wording, ServerRequests requests, @Nullable ConnectionObserver observer,
		@Nullable UserConnections users, boolean ofUser) {

	/**
	 * Whether each message to the server is a request of HTTP.
	 */
	boolean isHttp() {
		return this.definition.http() != null && !this.definition.type().equals(McpServerDefinition.WEBSOCKET);
	}

	Instant now() {
		return this.queue.instant();
	}

	McpClientTransport newTransport() {
		McpClientTransport transport = this.transports.get();
		Assert.state(transport != null, "The transport factory made no transport");
		return transport;
	}

	McpSession newSession(McpClientTransport transport, Duration limit, SessionListener listener) {
		SessionOptions options = new SessionOptions(this.definition, this.clientInfo, limit, this.requests,
				this.observer);
		return this.sessions.create(transport, options, listener);
	}

}
