package io.github.mcpclient.test;

import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.handler.McpElicitation;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpRootsProvider;
import io.github.mcpclient.handler.McpSampling;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.observation.McpClientObservationConvention;
import io.github.mcpclient.service.McpServerConnectionDetails;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.McpJsonMapperCustomizer;
import io.github.mcpclient.spi.McpMessageRecording;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.spi.McpTransportFactory;

import org.springframework.boot.test.context.filter.annotation.StandardAnnotationCustomizableTypeExcludeFilter;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReader;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.util.ClassUtils;

/**
 * Finds the components for {@link McpTest}: components of the types that
 * docs/configuration.md lists, and components with annotated handler methods.
 */
class McpTypeExcludeFilter extends StandardAnnotationCustomizableTypeExcludeFilter<McpTest> {

	// of optional modules and libraries
	private static final List<String> OPTIONAL = List.of("io.github.mcpclient.audit.McpAuditSink",
			"io.github.mcpclient.springai.McpToolContextConverter");

	private static final Set<Class<?>> INCLUDES = includes();

	private static final List<String> ANNOTATIONS = Stream
		.concat(Stream.of(McpSampling.class, McpElicitation.class).map(Class::getName),
				Stream
					.of("McpSampling", "McpElicitation", "McpLogging", "McpProgress", "McpToolListChanged",
							"McpResourceListChanged", "McpPromptListChanged")
					.map("org.springframework.ai.mcp.annotation."::concat))
		.toList();

	McpTypeExcludeFilter(Class<?> testClass) {
		super(testClass);
	}

	private static Set<Class<?>> includes() {
		Set<Class<?>> includes = new LinkedHashSet<>(
				List.of(McpServerDefinition.class, McpServerDefinitionSource.class, McpServerCustomizer.class,
						McpServerConnectionDetails.class, McpHttpClientCustomizer.class, McpHttpClientFactory.class,
						McpTransportFactory.class, McpToolNamingStrategy.class, McpToolListingCustomizer.class,
						McpToolApproval.class, McpCallerIdentity.class, McpToolInterceptor.class, McpToolPinStore.class,
						McpJsonMapperCustomizer.class, McpMessageRecording.class, McpMessageListener.class,
						McpHeadersProvider.class, McpAuthorizer.class, McpLoginBrowser.class, McpSamplingHandler.class,
						McpElicitationHandler.class, McpRootsProvider.class, McpClientObservationConvention.class));
		ClassLoader loader = McpTypeExcludeFilter.class.getClassLoader();
		OPTIONAL.stream()
			.filter((name) -> ClassUtils.isPresent(name, loader))
			.forEach((name) -> includes.add(ClassUtils.resolveClassName(name, loader)));
		return Collections.unmodifiableSet(includes);
	}

	@Override
	protected Set<Class<?>> getKnownIncludes() {
		return INCLUDES;
	}

	@Override
	protected boolean defaultInclude(MetadataReader reader, MetadataReaderFactory factory) throws IOException {
		AnnotationMetadata type = reader.getAnnotationMetadata();
		return super.defaultInclude(reader, factory) || ANNOTATIONS.stream().anyMatch(type::hasAnnotatedMethods);
	}

}
