package io.github.mcpclient.internal.mcpjson;

import java.util.List;

import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataLocationResolver;
import org.springframework.boot.context.config.ConfigDataLocationResolverContext;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.ResourceLoader;
import org.springframework.util.ResourceUtils;
import org.springframework.util.StringUtils;

/**
 * Resolves {@code mcp:} in {@code spring.config.import}, which is followed by the path of
 * a file, relative to the application's directory, or by a URL such as
 * {@code classpath:mcp.json}. Precedes the resolver that rejects this prefix.
 */
@Order(0)
record McpJsonConfigDataLocationResolver(
		ResourceLoader resourceLoader) implements ConfigDataLocationResolver<McpJsonConfigDataResource> {

	private static final String PREFIX = "mcp:";

	@Override
	public boolean isResolvable(ConfigDataLocationResolverContext context, ConfigDataLocation location) {
		return location.hasPrefix(PREFIX);
	}

	@Override
	public List<McpJsonConfigDataResource> resolve(ConfigDataLocationResolverContext context,
			ConfigDataLocation location) {
		String path = location.getNonPrefixedValue(PREFIX).strip();
		if (!StringUtils.hasText(path)) {
			throw new InvalidMcpFileException(location, null, new JsonFileException("It names no file."));
		}
		Resource resource = ResourceUtils.isUrl(path) ? this.resourceLoader.getResource(path)
				: new FileSystemResource(path);
		// the binder of a loader does not see the file that has the import
		List<String> preferred = context.getBinder()
			.bind("mcp.import.prefer", Bindable.listOf(String.class))
			.orElse(List.of());
		return List.of(new McpJsonConfigDataResource(location, resource, preferred));
	}

}
