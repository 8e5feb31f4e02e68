package io.github.mcpclient;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.jspecify.annotations.Nullable;

/**
 * The result of a tool call.
 *
 * @param toolName the prefixed name of the tool that was called
 * @param content the items of the result, of the SDK's types {@link TextContent},
 * {@link ImageContent}, {@link AudioContent}, {@link ResourceLink} and
 * {@link EmbeddedResource}, and {@link UnknownContent} for any other; may be empty
 * @param structuredContent the structured result: any JSON value as maps, lists, strings,
 * numbers and booleans, or {@code null} where the server sent none
 * @param isError whether the tool itself reports a failure, which the items describe
 * @param meta the {@code _meta} object of the result
 */
public record McpToolResult(String toolName, List<Content> content, @Nullable Object structuredContent, boolean isError,
		Map<String, Object> meta) {

	public McpToolResult {
		content = List.copyOf(content);
	}

	/**
	 * Make the result of a call that went well, such as one that an interceptor answers
	 * from a cache, or a mock.
	 * @param toolName the prefixed name of the tool
	 * @param text the result
	 * @return a result with one item of text
	 */
	public static McpToolResult success(String toolName, String text) {
		return ofText(toolName, text, false);
	}

	/**
	 * Make the result of a call that was not made, or not made well.
	 * @param toolName the prefixed name of the tool
	 * @param text what went wrong, for a model to read
	 * @return a result that is an error
	 */
	public static McpToolResult error(String toolName, String text) {
		return ofText(toolName, text, true);
	}

	private static McpToolResult ofText(String toolName, String text, boolean isError) {
		return new McpToolResult(toolName, List.of(TextContent.builder(text).build()), null, isError, Map.of());
	}

	/**
	 * Return all text of the result, joined by line feeds. Other items are represented by
	 * a short placeholder such as {@code [image/png image, 1234 bytes]}, so that a reader
	 * knows of them.
	 * @return the text; empty for an empty result
	 */
	public String text() {
		if (this.content.size() == 1) {
			return text(this.content.get(0));
		}
		return this.content.stream().map(McpToolResult::text).collect(Collectors.joining("\n"));
	}

	/**
	 * Return this result, unless it is an error.
	 * @return this result
	 * @throws McpToolException if {@link #isError()}
	 */
	public McpToolResult orThrow() {
		if (this.isError) {
			throw new McpToolException(this);
		}
		return this;
	}

	private static String text(Content content) {
		if (content instanceof TextContent text) {
			return text.text();
		}
		if (content instanceof ImageContent image) {
			return "[" + image.mimeType() + " image, " + base64Size(image.data()) + " bytes]";
		}
		if (content instanceof AudioContent audio) {
			return "[" + audio.mimeType() + " audio, " + base64Size(audio.data()) + " bytes]";
		}
		if (content instanceof ResourceLink link) {
			return "[resource link " + link.uri() + "]";
		}
		if (content instanceof EmbeddedResource embedded) {
			return text(embedded.resource());
		}
		return "[" + content.type() + " content]";
	}

	private static String text(ResourceContents resource) {
		if (resource instanceof TextResourceContents text) {
			return text.text();
		}
		if (resource instanceof BlobResourceContents blob) {
			return "[resource " + blob.uri() + ", " + base64Size(blob.blob()) + " bytes]";
		}
		return "[resource " + resource.uri() + "]";
	}

	private static int base64Size(@Nullable String data) {
		if (data == null) {
			return 0;
		}
		int padding = data.endsWith("==") ? 2 : (data.endsWith("=") ? 1 : 0);
		return data.length() / 4 * 3 - padding;
	}

	/**
	 * An item of a type that this version does not know, or that is not well-formed.
	 *
	 * @param type the type that the server names
	 * @param value the item as it came, as maps, lists and simple values
	 */
	public record UnknownContent(String type, Map<String, Object> value) implements Content {

		@Override
		public Map<String, Object> meta() {
			return Map.of();
		}

	}

}
