package io.github.mcpclient.registry;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Keeps one bean for each listed tool. A bean is never replaced and never destroyed
 * before the context closes, since {@code destroySingleton} also destroys the
 * application's beans that injected it: a tool that goes hides its bean instead.
 */
final class ToolBeans {

	/**
	 * Tool names are remote input: a server that lists other names each time must not
	 * fill the bean factory.
	 */
	private static final int MAX_BEANS = 10_000;

	static final String REFUSED = "not a bean, though in the catalog: the application has a bean or an alias of that name";

	private static final Logger logger = LoggerFactory.getLogger(ToolBeans.class);

	private static final String MARKER = ToolBeans.class.getName() + ".marker";

	private final DefaultListableBeanFactory beanFactory;

	private final Lock lock = new ReentrantLock();

	// guarded by lock
	private final Map<String, ToolFactoryBean> beans = new HashMap<>();

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private final int maxBeans;

	ToolBeans(DefaultListableBeanFactory beanFactory) {
		this(beanFactory, MAX_BEANS);
	}

	ToolBeans(DefaultListableBeanFactory beanFactory, int maxBeans) {
		this.beanFactory = beanFactory;
		this.maxBeans = maxBeans;
	}

	/**
	 * Make the visible beans those of the given tools. Registering a bean may wait for a
	 * bean that another thread creates, so this must not be called on a thread that must
	 * not block.
	 */
	void show(Map<String, McpTool> tools) {
		this.lock.lock();
		try {
			boolean changed = false;
			for (Map.Entry<String, ToolFactoryBean> bean : this.beans.entrySet()) {
				changed |= bean.getValue().show(tools.containsKey(bean.getKey()));
			}
			for (Map.Entry<String, McpTool> tool : tools.entrySet()) {
				changed |= register(tool.getKey(), tool.getValue());
			}
			if (changed) {
				clearTypeCache();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private boolean register(String name, McpTool tool) {
		if (this.beans.containsKey(name) || this.refused.contains(name)) {
			return false;
		}
		if (this.beans.size() + this.refused.size() >= this.maxBeans) {
			return false;
		}
		if (this.beanFactory.containsBean(name)) {
			// registerSingleton would silently replace a bean that is not yet created
			this.refused.add(name);
			logger.warn("MCP tool '{}' is {}", name, REFUSED);
			return false;
		}
		ToolFactoryBean bean = new ToolFactoryBean(tool);
		this.beanFactory.registerSingleton(name, bean);
		this.beans.put(name, bean);
		return true;
	}

	boolean isRefused(String name) {
		return this.refused.contains(name);
	}

	/**
	 * The bean factory remembers which beans are of which type. It forgets that when a
	 * singleton is destroyed, not when one of a factory bean's type is registered.
	 */
	private void clearTypeCache() {
		this.beanFactory.registerSingleton(MARKER, new Object());
		this.beanFactory.destroySingleton(MARKER);
	}

	/**
	 * A bean whose type is unknown while its tool is not listed, so that no look-up by
	 * type finds it.
	 */
	private static final class ToolFactoryBean implements FactoryBean<McpTool> {

		private final McpTool tool;

		private volatile boolean visible = true;

		private ToolFactoryBean(McpTool tool) {
			this.tool = tool;
		}

		private boolean show(boolean visible) {
			boolean changed = this.visible != visible;
			this.visible = visible;
			return changed;
		}

		@Override
		public McpTool getObject() {
			return this.tool;
		}

		@Override
		public @Nullable Class<?> getObjectType() {
			return this.visible ? McpTool.class : null;
		}

	}

}
