package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * The live view of all tools of all servers, by prefixed name. It is sorted by name,
 * regardless of the order in which servers connect. Tools of an unavailable server stay
 * listed, so that a model's tool list does not flap. All methods are safe for use by many
 * threads. They never block, except that with {@code mcp.startup.mode=lazy} the first use
 * of a catalog connects the servers, and waits for at most {@code mcp.startup.wait} on a
 * thread that may block.
 *
 * <p>
 * Implemented by the client, not by applications: later versions may add methods. Tests
 * mock it, or have a scripted server of {@code mcp-client-test}.
 */
public interface McpToolCatalog extends Iterable<McpTool> {

	/**
	 * Return the tool of the given name: one of this catalog, or else one that a server
	 * lists for the user of the caller alone, as {@link #forCaller()} shows it.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @throws NoSuchMcpToolException if no tool of that name is known
	 * @throws McpServerUnavailableException if the only server that may have the tool is
	 * not connected, and has never listed its tools
	 * @throws IllegalStateException on a thread that must not block, if it may be a tool
	 * of a user; use {@link #getAsync(String)} there
	 */
	McpTool get(String name);

	/**
	 * Return the tool of the given name, for the user in a Reactor context.
	 * @param name the prefixed name, {@code <server>_<tool>}
	 * @param context where the user may be, as at {@link McpToolRequest#context()}; what
	 * is not there is taken from this thread
	 * @see #get(String)
	 */
	McpTool get(String name, ContextView context);

	/**
	 * The non-blocking form of {@link #get(String)}: the user is that of the Reactor
	 * context, or else of the thread that subscribes. With {@code mcp.startup.mode=lazy},
	 * this connects the servers that may have the tool, and waits for at most
	 * {@code mcp.startup.wait}. The tool may be signalled on another thread: a call of it
	 * in the same pipeline is on behalf of the user of the Reactor context.
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
	 * Return an immutable snapshot of the tools known now, sorted by name. Those that
	 * servers list for each user alone are in what {@link #forCaller()} returns only.
	 */
	List<McpTool> all();

	/**
	 * Return a live view of {@link #all()} by name: an unmodifiable map, sorted by name,
	 * that follows every change.
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
	 * their tools for each user alone ({@code auth.oauth2.listing: user}). No other
	 * catalog lists them, though each finds them by name; a bean of the type
	 * {@link McpTool} with that name calls that of the caller. At each use of the view,
	 * the user is that of Spring Security's context on the calling thread; a user never
	 * sees the listing of another. The first use by a user connects these servers, each
	 * within its request timeout.
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
	McpToolCatalog forCaller();

	/**
	 * Return what {@link #forCaller()} shows to a user, without blocking. The user is
	 * that of the Reactor context, or else of the thread that subscribes.
	 * @return the tools of this catalog, and those that servers list for the user at the
	 * time of the subscription; fails with Spring Security's
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
