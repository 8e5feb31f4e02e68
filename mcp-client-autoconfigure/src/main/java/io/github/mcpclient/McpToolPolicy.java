package io.github.mcpclient;

/**
 * Which tools the application gets, by the hints that a server gives about them. Hints
 * are the server's own word: a policy guards against mistakes, and against a server that
 * is honest about what its tools do, not against one that lies.
 *
 * <p>
 * A hint that is absent means what the specification says: {@code destructiveHint} and
 * {@code openWorldHint} are {@code true} then. A tool that says
 * {@code readOnlyHint: true}, and nothing of {@code destructiveHint}, is not destructive.
 *
 * @param access what is asked of {@code readOnlyHint}
 * @param allowDestructive whether tools may be destructive
 * @param allowOpenWorld whether tools may interact with an open world of other parties,
 * such as the web
 */
public record McpToolPolicy(McpToolAccess access, boolean allowDestructive, boolean allowOpenWorld) {

	/**
	 * The default: all tools.
	 */
	public static final McpToolPolicy UNRESTRICTED = new McpToolPolicy(McpToolAccess.ALL, true, true);

}
