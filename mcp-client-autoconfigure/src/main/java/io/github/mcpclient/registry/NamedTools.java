package io.github.mcpclient.registry;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.tool.NamedTool;
import io.github.mcpclient.tool.ToolCatalog;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.beans.factory.config.BeanDefinitionHolder;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.config.DependencyDescriptor;
import org.springframework.beans.factory.support.AutowireCandidateResolver;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.function.SingletonSupplier;

/**
 * Lets an injection point of type {@link McpTool} with a qualifier have a tool by its
 * name, whether or not its server has ever been connected, where there is no such bean
 * and the point requires one.
 */
public final class NamedTools implements BeanFactoryPostProcessor {

	private final Map<String, NamedTool> tools = new ConcurrentHashMap<>();

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		if (beanFactory instanceof DefaultListableBeanFactory factory) {
			Supplier<ToolCatalog> catalog = SingletonSupplier
				.of(() -> (ToolCatalog) factory.getBean(McpServerRegistry.class).tools());
			factory.setAutowireCandidateResolver(new Resolver(factory.getAutowireCandidateResolver(), factory,
					(name) -> new NamedTool(name, catalog)));
		}
	}

	void warnOfMissing() {
		this.tools.values().forEach(NamedTool::warnIfMissing);
	}

	/**
	 * Adds such tools to what another resolver finds, which decides on all else.
	 */
	private final class Resolver implements AutowireCandidateResolver, BeanFactoryAware {

		private final AutowireCandidateResolver delegate;

		private DefaultListableBeanFactory beanFactory;

		private final Function<String, NamedTool> create;

		private Resolver(AutowireCandidateResolver delegate, DefaultListableBeanFactory beanFactory,
				Function<String, NamedTool> create) {
			this.delegate = delegate;
			this.beanFactory = beanFactory;
			this.create = create;
		}

		@Override
		public void setBeanFactory(BeanFactory beanFactory) {
			this.beanFactory = (DefaultListableBeanFactory) beanFactory;
			if (this.delegate instanceof BeanFactoryAware aware) {
				aware.setBeanFactory(beanFactory);
			}
		}

		@Override
		public @Nullable Object getSuggestedValue(DependencyDescriptor descriptor) {
			Object value = this.delegate.getSuggestedValue(descriptor);
			return (value == null && isInjectionOfTool(descriptor)) ? tool(descriptor) : value;
		}

		/**
		 * Asked of every injection point there is. What is within an {@code Optional} or
		 * an {@code ObjectProvider} is declared as that.
		 */
		private boolean isInjectionOfTool(DependencyDescriptor descriptor) {
			return descriptor.getDependencyType() == McpTool.class && descriptor.getDeclaredType() == McpTool.class
					&& !(descriptor instanceof Search);
		}

		private @Nullable NamedTool tool(DependencyDescriptor descriptor) {
			String name = this.delegate.getSuggestedName(descriptor);
			if (name == null || !this.delegate.isRequired(descriptor)) {
				return null;
			}
			NamedTool tool = NamedTools.this.tools.computeIfAbsent(name, this.create);
			Search search = new Search(descriptor, tool);
			this.beanFactory.doResolveDependency(search, null, null, null);
			return search.found ? null : tool;
		}

		@Override
		public boolean isAutowireCandidate(BeanDefinitionHolder bean, DependencyDescriptor descriptor) {
			return this.delegate.isAutowireCandidate(bean, descriptor);
		}

		@Override
		public boolean isRequired(DependencyDescriptor descriptor) {
			return this.delegate.isRequired(descriptor);
		}

		@Override
		public boolean hasQualifier(DependencyDescriptor descriptor) {
			return this.delegate.hasQualifier(descriptor);
		}

		@Override
		public @Nullable String getSuggestedName(DependencyDescriptor descriptor) {
			return this.delegate.getSuggestedName(descriptor);
		}

		@Override
		public @Nullable Object getLazyResolutionProxyIfNecessary(DependencyDescriptor descriptor,
				@Nullable String beanName) {
			return this.delegate.getLazyResolutionProxyIfNecessary(descriptor, beanName);
		}

		@Override
		public @Nullable Class<?> getLazyResolutionProxyClass(DependencyDescriptor descriptor,
				@Nullable String beanName) {
			return this.delegate.getLazyResolutionProxyClass(descriptor, beanName);
		}

		@Override
		public AutowireCandidateResolver cloneIfNecessary() {
			return new Resolver(this.delegate.cloneIfNecessary(), this.beanFactory, this.create);
		}

	}

	/**
	 * Finds out whether there is a bean for an injection point, without creating it.
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
