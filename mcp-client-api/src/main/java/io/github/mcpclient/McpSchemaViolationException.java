package io.github.mcpclient;

import java.util.List;

/**
 * The arguments of a call, which was not made then, or its structured result do not match
 * the schema of the tool. The message and {@link #getViolations()} say where and why,
 * without the values.
 */
public class McpSchemaViolationException extends McpException {

	private final List<String> violations;

	/**
	 * Create an exception.
	 * @param message what does not match, without a full stop
	 * @param violations see {@link #getViolations()}
	 */
	public McpSchemaViolationException(String serverName, String message, List<String> violations) {
		super(serverName, message + ": " + String.join("; ", violations) + ".", true, null);
		this.violations = List.copyOf(violations);
	}

	/**
	 * Return the first five violations at most: where the value does not match, as a JSON
	 * pointer (RFC 6901) that is omitted for the value as a whole, and what is expected
	 * there. If there are more, another item says how many.
	 */
	public List<String> getViolations() {
		return this.violations;
	}

}
