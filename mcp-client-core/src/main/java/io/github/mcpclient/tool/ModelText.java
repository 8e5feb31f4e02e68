package io.github.mcpclient.tool;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.json.McpJsonMapper;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The texts that a model and a tool exchange: arguments, results and failures. Safe for
 * use by many threads.
 */
public final class ModelText {

	private static final TypeRef<Map<String, Object>> OBJECT = new TypeRef<>() {
	};

	private static final TypeRef<Object> VALUE = new TypeRef<>() {
	};

	private static final String CHECK = " It may have been executed all the same: check that before you try again.";

	private static final int LONGEST_ERROR = 1024;

	private final McpJsonMapper mapper;

	/**
	 * Create an instance that reads and writes JSON by a mapper.
	 */
	public ModelText(McpJsonMapper mapper) {
		this.mapper = mapper;
	}

	/**
	 * Read the arguments of a call: a JSON object, or blank or {@code null} for none.
	 * Anything else fails, and is logged as a failed call.
	 */
	public McpToolRequest request(McpTool tool, @Nullable String json) {
		try {
			return McpToolRequest.of(arguments(tool.name(), json));
		}
		catch (IllegalArgumentException ex) {
			if (tool instanceof CalledTool called) {
				called.failed(ex);
			}
			throw ex;
		}
	}

	/**
	 * Make a call that a model asks for. The tool that is called is the one that
	 * {@code call_tool} names, where it is that one that the model calls.
	 * @param json the arguments
	 * @param context where the user of the caller may be
	 * @param call calls a tool of a server
	 */
	public McpToolResult call(McpTool tool, @Nullable String json, ContextView context,
			BiFunction<McpTool, McpToolRequest, McpToolResult> call) {
		McpToolRequest request;
		try {
			request = request(tool, json).withContext(context);
		}
		catch (IllegalArgumentException ex) {
			return McpToolResult.error(tool.name(), String.valueOf(ex.getMessage()));
		}
		return (tool instanceof RoutedTool routed) ? routed.route(request, Function.identity(), call)
				: call.apply(tool, request);
	}

	/**
	 * Read arguments, as {@link #request} does.
	 */
	public Map<String, Object> arguments(String toolName, @Nullable String json) {
		if (json == null || json.isBlank()) {
			return Map.of();
		}
		try {
			Map<String, Object> arguments = this.mapper.readValue(json, OBJECT);
			if (arguments != null) {
				return arguments;
			}
		}
		catch (IOException | RuntimeException ex) {
			// without the cause below, whose message quotes the arguments
		}
		throw new IllegalArgumentException(
				"The arguments of MCP tool '" + toolName + "' must be one JSON object, and are not");
	}

	/**
	 * Return the text of a result for a model: never empty, and that of an error says so.
	 * Structured content follows unless the text repeats it already.
	 */
	public String of(McpToolResult result) {
		String text = result.text();
		Object structured = result.structuredContent();
		if (structured != null && !repeats(result, structured)) {
			text = text.isBlank() ? json(structured) : text + "\n" + json(structured);
		}
		if (result.isError()) {
			return text.isBlank() ? "Error: the tool failed and did not say why" : error(text);
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
	 * Return what a model needs to know of a failed call. A model and its provider are
	 * strangers: urls, commands and properties are for operators only.
	 */
	static String failure(String toolName, Throwable failure) {
		String tool = "MCP tool '" + Printable.text(toolName) + "'";
		if (failure instanceof NoSuchMcpToolException unknown) {
			return (unknown.getServer() != null) ? unavailable(tool, unknown.getServer().state())
					: "No " + tool + "." + (unknown.getNearest().isEmpty() ? "" : " Did you mean "
							+ Printable.line(String.join(" or ", unknown.getNearest()), LONGEST_ERROR) + "?");
		}
		if (failure instanceof McpServerUnavailableException unavailable) {
			return unavailable(tool, unavailable.getState());
		}
		if (failure instanceof McpRequestTimeoutException) {
			return tool + " did not answer in time." + CHECK;
		}
		if (failure instanceof McpConnectionException broken) {
			return broken.isOutcomeKnown() ? tool + " could not be reached. Try again later."
					: "The connection to " + tool + " was lost during the call." + CHECK;
		}
		if (failure instanceof McpResultTooLargeException) {
			return tool + " returned a result that is too large. Ask it for less.";
		}
		if (failure instanceof McpProtocolException error) {
			// the words are the server's, as are those of a result
			return tool + " answered with error " + error.getCode() + ": "
					+ Printable.line(error.getErrorMessage(), LONGEST_ERROR);
		}
		if (failure instanceof McpSchemaViolationException violation) {
			return Printable.line(String.valueOf(violation.getMessage()), LONGEST_ERROR);
		}
		return (failure.getCause() instanceof InterruptedException) ? tool + " was interrupted." + CHECK
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
	 * Return the schema of the arguments of a tool for models: an object with a list of
	 * its properties, without keywords that model providers refuse at the top.
	 */
	public static Map<String, Object> inputSchema(McpTool tool) {
		Map<String, Object> schema = tool.inputSchema();
		String refused = ModelSchema.refused(schema);
		ToolEntry entry = (tool instanceof CalledTool called) ? called.entry() : null;
		if (refused != null && entry != null) {
			entry.connection()
				.deviation(Kind.INPUT_SCHEMA,
						"'" + Printable.text(tool.originalName()) + "' has " + refused + " at the top");
		}
		return ModelSchema.of(schema, tool.rule());
	}

	/**
	 * Write a value as JSON.
	 */
	public String json(Object value) {
		try {
			return this.mapper.writeValueAsString(value);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	// servers are asked to send structured content as text, too, for older clients
	private boolean repeats(McpToolResult result, Object structured) {
		return result.content().stream().anyMatch((item) -> repeats(item, structured));
	}

	boolean repeats(Content item, Object structured) {
		return isText(item, structured) || (item instanceof TextContent text && structured.equals(value(text.text())));
	}

	/**
	 * Return whether a text is all that structured content has, as
	 * <code>{"content": "..."}</code>.
	 */
	static boolean isText(Content item, Object structured) {
		return item instanceof TextContent text && structured instanceof Map<?, ?> map && map.size() == 1
				&& map.containsValue(text.text());
	}

	Object value(String text) {
		try {
			return this.mapper.readValue(text, VALUE);
		}
		catch (IOException | RuntimeException ex) {
			return text;
		}
	}

}
