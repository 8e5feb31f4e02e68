package io.github.mcpclient.tool;

/**
 * The names of a tool.
 *
 * @param misleading whether the original name looks like a prefixed name of another
 * server, so that a pattern that allows tools of that server must not match it
 */
record ToolNames(String prefixed, String original, boolean misleading) {
}
