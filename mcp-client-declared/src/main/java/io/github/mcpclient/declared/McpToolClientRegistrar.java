package io.github.mcpclient.declared;

import java.util.LinkedHashSet;
import java.util.Set;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.ClassPathScanningCandidateComponentProvider;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.annotation.AnnotationAttributes;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ResourceLoader;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.ClassMetadata;
import org.springframework.core.type.filter.AnnotationTypeFilter;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/**
 * Registers a bean for each interface that is imported.
 */
final class McpToolClientRegistrar implements ImportBeanDefinitionRegistrar {

	/**
	 * Marks the definitions of these beans.
	 */
	static final String DECLARED = McpToolClient.class.getName();

	private final Environment environment;

	private final ResourceLoader resourceLoader;

	private final BeanFactory beans;

	McpToolClientRegistrar(Environment environment, ResourceLoader resourceLoader, BeanFactory beans) {
		this.environment = environment;
		this.resourceLoader = resourceLoader;
		this.beans = beans;
	}

	@Override
	public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
		for (AnnotationAttributes imported : metadata.getMergedRepeatableAnnotationAttributes(
				ImportMcpToolClients.class, ImportMcpToolClients.Container.class, true)) {
			types(imported, metadata).stream()
				.filter((type) -> !registry.containsBeanDefinition(type))
				.forEach((type) -> registry.registerBeanDefinition(type, definition(type)));
		}
	}

	private Set<String> types(AnnotationAttributes imported, AnnotationMetadata metadata) {
		Set<String> types = new LinkedHashSet<>(Set.of(imported.getStringArray("types")));
		Set<String> packages = new LinkedHashSet<>();
		for (String names : imported.getStringArray("basePackages")) {
			packages
				.addAll(Set.of(StringUtils.tokenizeToStringArray(this.environment.resolvePlaceholders(names), ",; ")));
		}
		for (String type : imported.getStringArray("basePackageClasses")) {
			packages.add(ClassUtils.getPackageName(type));
		}
		if (types.isEmpty() && packages.isEmpty()) {
			packages.add(ClassUtils.getPackageName(metadata.getClassName()));
		}
		Scanner scanner = new Scanner(this.environment, this.resourceLoader);
		packages.forEach((name) -> scanner.findCandidateComponents(name)
			.forEach((candidate) -> types.add(candidate.getBeanClassName())));
		return types;
	}

	private RootBeanDefinition definition(String typeName) {
		Class<?> type = ClassUtils.resolveClassName(typeName, this.resourceLoader.getClassLoader());
		RootBeanDefinition definition = new RootBeanDefinition(type);
		definition.setInstanceSupplier(() -> this.beans.getBean(McpToolClientFactory.class).create(type));
		definition.setAttribute(DECLARED, true);
		// what is required is compared at the start, and a proxy costs nothing
		definition.setLazyInit(false);
		return definition;
	}

	/**
	 * Finds the interfaces of a package.
	 */
	private static final class Scanner extends ClassPathScanningCandidateComponentProvider {

		private Scanner(Environment environment, ResourceLoader resourceLoader) {
			super(false, environment);
			setResourceLoader(resourceLoader);
			addIncludeFilter(new AnnotationTypeFilter(McpToolClient.class));
		}

		@Override
		protected boolean isCandidateComponent(AnnotatedBeanDefinition definition) {
			ClassMetadata metadata = definition.getMetadata();
			return metadata.isInterface() && metadata.isIndependent() && !metadata.isAnnotation();
		}

	}

}
