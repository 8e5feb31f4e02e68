package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The live view of all tools of all servers, by prefixed name. It is sorted by name,
 * regardless of the order in which servers connect. Tools of an unavailable server stay
 * listed, so that the list of tools that a model sees remains stable. All methods are
 * thread-safe. They never block, except that with {@code mcp.startup.mode=lazy} the first
 * use of a catalog connects the servers, and waits for at most {@code mcp.startup.wait}
 * on a thread that may block.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 */
public interface McpToolCatalog extends Iterable<McpTool> {

	/**
	 * Return the tool of the given name: either a tool of this catalog, or a tool that a
	 * server lists for the user of the caller only, see {@link #forCaller()}.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 * @throws McpServerUnavailableException if the only server that may have the tool is
	 * not connected, and has never listed its tools
	 * @throws IllegalStateException on a thread that must not block, if it may be a tool
	 * that is listed for each user; use {@link #getAsync(String)} there
	 */
	McpTool get(String name);

	/**
	 * Return the tool of the given name, for the user in a Reactor context.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @param context the context that may contain the user, as at
	 * {@link McpToolRequest#context()}; values that it does not contain are taken from
	 * this thread
	 * @see #get(String)
	 */
	McpTool get(String name, ContextView context);

	/**
	 * The non-blocking form of {@link #get(String)}. The user is taken from the Reactor
	 * context, or else from the thread that subscribes. With
	 * {@code mcp.startup.mode=lazy}, this connects the servers that may have the tool,
	 * and waits for at most {@code mcp.startup.wait}. The tool may be signalled on
	 * another thread: calling it in the same pipeline is on behalf of the user of the
	 * Reactor context.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @return the tool, or an error as described at {@link #get(String)}
	 */
	default Mono<McpTool> getAsync(String name) {
		return forCallerAsync().map((ofCaller) -> ofCaller.get(name));
	}

	/**
	 * Find the tool of the given name, as {@link #get(String)} does.
	 * @return the tool, or empty if no tool of that name is known
	 */
	Optional<McpTool> find(String name);

	/**
	 * Return an immutable snapshot of the currently known tools, sorted by name. Tools
	 * that servers list for each user are only available from {@link #forCaller()}.
	 */
	List<McpTool> all();

	/**
	 * Return a live view of {@link #all()} by name: an unmodifiable map, sorted by name,
	 * that follows every change.
	 */
	Map<String, McpTool> asMap();

	/**
	 * Return a live view of some of the tools, for example for one agent. It includes
	 * matching tools that arrive later. Selecting from a selection narrows it.
	 *
	 * <p>
	 * A pattern must match the whole prefixed or original name of a tool,
	 * case-sensitively; {@code *} stands for any characters and {@code ?} for one. A
	 * pattern that begins with {@code !} excludes tools. The last pattern that matches a
	 * tool decides; a tool that no pattern matches is excluded, unless the first pattern
	 * begins with {@code !}. For example, {@code select("a_*", "!a_write*")} selects the
	 * tools of {@code a} except for its write tools, and {@code select("!a_write*")}
	 * selects these and all tools of other servers. A server cannot add a tool to a
	 * selection of another server by its name: if the original name of a tool looks like
	 * a prefixed name of another server, patterns that include are compared with its
	 * prefixed name only. Patterns that exclude are compared with both, and with the
	 * prefixed name that the tool would have without that server.
	 * @param patterns at least one pattern
	 * @throws IllegalArgumentException if there is no pattern, or one is blank or longer
	 * than 256 characters
	 */
	McpToolCatalog select(String... patterns);

	/**
	 * Return a live view for the caller: these tools, and the tools of servers that list
	 * their tools for each user ({@code auth.oauth2.listing: user}). Only this view lists
	 * the tools of users; every catalog finds them by name. A bean of type
	 * {@link McpTool} with the name of such a tool calls the tool of the current user. At
	 * each use of the view, the user is taken from Spring Security's context on the
	 * calling thread; a user never sees the listing of another user. The first use by a
	 * user connects these servers, each within its request timeout.
	 *
	 * <p>
	 * Using the view throws Spring Security's
	 * {@code ClientAuthorizationRequiredException} if the user has to log in at a server
	 * first. A server that cannot be connected for another reason is omitted from
	 * listings; looking up a name with its prefix fails with the reason. On a thread that
	 * must not block, listings omit the tools of users, and such a lookup throws an
	 * {@link IllegalStateException}: see {@link #forCallerAsync()}.
	 *
	 * <p>
	 * A tool of this view is always called on behalf of the user who calls it, even if it
	 * was listed for another user.
	 */
	McpToolCatalog forCaller();

	/**
	 * Return the tools that {@link #forCaller()} shows to a user, without blocking. The
	 * user is taken from the Reactor context, or else from the thread that subscribes.
	 * @return the tools of this catalog, and the tools that servers list for the user at
	 * the time of the subscription; fails with Spring Security's
	 * {@code ClientAuthorizationRequiredException} if the user has to log in first
	 */
	Mono<McpToolCatalog> forCallerAsync();

	/**
	 * Return a live view of the tools that {@code mcp.selections.<name>} selects, by
	 * patterns as described at {@link #select(String...)}. It is also a bean of type
	 * {@code McpToolCatalog} with the name as its qualifier.
	 * @throws IllegalArgumentException if there is no selection of that name; the message
	 * lists the existing ones
	 */
	McpToolCatalog selection(String name);

}
