package io.github.mcpclient.config;

import java.util.List;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;

import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationResolver;
import org.springframework.boot.context.config.ConfigDataLocationResolverContext;
import org.springframework.boot.context.config.ConfigDataResource;

/**
 * Refuses imports of files of servers where the module for them is missing, whose
 * resolver comes before this one. Boot would start without the servers of an optional
 * file, and say of another one that it cannot be loaded.
 */
class MissingImport implements ConfigDataLocationResolver<ConfigDataResource> {

	@Override
	public boolean isResolvable(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
		return location.hasPrefix("mcp:");
	}

	@Override
	public List<ConfigDataResource> resolve(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
		throw new InvalidMcpConfigurationException(List.of(new Problem("spring.config.import",
				"Files of MCP servers, such as '" + location + "', are imported by a module that is missing. Add the "
						+ "dependency io.github.mcpclient:mcp-client-import, or remove the import.",
				location.getOrigin())));
	}

}
