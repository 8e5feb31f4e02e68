package io.github.mcpclient.definition;

/**
 * The tools that the application gets, by the hints of the server. Hints are claims of
 * the server: a policy protects against errors of a trusted server, and does not protect
 * against a malicious one.
 *
 * <p>
 * A missing hint has the default of the specification: {@code destructiveHint} and
 * {@code openWorldHint} default to {@code true}. A tool with {@code readOnlyHint: true}
 * and no {@code destructiveHint} counts as not destructive.
 *
 * @param access the required {@code readOnlyHint}
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
