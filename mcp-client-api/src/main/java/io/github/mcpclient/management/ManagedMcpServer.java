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
 * One MCP server, with what operators do and see: its origin and settings, what the
 * application does not get of it, its latest calls, states and messages; to connect it
 * again, to list its tools again, to check it, and to approve its tools. All methods are
 * safe for use by many threads.
 *
 * <p>
 * What changes or contacts the server has a method that waits and one that does not: see
 * {@link io.github.mcpclient the rules for both}. What has begun goes on without whoever
 * waits for it: to be interrupted, or to cancel a subscription, ends the wait only. So
 * does an {@link McpRequestTimeoutException}, which a method that waits throws after the
 * longest of the server's timeouts and 45 seconds.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
 *
 * @see McpServerManager#server(String)
 */
public interface ManagedMcpServer extends McpServer {

	/**
	 * Return where the server comes from.
	 */
	McpServerOrigin origin();

	/**
	 * Return the properties that the definition was made of, with those of
	 * {@code mcp.defaults}, sorted by name. Values that may be secret are masked, and
	 * placeholders are not resolved. Each call searches all property sources: do not call
	 * this for each request.
	 * @return the properties; empty if the server is not configured, or was
	 * {@linkplain McpServerManager#replace replaced}
	 */
	List<McpServerSetting> settings();

	/**
	 * Return how requests to this server are authorized now. It never contains a token,
	 * and describes no user but the one who is bound to this thread. Contacts no server,
	 * but may read the store of logins.
	 * @return {@code null} if the server has no authorization
	 */
	@Nullable McpAuthorizationStatus authorization();

	/**
	 * Return the tools that the server lists but that are missing from {@link #tools()},
	 * or that have no bean, each with the reason. This includes tools that are listed
	 * twice or malformed, and names in {@code tools.filter} that match no tool, since
	 * they may be misspelled. Never blocks.
	 */
	List<ExcludedTool> excludedTools();

	/**
	 * Return how the tools of the latest listing compare with the approved ones, if
	 * {@code tools.pinning} is {@code warn} or {@code block}; empty otherwise. If the
	 * server lists tools for each user, there are up to four definitions of each tool.
	 * Never blocks.
	 */
	List<McpToolPin> toolPins();

	/**
	 * Approve the definitions of tools, as the server lists them now, and wait until the
	 * approval is stored.
	 * @param hashes the {@linkplain McpToolPin#hash() hash} of each tool, by the name
	 * that the server gives to it
	 * @throws McpException if the approval cannot be stored
	 * @throws IllegalArgumentException if the server does not list all of these tools
	 * with these hashes now, in which case none is approved; or if {@code tools.pinning}
	 * is {@code off}
	 */
	void approveTools(Map<String, String> hashes);

	/**
	 * The non-blocking form of {@link #approveTools}.
	 */
	Mono<Void> approveToolsAsync(Map<String, String> hashes);

	/**
	 * Return the latest calls of the server's tools that have ended, at most 50, the
	 * latest first. Calls that were answered or refused by an interceptor or a rule,
	 * without the server, are not included. Never blocks.
	 */
	List<RecentCall> recentCalls();

	/**
	 * Return the latest changes of the state, at most 50, the latest first. Never blocks.
	 */
	List<StateChange> recentStates();

	/**
	 * Return the latest messages to and from the server, the oldest first, if they are
	 * {@linkplain io.github.mcpclient.spi.McpMessageRecording recorded}; empty otherwise.
	 * They are kept across connections, and include those of all users. Never blocks.
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
	 * List the tools, prompts and resources of the server again. A refresh that fails
	 * keeps what was known before. A server that has not been used yet is connected
	 * instead.
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
	 * Check, step by step, whether the server can be reached and used. The check has a
	 * connection, or a child process, of its own: the connection and the state of the
	 * server do not change, no attempt is counted and no event published. No login is
	 * started. Only one check runs at a time; those who ask meanwhile share its result.
	 * It ends at once when the server is removed, replaced or disabled.
	 * @return what was found, after the initialization timeout or 20 s, whichever is
	 * shorter, and up to 2 s for closing, at the latest
	 */
	McpDiagnosis diagnose();

	/**
	 * The non-blocking form of {@link #diagnose()}.
	 */
	Mono<McpDiagnosis> diagnoseAsync();

	/**
	 * Add something that the server does against the protocol to the
	 * {@linkplain McpServerStatus#deviations() deviations} in its status. Logged once for
	 * each kind. Never blocks.
	 * @param detail what was seen, printable and short
	 */
	void reportDeviation(McpServerDeviation.Kind kind, String detail);

	/**
	 * A tool that the server lists and that the application does not get, or not as a
	 * bean.
	 *
	 * @param originalName the name that the server gives to the tool, or the entry of
	 * {@code tools.filter}
	 * @param reason why the tool is excluded
	 */
	record ExcludedTool(String originalName, String reason) {
	}

	/**
	 * A call of a tool that has ended, without its arguments and its result.
	 *
	 * @param tool the name of the tool, as the application has it
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
	 * @param sequence a number that grows with each message of the server, from 1 on
	 * @param time when it was about to be sent, or was received
	 * @param sent whether the client sent it; otherwise the server did
	 * @param kind what it is
	 * @param method its method, or for an answer that of the request; {@code null} if
	 * that is not known
	 * @param id the id of the request, or {@code null} if it has none
	 * @param size its approximate size in bytes, as compact JSON
	 * @param text its JSON, not to be trusted: about 16 KiB at most, with {@code ******}
	 * in place of the server's configured secrets, of the credentials of the request that
	 * it answers, and of what looks like a credential
	 * @param truncated whether the text is its beginning only
	 */
	record RecentMessage(long sequence, Instant time, boolean sent, Kind kind, @Nullable String method,
			@Nullable String id, long size, String text, boolean truncated) {

		/**
		 * The kinds of messages.
		 */
		public enum Kind {

			/**
			 * A request, of either side.
			 */
			REQUEST,

			/**
			 * The result of a request.
			 */
			RESPONSE,

			/**
			 * The error that a request was answered with. If the client could not use the
			 * answer of the server, for instance because it is too large, the error says
			 * so.
			 */
			ERROR,

			/**
			 * A notification, of either side.
			 */
			NOTIFICATION

		}

	}

}
