package io.github.mcpclient.autoconfigure;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.internal.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.annotation.ContextAnnotationAutowireCandidateResolver;
import org.springframework.core.Ordered;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.ResolvableType;
import org.springframework.util.function.SingletonSupplier;

/**
 * Injects a tool by its name where a qualified {@link McpTool} is required and no such
 * bean exists, even if its server was never connected. Logs a warning if all tools are
 * injected before any tool exists.
 */
final class NamedTools implements BeanFactoryPostProcessor, PriorityOrdered {

	private static final Logger logger = LoggerFactory.getLogger(NamedTools.class);

	private final Map<String, McpTool> tools = new ConcurrentHashMap<>();

	private final Set<String> warned = ConcurrentHashMap.newKeySet();

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		// a resolver of another type belongs to the application and remains
		if (beanFactory instanceof DefaultListableBeanFactory factory && factory.getAutowireCandidateResolver()
			.getClass() == ContextAnnotationAutowireCandidateResolver.class) {
			factory.setAutowireCandidateResolver(new Resolver(
					SingletonSupplier.of(() -> (ToolCatalog) factory.getBean(McpServerRegistry.class).tools())));
		}
	}

	/**
	 * Before the application's qualifiers are registered with the resolver.
	 */
	@Override
	public int getOrder() {
		return Ordered.HIGHEST_PRECEDENCE;
	}

	void warnOfMissing() {
		this.tools.values().forEach(ToolCatalog::warnIfMissing);
	}

	private final class Resolver extends ContextAnnotationAutowireCandidateResolver {

		private final Supplier<ToolCatalog> catalog;

		private Resolver(Supplier<ToolCatalog> catalog) {
			this.catalog = catalog;
		}

		@Override
		public @Nullable Object getSuggestedValue(DependencyDescriptor descriptor) {
			Object value = super.getSuggestedValue(descriptor);
			if (value == null && mayHoldMany(descriptor.getDependencyType())
					&& isInjectionOfAllTools(descriptor.getResolvableType())) {
				warnIfEmpty(descriptor);
			}
			return (value == null && isInjectionOfTool(descriptor)) ? tool(descriptor) : value;
		}

		// the declared type of an Optional or an ObjectProvider is not McpTool
		private boolean isInjectionOfTool(DependencyDescriptor descriptor) {
			return descriptor.getDependencyType() == McpTool.class && descriptor.getDeclaredType() == McpTool.class
					&& !(descriptor instanceof Search);
		}

		// to resolve the generic type of every injection point takes long
		private static boolean mayHoldMany(Class<?> type) {
			return type.isArray() || Collection.class.isAssignableFrom(type) || Map.class.isAssignableFrom(type)
					|| type == Object.class;
		}

		private static boolean isInjectionOfAllTools(ResolvableType type) {
			Class<?> raw = type.toClass();
			return raw == McpTool[].class
					|| (Collection.class.isAssignableFrom(raw)
							&& type.asCollection().resolveGeneric(0) == McpTool.class)
					|| (Map.class.isAssignableFrom(raw) && type.asMap().resolveGeneric(1) == McpTool.class);
		}

		// Spring injects a copy, which cannot be filled later
		private void warnIfEmpty(DependencyDescriptor descriptor) {
			String type = descriptor.getMember().getDeclaringClass().getName();
			if (getBeanFactory() instanceof ListableBeanFactory beanFactory
					&& beanFactory.getBeanNamesForType(McpTool.class, true, false).length == 0
					&& NamedTools.this.warned.add(type)) {
				logger.warn("{} injects all beans of type McpTool, but no such bean exists yet: tools become beans "
						+ "when their servers are connected. Inject McpToolCatalog or ObjectProvider<McpTool>, "
						+ "which are live.", type);
			}
		}

		private @Nullable McpTool tool(DependencyDescriptor descriptor) {
			String name = getSuggestedName(descriptor);
			if (name == null || !isRequired(descriptor)
					|| !(getBeanFactory() instanceof DefaultListableBeanFactory beanFactory)) {
				return null;
			}
			McpTool tool = NamedTools.this.tools.computeIfAbsent(name, (key) -> ToolCatalog.handle(key, this.catalog));
			Search search = new Search(descriptor, tool);
			beanFactory.doResolveDependency(search, null, null, null);
			return search.found ? null : tool;
		}

	}

	/**
	 * Determines whether there is a bean for an injection point, without creating it.
	 */
	private static final class Search extends DependencyDescriptor {

		private final transient McpTool any;

		private boolean found;

		private Search(DependencyDescriptor original, McpTool any) {
			super(original);
			this.any = any;
		}

		@Override
		public boolean isRequired() {
			return false;
		}

		@Override
		public Object resolveCandidate(String beanName, Class<?> requiredType, BeanFactory beanFactory) {
			this.found = true;
			return this.any;
		}

		@Override
		public Object resolveNotUnique(ResolvableType type, Map<String, Object> matchingBeans) {
			this.found = true;
			return this.any;
		}

	}

}
