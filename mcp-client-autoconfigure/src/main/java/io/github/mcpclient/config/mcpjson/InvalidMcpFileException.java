package io.github.mcpclient.config.mcpjson;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.origin.Origin;

/**
 * A file of MCP servers cannot be imported. Holds nothing of the values in the file.
 */
public class InvalidMcpFileException extends RuntimeException {

	private final ConfigDataLocation location;

	private final @Nullable String file;

	private final String reason;

	private final int line;

	private final int column;

	InvalidMcpFileException(ConfigDataLocation location, @Nullable Object file, JsonFileException cause) {
		super("Cannot import MCP servers from '" + location + "'"
				+ ((cause.line() > 0) ? " (line " + cause.line() + ", column " + cause.column() + ")" : "") + ": "
				+ cause.getMessage());
		this.location = location;
		this.file = (file != null) ? file.toString() : null;
		this.reason = String.valueOf(cause.getMessage());
		this.line = cause.line();
		this.column = cause.column();
	}

	/**
	 * Return the imported location, such as {@code mcp:/data/mcp.json}.
	 */
	public String getLocation() {
		return this.location.toString();
	}

	/**
	 * Return where the import is declared, or {@code null} if that is not known.
	 */
	public @Nullable Origin getOrigin() {
		return this.location.getOrigin();
	}

	/**
	 * Return a description of the file, or {@code null} if none was named.
	 */
	public @Nullable String getFile() {
		return this.file;
	}

	/**
	 * Return what is wrong: sentences, without values of the file.
	 */
	public String getReason() {
		return this.reason;
	}

	/**
	 * Return the line of the mistake, from 1, or 0 for the file as a whole.
	 */
	public int getLine() {
		return this.line;
	}

	/**
	 * Return the column of the mistake, from 1, or 0 for the file as a whole.
	 */
	public int getColumn() {
		return this.column;
	}

}
