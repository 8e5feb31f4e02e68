package io.github.mcpclient.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.McpSessionFactory;
import io.github.mcpclient.session.SessionListener;
import io.github.mcpclient.session.SessionOptions;
import io.github.mcpclient.support.SerialQueue;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * What the parts of one connection share, none of which changes.
 *
 * @param definition the server
 * @param transports makes the transport of each attempt; not our code
 * @param sessions makes the session of each attempt
 * @param options the options of each session
 * @param queue the serial queue of this connection
 * @param opening runs what may block, one attempt after the other: making a transport
 * builds its TLS context, and a factory may be a user's, as may be what it makes
 * @param closing runs the end of each generation, which may block, too
 * @param wording words its failures
 */
record ConnectionContext(McpServerDefinition definition, Supplier<McpClientTransport> transports,
		McpSessionFactory sessions, SessionOptions options, SerialQueue queue, SerialQueue opening, SerialQueue closing,
		ErrorWording wording) {

	Instant now() {
		return this.queue.instant();
	}

	McpClientTransport newTransport() {
		McpClientTransport transport = this.transports.get();
		if (transport == null) {
			throw new IllegalStateException("The transport factory made no transport");
		}
		return transport;
	}

	McpSession newSession(McpClientTransport transport, Duration limit, SessionListener listener) {
		return this.sessions.create(transport, this.options.withInitializationTimeout(limit), listener);
	}

}
