package io.github.mcpclient;

import java.lang.reflect.Type;

import io.github.mcpclient.internal.support.Printable;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the result of a tool cannot be read as the requested type, see
 * {@link McpToolResult#structuredContent(Class)}. The message quotes the beginning of the
 * result, on one line and without control characters. A result contains the name of the
 * tool and no name of a server, so {@link #getServerName()} returns {@code null}.
 */
public class McpResultConversionException extends McpException {

	private static final int LONGEST_REASON = 500;

	private static final int LONGEST_QUOTE = 500;

	private final transient McpToolResult result;

	private final transient Type type;

	/**
	 * Create an exception.
	 * @param result the result
	 * @param type the type to read it as
	 * @param reason why this failed, without a full stop
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
	 * Return the type that the result should be read as.
	 */
	public Type getType() {
		return this.type;
	}

}
