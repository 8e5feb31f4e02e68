package io.github.mcpclient.config;

import java.util.List;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Words an {@link InvalidMcpConfigurationException}.
 */
class InvalidMcpConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidMcpConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidMcpConfigurationException cause) {
		List<Problem> problems = cause.getProblems();
		StringBuilder description = new StringBuilder("The configuration of the MCP servers has ")
			.append((problems.size() != 1) ? problems.size() + " mistakes:" : "a mistake:");
		int shown = Math.min(problems.size(), InvalidMcpConfigurationException.MOST_SHOWN);
		for (Problem problem : problems.subList(0, shown)) {
			description.append(String.format("%n%n    Property: %s", problem.property()));
			if (problem.origin() != null) {
				description.append(String.format("%n    Origin: %s", problem.origin()));
			}
			description.append(String.format("%n    Reason: %s", problem.message()));
		}
		if (shown < problems.size()) {
			description.append(String.format("%n%n    and %d more", problems.size() - shown));
		}
		return new FailureAnalysis(description.toString(),
				"Correct the " + ((problems.size() != 1) ? "properties" : "property")
						+ ". A server that is not needed can be switched off with its property 'enabled'.",
				cause);
	}

}
