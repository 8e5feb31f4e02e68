package io.github.mcpclient.internal.naming;

import java.util.Collection;
import java.util.List;

import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ServerThreads;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Names the tools of the current servers: with a strategy of the application, or else
 * with their prefixes. Immutable.
 */
public record ToolNaming(@Nullable McpToolNamingStrategy strategy, ToolNamePrefixes prefixes) {

	/**
	 * Return the naming without any servers.
	 */
	public static ToolNaming of(@Nullable McpToolNamingStrategy strategy) {
		return new ToolNaming(strategy, new ToolNamePrefixes(List.of(), null));
	}

	/**
	 * Return a strategy that can be called in advance, on threads that may block.
	 */
	public static McpToolNamingStrategy ahead(McpToolNamingStrategy strategy, ServerThreads threads) {
		return new NamesAhead(strategy, threads);
	}

	/**
	 * Return the naming for the given servers.
	 */
	public ToolNaming with(Collection<McpServerDefinition> servers) {
		return new ToolNaming(this.strategy, new ToolNamePrefixes(servers, this.prefixes));
	}

	/**
	 * Determine the names of tools in advance, if the strategy requires this.
	 */
	public Mono<Void> ask(McpServerDefinition server, List<Tool> tools) {
		return (this.strategy instanceof NamesAhead names) ? names.ask(server, tools) : Mono.empty();
	}

	/**
	 * Return whether a name determines its server.
	 */
	public boolean isByPrefix() {
		return this.strategy == null;
	}

	/**
	 * Return the servers that a name may refer to, empty if it cannot be determined.
	 */
	public List<String> serversOf(String name) {
		return isByPrefix() ? this.prefixes.serversOf(name) : List.of();
	}

	/**
	 * Return the removed server that had a tool, unless an existing server may have it;
	 * {@code null} if none is known.
	 */
	public @Nullable String removedServerOf(String name) {
		return isByPrefix() ? this.prefixes.removedServerOf(name) : null;
	}

}
