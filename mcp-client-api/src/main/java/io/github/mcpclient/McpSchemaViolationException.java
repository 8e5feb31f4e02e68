package io.github.mcpclient;

import java.util.List;

/**
 * Thrown if the arguments of a call, or its structured result, do not match the schema of
 * the tool. A call with invalid arguments is not made. The message and
 * {@link #getViolations()} describe where and why, without the values.
 */
public class McpSchemaViolationException extends McpException {

	private final List<String> violations;

	/**
	 * Create an exception.
	 * @param message a description of the violation, without a full stop
	 * @param violations see {@link #getViolations()}
	 */
	public McpSchemaViolationException(String serverName, String message, List<String> violations) {
		super(serverName, message + ": " + String.join("; ", violations) + ".", true, null);
		this.violations = List.copyOf(violations);
	}

	/**
	 * Return the first five violations at most. Each names the value that does not match,
	 * as a JSON pointer (RFC 6901) that is omitted for the value as a whole, and the
	 * expected value. If there are more violations, an additional item contains their
	 * number.
	 */
	public List<String> getViolations() {
		return this.violations;
	}

}
