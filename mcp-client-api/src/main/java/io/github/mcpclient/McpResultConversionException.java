package io.github.mcpclient;

import java.lang.reflect.Type;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * A result that a tool returned cannot be read as the type that the application asked
 * for, see {@link McpToolResult#structuredContent(Class)}. The message quotes the
 * beginning of the result, on one line and without control characters. A result has the
 * name of the tool, but not that of the server: {@link #getServerName()} is {@code null}.
 */
public class McpResultConversionException extends McpException {

	private static final int LONGEST_REASON = 500;

	private static final int LONGEST_QUOTE = 500;

	private final transient McpToolResult result;

	private final transient Type type;

	/**
	 * Create an exception.
	 * @param result the result
	 * @param type what it should be read as
	 * @param reason why it cannot be, without a full stop
	 * @param cause the cause, or {@code null}
	 */
	public McpResultConversionException(McpToolResult result, Type type, String reason, @Nullable Throwable cause) {
		super(null,
				"The result of MCP tool '" + Printable.text(result.toolName()) + "' cannot be read as "
						+ type.getTypeName() + ": " + Printable.line(reason, LONGEST_REASON) + ". It begins with: "
						+ Printable.line(begin(result), LONGEST_QUOTE),
				true, cause);
		this.result = result;
		this.type = type;
	}

	private static String begin(McpToolResult result) {
		return (result.structuredContent() != null) ? String.valueOf(result.structuredContent()) : result.text();
	}

	/**
	 * Return the result.
	 */
	public McpToolResult getResult() {
		return this.result;
	}

	/**
	 * Return what it should have been read as.
	 */
	public Type getType() {
		return this.type;
	}

}
