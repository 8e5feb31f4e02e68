package io.github.mcpclient;

import org.springframework.util.unit.DataSize;

/**
 * A server answered with a result that is larger than {@code max-result-size}. It was not
 * read; the connection goes on. The server has acted on the request.
 */
public class McpResultTooLargeException extends McpException {

	private final transient DataSize limit;

	/**
	 * Create an exception.
	 * @param serverName the name of the server
	 * @param request what was asked for, such as {@code tools/call echo}
	 * @param limit the size that is allowed
	 */
	public McpResultTooLargeException(String serverName, String request, DataSize limit) {
		super(serverName,
				"MCP server '" + serverName + "' answered " + request + " with a result that is larger than "
						+ text(limit) + ", and was not read. Ask for less, or raise mcp.servers." + serverName
						+ ".max-result-size.",
				null);
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
	 * Return the size that is allowed.
	 * @return the largest size of a result
	 */
	public DataSize getLimit() {
		return this.limit;
	}

}
