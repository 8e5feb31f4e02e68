package io.github.mcpclient.langchain4j;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

import dev.langchain4j.data.message.AudioContent;
import dev.langchain4j.data.message.Content;
import dev.langchain4j.data.message.ContentType;
import dev.langchain4j.data.message.ImageContent;
import dev.langchain4j.data.message.PdfFileContent;
import dev.langchain4j.data.message.VideoContent;
import io.github.mcpclient.McpToolResult;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import org.jspecify.annotations.Nullable;

/**
 * Converts content of a result other than text that a model accepts.
 */
final class Media {

	private Media() {
	}

	static List<Content> of(McpToolResult result, Set<ContentType> accepted) {
		return result.content()
			.stream()
			.map(Media::content)
			.filter(Objects::nonNull)
			.filter((content) -> accepted.contains(content.type()))
			.toList();
	}

	private static @Nullable Content content(McpSchema.Content item) {
		if (item instanceof McpSchema.ImageContent image) {
			return content(image.data(), image.mimeType());
		}
		if (item instanceof McpSchema.AudioContent audio) {
			return content(audio.data(), audio.mimeType());
		}
		if (item instanceof EmbeddedResource embedded && embedded.resource() instanceof BlobResourceContents blob) {
			return content(blob.blob(), blob.mimeType());
		}
		return null;
	}

	private static @Nullable Content content(@Nullable String base64, @Nullable String mimeType) {
		if (base64 == null || base64.isEmpty() || mimeType == null) {
			return null;
		}
		String type = mimeType.toLowerCase(Locale.ROOT);
		if (type.startsWith("image/")) {
			return ImageContent.from(base64, mimeType);
		}
		if (type.startsWith("audio/")) {
			return AudioContent.from(base64, mimeType);
		}
		if (type.startsWith("video/")) {
			return VideoContent.from(base64, mimeType);
		}
		return type.equals("application/pdf") ? PdfFileContent.from(base64, mimeType) : null;
	}

}
