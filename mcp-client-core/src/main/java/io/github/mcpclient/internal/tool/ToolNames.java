package io.github.mcpclient.internal.tool;

/**
 * The names of a tool.
 *
 * @param plain the prefixed name as it would be without other servers and tools
 * @param misleading whether the original name looks like a prefixed name of another
 * server, so that a pattern that allows tools of that server must not match it
 */
record ToolNames(String prefixed, String plain, String original, boolean misleading) {

	/**
	 * Return whether a name looks like that of a tool of another server.
	 */
	boolean isAmbiguous() {
		return this.misleading || !this.plain.equals(this.prefixed);
	}

}
