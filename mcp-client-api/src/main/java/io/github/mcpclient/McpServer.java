package io.github.mcpclient;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpResourceUpdatedEvent;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * One MCP server. A handle stays valid across any number of reconnects and
 * {@linkplain McpServerManager#replace replacements}, until the server is
 * {@linkplain McpServerManager#remove removed}: from then on it is
 * {@link McpServerState#CLOSED} and has no tools. All methods are safe for use by many
 * threads.
 *
 * <p>
 * Methods with a counterpart that ends in {@code Async} wait for the server. They throw
 * an {@link IllegalStateException} on a thread that must not block, such as an event
 * loop, and otherwise fail as {@link McpTool#call(Map)} does. The {@code Async}
 * counterparts never block, send the request once per subscription, and cancel it at the
 * server when the subscription is cancelled.
 *
 * @see McpServerRegistry#server(String)
 */
public interface McpServer {

	/**
	 * Return the configured name.
	 */
	String name();

	/**
	 * Return a snapshot of the state of this server. Never blocks.
	 */
	McpServerStatus status();

	/**
	 * Return the definition in use, which may have secrets. Never blocks.
	 */
	McpServerDefinition definition();

	/**
	 * Return where the server comes from.
	 */
	McpServerOrigin origin();

	/**
	 * Return how requests to this server are authorized now. It never contains a token,
	 * and describes no user but the one who is bound to this thread. Contacts no server,
	 * but may read the store of logins.
	 * @return {@code null} if the server has no authorization
	 */
	default @Nullable McpAuthorizationStatus authorization() {
		return null;
	}

	/**
	 * Return the properties that the definition was made of, with those of
	 * {@code mcp.defaults}, sorted by name. Values that may be secret are masked, and
	 * placeholders are not resolved. Each call searches all property sources: do not call
	 * this for each request.
	 * @return the properties; empty if the server is not configured, or was
	 * {@linkplain McpServerManager#replace replaced}
	 */
	default List<McpServerSetting> settings() {
		return List.of();
	}

	/**
	 * Return the instructions of the server for its use, for a system prompt, as of the
	 * latest handshake. Never blocks. Title, icons and website are in
	 * {@link McpServerStatus#serverInfo()}.
	 * @return lines of text without control characters, and without secrets of the
	 * configuration that the server repeats; not to be trusted. {@code null} if the
	 * server has no instructions or was never connected
	 */
	@Nullable String instructions();

	/**
	 * Return the tools of this server that the application may call. They stay listed
	 * while the server is unavailable. Never blocks.
	 * @return a snapshot of the tools, sorted by name
	 */
	List<McpTool> tools();

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
	default List<McpToolPin> toolPins() {
		return List.of();
	}

	/**
	 * Approve the definitions of tools, as the server lists them now. Starts at once,
	 * whether or not the result is subscribed to.
	 * @param hashes the {@linkplain McpToolPin#hash() hash} of each tool, by the name
	 * that the server gives to it
	 * @return completes when the approval is stored; fails with an {@link McpException}
	 * if it cannot be stored
	 * @throws IllegalArgumentException if the server does not list all of these tools
	 * with these hashes now, in which case none is approved; or if {@code tools.pinning}
	 * is {@code off}
	 */
	default Mono<Void> approveTools(Map<String, String> hashes) {
		throw new IllegalArgumentException("tools.pinning of MCP server '" + name() + "' is off");
	}

	/**
	 * Return the latest calls of the server's tools that have ended, at most 50, the
	 * latest first. Calls that were answered or refused by an interceptor or a rule,
	 * without the server, are not included. Never blocks.
	 */
	default List<RecentCall> recentCalls() {
		return List.of();
	}

	/**
	 * Return the latest changes of the state, at most 50, the latest first. Never blocks.
	 */
	default List<StateChange> recentStates() {
		return List.of();
	}

	/**
	 * Return the latest messages to and from the server, the oldest first, if they are
	 * {@linkplain io.github.mcpclient.spi.McpMessageRecording recorded}; empty otherwise.
	 * They are kept across connections, and include those of all users. Never blocks.
	 * @param after the {@linkplain RecentMessage#sequence() sequence} of the last message
	 * already seen, or 0 for all
	 */
	default List<RecentMessage> recentMessages(long after) {
		return List.of();
	}

	/**
	 * Return a snapshot of what the server offers besides its tools, as far as it is
	 * known. Prompts and resources are listed after the server has become READY and again
	 * whenever it announces a change, and stay known while it is unavailable. Never
	 * blocks, and never contacts the server.
	 */
	McpServerFeatures features();

	/**
	 * Return the prompts of the server. If they are not known yet, this connects a server
	 * that has not been used, and waits for the list.
	 * @return the prompts in the server's order; empty if the server lacks the
	 * capability, or {@code prompts.enabled} is {@code false}
	 * @throws McpException if they are not known and cannot be listed
	 */
	List<Prompt> prompts();

	/**
	 * The non-blocking form of {@link #prompts()}.
	 */
	Mono<List<Prompt>> promptsAsync();

	/**
	 * Return the resources of the server. If they are not known yet, this connects a
	 * server that has not been used, and waits for the list.
	 * @return the resources in the server's order; empty if the server lacks the
	 * capability, or {@code resources.enabled} is {@code false}
	 * @throws McpException if they are not known and cannot be listed
	 */
	List<Resource> resources();

	/**
	 * The non-blocking form of {@link #resources()}.
	 */
	Mono<List<Resource>> resourcesAsync();

	/**
	 * Return the resource templates of the server, by the same rules as
	 * {@link #resources()}.
	 * @return the templates in the server's order
	 * @throws McpException if they are not known and cannot be listed
	 */
	List<ResourceTemplate> resourceTemplates();

	/**
	 * The non-blocking form of {@link #resourceTemplates()}.
	 */
	Mono<List<ResourceTemplate>> resourceTemplatesAsync();

	/**
	 * Get the messages of a prompt. The request has the timeout of a tool call, and is
	 * repeated if the connection fails.
	 * @param arguments its arguments, sent as they are; the specification asks for
	 * strings
	 * @return the messages; content of an unknown type is an
	 * {@link McpToolResult.UnknownContent}
	 * @throws McpUnsupportedException if the server lacks the capability, or
	 * {@code prompts.enabled} is {@code false}
	 * @throws McpProtocolException if the server does not know the prompt
	 */
	GetPromptResult getPrompt(String name, Map<String, Object> arguments);

	/**
	 * The non-blocking form of {@link #getPrompt}.
	 */
	Mono<GetPromptResult> getPromptAsync(String name, Map<String, Object> arguments);

	/**
	 * Read a resource. The request has the timeout of a tool call, and is repeated if the
	 * connection fails. No request is sent while the server allows an earlier result to
	 * be reused.
	 * @param uri the uri of the resource, listed or built from a template; only the
	 * server interprets it
	 * @return the contents, text or binary
	 * @throws McpUnsupportedException if the server lacks the capability, or
	 * {@code resources.enabled} is {@code false}
	 * @throws McpProtocolException if the server does not know the resource
	 */
	ReadResourceResult readResource(String uri);

	/**
	 * The non-blocking form of {@link #readResource}.
	 */
	Mono<ReadResourceResult> readResourceAsync(String uri);

	/**
	 * Subscribe to the updates of a resource, which are published as
	 * {@link McpResourceUpdatedEvent}. The subscription is renewed whenever the server is
	 * connected again or {@linkplain McpServerManager#replace replaced}, until
	 * {@link #unsubscribe}; subscribing again changes nothing. Where each user has a
	 * connection of their own, the subscription belongs to the user's connection, and
	 * ends with it at the latest.
	 * @param uri the uri of the resource
	 * @throws McpUnsupportedException if the server lacks the capability, or
	 * {@code resources.enabled} is {@code false}
	 * @throws McpProtocolException if the server refuses
	 * @throws IllegalStateException if there are already {@code resources.max}
	 * subscriptions
	 */
	void subscribe(String uri);

	/**
	 * The non-blocking form of {@link #subscribe}.
	 */
	Mono<Void> subscribeAsync(String uri);

	/**
	 * End the subscription to a resource, even if the server cannot be reached.
	 * @param uri the uri of the resource
	 * @throws McpException if the server is connected and does not confirm it
	 */
	void unsubscribe(String uri);

	/**
	 * The non-blocking form of {@link #unsubscribe}.
	 */
	Mono<Void> unsubscribeAsync(String uri);

	/**
	 * Get completions for an argument of a prompt or a resource template.
	 * @param request the prompt or the template, and the argument as typed so far
	 * @throws McpUnsupportedException if the server lacks the capability, or
	 * {@code prompts.enabled} or {@code resources.enabled} is {@code false}
	 */
	CompleteResult complete(CompleteRequest request);

	/**
	 * The non-blocking form of {@link #complete}.
	 */
	Mono<CompleteResult> completeAsync(CompleteRequest request);

	/**
	 * Drop the current connection, if any, and connect again without waiting for the next
	 * scheduled attempt. Starts at once, whether or not the result is subscribed to;
	 * calling this during an attempt joins it.
	 * @return the status when the attempt has ended, successful or not; never an error
	 */
	Mono<McpServerStatus> reconnect();

	/**
	 * List the tools, prompts and resources of the server again. Starts at once, whether
	 * or not the result is subscribed to. A refresh that fails keeps what was known
	 * before. A server that has not been used yet is connected instead.
	 * @return the status when the listing has ended; fails with
	 * {@link McpServerUnavailableException} if the server is not connected, and with
	 * another {@link McpException} if the tools could not be listed
	 */
	Mono<McpServerStatus> refresh();

	/**
	 * Check, step by step, whether the server can be reached and used. The check has a
	 * connection, or a child process, of its own: the connection and the state of the
	 * server do not change, no attempt is counted and no event published. No login is
	 * started. Only one check runs at a time; those who subscribe meanwhile share its
	 * result. It ends at once when the server is removed, replaced or disabled.
	 * @return what was found, after the initialization timeout or 20 s, whichever is
	 * shorter, and up to 2 s for closing, at the latest; never an error
	 */
	default Mono<McpDiagnosis> diagnose() {
		return Mono.empty();
	}

	/**
	 * Add something that the server does against the protocol to the
	 * {@linkplain McpServerStatus#deviations() deviations} in its status. Logged once for
	 * each kind. Never blocks.
	 * @param detail what was seen, printable and short
	 */
	default void reportDeviation(McpServerDeviation.Kind kind, String detail) {
		// nothing is recorded
	}

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
