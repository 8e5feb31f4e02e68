package io.github.mcpclient.config.mcpjson;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Words an {@link InvalidMcpFileException}.
 */
class InvalidMcpFileFailureAnalyzer extends AbstractFailureAnalyzer<InvalidMcpFileException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidMcpFileException cause) {
		StringBuilder description = new StringBuilder(
				"The MCP servers of '" + cause.getLocation() + "' cannot be imported:")
			.append(String.format("%n"));
		if (cause.getFile() != null) {
			description.append(String.format("%n    File: %s", cause.getFile()));
			if (cause.getLine() > 0) {
				description.append(String.format(", line %d, column %d", cause.getLine(), cause.getColumn()));
			}
		}
		if (cause.getOrigin() != null) {
			description.append(String.format("%n    Origin: %s", cause.getOrigin()));
		}
		description.append(String.format("%n    Reason: %s", cause.getReason()));
		return new FailureAnalysis(description.toString(),
				"Correct the file, or remove it from 'spring.config.import'.", cause);
	}

}
