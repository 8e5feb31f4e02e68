package io.github.mcpclient.autoconfigure;

import java.lang.StackWalker.Option;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.event.McpMessageListener;
import io.github.mcpclient.event.McpProgressEvent;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.internal.handler.ServerRequestHandlers;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * The application is a Spring context: tools are beans, and events are its events.
 */
final class ApplicationBeans implements DefaultMcpServerRegistry.HostApplication {

	private static final StackWalker STACK = StackWalker.getInstance(Option.RETAIN_CLASS_REFERENCE);

	private final ConfigurableApplicationContext context;

	private final boolean beansEnabled;

	private final ToolBeans beans;

	private final NamedTools namedTools;

	/**
	 * Create an instance for a context that has {@link NamedTools}.
	 */
	ApplicationBeans(ConfigurableApplicationContext context, McpProperties.Tools.Beans beans) {
		this.context = context;
		this.beansEnabled = beans.enabled();
		this.beans = new ToolBeans((DefaultListableBeanFactory) context.getBeanFactory(), beans.max());
		this.namedTools = context.getBean(NamedTools.class);
	}

	@Override
	public void publish(McpServerEvent event) {
		this.context.publishEvent(event);
	}

	@Override
	public List<McpMessageListener> listeners() {
		return ServerRequestHandlers.beans(this.context.getBeanFactory(), McpMessageListener.class);
	}

	/**
	 * Whether there are listeners of that event which do not listen to every event.
	 */
	@Override
	public boolean listensToProgress() {
		ResolvableType progress = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class,
				McpProgressEvent.class);
		ResolvableType other = ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, Object.class);
		return this.context instanceof AbstractApplicationContext application && application.getApplicationListeners()
			.stream()
			.map(GenericApplicationListenerAdapter::new)
			.anyMatch((listener) -> listener.supportsEventType(progress) && !listener.supportsEventType(other));
	}

	/**
	 * Make the tool beans follow the catalog, and warn of injected tools that no server
	 * has.
	 */
	@Override
	public void showTools(Collection<String> names, Supplier<Map<String, McpTool>> listed) {
		if (this.beansEnabled) {
			this.beans.show(names, listed);
		}
		this.namedTools.warnOfMissing();
	}

	@Override
	public @Nullable String refusal(McpTool tool) {
		return this.beansEnabled ? this.beans.refusal(tool) : null;
	}

	/**
	 * Spring does not tell whether a thread creates a bean, and so has the lock of the
	 * bean factory; its frames do.
	 */
	@Override
	public boolean isInCreation() {
		return STACK.walk((frames) -> frames
			.anyMatch((frame) -> SingletonBeanRegistry.class.isAssignableFrom(frame.getDeclaringClass())));
	}

}
