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
 * What names the tools of the servers that there are: a strategy of the application, or
 * else their prefixes. Immutable.
 */
public record ToolNaming(@Nullable McpToolNamingStrategy strategy, ToolNamePrefixes prefixes) {

	/**
	 * Return what names tools where there is no server yet.
	 */
	public static ToolNaming of(@Nullable McpToolNamingStrategy strategy) {
		return new ToolNaming(strategy, new ToolNamePrefixes(List.of(), null));
	}

	/**
	 * Return a strategy that can be asked ahead, on threads that it may block.
	 */
	public static McpToolNamingStrategy ahead(McpToolNamingStrategy strategy, ServerThreads threads) {
		return new NamesAhead(strategy, threads);
	}

	/**
	 * Return what names tools when there are these servers.
	 */
	public ToolNaming with(Collection<McpServerDefinition> servers) {
		return new ToolNaming(this.strategy, new ToolNamePrefixes(servers, this.prefixes));
	}

	/**
	 * Ask for the names of tools, where that is to be done ahead.
	 */
	public Mono<Void> ask(McpServerDefinition server, List<Tool> tools) {
		return (this.strategy instanceof NamesAhead names) ? names.ask(server, tools) : Mono.empty();
	}

	/**
	 * Return whether a name tells its server.
	 */
	public boolean isByPrefix() {
		return this.strategy == null;
	}

	/**
	 * Return the servers that a name tells, none where it does not.
	 */
	public List<String> serversOf(String name) {
		return isByPrefix() ? this.prefixes.serversOf(name) : List.of();
	}

	/**
	 * Return the server that had a tool and was removed, unless one that is there may
	 * have it; {@code null} if none is known.
	 */
	public @Nullable String removedServerOf(String name) {
		return isByPrefix() ? this.prefixes.removedServerOf(name) : null;
	}

}
