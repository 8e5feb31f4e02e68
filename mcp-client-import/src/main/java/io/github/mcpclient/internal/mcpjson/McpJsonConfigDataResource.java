package io.github.mcpclient.internal.mcpjson;

import java.util.List;

import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataResource;
import org.springframework.core.io.Resource;

/**
 * A file of MCP servers that is to be imported.
 */
final class McpJsonConfigDataResource extends ConfigDataResource {

	private final ConfigDataLocation location;

	private final Resource resource;

	private final List<String> preferred;

	McpJsonConfigDataResource(ConfigDataLocation location, Resource resource, List<String> preferred) {
		this.location = location;
		this.resource = resource;
		this.preferred = preferred;
	}

	ConfigDataLocation location() {
		return this.location;
	}

	Resource resource() {
		return this.resource;
	}

	List<String> preferred() {
		return this.preferred;
	}

	@Override
	public boolean equals(Object other) {
		return other instanceof McpJsonConfigDataResource that && this.resource.equals(that.resource);
	}

	@Override
	public int hashCode() {
		return this.resource.hashCode();
	}

	@Override
	public String toString() {
		return this.resource.toString();
	}

}
