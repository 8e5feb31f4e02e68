package io.github.mcpclient.internal.mcpjson;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.config.ConfigDataException;
import org.springframework.boot.context.config.ConfigDataLocation;

/**
 * A file of MCP servers cannot be imported. The message has no values of the file.
 */
class InvalidMcpFileException extends ConfigDataException {

	private final ConfigDataLocation location;

	private final @Nullable String file;

	private final JsonFileException problem;

	InvalidMcpFileException(ConfigDataLocation location, @Nullable Object file, JsonFileException problem) {
		super("Cannot import MCP servers from '" + location + "'"
				+ ((problem.line() > 0) ? " (line " + problem.line() + ", column " + problem.column() + ")" : "") + ": "
				+ problem.getMessage(), null);
		this.location = location;
		this.file = (file != null) ? file.toString() : null;
		this.problem = problem;
	}

	ConfigDataLocation location() {
		return this.location;
	}

	@Nullable String file() {
		return this.file;
	}

	JsonFileException problem() {
		return this.problem;
	}

}
