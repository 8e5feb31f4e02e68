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
	 * Create the result of a successful call, for example in an interceptor with a cache,
	 * or in a mock.
	 * @param text the result
	 * @return a result with one item of text
	 */
	static McpToolResult success(String toolName, String text) {
		return of(toolName, CallToolResult.builder().addTextContent(text).isError(false).build());
	}

	/**
	 * Create the result of a call that failed or was not made: it is
	 * {@linkplain #refused() refused}.
	 * @param text the reason, for a model to read
	 */
	static McpToolResult error(String toolName, String text) {
		return ToolResult.refusal(toolName, text);
	}

	/**
	 * Create a result from any result that a server may send.
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
	 * structured result, or else the only text item, which must be JSON. Properties that
	 * the type does not have are ignored. If the requested type is not an object, a JSON
	 * object whose only member is {@code result} is unwrapped, since some servers wrap
	 * results in this way.
	 * @throws McpToolException if this {@linkplain #isError() is an error}
	 * @throws McpResultConversionException if this cannot be read as that type, or is
	 * {@code null}; the message quotes the beginning of the result
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
	 * Return whether the tool reports an error, which the items describe.
	 */
	boolean isError();

	/**
	 * Return whether this is an error that the client created: a rule, an approval or an
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
	 * {@linkplain #isError() error}, this is the description of the error, which looks
	 * like any other text: call {@link #orThrow()} first, unless the text is for a model.
	 */
	String text();

	/**
	 * Return the complete result before it was {@linkplain #shortened shortened}, or this
	 * result if it was not shortened.
	 */
	McpToolResult whole();

	/**
	 * Return a shortened copy of this result, for a model to read.
	 * @param content its items
	 * @param structuredContent its structured result, or {@code null} for none
	 * @return a result whose {@link #whole()} is the {@link #whole()} of this result
	 */
	McpToolResult shortened(List<Content> content, @Nullable Object structuredContent);

	/**
	 * Return a copy of this result that is read by another mapper. By default, results of
	 * calls use the mapper of the client.
	 */
	McpToolResult withJsonMapper(JsonMapper mapper);

	/**
	 * Return this result, or throw an exception if it is an error.
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
