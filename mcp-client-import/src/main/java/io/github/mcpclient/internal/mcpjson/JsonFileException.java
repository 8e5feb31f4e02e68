package io.github.mcpclient.internal.mcpjson;

/**
 * A file is invalid. The message has no values of the file.
 */
final class JsonFileException extends Exception {

	private final int line;

	private final int column;

	JsonFileException(String reason, int line, int column) {
		super(reason);
		this.line = line;
		this.column = column;
	}

	JsonFileException(String reason, JsonValue value) {
		this(reason, value.line(), value.column());
	}

	JsonFileException(String reason) {
		this(reason, 0, 0);
	}

	int line() {
		return this.line;
	}

	int column() {
		return this.column;
	}

}
