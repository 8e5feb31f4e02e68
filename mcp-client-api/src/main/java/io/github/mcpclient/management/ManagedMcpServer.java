package io.github.mcpclient.management;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One MCP server with its management operations. Provides its origin and settings, its
 * excluded tools, its latest calls, states and messages; and operations to reconnect it,
 * to list its tools again, to check it, and to approve its tools. All methods are
 * thread-safe.
 *
 * <p>
 * Operations that change or contact the server have a method that waits and a method that
 * does not, as {@link io.github.mcpclient the base package} describes. An operation that
 * has begun continues to its end: interrupting the thread, cancelling the subscription,
 * or an {@link McpRequestTimeoutException}, ends only the wait. Methods that wait throw
 * this exception after the longest of the server's timeouts and 45 seconds.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 *
 * @see McpServerManager#server(String)
 */
public interface ManagedMcpServer extends McpServer {

	/**
	 * Return the origin of the definition of the server.
	 */
	McpServerOrigin origin();

	/**
	 * Return the properties of the definition, including properties of
	 * {@code mcp.defaults}, sorted by name. Values that may be secret are masked, and
	 * placeholders are not resolved. Each call searches all property sources: do not call
	 * this for each request.
	 * @return the properties; empty if the server is not configured by properties, or was
	 * {@linkplain McpServerManager#replace replaced}
	 */
	List<McpServerSetting> settings();

	/**
	 * Return the current authorization of requests to this server. It never contains a
	 * token, and describes no user other than the user who is bound to this thread.
	 * Contacts no server, but may read the store of logins.
	 * @return {@code null} if the server has no authorization
	 */
	@Nullable McpAuthorizationStatus authorization();

	/**
	 * Return the tools that the server lists and that are missing from {@link #tools()},
	 * or that have no bean, each with the reason. This includes tools that are listed
	 * twice or malformed, and names in {@code tools.filter} that match no tool, since
	 * they may be misspelled. Never blocks.
	 */
	List<ExcludedTool> excludedTools();

	/**
	 * Return the comparison of the tools of the latest listing with the approved ones, if
	 * {@code tools.pinning} is {@code warn} or {@code block}; empty otherwise. If the
	 * server lists tools for each user, there are up to four definitions of each tool.
	 * Never blocks.
	 */
	List<McpToolPin> toolPins();

	/**
	 * Approve the currently listed definitions of tools, and wait until the approval is
	 * stored.
	 * @param hashes the {@linkplain McpToolPin#hash() hash} of each tool, by the original
	 * name of the tool
	 * @throws McpException if the approval cannot be stored
	 * @throws IllegalArgumentException if the server does not currently list all of these
	 * tools with these hashes, in which case no tool is approved; or if
	 * {@code tools.pinning} is {@code off}
	 */
	void approveTools(Map<String, String> hashes);

	/**
	 * The non-blocking form of {@link #approveTools}.
	 */
	Mono<Void> approveToolsAsync(Map<String, String> hashes);

	/**
	 * Return the latest completed calls of the server's tools, at most 50, the latest
	 * first. Calls that an interceptor or a rule completed or rejected, without the
	 * server, are not included. Never blocks.
	 */
	List<RecentCall> recentCalls();

	/**
	 * Return the latest changes of the state, at most 50, the latest first. Never blocks.
	 */
	List<StateChange> recentStates();

	/**
	 * Return the latest messages to and from the server, the oldest first, if they are
	 * {@linkplain io.github.mcpclient.spi.McpMessageRecording recorded}; empty otherwise.
	 * They are retained across connections, and include the messages of all users. Never
	 * blocks.
	 * @param after the {@linkplain RecentMessage#sequence() sequence} of the last message
	 * already seen, or 0 for all
	 */
	List<RecentMessage> recentMessages(long after);

	/**
	 * Drop the current connection, if any, and connect again without waiting for the next
	 * scheduled attempt. Calling this during an attempt joins it.
	 * @return the status when the attempt has ended, successful or not
	 */
	McpServerStatus reconnect();

	/**
	 * The non-blocking form of {@link #reconnect()}.
	 */
	Mono<McpServerStatus> reconnectAsync();

	/**
	 * List the tools, prompts and resources of the server again. If this fails, the known
	 * lists remain in use. A server that has not been used yet is connected instead.
	 * @return the status when the listing has ended
	 * @throws McpServerUnavailableException if the server is not connected
	 * @throws McpException if the tools could not be listed
	 */
	McpServerStatus refresh();

	/**
	 * The non-blocking form of {@link #refresh()}.
	 */
	Mono<McpServerStatus> refreshAsync();

	/**
	 * Check, step by step, whether the server can be reached and used. The check uses a
	 * separate connection or child process: it does not change the connection and the
	 * state of the server, count as an attempt, publish events, or start a login. Only
	 * one check runs at a time; concurrent callers share its result. It ends immediately
	 * when the server is removed, replaced or disabled.
	 * @return the diagnosis, at the latest after the initialization timeout or 20 s,
	 * depending on which is shorter, and up to 2 s for closing
	 */
	McpDiagnosis diagnose();

	/**
	 * The non-blocking form of {@link #diagnose()}.
	 */
	Mono<McpDiagnosis> diagnoseAsync();

	/**
	 * Add an observed deviation from the protocol to the
	 * {@linkplain McpServerStatus#deviations() deviations} in the status of the server.
	 * Logged once for each kind. Never blocks.
	 * @param detail the observed behavior, printable and short
	 */
	void reportDeviation(McpServerDeviation.Kind kind, String detail);

	/**
	 * A tool that the server lists and that is excluded from the application, or has no
	 * bean.
	 *
	 * @param originalName the original name of the tool, or the entry of
	 * {@code tools.filter}
	 * @param reason why the tool is excluded
	 */
	record ExcludedTool(String originalName, String reason) {
	}

	/**
	 * A completed call of a tool, without its arguments and its result.
	 *
	 * @param tool the name of the tool in the application
	 * @param started when the call began
	 * @param duration how long it took
	 * @param repeated whether it was sent again, for instance after the connection was
	 * lost
	 * @param outcome {@code success}; {@code tool_error} if the result
	 * {@linkplain McpToolResult#isError() is an error}; {@code cancelled}; or the simple
	 * name of the exception
	 * @param error the message of an {@link McpException}, or {@code null}
	 */
	record RecentCall(String tool, Instant started, Duration duration, boolean repeated, String outcome,
			@Nullable String error) {
	}

	/**
	 * A change of the state.
	 *
	 * @param state the state from then on
	 * @param since when it changed
	 * @param reason the {@linkplain McpServerStatus#lastError() last error} at that time,
	 * or {@code null}
	 */
	record StateChange(McpServerState state, Instant since, @Nullable String reason) {
	}

	/**
	 * A message to or from the server, as the client wrote or parsed it.
	 *
	 * @param sequence the sequence number of the message, which increases with each
	 * message of the server, from 1 on
	 * @param time when it was about to be sent, or was received
	 * @param sent whether the client sent it; otherwise the server did
	 * @param kind the kind of message
	 * @param method its method, or for a response the method of the request; {@code null}
	 * if it is not known
	 * @param id the ID of the request, or {@code null} if it has none
	 * @param size its approximate size in bytes, as compact JSON
	 * @param text its JSON, untrusted: about 16 KiB at most, with {@code ******} in place
	 * of the server's configured secrets, of the credentials of the corresponding
	 * request, and of values that look like a credential
	 * @param truncated whether the text contains only the beginning
	 */
	record RecentMessage(long sequence, Instant time, boolean sent, Kind kind, @Nullable String method,
			@Nullable String id, long size, String text, boolean truncated) {

		/**
		 * The kinds of messages.
		 */
		public enum Kind {

			/**
			 * A request of the client or the server.
			 */
			REQUEST,

			/**
			 * The result of a request.
			 */
			RESPONSE,

			/**
			 * The error that completed a request. If the client could not use the
			 * response of the server, for instance because it is too large, the error
			 * describes this.
			 */
			ERROR,

			/**
			 * A notification of the client or the server.
			 */
			NOTIFICATION

		}

	}

}
