package io.github.mcpclient.internal.session;

/**
 * Names on the wire that the SDK does not have.
 */
final class ProtocolNames {

	/**
	 * The request that a server of 2026-07-28 must respond to.
	 */
	static final String DISCOVER = "server/discover";

	/**
	 * The request for notifications, whose response lasts.
	 */
	static final String LISTEN = "subscriptions/listen";

	/**
	 * Begins the names that the protocol has in {@code _meta}.
	 */
	static final String PREFIX = "io.modelcontextprotocol/";

	/**
	 * The capability to run tools as tasks, until 2025-11-25.
	 */
	static final String TASKS = "tasks.requests.tools.call";

	private ProtocolNames() {
	}

}
