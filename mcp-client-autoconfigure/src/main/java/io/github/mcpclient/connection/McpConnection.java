package io.github.mcpclient.connection;

import java.util.List;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.core.publisher.Mono;

/**
 * The supervised connection to one server: it connects, notices the loss of the
 * connection, and connects anew, until it is closed. All methods are safe for use by many
 * threads, and none blocks. What they return signals on a thread that must not block.
 */
public final class McpConnection {

	private final McpServerDefinition definition;

	private final Supervisor supervisor;

	private final ToolCalls calls;

	McpConnection(McpServerDefinition definition, Supervisor supervisor, ToolCalls calls) {
		this.definition = definition;
		this.supervisor = supervisor;
		this.calls = calls;
	}

	/**
	 * Return the name of the server.
	 * @return the configured name
	 */
	public String name() {
		return this.definition.name();
	}

	/**
	 * Return the description of the server.
	 * @return the definition
	 */
	public McpServerDefinition definition() {
		return this.definition;
	}

	/**
	 * Return a snapshot of the state.
	 * @return the status
	 */
	public McpServerStatus status() {
		return this.supervisor.status();
	}

	/**
	 * Return the tools that the server offered when it was last asked. They stay while it
	 * is not connected.
	 * @return an immutable list, in the server's order
	 */
	public List<Tool> tools() {
		return this.supervisor.state().tools();
	}

	/**
	 * Return whether the server is connected.
	 * @return whether the state is {@link McpServerState#READY}
	 */
	public boolean isReady() {
		return this.supervisor.state().name() == McpServerState.READY;
	}

	/**
	 * Begin to connect. Does nothing where that was done before, or where the server is
	 * disabled.
	 */
	public void start() {
		this.supervisor.start();
	}

	/**
	 * Return the end of the first attempt to connect. Does not begin it.
	 * @return completes when the first attempt has ended, well or not, or when there will
	 * be none: the server is disabled or the connection was closed. Never an error
	 */
	public Mono<Void> firstAttempt() {
		return this.supervisor.firstAttempt();
	}

	/**
	 * Drop the present connection, if any, and connect anew without waiting for the next
	 * planned attempt. Starts at once, whether or not the result is subscribed to;
	 * requests made while an attempt is under way join it. Does nothing where the server
	 * is disabled or the connection closed.
	 * @return the status when the attempt has ended, well or not; never an error
	 */
	public Mono<McpServerStatus> reconnect() {
		return this.supervisor.reconnect();
	}

	/**
	 * List the tools of the server anew. Starts at once, whether or not the result is
	 * subscribed to. A refresh that fails keeps the tools known so far.
	 * @return the status when the listing has ended; fails with
	 * {@link McpServerUnavailableException} where the server is not connected, and with
	 * another {@link McpException} where the listing failed
	 */
	public Mono<McpServerStatus> refresh() {
		return this.supervisor.refresh();
	}

	/**
	 * Call a tool: once for each subscription. A subscription that is cancelled cancels
	 * the call at the server.
	 *
	 * <p>
	 * A call that meets the loss of the connection is repeated, once, when the connection
	 * is back within the call's timeout, and the server cannot have acted on it or the
	 * call is repeatable.
	 *
	 * <p>
	 * Where the server is not connected the call fails at once. It waits, within its
	 * timeout, only for the very first attempt to connect, which it begins if need be,
	 * and while a session that the server has dropped is replaced by a new one. Giving up
	 * does not cancel the attempt, which others may share.
	 * @param call the call
	 * @return the result; fails with {@link McpServerUnavailableException},
	 * {@link McpRequestTimeoutException}, {@link McpProtocolException},
	 * {@link McpConnectionException}, or with what the check of the call says
	 */
	public Mono<CallToolResult> callTool(ToolCall call) {
		return this.calls.call(call);
	}

	/**
	 * Close the connection for good. Starts at once, whether or not the result is
	 * subscribed to; calls under way fail with {@link McpServerUnavailableException}.
	 * @return completes when the transport is closed, after eight seconds at the latest.
	 * Never an error
	 */
	public Mono<Void> close() {
		return this.supervisor.close();
	}

}
