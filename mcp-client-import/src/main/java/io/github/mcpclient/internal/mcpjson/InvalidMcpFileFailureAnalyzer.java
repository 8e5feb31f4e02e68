package io.github.mcpclient.internal.mcpjson;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * An {@link AbstractFailureAnalyzer} for {@link InvalidMcpFileException}.
 */
class InvalidMcpFileFailureAnalyzer extends AbstractFailureAnalyzer<InvalidMcpFileException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidMcpFileException cause) {
		StringBuilder description = new StringBuilder(
				"The MCP servers of '" + cause.location() + "' cannot be imported:")
			.append(String.format("%n"));
		if (cause.file() != null) {
			description.append(String.format("%n    File: %s", cause.file()));
			if (cause.problem().line() > 0) {
				description
					.append(String.format(", line %d, column %d", cause.problem().line(), cause.problem().column()));
			}
		}
		if (cause.location().getOrigin() != null) {
			description.append(String.format("%n    Origin: %s", cause.location().getOrigin()));
		}
		description.append(String.format("%n    Reason: %s", cause.problem().getMessage()));
		return new FailureAnalysis(description.toString(), "Update the file, or remove it from 'spring.config.import'.",
				cause);
	}

}
