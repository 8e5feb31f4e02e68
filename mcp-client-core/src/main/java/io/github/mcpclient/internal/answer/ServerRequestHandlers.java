package io.github.mcpclient.internal.answer;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpRootsProvider;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.ServerThreads;
import io.github.mcpclient.internal.support.ServerThreads.Limits;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * All handlers of the application, and its annotated methods for events of servers. They
 * are collected when all beans exist, which is before the first server is connected:
 * handlers may use tools.
 */
public final class ServerRequestHandlers implements SmartInitializingSingleton, AutoCloseable {

	// for each kind of request of a server
	private static final Limits LIMITS = new Limits(32, 32);

	private final ConfigurableListableBeanFactory beanFactory;

	private final SchemaCheck.Threads checks;

	private final ClientScheduler scheduler;

	private final ExecutorService executor;

	private final ServerThreads threads;

	private volatile Handlers handlers = new Handlers(List.of(), List.of(), List.of());

	private volatile @Nullable McpServerRegistry registry;

	private volatile @Nullable AnnotatedListeners listeners;

	/**
	 * Create the handlers of a bean factory.
	 * @param scheduler provides the time
	 * @param threads creates the threads on which handlers run
	 */
	public ServerRequestHandlers(ConfigurableListableBeanFactory beanFactory, SchemaCheck.Threads checks,
			ClientScheduler scheduler, ThreadFactory threads) {
		this.beanFactory = beanFactory;
		this.checks = checks;
		this.scheduler = scheduler;
		this.executor = Executors.newCachedThreadPool(threads);
		this.threads = new ServerThreads("mcp-handler", LIMITS, this.executor, scheduler);
	}

	@Override
	public void afterSingletonsInstantiated() {
		AnnotatedHandlers annotated = new AnnotatedHandlers(this.beanFactory);
		this.beanFactory.getBeanProvider(McpServerRegistry.class)
			.ifUnique((registry) -> annotated
				.warnOfUnknown(registry.servers().stream().map(McpServer::name).collect(Collectors.toSet())));
		this.handlers = new Handlers(all(McpSamplingHandler.class, annotated.sampling),
				all(McpElicitationHandler.class, annotated.elicitation), all(McpRootsProvider.class, List.of()));
		if (!annotated.listeners.isEmpty()) {
			this.listeners = new AnnotatedListeners(annotated.listeners, () -> Objects.requireNonNull(this.registry),
					new ServerThreads("mcp-handler", AnnotatedListeners.LIMITS, this.executor, this.scheduler),
					this.scheduler);
		}
	}

	private <T> List<T> all(Class<T> type, List<? extends T> annotated) {
		List<T> all = new ArrayList<>(beans(this.beanFactory, type));
		all.addAll(annotated);
		return all;
	}

	/**
	 * Return all beans of a type that can be injected, in their order.
	 */
	@SuppressWarnings("unchecked")
	public static <T> List<T> beans(AutowireCapableBeanFactory beanFactory, Class<T> type) {
		List<T> beans = (List<T>) beanFactory.resolveDependency(new AllBeans(type), null);
		return (beans != null) ? List.copyOf(beans) : List.of();
	}

	/**
	 * Return the handler of the requests of a server.
	 */
	public ServerRequests of(McpServerDefinition server) {
		return new HandledRequests(server, () -> this.handlers, this.checks, this.scheduler, this.threads);
	}

	/**
	 * Follow a registry, which reports its {@link #published events}.
	 */
	public void follow(McpServerRegistry registry) {
		this.registry = registry;
	}

	/**
	 * Call the annotated methods that listen to an event; for messages, on this thread.
	 */
	public void published(McpServerEvent event) {
		AnnotatedListeners listeners = this.listeners;
		if (listeners != null) {
			listeners.tell(event);
		}
	}

	/**
	 * Return whether annotated methods listen to the progress of calls.
	 */
	public boolean listenToProgress() {
		AnnotatedListeners listeners = this.listeners;
		return listeners != null && listeners.listenToProgress();
	}

	@Override
	public void close() {
		this.threads.dispose();
	}

	/**
	 * All handlers, in the order of precedence.
	 */
	record Handlers(List<McpSamplingHandler> sampling, List<McpElicitationHandler> elicitation,
			List<McpRootsProvider> roots) {
	}

}
