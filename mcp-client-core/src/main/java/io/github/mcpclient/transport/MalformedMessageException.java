package io.github.mcpclient.transport;

import io.github.mcpclient.McpDiagnosis;
import io.github.mcpclient.spi.TransportException;

/**
 * Something that a server sent is not a JSON-RPC message. The message says why, without
 * quoting it: the text is untrusted and may hold secrets.
 */
public class MalformedMessageException extends TransportException {

	private final String reason;

	/**
	 * Create an exception.
	 * @param reason what is wrong with it, without quoting it
	 */
	public MalformedMessageException(String reason) {
		super("The server sent something that is not a JSON-RPC message: " + reason,
				"Check that it is an MCP server, and of a supported version.", null);
		this.reason = reason;
		at(McpDiagnosis.Kind.PROTOCOL);
	}

	/**
	 * Return what is wrong.
	 * @return the reason, without a quotation
	 */
	public String getReason() {
		return this.reason;
	}

}
