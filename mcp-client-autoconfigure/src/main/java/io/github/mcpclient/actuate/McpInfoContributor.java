package io.github.mcpclient.actuate;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import org.jspecify.annotations.Nullable;

import org.springframework.aot.hint.annotation.RegisterReflectionForBinding;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;

/**
 * {@link InfoContributor} that shows the names of the servers, their states and how many
 * tools they have; nothing else, since this endpoint is often open to many.
 */
@RegisterReflectionForBinding(McpInfoContributor.ServerInfo.class)
public class McpInfoContributor implements InfoContributor {

	private final McpServerRegistry registry;

	/**
	 * Create a contributor.
	 * @param registry the servers to show
	 */
	public McpInfoContributor(McpServerRegistry registry) {
		this.registry = registry;
	}

	@Override
	public void contribute(Info.Builder builder) {
		Map<String, ServerInfo> servers = new LinkedHashMap<>();
		this.registry.servers()
			.forEach((server) -> servers.put(server.name(),
					new ServerInfo(server.status().state(), server.tools().size())));
		builder.withDetail("mcp", Map.of("servers", servers));
	}

	/**
	 * The state of a server, and how many of its tools the application gets.
	 */
	public record ServerInfo(McpServerState state, @Nullable Integer tools) {
	}

}
