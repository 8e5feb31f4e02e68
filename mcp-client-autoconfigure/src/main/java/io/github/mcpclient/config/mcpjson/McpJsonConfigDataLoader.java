package io.github.mcpclient.config.mcpjson;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.config.ImportedProperties;
import org.apache.commons.logging.Log;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.config.ConfigData;
import org.springframework.boot.context.config.ConfigDataLoader;
import org.springframework.boot.context.config.ConfigDataLoaderContext;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.boot.origin.OriginTrackedResource;
import org.springframework.core.io.Resource;

/**
 * Loads a file of MCP servers as a property source. All of its properties are below
 * {@code mcp.servers}.
 */
class McpJsonConfigDataLoader implements ConfigDataLoader<McpJsonConfigDataResource> {

	private final Log log;

	McpJsonConfigDataLoader(DeferredLogFactory logFactory) {
		this.log = logFactory.getLog(McpJsonConfigDataLoader.class);
	}

	@Override
	public ConfigData load(ConfigDataLoaderContext context, McpJsonConfigDataResource resource)
			throws ConfigDataResourceNotFoundException {
		ConfigDataResourceNotFoundException.throwIfDoesNotExist(resource, resource.resource());
		try {
			Resource file = OriginTrackedResource.of(resource.resource(), resource.location().getOrigin());
			Binder binder = context.getBootstrapContext().get(Binder.class);
			Map<String, Object> properties = new McpFileImport(this.log, File.separatorChar == '\\',
					(variable) -> isSet(binder, variable))
				.read(file);
			return new ConfigData(List.of(ImportedProperties.of(resource, resource.location(), properties)));
		}
		catch (JsonFileException ex) {
			throw new InvalidMcpFileException(resource.location(), resource, ex);
		}
		catch (IOException ex) {
			throw new InvalidMcpFileException(resource.location(), resource,
					new JsonFileException(JsonFileReader.NOT_A_FILE));
		}
	}

	private static boolean isSet(@Nullable Binder binder, String variable) {
		if (binder == null) {
			return true;
		}
		try {
			// an environment variable, or a property that is called so
			return Stream.of('_', '.')
				.map((separator) -> ConfigurationPropertyName.adapt(variable, separator))
				.anyMatch((name) -> !name.isEmpty() && binder.bind(name, Bindable.of(Object.class)).isBound());
		}
		catch (RuntimeException ex) {
			// it is, in a document that may not be active
			return true;
		}
	}

}
