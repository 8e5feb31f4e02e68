package io.github.mcpclient;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server responds to a request with a JSON-RPC error.
 */
public class McpProtocolException extends McpException {

	private static final int LONGEST_QUOTE = 2000;

	private final String request;

	private final int code;

	private final String errorMessage;

	private final transient @Nullable Object data;

	/**
	 * Create an exception.
	 * @param request the request, such as {@code tools/call echo}
	 * @param data additional data of the error, or {@code null}
	 */
	public McpProtocolException(String serverName, String request, int code, String errorMessage,
			@Nullable Object data) {
		super(serverName, "MCP server '" + serverName + "' returned error " + code + " for " + request + ": "
				+ Printable.line(errorMessage, LONGEST_QUOTE), true, null);
		this.request = request;
		this.code = code;
		this.errorMessage = errorMessage;
		this.data = data;
	}

	/**
	 * Return the request, such as {@code tools/call echo}.
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Return the JSON-RPC error code.
	 */
	public int getCode() {
		return this.code;
	}

	/**
	 * Return the message of the error as the server sent it, with secrets masked. It may
	 * have any length and contain any characters, so do not log it.
	 */
	public String getErrorMessage() {
		return this.errorMessage;
	}

	/**
	 * Return additional data of the error, as the server sent it, or {@code null} if the
	 * server sent none.
	 */
	public @Nullable Object getData() {
		return this.data;
	}

}
