package io.github.mcpclient.internal.naming;

import java.util.List;
import java.util.NavigableMap;
import java.util.function.Function;

import io.github.mcpclient.McpTool;

/**
 * The names of a tool.
 *
 * @param plain the prefixed name as it would be without other servers and tools
 * @param misleading whether the original name looks like a prefixed name of another
 * server, so that a pattern that allows tools of that server must not match it
 */
public record ToolNames(String prefixed, String plain, String original, boolean misleading) {

	/**
	 * The strictest limit among model providers.
	 */
	public static final int MAX_LENGTH = 64;

	/**
	 * Return what finds the names that an unknown one may mean, the nearest first.
	 * @param tools by prefixed name
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
	 * Return whether a name looks like that of a tool of another server.
	 */
	boolean isAmbiguous() {
		return this.misleading || !this.plain.equals(this.prefixed);
	}

}
