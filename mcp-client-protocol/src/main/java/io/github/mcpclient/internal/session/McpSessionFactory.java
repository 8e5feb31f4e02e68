package io.github.mcpclient.internal.session;

import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * Makes sessions. Safe for use by many threads.
 */
@FunctionalInterface
public interface McpSessionFactory {

	/**
	 * Makes a session, which connects the transport and closes it.
	 * @param options the options of the connection, which are those of its sessions
	 * before, too
	 */
	McpSession create(McpClientTransport transport, SessionOptions options, SessionListener listener);

}
