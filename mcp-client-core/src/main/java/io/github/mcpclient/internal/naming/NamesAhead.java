package io.github.mcpclient.internal.naming;

import java.io.OutputStream;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.RecentItems;
import io.github.mcpclient.internal.support.ServerThreads;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Calls the application's naming strategy on a thread that may block, before its names
 * are needed on threads that must not block. Thread-safe.
 */
final class NamesAhead implements McpToolNamingStrategy {

	private static final int MAX_NAMES = 20_000;

	private static final JsonMapper JSON = JsonMapper.builder().build();

	private final McpToolNamingStrategy strategy;

	private final ServerThreads threads;

	// by the hashes of the definitions: a server may list any number of large ones
	private final Map<McpServerDefinition, Map<String, Supplier<String>>> names = Collections
		.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create an instance.
	 * @param strategy the strategy of the application
	 * @param threads the threads on which it is called
	 */
	NamesAhead(McpToolNamingStrategy strategy, ServerThreads threads) {
		this.strategy = strategy;
		this.threads = threads;
	}

	/**
	 * Determine the names of tools, except for known ones. A result is discarded if it
	 * arrives after cancellation: an interrupted strategy may return any name.
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
		Map<String, Supplier<String>> known = namesOf(server);
		for (Tool tool : tools) {
			String hash = (tool.name().length() <= ToolNamer.MAX_ORIGINAL_NAME) ? hash(tool) : null;
			if (hash != null && !known.containsKey(hash)) {
				Supplier<String> name = name(server, tool);
				if (cancelled.get()) {
					return;
				}
				known.put(hash, name);
			}
		}
	}

	private Map<String, Supplier<String>> namesOf(McpServerDefinition server) {
		synchronized (this.names) {
			// put again with this key, which lives as long as the server
			Map<String, Supplier<String>> known = this.names.remove(server);
			// the names may differ each time they are listed
			Map<String, Supplier<String>> names = (known != null) ? known
					: Collections.synchronizedMap(RecentItems.map(MAX_NAMES));
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
			String failure = Printable.text(ex.toString());
			return () -> {
				throw new NamingFailedException(failure);
			};
		}
	}

	private static @Nullable String hash(Tool tool) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			JSON.writeValue(new DigestOutputStream(OutputStream.nullOutputStream(), digest), tool);
			return HexFormat.of().formatHex(digest.digest());
		}
		catch (JacksonException ex) {
			return null;
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Every Java platform has SHA-256", ex);
		}
	}

	@Override
	public String toolName(McpServerDefinition server, Tool tool) {
		Map<String, Supplier<String>> names = this.names.get(server);
		String hash = (names != null) ? hash(tool) : null;
		Supplier<String> known = (names != null && hash != null) ? names.get(hash) : null;
		return (known != null) ? known.get() : this.strategy.toolName(server, tool);
	}

	/**
	 * A replacement for a failure of the strategy, without references to it.
	 */
	private static final class NamingFailedException extends RuntimeException {

		private NamingFailedException(String failure) {
			super(failure, null, false, false);
		}

		@Override
		public String toString() {
			return String.valueOf(getMessage());
		}

	}

}
