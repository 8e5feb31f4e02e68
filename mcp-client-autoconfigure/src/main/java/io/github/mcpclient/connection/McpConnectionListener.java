package io.github.mcpclient.connection;

import java.util.List;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * Told of the changes of one connection, in their order and one at a time. Called on the
 * connection's serial queue: must not block, nor run code that is not ours.
 */
public interface McpConnectionListener {

	/**
	 * The connection entered another state.
	 */
	void stateChanged(McpServerState previous, McpServerStatus status);

	/**
	 * The server offers other tools than before. On connecting, this comes before the
	 * connection is announced as READY.
	 */
	void toolsChanged(List<Tool> tools);

	/**
	 * The server has other prompts than before. Comes after the connection is announced
	 * as READY.
	 */
	void promptsChanged();

	/**
	 * The server has other resources than before, or resource templates. Comes after the
	 * connection is announced as READY.
	 */
	void resourcesChanged();

}
