package io.github.mcpclient.config;

import java.util.List;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;

import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationResolver;
import org.springframework.boot.context.config.ConfigDataLocationResolverContext;
import org.springframework.boot.context.config.ConfigDataResource;

/**
 * Rejects imports of files of MCP servers if the module for them is missing. The resolver
 * of that module comes before this one. Without this class, Spring Boot would ignore an
 * optional file, and report that another file cannot be loaded.
 */
class MissingImport implements ConfigDataLocationResolver<ConfigDataResource> {

	@Override
	public boolean isResolvable(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
		return location.hasPrefix("mcp:");
	}

	@Override
	public List<ConfigDataResource> resolve(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
		throw new InvalidMcpConfigurationException(List.of(new Problem("spring.config.import",
				"The import of '" + location + "' requires a module that is not on the classpath. Add the "
						+ "dependency io.github.mcpclient:mcp-client-import, or remove the import.",
				location.getOrigin())));
	}

}
