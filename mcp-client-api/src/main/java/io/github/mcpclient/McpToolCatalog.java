package io.github.mcpclient;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.support.SearchIndex;
import io.github.mcpclient.support.SearchIndex.Document;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The live view of all tools of all servers, by prefixed name. It is sorted by name,
 * regardless of the order in which servers connect. Tools of an unavailable server stay
 * listed, so that a model's tool list does not flap. All methods are safe for use by many
 * threads. They never block, except that with {@code mcp.startup.mode=lazy} the first use
 * of a catalog connects the servers, and waits for at most {@code mcp.startup.wait} on a
 * thread that may block.
 */
public interface McpToolCatalog extends Iterable<McpTool> {

	/**
	 * Return the tool of the given name.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 */
	McpTool get(String name);

	/**
	 * Return the tool of the given name, for the user in a Reactor context.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @param context where the user may be, as at {@link McpToolRequest#context()}; what
	 * is not there is taken from this thread
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 * @see #forCaller()
	 */
	default McpTool get(String name, ContextView context) {
		return get(name);
	}

	/**
	 * Find the tool of the given name.
	 * @return the tool, or empty if no tool of that name is known
	 */
	Optional<McpTool> find(String name);

	/**
	 * Return an immutable snapshot of the tools known now, sorted by name.
	 */
	List<McpTool> all();

	/**
	 * Return the tools to offer to a model now: all except those of a server that has
	 * been unavailable for longer than its {@code tools.hide-when-unavailable}. The
	 * hidden ones can still be found and called, and are offered again once their server
	 * is back. If {@code mcp.tools.search.enabled} is set and there are more tools than
	 * {@code mcp.tools.search.threshold}, two tools take their place:
	 * {@code search_tools}, and {@code call_tool}, which calls the tools of this catalog.
	 * While any server has {@code tools.keep-results}, {@code read_result} is offered,
	 * too.
	 * @return an immutable snapshot, sorted by name; the same instance as long as nothing
	 * has changed
	 */
	default List<McpTool> offered() {
		return all();
	}

	/**
	 * Find the tools that match a query best, except those that are hidden because their
	 * server is {@linkplain #offered() unavailable}. The query is compared with the words
	 * of their names, titles and descriptions, and of the names and descriptions of their
	 * parameters. Case and simple word endings are ignored, and names such as
	 * {@code listPullRequests} and {@code read_file} are split into words. A word weighs
	 * more if fewer tools have it.
	 *
	 * <p>
	 * The first search reads the tools, which takes a few hundred milliseconds for ten
	 * thousand; after that, only those that a server changed are read again.
	 * @param query what to do, such as {@code read a file}; the first 1,000 characters
	 * count
	 * @param max how many tools to find at most
	 * @return the best match first, and matches with the same score sorted by name; empty
	 * if no tool has a word of the query, the query is blank, or {@code max} is zero
	 * @throws IllegalArgumentException if {@code max} is negative
	 */
	default List<McpToolMatch> search(String query, int max) {
		List<Document<McpTool>> documents = all().stream()
			.map((tool) -> new Document<>(tool, List.of(tool.name(), tool.originalName()), tool.title(),
					tool.description(), tool.inputSchema()))
			.toList();
		return SearchIndex
			.search(List.of(new SearchIndex<>(documents)), query, max, (tool) -> true,
					Comparator.comparing(McpTool::name))
			.stream()
			.map((hit) -> new McpToolMatch(hit.tool(), hit.score()))
			.toList();
	}

	/**
	 * Return the {@linkplain McpServer#instructions() instructions} of the servers whose
	 * tools are {@linkplain #offered() offered} now, for a system prompt: sorted by name,
	 * each under a heading with the server's name, and quoted line by line, so that a
	 * server cannot speak for another. It has at most about 8,000 characters for each
	 * server and 32,000 in all. The text comes from the servers and is not to be trusted,
	 * nor to be used as a template.
	 * @return the text; empty if no server has instructions
	 */
	default String instructions() {
		return "";
	}

	/**
	 * Return a live view by name: an unmodifiable map, sorted by name, that follows every
	 * change.
	 */
	Map<String, McpTool> asMap();

	/**
	 * Return a live view of some of the tools, for an agent's own list: it includes
	 * matching tools that arrive later. Selecting from a selection narrows it.
	 *
	 * <p>
	 * A pattern must match the whole prefixed or original name of a tool,
	 * case-sensitively; {@code *} stands for any characters and {@code ?} for one. A
	 * pattern that begins with {@code !} denies. The last pattern that matches a tool
	 * decides; a tool that none matches is excluded, unless the first pattern denies. So
	 * {@code select("a_*", "!a_write*")} selects the tools of {@code a} that do not write
	 * and {@code select("!a_write*")} selects these and all tools of other servers. A
	 * server cannot bring a tool into a selection that is meant for another server by
	 * naming it so: if the original name of a tool looks like a prefixed name of another
	 * server, patterns that allow are compared with its prefixed name only. Patterns that
	 * deny are compared with both, and with the prefixed name that the tool would have
	 * without that server.
	 * @param patterns at least one pattern
	 * @throws IllegalArgumentException if there is no pattern, or one is blank or longer
	 * than 256 characters
	 */
	McpToolCatalog select(String... patterns);

	/**
	 * Return a live view for the caller: these tools, and those of servers that list
	 * their tools for each user alone ({@code auth.oauth2.listing: user}), which are
	 * neither in any other catalog nor beans. At each use of the view, the user is that
	 * of Spring Security's context on the calling thread; a user never sees the listing
	 * of another. The first use by a user connects these servers, each within its request
	 * timeout.
	 *
	 * <p>
	 * Using the view throws Spring Security's
	 * {@code ClientAuthorizationRequiredException} if the user has to log in at a server
	 * first. A server that cannot be connected otherwise is left out of listings; looking
	 * up a name that would be one of its tools fails with the reason. On a thread that
	 * must not block, listings omit the tools of users, and such a lookup throws an
	 * {@link IllegalStateException}: see {@link #forCallerAsync()}.
	 *
	 * <p>
	 * A tool of this view is called on behalf of the user who calls it, not of the one
	 * for whom it was listed.
	 */
	default McpToolCatalog forCaller() {
		return this;
	}

	/**
	 * Return what {@link #forCaller()} shows to a user, without blocking. The user is
	 * that of the Reactor context, or else of the thread that subscribes.
	 * @return the tools of this catalog, and those that servers list for the user at the
	 * time of the subscription; fails with Spring Security's
	 * {@code ClientAuthorizationRequiredException} if the user has to log in first
	 */
	default Mono<McpToolCatalog> forCallerAsync() {
		return Mono.just(this);
	}

	/**
	 * Return a live view of the tools that {@code mcp.selections.<name>} selects, by
	 * patterns as described at {@link #select(String...)}. It is also a bean of type
	 * {@code McpToolCatalog} with the name as its qualifier.
	 * @throws IllegalArgumentException if there is no selection of that name; the message
	 * lists the existing ones
	 */
	default McpToolCatalog selection(String name) {
		throw new IllegalArgumentException(
				"No selection '" + name + "' of MCP tools: " + getClass().getName() + " has none");
	}

}
