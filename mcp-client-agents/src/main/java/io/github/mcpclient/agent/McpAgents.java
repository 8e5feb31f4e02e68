package io.github.mcpclient.agent;

import java.util.Set;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryAware;
import org.springframework.util.Assert;

/**
 * Makes {@link McpModelTools}. In a Spring Boot application, both are beans. Without
 * Spring Boot, add an instance of this class to a client before it is built, and get the
 * tools of the client's registry from it:
 *
 * <pre>{@code
 * McpAgents agents = new McpAgents();
 * StandaloneMcpClient client = StandaloneMcpClient.builder().server(...).add(agents).build();
 * McpModelTools modelTools = agents.modelTools(client.registry());
 * }</pre>
 *
 * An instance is for one client. Safe for use by many threads.
 */
public final class McpAgents implements McpToolListingCustomizer, BeanFactoryAware {

	// the settings that do nothing without this
	private static final Set<String> SETTINGS = Set.of("tools.search", "tools.max-text", "tools.keep-results",
			"resources.as-tools");

	private final int searchThreshold;

	private @Nullable BeanFactory beans;

	/**
	 * Create an instance with which models get the tools themselves, however many there
	 * are.
	 */
	public McpAgents() {
		this(Integer.MAX_VALUE);
	}

	/**
	 * Create an instance with which models get {@code search_tools} and {@code call_tool}
	 * in place of too many tools. Tools of servers with these names are excluded.
	 * @param searchThreshold the number of tools, of a model or of its selection, above
	 * which models search them
	 */
	public McpAgents(int searchThreshold) {
		this.searchThreshold = searchThreshold;
	}

	/**
	 * Called by the client that this is added to.
	 */
	@Override
	public void setBeanFactory(BeanFactory beanFactory) {
		this.beans = beanFactory;
	}

	/**
	 * Return the tools of all servers, as models get them. To be called once: the
	 * returned instance stores results and the index of tools.
	 * @throws IllegalStateException if this was not added to a client
	 */
	public McpModelTools modelTools(McpServerRegistry registry) {
		BeanFactory beans = this.beans;
		Assert.state(beans != null, "Add this to StandaloneMcpClient.builder() before the client is built");
		// a disabled client has none, and starts none of these
		ClientThreads threads = beans.getBeanProvider(ClientThreads.class).getIfAvailable(ClientThreads::new);
		// not Mono::empty, which would load much of Reactor where there is no server
		KeptResults results = new KeptResults(threads.scheduler(),
				beans.getBeanProvider(McpCallerIdentity.class).getIfAvailable(() -> () -> Mono.empty()));
		return new DefaultModelTools(
				new SharedTools(registry, beans.getBeanProvider(McpServerManager.class).getIfAvailable(),
						this.searchThreshold, results, new ReadResultTool(results, threads::interceptors),
						new ToolSearch((server) -> registry.find(server).isPresent()),
						new LogLimit(() -> threads.scheduler().now(TimeUnit.NANOSECONDS)),
						beans.getBeanProvider(McpToolInterceptor.class)),
				registry.tools().forCaller());
	}

	@Override
	public Mono<Void> prepare(Listing listing) {
		ResourceTools.addTo(listing);
		return Mono.empty();
	}

	@Override
	public void customize(ListedTool tool) {
		if (this.searchThreshold < Integer.MAX_VALUE && MetaTool.NAMES.contains(tool.name())) {
			tool.exclude("mcp.tools.search.enabled is true, which has a tool of that name");
		}
	}

	@Override
	public Set<String> settings() {
		return SETTINGS;
	}

}
