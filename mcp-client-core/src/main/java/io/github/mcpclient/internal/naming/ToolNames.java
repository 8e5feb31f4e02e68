package io.github.mcpclient.internal.naming;

import java.util.List;
import java.util.NavigableMap;
import java.util.function.Function;

import io.github.mcpclient.McpTool;

/**
 * The names of a tool.
 *
 * @param plain the prefixed name that the tool would have without other servers and tools
 * @param misleading whether the original name looks like a prefixed name of another
 * server, so that a pattern that includes tools of that server must not match it
 */
public record ToolNames(String prefixed, String plain, String original, boolean misleading) {

	/**
	 * The strictest limit among model providers.
	 */
	public static final int MAX_LENGTH = 64;

	/**
	 * Return a function that finds similar names, the nearest first.
	 * @param tools the tools by prefixed name
	 */
	public static Function<String, List<String>> nearest(NavigableMap<String, McpTool> tools) {
		return new KnownNames(tools)::nearest;
	}

	/**
	 * Return whether model providers accept the prefixed name.
	 */
	public boolean isPortable() {
		return ToolNamer.isPortable(this.prefixed);
	}

	/**
	 * Return whether a name looks like the name of a tool of another server.
	 */
	boolean isAmbiguous() {
		return this.misleading || !this.plain.equals(this.prefixed);
	}

}
