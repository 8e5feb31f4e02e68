package io.github.mcpclient.config;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * Words an {@link InvalidMcpConfigurationException}.
 */
class InvalidMcpConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidMcpConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidMcpConfigurationException cause) {
		return new FailureAnalysis(McpServersConfig.describe(cause),
				"Correct the " + ((cause.getProblems().size() != 1) ? "properties" : "property")
						+ ". A server that is not needed can be switched off with its property 'enabled'.",
				cause);
	}

}
