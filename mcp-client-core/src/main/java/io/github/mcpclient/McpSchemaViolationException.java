package io.github.mcpclient;

import java.util.List;

/**
 * The arguments of a call, or its structured result, do not match the schema of the tool.
 * The message and {@link #getViolations()} say where and why, without the values.
 */
public class McpSchemaViolationException extends McpException {

	private final List<String> violations;

	/**
	 * Create an exception.
	 */
	public McpSchemaViolationException(String serverName, String message, List<String> violations) {
		super(serverName, message + ": " + String.join("; ", violations) + ".", null);
		this.violations = List.copyOf(violations);
	}

	/**
	 * Return the first few violations: where the value does not match, as a JSON pointer
	 * (RFC 6901), and what is expected there.
	 */
	public List<String> getViolations() {
		return this.violations;
	}

}
