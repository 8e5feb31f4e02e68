package io.github.mcpclient.declared;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.ContextView;

/**
 * Finds the tool that a method calls, at each call, among the tools of the caller. The
 * name of the tool is cached, so that the tools of a server are searched only if the
 * server does not list that name. Safe for use by many threads.
 */
final class ToolLookup {

	private final McpServerRegistry registry;

	private final String server;

	private final DeclaredTool declared;

	private volatile @Nullable Found found;

	ToolLookup(McpServerRegistry registry, String server, DeclaredTool declared) {
		this.registry = registry;
		this.server = server;
		this.declared = declared;
	}

	/**
	 * Return the tool. Fails as {@link McpToolCatalog#get(String)} does.
	 * @param context where the user of the caller may be
	 * @throws NoSuchMcpServerException if there is no such server
	 */
	McpTool find(ContextView context) {
		McpToolCatalog catalog = this.registry.tools();
		try {
			return meant(catalog.get(name(), context));
		}
		catch (NoSuchMcpToolException ex) {
			return listed(catalog.forCaller(), ex);
		}
	}

	/**
	 * The non-blocking form of {@link #find}.
	 */
	Mono<McpTool> findAsync() {
		McpToolCatalog catalog = this.registry.tools();
		return Mono.defer(() -> catalog.getAsync(name()))
			.map(this::meant)
			.onErrorResume(NoSuchMcpToolException.class,
					(ex) -> catalog.forCallerAsync().map((ofCaller) -> listed(ofCaller, ex)))
			.contextWrite(CallerContext::withThread);
	}

	private McpTool listed(McpToolCatalog ofCaller, NoSuchMcpToolException missing) {
		McpServer server = this.registry.server(this.server);
		return listed(server.tools())
			.or(() -> (server.status().users() > 0) ? listed(ofCaller.all()) : Optional.empty())
			.orElseThrow(() -> missing);
	}

	// the cached name, or else the name of the method with the prefix of the server
	private String name() {
		Found found = this.found;
		if (found != null) {
			return found.name();
		}
		String prefix = this.registry.server(this.server).definition().tools().prefix();
		prefix = (prefix != null) ? prefix : this.server;
		return prefix.isEmpty() ? this.declared.name() : prefix + "_" + this.declared.name();
	}

	private McpTool meant(McpTool tool) {
		Found found = this.found;
		String original = (found != null) ? found.originalName() : this.declared.name();
		if (!tool.serverName().equals(this.server) || !tool.originalName().equals(original)) {
			throw NoSuchMcpToolException.because(tool.name(), this.server,
					"it is tool '" + Printable.text(tool.originalName()) + "' of server '" + tool.serverName() + "'");
		}
		return tool;
	}

	private Optional<McpTool> listed(Collection<McpTool> tools) {
		List<McpTool> listed = this.declared
			.among(tools.stream().filter((tool) -> tool.serverName().equals(this.server)).toList());
		if (listed.size() > 1) {
			throw NoSuchMcpToolException.because(this.declared.name(), this.server,
					"server '" + this.server + "' has several tools with similar names: "
							+ listed.stream().map(McpTool::originalName).limit(5).collect(Collectors.joining(", "))
							+ ". Name one with @McpToolCall");
		}
		Optional<McpTool> tool = listed.stream().findFirst();
		tool.ifPresent((only) -> this.found = new Found(only.name(), only.originalName()));
		return tool;
	}

	private record Found(String name, String originalName) {
	}

}
