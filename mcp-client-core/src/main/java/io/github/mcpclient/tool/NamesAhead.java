package io.github.mcpclient.tool;

import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.support.ServerThreads;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import reactor.core.publisher.Mono;

/**
 * Asks the application's naming strategy on a thread that it may block, before its names
 * are needed where nothing may block. Safe for use by many threads.
 */
final class NamesAhead implements McpToolNamingStrategy {

	private static final int MAX_NAMES = 20_000;

	private final McpToolNamingStrategy strategy;

	private final ServerThreads threads;

	private final Map<McpServerDefinition, Map<Tool, Supplier<String>>> names = Collections
		.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create an instance.
	 * @param strategy the application's
	 * @param threads where it is asked
	 */
	NamesAhead(McpToolNamingStrategy strategy, ServerThreads threads) {
		this.strategy = strategy;
		this.threads = threads;
	}

	/**
	 * Ask for the names of tools, but for those that are known. What comes of it once
	 * nobody waits any more is forgotten: an interrupted strategy may answer anything.
	 */
	Mono<Void> ask(McpServerDefinition server, List<Tool> tools) {
		return Mono.defer(() -> {
			AtomicBoolean cancelled = new AtomicBoolean();
			return this.threads.call(server.name(), UnaryOperator.identity(), () -> {
				ask(server, tools, cancelled);
				return tools;
			}, ChronoUnit.FOREVER.getDuration(), IllegalStateException::new)
				.doOnCancel(() -> cancelled.set(true))
				.then();
		});
	}

	private void ask(McpServerDefinition server, List<Tool> tools, AtomicBoolean cancelled) {
		Map<Tool, Supplier<String>> known = namesOf(server);
		for (Tool tool : tools) {
			if (!known.containsKey(tool)) {
				Supplier<String> name = name(server, tool);
				if (cancelled.get()) {
					return;
				}
				known.put(tool, name);
			}
		}
	}

	private Map<Tool, Supplier<String>> namesOf(McpServerDefinition server) {
		synchronized (this.names) {
			// again with this key, which lives as long as the server
			Map<Tool, Supplier<String>> known = this.names.remove(server);
			Map<Tool, Supplier<String>> names = (known != null) ? known : Collections.synchronizedMap(new Names());
			this.names.put(server, names);
			return names;
		}
	}

	private Supplier<String> name(McpServerDefinition server, Tool tool) {
		try {
			String name = this.strategy.toolName(server, tool);
			return () -> name;
		}
		catch (RuntimeException | Error ex) {
			return () -> {
				throw ex;
			};
		}
	}

	@Override
	public String toolName(McpServerDefinition server, Tool tool) {
		Map<Tool, Supplier<String>> names = this.names.get(server);
		Supplier<String> known = (names != null) ? names.get(tool) : null;
		return (known != null) ? known.get() : this.strategy.toolName(server, tool);
	}

	/**
	 * The names of the tools of a server, which may list others each time.
	 */
	private static final class Names extends LinkedHashMap<Tool, Supplier<String>> {

		@Override
		protected boolean removeEldestEntry(Map.Entry<Tool, Supplier<String>> eldest) {
			return size() > MAX_NAMES;
		}

	}

}
