package io.github.mcpclient.reload;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.event.McpReloadEvent;
import io.github.mcpclient.event.McpReloadFailedEvent;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.DaemonThreads;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerReloader;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import org.springframework.beans.factory.DisposableBean;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.Assert;

/**
 * Reads the configuration again, on a thread that exists only while it is required, and
 * applies the differences to the registry.
 */
final class ConfigurationReloader implements McpServerReloader, DisposableBean {

	private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

	private static final int MOST_WAITING = 1000;

	private static final int IDLE_SECONDS = 10;

	private static final int LONGEST_MESSAGE = 4000;

	private static final Log logger = LogFactory.getLog(ConfigurationReloader.class);

	private final Supplier<ConfigurableEnvironment> environment;

	private final McpServersConfig config;

	private final DefaultMcpServerRegistry registry;

	private final ApplicationEventPublisher publisher;

	private final ClientScheduler time;

	private final ExecutorService reloads = thread("mcp-reloading");

	// a listener that blocks, or reloads itself, holds up no reload
	private final ExecutorService events = thread("mcp-reload-events");

	// reloads that have not started, by the source that they read
	private final Map<Supplier<ConfigurableEnvironment>, Sinks.One<McpReload>> waiting = new ConcurrentHashMap<>();

	private volatile @Nullable McpReloadFailure failure;

	private volatile @Nullable Thread reloading;

	private volatile Set<String> restart = Set.of();

	/**
	 * Create an instance.
	 * @param environment creates a new environment for each reload
	 * @param config the configuration of the registry
	 */
	ConfigurationReloader(Supplier<ConfigurableEnvironment> environment, McpServersConfig config,
			DefaultMcpServerRegistry registry, ApplicationEventPublisher publisher, ClientScheduler time) {
		this.environment = environment;
		this.config = config;
		this.registry = registry;
		this.publisher = publisher;
		this.time = time;
	}

	private static ExecutorService thread(String name) {
		return new ThreadPoolExecutor(0, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(MOST_WAITING),
				DaemonThreads.blocking(name));
	}

	@Override
	public McpReload reload() {
		return reload(this.environment);
	}

	/**
	 * Reload the configuration of an environment.
	 */
	McpReload reload(Supplier<ConfigurableEnvironment> source) {
		Monos.checkThread("%s", "A reload of the MCP servers", "reloadAsync");
		Assert.state(Thread.currentThread() != this.reloading,
				"A reload of the MCP servers cannot wait for another reload: use reloadAsync in code that a reload "
						+ "calls, such as an McpServerCustomizer, and do not wait for it there");
		return Objects.requireNonNull(Monos.await(reloadAsync(source), LONGEST_WAIT,
				(ex) -> new IllegalStateException(
						"The thread was interrupted while it waited for a reload of the MCP servers, which continues",
						ex),
				() -> new IllegalStateException("The reload of the MCP servers takes longer than "
						+ LONGEST_WAIT.toSeconds() + " s, and continues")));
	}

	@Override
	public Mono<McpReload> reloadAsync() {
		return reloadAsync(this.environment);
	}

	/**
	 * The non-blocking form of {@link #reload(Supplier)}.
	 */
	Mono<McpReload> reloadAsync(Supplier<ConfigurableEnvironment> source) {
		return Mono.defer(() -> {
			Sinks.One<McpReload> mine = Sinks.one();
			Sinks.One<McpReload> other = this.waiting.putIfAbsent(source, mine);
			if (other == null) {
				try {
					this.reloads.execute(() -> begin(source));
				}
				catch (RejectedExecutionException ex) {
					end(source);
				}
			}
			return ((other != null) ? other : mine).asMono();
		});
	}

	private void begin(Supplier<ConfigurableEnvironment> source) {
		// later callers may have seen a later change
		Sinks.One<McpReload> answer = this.waiting.remove(source);
		if (answer == null) {
			return;
		}
		AtomicReference<@Nullable McpReload> changes = new AtomicReference<>();
		this.reloading = Thread.currentThread();
		try {
			McpServersConfig next = this.config.reread(source.get());
			this.registry.reload(next.servers(), (made) -> changes.set(succeeded(made, this.config.adopt(next))))
				.onErrorComplete()
				.then(Mono.fromSupplier(changes::get))
				.subscribe(answer::tryEmitValue);
		}
		catch (Throwable ex) {
			answer.tryEmitError(failed(ex));
		}
		finally {
			this.reloading = null;
		}
	}

	private McpReload succeeded(McpReload made, List<String> restart) {
		McpReload changes = new McpReload(made.added(), made.replaced(), made.updated(), made.removed(),
				made.unchanged(), restart);
		if (made.hasChanges() || this.failure != null) {
			logger.info("The configuration of the MCP servers was reloaded: " + made);
			publish(new McpReloadEvent(changes));
		}
		Set<String> restarts = new TreeSet<>(restart);
		if (!this.restart.containsAll(restarts)) {
			logger.warn("These properties have changed, which takes effect only after a restart: "
					+ String.join(", ", restart));
		}
		this.restart = restarts;
		this.failure = null;
		return changes;
	}

	private RuntimeException failed(Throwable cause) {
		logger.debug("The MCP servers are not reloaded", cause);
		if (this.reloads.isShutdown()) {
			return stopped();
		}
		InvalidMcpConfigurationException invalid = (cause instanceof InvalidMcpConfigurationException known) ? known
				: null;
		String message = (invalid != null) ? McpServersConfig.describe(invalid)
				: "The configuration of the MCP servers cannot be read: "
						+ Redaction.urls(Printable.line(text(cause), LONGEST_MESSAGE));
		McpReloadFailure before = this.failure;
		if (before == null || !before.message().equals(message)) {
			McpReloadFailure next = new McpReloadFailure(this.time.instant(), message,
					(invalid != null) ? invalid.getProblems() : List.of());
			this.failure = next;
			logger.warn("The MCP servers are not reloaded, and remain unchanged. " + message);
			publish(new McpReloadFailedEvent(next));
		}
		return (invalid != null) ? invalid : new IllegalStateException(message);
	}

	private static String text(Throwable cause) {
		return (cause instanceof IllegalStateException && cause.getMessage() != null) ? cause.getMessage()
				: cause.toString();
	}

	private static IllegalStateException stopped() {
		return new IllegalStateException(
				"The MCP servers are not reloaded: the application stops, or too many reloads wait");
	}

	private void publish(Object event) {
		try {
			this.events.execute(() -> this.publisher.publishEvent(event));
		}
		catch (RejectedExecutionException ex) {
			logger.debug("An event of a reload is not published: the application is stopping, or listeners block", ex);
		}
	}

	@Override
	public Optional<McpReloadFailure> failure() {
		return Optional.ofNullable(this.failure);
	}

	@Override
	public void destroy() {
		this.reloads.shutdownNow();
		this.events.shutdownNow();
		this.waiting.keySet().forEach(this::end);
	}

	private void end(Supplier<ConfigurableEnvironment> source) {
		Sinks.One<McpReload> answer = this.waiting.remove(source);
		if (answer != null) {
			answer.tryEmitError(stopped());
		}
	}

}
