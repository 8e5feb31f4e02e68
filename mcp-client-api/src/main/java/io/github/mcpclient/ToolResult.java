package io.github.mcpclient;

import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.support.JsonValues;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.Records;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceContents;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.core.ParameterizedTypeReference;

/**
 * The only implementation of {@link McpToolResult}.
 */
record ToolResult(String toolName, List<Content> content, @Nullable Object structuredContent, boolean isError,
		Map<String, @Nullable Object> meta, boolean refused, @Nullable McpToolResult longer,
		@Nullable JsonMapper mapper) implements McpToolResult {

	private static final Pattern TYPE = Pattern.compile("[\\w!#$&^.+/;=-]{1,100}");

	private static final int LONGEST_URI = 2000;

	ToolResult {
		content = List.copyOf(content);
	}

	// copied, since several callers may share a cached result
	static ToolResult of(String toolName, CallToolResult result) {
		List<Content> content = new ArrayList<>(1);
		if (result.content() != null) {
			result.content().forEach((item) -> content.add(copy(item)));
		}
		return new ToolResult(toolName, content, Records.deepCopy(result.structuredContent()),
				Boolean.TRUE.equals(result.isError()),
				(result.meta() != null) ? Records.deepCopy(result.meta()) : Map.of(), false, null, null);
	}

	static ToolResult refusal(String toolName, String text) {
		return new ToolResult(toolName, List.of(TextContent.builder(text).build()), null, true, Map.of(), true, null,
				null);
	}

	private static Content copy(Content item) {
		if (item instanceof UnknownContent unknown) {
			return new UnknownContent(unknown.type(), Records.deepCopy(unknown.value()));
		}
		boolean isPlain = item instanceof TextContent text && text.annotations() == null && text.meta() == null;
		return isPlain ? item : Records.deepCopy(item);
	}

	@Override
	public McpToolResult whole() {
		return (this.longer != null) ? this.longer : this;
	}

	@Override
	public McpToolResult shortened(List<Content> content, @Nullable Object structuredContent) {
		return new ToolResult(this.toolName, content, structuredContent, this.isError, this.meta, this.refused, whole(),
				this.mapper);
	}

	@Override
	public McpToolResult withJsonMapper(JsonMapper mapper) {
		return (mapper == this.mapper) ? this : new ToolResult(this.toolName, this.content, this.structuredContent,
				this.isError, this.meta, this.refused, this.longer, mapper);
	}

	@Override
	public <T> T structuredContent(Class<T> type) {
		return read(type);
	}

	@Override
	public <T> T structuredContent(ParameterizedTypeReference<T> type) {
		return read(type.getType());
	}

	@SuppressWarnings("unchecked")
	private <T> T read(Type type) {
		orThrow();
		List<String> texts = this.content.stream()
			.filter(TextContent.class::isInstance)
			.map((item) -> ((TextContent) item).text())
			.toList();
		if (this.structuredContent == null && texts.size() != 1) {
			throw new McpResultConversionException(this, type,
					"it has no structured content, and " + texts.size() + " items of text", null);
		}
		Object value;
		try {
			value = JsonValues.result(this.mapper, this.structuredContent,
					(this.structuredContent == null) ? texts.get(0) : null, type);
		}
		catch (JacksonException ex) {
			throw new McpResultConversionException(this, type, ex.getOriginalMessage(), ex);
		}
		catch (IllegalArgumentException ex) {
			throw new McpResultConversionException(this, type, String.valueOf(ex.getMessage()), ex);
		}
		if (value == null) {
			throw new McpResultConversionException(this, type, "it is null", null);
		}
		return (T) value;
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
			return "[" + type(image.mimeType()) + " image, " + base64Size(image.data()) + " bytes]";
		}
		if (content instanceof AudioContent audio) {
			return "[" + type(audio.mimeType()) + " audio, " + base64Size(audio.data()) + " bytes]";
		}
		if (content instanceof ResourceLink link) {
			return "[resource link " + uri(link.uri()) + "]";
		}
		if (content instanceof EmbeddedResource embedded) {
			return text(embedded.resource());
		}
		return "[" + type(content.type()) + " content]";
	}

	private static String text(ResourceContents resource) {
		if (resource instanceof TextResourceContents text) {
			return text.text();
		}
		if (resource instanceof BlobResourceContents blob) {
			return "[resource " + uri(blob.uri()) + ", " + base64Size(blob.blob()) + " bytes]";
		}
		return "[resource " + uri(resource.uri()) + "]";
	}

	// placeholders contain no untrusted text that could imitate other content, and are
	// short
	private static String type(@Nullable String type) {
		return (type != null && TYPE.matcher(type).matches()) ? type : "unknown";
	}

	private static String uri(@Nullable String uri) {
		return Printable.line(uri, LONGEST_URI).replace("[", "%5B");
	}

	private static int base64Size(@Nullable String data) {
		if (data == null) {
			return 0;
		}
		int padding = data.endsWith("==") ? 2 : (data.endsWith("=") ? 1 : 0);
		return data.length() / 4 * 3 - padding;
	}

}
