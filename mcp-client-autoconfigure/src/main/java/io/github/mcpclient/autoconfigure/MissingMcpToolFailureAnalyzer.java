package io.github.mcpclient.autoconfigure;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Explains that tools are beans only once their server is connected.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class MissingMcpToolFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		if (cause.getResolvableType() == null || !McpTool.class.equals(cause.getResolvableType().resolve())) {
			return null;
		}
		return new FailureAnalysis(
				((description != null) ? description : "A bean") + " required a bean of type '"
						+ McpTool.class.getName()
						+ "' that could not be found: MCP tools become beans when their server is connected,"
						+ " after the beans of the application are created.",
				"Inject the tool with @Qualifier(\"<server>_<tool>\"), use an ObjectProvider<McpTool>,"
						+ " or look it up in the McpToolCatalog when it is needed.",
				cause);
	}

}
