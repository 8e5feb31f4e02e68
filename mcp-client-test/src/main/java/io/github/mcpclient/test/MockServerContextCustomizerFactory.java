package io.github.mcpclient.test;

import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.test.context.ContextConfigurationAttributes;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.ContextCustomizerFactory;
import org.springframework.test.context.TestContextAnnotationUtils;

/**
 * Finds the servers that a test replaces, and whether it disables other servers.
 */
class MockServerContextCustomizerFactory implements ContextCustomizerFactory {

	@Override
	public @Nullable ContextCustomizer createContextCustomizer(Class<?> testClass,
			List<ContextConfigurationAttributes> configAttributes) {
		Collection<MockServerDeclaration> declarations = MockServerDeclaration.of(testClass);
		boolean slice = TestContextAnnotationUtils.hasAnnotation(testClass, McpTest.class);
		return (declarations.isEmpty() && !slice) ? null : new MockServerContextCustomizer(declarations, slice);
	}

}
