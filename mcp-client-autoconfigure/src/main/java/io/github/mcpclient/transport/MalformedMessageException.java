package io.github.mcpclient.transport;

/**
 * Something that a server sent is not a JSON-RPC message. The message says why, without
 * quoting it: the text is untrusted and may hold secrets.
 */
class MalformedMessageException extends TransportException {

	private final String reason;

	MalformedMessageException(String reason) {
		super("The server sent something that is not a JSON-RPC message: " + reason,
				"Check that it is an MCP server, and of a supported version.", null);
		this.reason = reason;
	}

	String getReason() {
		return this.reason;
	}

}
