package io.github.mcpclient;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import reactor.core.publisher.Mono;

/**
 * One MCP server. A handle stays valid across any number of reconnects and
 * {@linkplain McpServerRegistry#replace replacements}, until the server is
 * {@linkplain McpServerRegistry#remove removed}: from then on it is
 * {@link McpServerState#CLOSED} and has no tools. All methods are safe for use by many
 * threads.
 *
 * @see McpServerRegistry#server(String)
 */
public interface McpServer {

	/**
	 * Return the configured name.
	 * @return the name
	 */
	String name();

	/**
	 * Return a snapshot of the state of this server. Never blocks.
	 * @return the status
	 */
	McpServerStatus status();

	/**
	 * Return the tools of this server that the application may call, sorted by name. They
	 * stay listed while the server is unavailable. Never blocks.
	 * @return a snapshot of the tools
	 */
	List<McpTool> tools();

	/**
	 * Return the tools that the server offers but that are not listed in
	 * {@link #tools()}, or have no bean, each with the reason: those, too, that it lists
	 * twice or in a form that cannot be understood. A name in {@code tools.filter} that
	 * no tool has is listed, too: it may be misspelt.
	 * @return a snapshot of the tools left out
	 */
	List<ExcludedTool> excludedTools();

	/**
	 * Return what the server has beside its tools, as far as it is known: it is listed
	 * after the server is READY, anew whenever the server announces a change, and stays
	 * known while the server is unavailable. Never blocks, and contacts nobody.
	 * @return a snapshot
	 */
	McpServerContents contents();

	/**
	 * Return the prompts of the server. Where they are not known yet, this connects a
	 * server that was not used so far, and waits for the list.
	 * @return the prompts in the server's order; none where the server has no such
	 * capability, or {@code prompts.enabled} is {@code false}
	 * @throws McpException as {@link McpTool#call(Map)} does, where they are not known
	 * and cannot be listed
	 * @throws IllegalStateException if called on a thread that must not block; use
	 * {@link #promptsAsync()} or {@link #contents()} there
	 */
	List<Prompt> prompts();

	/**
	 * Return the prompts of the server, as {@link #prompts()} does, without blocking.
	 * @return the prompts, or an error
	 */
	Mono<List<Prompt>> promptsAsync();

	/**
	 * Return the resources of the server. Otherwise as {@link #prompts()}.
	 * @return the resources in the server's order; none where the server has no such
	 * capability, or {@code resources.enabled} is {@code false}
	 */
	List<Resource> resources();

	/**
	 * Return the resources of the server, as {@link #resources()} does, without blocking.
	 * @return the resources, or an error
	 */
	Mono<List<Resource>> resourcesAsync();

	/**
	 * Return the templates by which resources of the server can be named. Otherwise as
	 * {@link #resources()}.
	 * @return the templates in the server's order
	 */
	List<ResourceTemplate> resourceTemplates();

	/**
	 * Return the templates of resources of the server, as {@link #resourceTemplates()}
	 * does, without blocking.
	 * @return the templates, or an error
	 */
	Mono<List<ResourceTemplate>> resourceTemplatesAsync();

	/**
	 * Ask for the messages of a prompt. The request has the timeout of a tool call, and
	 * is repeated where the connection breaks.
	 * @param name the name of the prompt
	 * @param arguments its arguments, strings by the specification; passed on as they are
	 * @return the messages. Content of a type that this version does not know is an
	 * {@link McpToolResult.UnknownContent}
	 * @throws McpUnsupportedException if the server does not declare the capability, or
	 * {@code prompts.enabled} is {@code false}
	 * @throws McpException otherwise as {@link McpTool#call(Map)} does; an unknown name
	 * is an {@link McpProtocolException}
	 * @throws IllegalStateException if called on a thread that must not block
	 */
	GetPromptResult getPrompt(String name, Map<String, Object> arguments);

	/**
	 * Ask for the messages of a prompt, as {@link #getPrompt} does, without blocking. The
	 * server is asked once for each subscription; cancelling it cancels the request at
	 * the server.
	 * @param name the name of the prompt
	 * @param arguments its arguments
	 * @return the messages, or an error
	 */
	Mono<GetPromptResult> getPromptAsync(String name, Map<String, Object> arguments);

	/**
	 * Read a resource. The request has the timeout of a tool call, and is repeated where
	 * the connection breaks.
	 * @param uri the uri of the resource, listed or made of a template; for the server
	 * alone to interpret
	 * @return the contents, text or binary
	 * @throws McpUnsupportedException if the server does not declare the capability, or
	 * {@code resources.enabled} is {@code false}
	 * @throws McpException otherwise as {@link McpTool#call(Map)} does; an unknown uri is
	 * an {@link McpProtocolException}
	 * @throws IllegalStateException if called on a thread that must not block
	 */
	ReadResourceResult readResource(String uri);

	/**
	 * Read a resource, as {@link #readResource} does, without blocking. The server is
	 * asked once for each subscription; cancelling it cancels the request at the server.
	 * @param uri the uri of the resource
	 * @return the contents, or an error
	 */
	Mono<ReadResourceResult> readResourceAsync(String uri);

	/**
	 * Ask how an argument of a prompt, or of a template of resources, may go on.
	 * @param request the prompt or the template, and what is there of the argument
	 * @return proposals
	 * @throws McpUnsupportedException if the server does not declare the capability, or
	 * {@code prompts.enabled}, {@code resources.enabled} is {@code false}
	 * @throws McpException otherwise as {@link McpTool#call(Map)} does
	 * @throws IllegalStateException if called on a thread that must not block
	 */
	CompleteResult complete(CompleteRequest request);

	/**
	 * Ask how an argument may go on, as {@link #complete} does, without blocking.
	 * @param request the prompt or the template, and what is there of the argument
	 * @return proposals, or an error
	 */
	Mono<CompleteResult> completeAsync(CompleteRequest request);

	/**
	 * Drop the present connection, if any, and connect anew without waiting for the next
	 * planned attempt. Starts at once, whether or not the result is subscribed to;
	 * requests made while an attempt is under way join it.
	 * @return the status when the attempt has ended, well or not; never an error
	 */
	Mono<McpServerStatus> reconnect();

	/**
	 * List the tools of the server anew, and its prompts and resources. Starts at once,
	 * whether or not the result is subscribed to. A refresh that fails keeps what was
	 * known so far.
	 * @return the status when the listing has ended; fails with
	 * {@link McpServerUnavailableException} where the server is not connected, and with
	 * another {@link McpException} where the listing of the tools failed
	 */
	Mono<McpServerStatus> refresh();

	/**
	 * A tool that the server offers and that the application does not get, or not as a
	 * bean.
	 *
	 * @param originalName the name that the server gives to the tool, or the entry of
	 * {@code tools.filter}
	 * @param reason why the tool is left out
	 */
	record ExcludedTool(String originalName, String reason) {
	}

}
