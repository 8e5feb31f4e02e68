package io.github.mcpclient.internal.model;

import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The texts of tools, results and failures for models.
 */
public final class ModelText {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final String CHECK = " It may have been executed: check before you try again.";

	private static final int LONGEST_ERROR = 1024;

	private ModelText() {
	}

	/**
	 * Return the text of a result for a model: never empty, and that of an error says so.
	 * Structured content follows unless the text repeats it already.
	 */
	public static String of(McpToolResult result) {
		String text = result.text();
		Object structured = result.structuredContent();
		if (structured != null && !repeats(result, structured)) {
			text = text.isBlank() ? json(structured) : text + "\n" + json(structured);
		}
		if (result.isError()) {
			return text.isBlank() ? "Error: the tool failed without a message" : error(text);
		}
		return text.isBlank() ? "[empty result]" : text;
	}

	/**
	 * Return the text of an error for a model.
	 */
	public static String error(String message) {
		return message.regionMatches(true, 0, "error", 0, 5) ? message : "Error: " + message;
	}

	/**
	 * Return the text of a failed call for a model. A model and its provider are not
	 * trusted: URLs, commands and properties are for operators only.
	 */
	public static String failure(String toolName, Throwable failure) {
		String tool = "MCP tool '" + Printable.text(toolName) + "'";
		if (failure instanceof NoSuchMcpToolException unknown) {
			return (unknown.getServer() != null) ? unavailable(tool, unknown.getServer().state())
					: "No " + tool + "." + (unknown.getSimilarNames().isEmpty() ? "" : " Did you mean "
							+ Printable.line(String.join(" or ", unknown.getSimilarNames()), LONGEST_ERROR) + "?");
		}
		boolean known = failure instanceof McpException ex && ex.isOutcomeKnown();
		if (failure instanceof McpServerUnavailableException unavailable && known) {
			return unavailable(tool, unavailable.getState());
		}
		if (failure instanceof McpRequestTimeoutException) {
			return known ? tool + " could not be called in time. Try again later."
					: tool + " did not respond in time." + CHECK;
		}
		if (failure instanceof McpConnectionException || failure instanceof McpServerUnavailableException) {
			return known ? tool + " could not be reached. Try again later."
					: "The connection to " + tool + " was lost during the call." + CHECK;
		}
		if (failure instanceof McpResultTooLargeException) {
			return tool + " returned a result that is too large. Request less.";
		}
		if (failure instanceof McpProtocolException error) {
			// the server chooses the words, as it does for a result
			return tool + " responded with error " + error.getCode() + ": "
					+ Printable.line(error.getErrorMessage(), LONGEST_ERROR);
		}
		if (failure instanceof McpSchemaViolationException violation) {
			return Printable.line(String.valueOf(violation.getMessage()), LONGEST_ERROR);
		}
		return (failure.getCause() instanceof InterruptedException) ? tool + " was interrupted." + (known ? "" : CHECK)
				: tool + " could not be called.";
	}

	private static String unavailable(String tool, McpServerState state) {
		return switch (state) {
			case DISABLED, CLOSED -> "No " + tool + ".";
			default -> tool + " is not available now. Try again later.";
		};
	}

	/**
	 * Return the description of a tool, or else its title, or nothing.
	 */
	public static String description(McpTool tool) {
		String description = tool.description();
		return (description != null && !description.isBlank()) ? description
				: Objects.requireNonNullElse(tool.title(), "");
	}

	/**
	 * Write a value as JSON.
	 */
	public static String json(Object value) {
		return MAPPER.writeValueAsString(value);
	}

	// the specification recommends that servers also send structured content as text
	private static boolean repeats(McpToolResult result, Object structured) {
		return result.content().stream().anyMatch((item) -> repeats(item, structured));
	}

	/**
	 * Return whether an item says what structured content does.
	 */
	public static boolean repeats(Content item, Object structured) {
		return isText(item, structured) || (item instanceof TextContent text && structured.equals(value(text.text())));
	}

	/**
	 * Return whether a text is all that structured content has, as
	 * <code>{"content": "..."}</code>.
	 */
	public static boolean isText(Content item, Object structured) {
		return item instanceof TextContent text && structured instanceof Map<?, ?> map && map.size() == 1
				&& map.containsValue(text.text());
	}

	/**
	 * Return the value of a text that is JSON, or the text itself.
	 */
	public static @Nullable Object value(String text) {
		try {
			return MAPPER.readValue(text, Object.class);
		}
		catch (JacksonException ex) {
			return text;
		}
	}

}
