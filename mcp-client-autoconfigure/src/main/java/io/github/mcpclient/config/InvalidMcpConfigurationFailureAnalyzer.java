package io.github.mcpclient.config;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/**
 * An {@link AbstractFailureAnalyzer} for {@link InvalidMcpConfigurationException}.
 */
class InvalidMcpConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidMcpConfigurationException> {

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidMcpConfigurationException cause) {
		return new FailureAnalysis(McpServersConfig.describe(cause),
				"Update your application's configuration. To disable a server, set its property 'enabled' to false.",
				cause);
	}

}
