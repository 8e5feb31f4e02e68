package io.github.mcpclient.tool;

/**
 * The names of a tool.
 *
 * @param prefixed the name by which the application knows the tool
 * @param original the name that the server gives to it
 * @param misleading whether the original name looks like a prefixed name of another
 * server. A pattern that allows tools of that server must not let this one in
 */
record ToolNames(String prefixed, String original, boolean misleading) {
}
