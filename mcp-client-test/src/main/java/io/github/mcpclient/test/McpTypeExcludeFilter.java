package io.github.mcpclient.test;

import java.util.Set;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.service.McpServerConnectionDetails;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpTransportFactory;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;

/**
 * Finds the components for {@link McpTest}.
 */
class McpTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<McpTest> {

	private static final Set<Class<?>> INCLUDES = Set.of(McpHeadersProvider.class, McpHttpClientCustomizer.class,
			McpServerConnectionDetails.class, McpServerCustomizer.class, McpServerDefinitionSource.class,
			McpToolInterceptor.class, McpToolNamingStrategy.class, McpTransportFactory.class);

	McpTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return INCLUDES;
	}

}
