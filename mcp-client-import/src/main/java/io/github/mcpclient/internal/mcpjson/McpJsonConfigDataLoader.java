package io.github.mcpclient.internal.mcpjson;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

import io.github.mcpclient.config.ImportedProperties;
import io.github.mcpclient.config.ImportedProperties.FileListener;
import org.apache.commons.logging.Log;

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
		FileListener listener = ImportedProperties.fileListener(context.getBootstrapContext());
		try {
			if (resource.resource().isFile()) {
				listener.onFile(resource.resource().getFile().toPath());
			}
		}
		catch (IOException ex) {
			// not a file
		}
		ConfigDataResourceNotFoundException.throwIfDoesNotExist(resource, resource.resource());
		try {
			Resource file = OriginTrackedResource.of(resource.resource(), resource.location().getOrigin());
			Binder binder = Objects.requireNonNull(context.getBootstrapContext().get(Binder.class));
			Map<String, Object> properties = McpFileImport.read(file, resource.preferred(),
					(variable) -> isSet(binder, variable), this.log, listener);
			return new ConfigData(List.of(ImportedProperties.of(resource, resource.location(), properties)));
		}
		catch (JsonFileException ex) {
			throw new InvalidMcpFileException(resource.location(), resource, ex);
		}
	}

	private static boolean isSet(Binder binder, String variable) {
		try {
			// an environment variable, or a property with this name
			return Stream.of('_', '.')
				.map((separator) -> ConfigurationPropertyName.adapt(variable, separator))
				.anyMatch((name) -> !name.isEmpty() && binder.bind(name, Bindable.of(Object.class)).isBound());
		}
		catch (RuntimeException ex) {
			// set in a document that may be inactive
			return true;
		}
	}

}
