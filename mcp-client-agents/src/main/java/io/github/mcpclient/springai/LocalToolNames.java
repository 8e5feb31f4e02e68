package io.github.mcpclient.springai;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.ai.support.ToolCallbacks;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.annotation.Tool;
import org.springframework.ai.tool.support.ToolUtils;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.MethodIntrospector.MetadataLookup;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;

/**
 * The names of the tools that are beans of the application, looked up at the first use.
 * Beans of MCP clients are ignored, since they may make remote calls.
 */
final class LocalToolNames implements Supplier<Set<String>> {

	private static final Logger logger = LoggerFactory.getLogger(LocalToolNames.class);

	private static final MetadataLookup<@Nullable Tool> TOOL = (method) -> AnnotatedElementUtils
		.findMergedAnnotation(method, Tool.class);

	private final ListableBeanFactory beanFactory;

	private volatile @Nullable Set<String> names;

	/**
	 * Create an instance, which looks up nothing yet.
	 */
	LocalToolNames(ListableBeanFactory beanFactory) {
		this.beanFactory = beanFactory;
	}

	@Override
	public Set<String> get() {
		Set<String> names = this.names;
		if (names == null) {
			names = lookUp();
			this.names = names;
		}
		return names;
	}

	private Set<String> lookUp() {
		Set<String> names = of(beans(ToolCallback.class));
		for (ToolCallbackProvider provider : beans(ToolCallbackProvider.class)) {
			String type = provider.getClass().getName();
			if (!(provider instanceof McpToolCallbackProvider) && !type.startsWith("org.springframework.ai.mcp.")) {
				try {
					names.addAll(of(List.of(provider)));
				}
				catch (RuntimeException ex) {
					logger.warn("The tools of {} are not known, so that MCP tools may have the same names: {}", type,
							ex.toString());
				}
			}
		}
		for (String beanName : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(this.beanFactory, Object.class, true,
				false)) {
			Class<?> type = this.beanFactory.getType(beanName, false);
			if (type != null && !type.getName().startsWith("org.springframework.")) {
				addNames(names, ClassUtils.getUserClass(type));
			}
		}
		return Set.copyOf(names);
	}

	private <T> Collection<T> beans(Class<T> type) {
		return BeanFactoryUtils.beansOfTypeIncludingAncestors(this.beanFactory, type, true, false).values();
	}

	private static void addNames(Set<String> names, Class<?> type) {
		try {
			Map<Method, Tool> methods = MethodIntrospector.selectMethods(type, TOOL);
			methods.keySet().forEach((method) -> names.add(ToolUtils.getToolName(method)));
		}
		catch (LinkageError ex) {
			logger.debug("The methods of {} cannot be read", type.getName(), ex);
		}
	}

	/**
	 * Return the names of what {@code ChatClient} takes as tools.
	 */
	static Set<String> of(Collection<?> localTools) {
		Set<String> names = new HashSet<>();
		for (Object tool : localTools) {
			if (tool instanceof ToolCallback callback) {
				names.add(callback.getToolDefinition().name());
			}
			else if (tool instanceof Collection<?> tools) {
				names.addAll(of(tools));
			}
			else {
				names.addAll(of(List
					.of((tool instanceof Object[] tools) ? tools : (tool instanceof ToolCallbackProvider provider)
							? provider.getToolCallbacks() : ToolCallbacks.from(tool))));
			}
		}
		return names;
	}

}
