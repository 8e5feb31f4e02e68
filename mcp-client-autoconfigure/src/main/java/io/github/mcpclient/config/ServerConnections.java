package io.github.mcpclient.config;

import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Where servers are of which something else than properties tells that.
 */
final class ServerConnections {

	private static final String DEFAULT_PATH = "/mcp";

	private final Map<String, McpServerConnectionDetails> byKey = new LinkedHashMap<>();

	/**
	 * Create an instance.
	 * @param details what is known, of each server once
	 */
	ServerConnections(Collection<McpServerConnectionDetails> details) {
		for (McpServerConnectionDetails server : details) {
			McpServerConnectionDetails other = this.byKey.put(PropertyPath.uniform(server.getName()), server);
			Assert.state(other == null, () -> "There is more than one McpServerConnectionDetails for MCP server '"
					+ server.getName() + "'");
		}
	}

	/**
	 * Add the servers that are not configured.
	 * @param configured those that are
	 * @return the names of all servers
	 */
	List<ServerName> addTo(List<ServerName> configured) {
		List<ServerName> names = new ArrayList<>(configured);
		this.byKey.forEach((key, server) -> {
			if (configured.stream().noneMatch((name) -> name.key().equals(key))) {
				names.add(new ServerName(server.getName(), key, true, Origin.from(server), null));
			}
		});
		return names;
	}

	/**
	 * Find where a server is.
	 * @param name the name of the server
	 * @return what is known, or {@code null}
	 */
	@Nullable McpServerConnectionDetails find(ServerName name) {
		return this.byKey.get(name.key());
	}

	/**
	 * Put the url that is known in the place of the configured one.
	 * @param server what is known
	 * @param properties what is configured for the server
	 */
	static void apply(McpServerConnectionDetails server, McpServerProperties properties) {
		properties.setUrl(complete(server.getUrl(), properties.getUrl()));
	}

	private static String complete(URI url, @Nullable String configured) {
		if (StringUtils.hasText(url.getRawPath())) {
			return url.toString();
		}
		URI other = (configured != null) ? UrlRules.parse(configured) : null;
		String path = (other != null) ? other.getRawPath() : null;
		return url + (StringUtils.hasText(path) ? path : DEFAULT_PATH);
	}

}
