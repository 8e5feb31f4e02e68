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
 * The only kind of {@link McpToolResult}.
 */
record ToolResult(String toolName, List<Content> content, @Nullable Object structuredContent, boolean isError,
		Map<String, Object> meta) implements McpToolResult {

	ToolResult {
		content = List.copyOf(content);
	}

	@Override
	public String text() {
		if (this.content.size() == 1) {
			return text(this.content.get(0));
		}
		return this.content.stream().map(ToolResult::text).collect(Collectors.joining("\n"));
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

}
