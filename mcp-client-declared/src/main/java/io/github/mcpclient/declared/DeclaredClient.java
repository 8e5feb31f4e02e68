package io.github.mcpclient.declared;

import java.util.List;

/**
 * What an interface declares. Immutable.
 *
 * @param type the interface
 * @param server the name of the server
 * @param required whether the start fails where the server does not have these tools
 * @param tools its methods that are tools
 */
record DeclaredClient(Class<?> type, String server, boolean required, List<DeclaredTool> tools) {

	/**
	 * Read the declarations of an interface.
	 * @throws IllegalArgumentException if it has mistakes
	 */
	static DeclaredClient of(Class<?> type) {
		throw new UnsupportedOperationException(type.getName());
	}

}
