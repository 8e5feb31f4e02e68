package io.github.mcpclient.transport;

import io.github.mcpclient.spi.TransportException;

import org.springframework.util.unit.DataSize;

/**
 * A server answered a call with a result that is larger than allowed, and was not read.
 */
public class ResultTooLargeException extends TransportException {

	private final DataSize limit;

	/**
	 * Create an exception.
	 * @param serverName the name of the server
	 * @param limit the size that is allowed
	 */
	public ResultTooLargeException(String serverName, DataSize limit) {
		super("The server's result is larger than " + limit,
				"Ask for less, or raise mcp.servers." + serverName + ".max-result-size.", null);
		this.limit = limit;
	}

	/**
	 * Return the size that is allowed.
	 */
	public DataSize getLimit() {
		return this.limit;
	}

}
