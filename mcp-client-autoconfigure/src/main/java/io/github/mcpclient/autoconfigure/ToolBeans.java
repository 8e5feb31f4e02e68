package io.github.mcpclient.autoconfigure;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/**
 * Manages one bean for each listed tool. A bean is never replaced or destroyed, since
 * {@code destroySingleton} also destroys the beans into which it was injected. If the
 * tool is removed, or its name belongs to another server, the bean is hidden.
 */
final class ToolBeans {

	static final String REFUSED = "not a bean, though in the catalog: the application has a bean or an alias of that name";

	private static final Logger logger = LoggerFactory.getLogger(ToolBeans.class);

	private static final String NO_BEAN = ToolBeans.class.getName() + ".none";

	private final DefaultListableBeanFactory beanFactory;

	private final Map<String, ToolFactoryBean> beans = new ConcurrentHashMap<>();

	private final Set<String> refused = ConcurrentHashMap.newKeySet();

	private final AtomicBoolean warned = new AtomicBoolean();

	// names of tools are remote input: a server that lists other ones each time must not
	// fill the bean factory
	private final int maxBeans;

	ToolBeans(DefaultListableBeanFactory beanFactory, int maxBeans) {
		this.beanFactory = beanFactory;
		this.maxBeans = maxBeans;
	}

	/**
	 * Register the listed tools with these names, and make additions and removals visible
	 * to lookups by type. Waits while another thread creates a bean, which must not wait
	 * for this thread, or for a lock of this class. Safe for use by many threads.
	 */
	void show(Collection<String> names, Supplier<Map<String, McpTool>> listed) {
		Map<String, McpTool> tools = listed.get();
		for (String name : names) {
			McpTool tool = tools.get(name);
			if (tool != null) {
				register(name, tool, listed);
			}
		}
		// the bean factory forgets which beans are of which type when a singleton is
		// destroyed, even one that does not exist, not when a factory bean is registered
		this.beanFactory.destroySingleton(NO_BEAN);
	}

	private void register(String name, McpTool tool, Supplier<Map<String, McpTool>> listed) {
		if (this.refused.contains(name)) {
			return;
		}
		ToolFactoryBean bean = this.beans.get(name);
		if (bean == null) {
			if (isFull()) {
				if (this.warned.compareAndSet(false, true)) {
					logger
						.warn("There are more MCP tools than mcp.tools.beans.max ({}): further ones are in the catalog,"
								+ " but not beans", this.maxBeans);
				}
				return;
			}
			bean = this.beans.computeIfAbsent(name, (key) -> new ToolFactoryBean(name, tool, listed));
		}
		if (bean.registered && bean.offer.tool == tool) {
			return;
		}
		bean.offer(tool);
		if (!bean.registered && !register(bean) && this.refused.add(name)) {
			this.beans.remove(name);
			logger.warn("MCP tool '{}' is {}", name, REFUSED);
		}
	}

	private boolean isFull() {
		return this.beans.size() + this.refused.size() >= this.maxBeans;
	}

	private boolean register(ToolFactoryBean bean) {
		// registerSingleton would silently replace a bean that is not yet created
		if (!this.beanFactory.containsBean(bean.name)) {
			try {
				this.beanFactory.registerSingleton(bean.name, bean);
			}
			catch (IllegalStateException ex) {
				logger.trace("Another thread was first to register '{}'", bean.name, ex);
			}
		}
		bean.registered = this.beanFactory.getSingleton(bean.name) == bean;
		return bean.registered;
	}

	/**
	 * Return why a listed tool is not a bean, or {@code null} if it is one or will be.
	 */
	@Nullable String refusal(McpTool tool) {
		if (this.refused.contains(tool.name())) {
			return REFUSED;
		}
		ToolFactoryBean bean = this.beans.get(tool.name());
		if (bean == null) {
			return isFull() ? "not a bean, though in the catalog: there are as many as mcp.tools.beans.max ("
					+ this.maxBeans + "). Raise it, or inject the tool with @Qualifier" : null;
		}
		ToolFactoryBean.Offer offer = bean.offer;
		return (!offer.injected || offer.tool.equals(tool)) ? null
				: "not a bean, though in the catalog: the bean of that name stays that of server '"
						+ offer.tool.serverName() + "'";
	}

	/**
	 * A bean without a type while its tool is not listed, which hides it.
	 */
	private static final class ToolFactoryBean implements FactoryBean<McpTool> {

		private static final AtomicReferenceFieldUpdater<ToolFactoryBean, Offer> OFFER = AtomicReferenceFieldUpdater
			.newUpdater(ToolFactoryBean.class, Offer.class, "offer");

		private final String name;

		private final Supplier<Map<String, McpTool>> listed;

		private volatile Offer offer;

		private volatile boolean registered;

		private ToolFactoryBean(String name, McpTool tool, Supplier<Map<String, McpTool>> listed) {
			this.name = name;
			this.listed = listed;
			this.offer = new Offer(tool, false);
		}

		// follow the name to a tool of another server, until the bean is injected
		private void offer(McpTool tool) {
			// the name may have gone to another server since the tools were looked at
			OFFER.updateAndGet(this, (offer) -> offer.injected ? offer
					: new Offer(this.listed.get().getOrDefault(this.name, tool), false));
		}

		@Override
		public McpTool getObject() {
			return OFFER.updateAndGet(this, (offer) -> new Offer(offer.tool, true)).tool;
		}

		@Override
		public @Nullable Class<?> getObjectType() {
			return this.offer.tool.equals(this.listed.get().get(this.name)) ? McpTool.class : null;
		}

		private record Offer(McpTool tool, boolean injected) {
		}

	}

}
