package io.github.mcpclient.benchmarks.client;

import java.util.List;

/**
 * A way to use MCP servers, which is measured beside others.
 */
public interface Peer {

	/**
	 * Start a client of the given servers, as its users do, and wait until it says that
	 * it is ready.
	 * @param servers for each server its url, or the path of a shell script that is one
	 * @return the client
	 * @throws Exception if the client does not start
	 */
	Client start(List<String> servers) throws Exception;

	/**
	 * Return whether a server is a script to be run, rather than a url.
	 * @param server the server
	 * @return whether it is a script
	 */
	static boolean isScript(String server) {
		return !server.contains("://");
	}

	/**
	 * A client that was started.
	 */
	interface Client {

		/**
		 * Call the tool {@code echo} of the first server and wait for its answer.
		 * @param message the argument of the tool, which its answer repeats
		 * @return the answer, in the form that users of this client get
		 * @throws Exception if the call fails
		 */
		String echo(String message) throws Exception;

		/**
		 * Ask for the tools of all servers.
		 * @return how many tools the client offers now
		 */
		int tools();

		/**
		 * Search for five tools.
		 * @param query what they should do
		 * @return how many were found
		 */
		default int search(String query) {
			throw new UnsupportedOperationException();
		}

		/**
		 * Look for a tool that there is not.
		 * @param tool its name
		 * @return the message
		 */
		default String refuse(String tool) {
			throw new UnsupportedOperationException();
		}

	}

}
