package io.github.mcpclient.agent;

import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.management.ManagedMcpServer;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The tools of MCP servers as models get them: the tools of one catalog
 * {@linkplain McpToolCatalog#forCaller() for the caller}, of all servers or of a
 * selection. For agent loops, and bridges to agent libraries. All methods are safe for
 * use by many threads. They block as the methods of the catalog do.
 *
 * <p>
 * In a Spring Boot application, inject it; it has all tools. Without Spring Boot,
 * {@link McpAgents} makes it. For an agent that is to have fewer tools:
 *
 * <pre>{@code
 * McpModelTools librarian = modelTools.of(catalog.selection("librarian"));
 * List<McpTool> tools = librarian.offered();
 * McpToolResult result = librarian.executor().execute("library_find_book", Map.of("title", "Emma"));
 * }</pre>
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 */
public interface McpModelTools {

	/**
	 * Return the catalog whose tools these are.
	 */
	McpToolCatalog catalog();

	/**
	 * Return the tools to offer to a model now: all except {@linkplain McpTool#hidden()
	 * hidden} tools, which can still be called, and are offered again when their server
	 * is available. If {@code mcp.tools.search.enabled} is set and there are more tools
	 * than {@code mcp.tools.search.threshold}, two tools replace them:
	 * {@code search_tools}, and {@code call_tool}, which calls the tools of the catalog.
	 * While any server has {@code tools.keep-results}, {@code read_result} is offered,
	 * too.
	 * @return an immutable snapshot, sorted by name; the same instance as long as nothing
	 * has changed
	 */
	List<McpTool> offered();

	/**
	 * Find the tools that match a query best, except {@linkplain McpTool#hidden() hidden}
	 * tools. The query is compared with the words of their names, titles and
	 * descriptions, and of the names and descriptions of their parameters. Case and
	 * simple word endings are ignored, and names such as {@code listPullRequests} and
	 * {@code read_file} are split into words. A word weighs more if fewer tools have it.
	 *
	 * <p>
	 * The first search reads the tools, which takes a few hundred milliseconds for ten
	 * thousand; after that, only the tools of changed servers are read again.
	 * @param query what to do, such as {@code read a file}; the first 1,000 characters
	 * count
	 * @param max how many tools to find at most
	 * @return the best match first, and matches with the same score sorted by name; empty
	 * if no tool has a word of the query, the query is blank, or {@code max} is zero
	 * @throws IllegalArgumentException if {@code max} is negative
	 */
	List<McpToolMatch> search(String query, int max);

	/**
	 * Return the {@linkplain McpServer#instructions() instructions} of the servers whose
	 * tools are not {@linkplain McpTool#hidden() hidden} now, for a system prompt: sorted
	 * by name, each under a heading with the server's name, and quoted line by line, so
	 * that a server cannot impersonate another. It has at most about 8,000 characters for
	 * each server and 32,000 in all. The text comes from the servers and is not to be
	 * trusted, nor to be used as a template.
	 * @return the text; empty if no server has instructions
	 */
	String instructions();

	/**
	 * Return the schema of the arguments of a tool for models: an object with a list of
	 * its properties, without keywords that model providers refuse at the top. If the
	 * server's schema has one, this is reported as a
	 * {@linkplain ManagedMcpServer#reportDeviation deviation} of the server.
	 * @param tool a tool that is {@linkplain #offered() offered}
	 */
	Map<String, @Nullable Object> inputSchema(McpTool tool);

	/**
	 * Return the executor of these tools only, which also executes the additional tools
	 * that are {@linkplain #offered() offered}.
	 */
	McpToolExecutor executor();

	/**
	 * Make a call that a model requests, with an executor of the application.
	 * @param tool a tool that is {@linkplain #offered() offered}
	 * @param arguments a JSON object, or blank or {@code null} for none. Anything else is
	 * logged as a failed call
	 * @param context where the user of the caller may be
	 * @param call calls a tool of a server: for {@code call_tool}, the one that it names
	 * @return the result of the call, or an error that a model can read
	 */
	McpToolResult call(McpTool tool, @Nullable String arguments, ContextView context,
			BiFunction<McpTool, McpToolRequest, McpToolResult> call);

	/**
	 * Return the tools of another catalog {@linkplain McpToolCatalog#forCaller() for the
	 * caller}, as models get them: for a selection, such as
	 * {@link McpToolCatalog#select}, or for the user that
	 * {@link McpToolCatalog#forCallerAsync()} returns a catalog for.
	 */
	McpModelTools of(McpToolCatalog catalog);

}
