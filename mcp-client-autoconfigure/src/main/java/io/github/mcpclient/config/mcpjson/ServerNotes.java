package io.github.mcpclient.config.mcpjson;

import org.apache.commons.logging.Log;

/**
 * Tells the log what is odd about an imported server. Nothing of it is a value.
 */
final class ServerNotes {

	private final Log log;

	private final String subject;

	ServerNotes(Log log, Object file, String name) {
		this.log = log;
		this.subject = "MCP server '" + name + "' of " + file;
	}

	void warn(JsonValue at, String message) {
		this.log.warn(text(at, message));
	}

	void info(JsonValue at, String message) {
		this.log.info(text(at, message));
	}

	void debug(JsonValue at, String message) {
		this.log.debug(text(at, message));
	}

	private String text(JsonValue at, String message) {
		return this.subject + " (line " + at.line() + "): " + message;
	}

}
