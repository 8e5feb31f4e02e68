package io.github.mcpclient.connection;

import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.SessionListener;
import io.github.mcpclient.session.SessionOptions;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * Makes the session of a generation.
 */
@FunctionalInterface
interface SessionSource {

	McpSession create(McpClientTransport transport, SessionOptions options, SessionListener listener);

}
