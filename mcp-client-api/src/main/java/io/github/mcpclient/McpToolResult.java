package io.github.mcpclient;

import java.util.List;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ParameterizedTypeReference;

/**
 * The immutable result of a tool call: all lists and maps in it are unmodifiable. Later
 * versions may add accessors.
 */
public sealed interface McpToolResult permits ToolResult {

	/**
	 * Create the result of a successful call, such as one that an interceptor answers
	 * from a cache, or a mock.
	 * @param text the result
	 * @return a result with one item of text
	 */
	static McpToolResult success(String toolName, String text) {
		return of(toolName, CallToolResult.builder().addTextContent(text).isError(false).build());
	}

	/**
	 * Create the result of a call that failed or was not made: a {@linkplain #refused()
	 * refusal}.
	 * @param text what went wrong, for a model to read
	 */
	static McpToolResult error(String toolName, String text) {
		return ToolResult.refusal(toolName, text);
	}

	/**
	 * Create a result with everything that a server may send.
	 */
	static McpToolResult of(String toolName, CallToolResult result) {
		return ToolResult.of(toolName, result);
	}

	/**
	 * Return the prefixed name of the tool that was called.
	 */
	String toolName();

	/**
	 * Return the items of the result, of the SDK's types {@link TextContent},
	 * {@link ImageContent}, {@link AudioContent}, {@link ResourceLink} and
	 * {@link EmbeddedResource}, or {@link UnknownContent} for any other; may be empty.
	 */
	List<Content> content();

	/**
	 * Return the structured result: any JSON value as maps, lists, strings, numbers and
	 * booleans, or {@code null} if the server sent none.
	 */
	@Nullable Object structuredContent();

	/**
	 * Return the result as a record, a bean or any other type that Jackson can read: the
	 * structured result, or, where there is none, the only item of text, which must be
	 * JSON. Members that the type does not have are ignored. A result that is no object
	 * is also found as the only member, {@code result}, of an object, as some servers
	 * wrap it.
	 * @throws McpToolException if this {@linkplain #isError() is an error}
	 * @throws McpResultConversionException if this cannot be read as that type, or is
	 * {@code null}; the message quotes its beginning
	 * @see io.github.mcpclient.spi.McpJsonMapperCustomizer
	 */
	<T> T structuredContent(Class<T> type);

	/**
	 * Return the result as a generic type, such as a list of records.
	 * @throws McpToolException if this {@linkplain #isError() is an error}
	 * @throws McpResultConversionException if this cannot be read as that type
	 * @see #structuredContent(Class)
	 */
	<T> T structuredContent(ParameterizedTypeReference<T> type);

	/**
	 * Return whether the tool itself reports a failure, which the items describe.
	 */
	boolean isError();

	/**
	 * Return whether this is an error that is not the server's: a rule, an approval or an
	 * interceptor has refused the call.
	 * @see #error(String, String)
	 */
	boolean refused();

	/**
	 * Return the {@code _meta} object of the result; empty if the server sent none.
	 */
	Map<String, @Nullable Object> meta();

	/**
	 * Return all text of the result, joined by line feeds. Each other item is represented
	 * by a short placeholder such as {@code [image/png image, 1234 bytes]}. For an
	 * {@linkplain #isError() error}, this is the description of what went wrong, which
	 * looks like any other text: call {@link #orThrow()} first, unless a model is to read
	 * it.
	 */
	String text();

	/**
	 * Return the result as it was before it was {@linkplain #shortened shortened}, or
	 * this one if it was not.
	 */
	McpToolResult whole();

	/**
	 * Return a shorter result in place of this one, for a model to read.
	 * @param content its items
	 * @param structuredContent its structured result, or {@code null} for none
	 * @return a result whose {@link #whole()} is that of this one
	 */
	McpToolResult shortened(List<Content> content, @Nullable Object structuredContent);

	/**
	 * Return this result, read by another mapper. Results of calls have that of their
	 * client.
	 */
	McpToolResult withJsonMapper(JsonMapper mapper);

	/**
	 * Return this result, unless it is an error.
	 * @throws McpToolException if {@link #isError()}
	 */
	default McpToolResult orThrow() {
		if (isError()) {
			throw new McpToolException(this);
		}
		return this;
	}

	/**
	 * An item of a type that this version does not know, or that is malformed.
	 *
	 * @param type the type as the server sent it
	 * @param value the item as the server sent it, as maps, lists and simple values
	 */
	record UnknownContent(String type, Map<String, @Nullable Object> value) implements Content {

		@Override
		public Map<String, Object> meta() {
			return Map.of();
		}

	}

}
