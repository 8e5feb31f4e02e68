package io.github.mcpclient;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpResourceUpdatedEvent;
import io.github.mcpclient.management.McpServerManager;
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
 * One MCP server, for use by applications. To manage the same server, see
 * {@link io.github.mcpclient.management.ManagedMcpServer}. An instance stays valid across
 * any number of reconnects and {@linkplain McpServerManager#replace replacements}, until
 * the server is {@linkplain McpServerManager#remove removed}: from then on it is
 * {@link McpServerState#CLOSED} and has no tools. All methods are thread-safe.
 *
 * <p>
 * Methods with a counterpart that ends in {@code Async} wait for the server, as
 * {@link io.github.mcpclient this package} describes, and fail as
 * {@link McpTool#call(Map)} does. The counterparts send the request once per
 * subscription, and cancel it at the server when the subscription is cancelled.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
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
	 * Return the server's instructions for its use, for a system prompt, from the latest
	 * handshake. Never blocks. Title, icons and website are in
	 * {@link McpServerStatus#serverInfo()}.
	 * @return untrusted lines of text without control characters; secrets of the
	 * configuration that the server repeats are masked. {@code null} if the server has no
	 * instructions or was never connected
	 */
	@Nullable String instructions();

	/**
	 * Return the tools of this server that the application may call. They stay listed
	 * while the server is unavailable. Never blocks.
	 * @return a snapshot of the tools, sorted by name
	 */
	List<McpTool> tools();

	/**
	 * Return a snapshot of the known prompts, resources and resource templates of the
	 * server. They are listed after the server has become READY and again whenever it
	 * announces a change, and remain available while the server is unavailable. Never
	 * blocks, and never contacts the server.
	 */
	McpServerFeatures features();

	/**
	 * Return the prompts of the server. If they are not known yet, connect a server that
	 * has not been used, and wait for the list.
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
	 * Return the resources of the server. If they are not known yet, connect a server
	 * that has not been used, and wait for the list.
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
	 * Return the resource templates of the server, in the same way as
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
	 * @param arguments the arguments of the prompt, sent unchanged; the specification
	 * requires strings
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
	 * @param uri the URI of the resource, listed or built from a template; only the
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
	 * {@link #unsubscribe}; subscribing again changes nothing. If each user has a
	 * separate connection, the subscription belongs to the user's connection, and ends
	 * with it at the latest.
	 * @param uri the URI of the resource
	 * @throws McpUnsupportedException if the server lacks the capability, or
	 * {@code resources.enabled} is {@code false}
	 * @throws McpProtocolException if the server rejects the subscription
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
	 * @param uri the URI of the resource
	 * @throws McpException if the server is connected and does not confirm the end of the
	 * subscription
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

}
