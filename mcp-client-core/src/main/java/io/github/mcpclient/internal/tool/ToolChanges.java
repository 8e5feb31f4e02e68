package io.github.mcpclient.internal.tool;

import java.util.HashSet;
import java.util.Set;

/**
 * The changes of one server's tools, by prefixed name, as the application sees them.
 */
public record ToolChanges(String serverName, Set<String> added, Set<String> removed, Set<String> changed) {

	ToolChanges(String serverName) {
		this(serverName, new HashSet<>(), new HashSet<>(), new HashSet<>());
	}

}
