package io.github.mcpclient.definition;

/**
 * Which tools the application gets, by the hints that a server gives about them. Hints
 * are the server's own claims: a policy protects against mistakes of an honest server,
 * not against one that lies.
 *
 * <p>
 * A missing hint means what the specification says: {@code destructiveHint} and
 * {@code openWorldHint} default to {@code true}. A tool with {@code readOnlyHint: true}
 * and no {@code destructiveHint} counts as not destructive.
 *
 * @param access what {@code readOnlyHint} must say
 * @param allowDestructive whether tools may be destructive
 * @param allowOpenWorld whether tools may interact with external entities, such as the
 * web
 */
public record McpToolPolicy(McpToolAccess access, boolean allowDestructive, boolean allowOpenWorld) {

	/**
	 * The default: all tools.
	 */
	public static final McpToolPolicy UNRESTRICTED = new McpToolPolicy(McpToolAccess.ALL, true, true);

}
