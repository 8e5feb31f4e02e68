package io.github.mcpclient;

import io.github.mcpclient.internal.support.PropertyNames;

import org.springframework.util.unit.DataSize;

/**
 * Thrown if a server returns a result that exceeds {@code max-result-size}. The result
 * was discarded and the connection stays open. The server has acted on the request.
 */
public class McpResultTooLargeException extends McpException {

	private final String request;

	private final transient DataSize limit;

	/**
	 * Create an exception.
	 * @param request the request, such as {@code tools/call echo}
	 */
	public McpResultTooLargeException(String serverName, String request, DataSize limit) {
		super(serverName,
				"MCP server '" + serverName + "' returned a result larger than " + text(limit) + " for " + request
						+ "; the result was not read. Request less data, or raise "
						+ PropertyNames.ofServer(serverName, "max-result-size") + ".",
				true, null);
		this.request = request;
		this.limit = limit;
	}

	private static String text(DataSize size) {
		if (size.toBytes() % DataSize.ofMegabytes(1).toBytes() == 0) {
			return size.toMegabytes() + " MB";
		}
		return (size.toBytes() % DataSize.ofKilobytes(1).toBytes() == 0) ? size.toKilobytes() + " KB"
				: size.toBytes() + " bytes";
	}

	/**
	 * Return the request, such as {@code tools/call echo}.
	 */
	public String getRequest() {
		return this.request;
	}

	/**
	 * Return the limit that the result exceeds.
	 */
	public DataSize getLimit() {
		return this.limit;
	}

}
