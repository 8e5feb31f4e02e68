package io.github.mcpclient;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.spec.McpSchema.Annotations;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.BlobResourceContents;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link McpToolResult}.
 */
class McpToolResultTests {

	@Test
	void successIsNoError() {
		McpToolResult result = McpToolResult.success("a_tool", "found");
		assertThat(result.orThrow()).isSameAs(result);
		assertThat(result.toolName()).isEqualTo("a_tool");
		assertThat(result.text()).isEqualTo("found");
	}

	@Test
	void errorThrowsWhenAsked() {
		assertThatExceptionOfType(McpToolException.class)
			.isThrownBy(() -> McpToolResult.error("a_tool", "not found").orThrow())
			.withMessageContaining("not found");
	}

	@Test
	void nobodyCanChangeAResult() {
		Map<String, Object> meta = map("m", list(map("n", 1)));
		Annotations annotations = new Annotations(new ArrayList<>(List.of(Role.USER)), 1.0, null);
		List<Content> content = new ArrayList<>(List.of(new TextContent(annotations, "text", meta),
				new ImageContent(annotations, "AQID", "image/png", meta),
				new AudioContent(annotations, "AQID", "audio/wav", meta),
				new ResourceLink("name", null, "x:1", null, null, 1L, annotations, meta),
				new EmbeddedResource(annotations, new TextResourceContents("x:1", null, "text", meta), meta),
				new EmbeddedResource(null, new BlobResourceContents("x:1", null, "AQID", meta), null),
				new UnknownContent("video", map("type", "video", "nested", meta)),
				TextContent.builder("plain").build()));
		Map<String, Object> structured = map("items", list(map("a", null), list(1, null)));
		McpToolResult result = McpToolResult.of("a_tool", new CallToolResult(content, false, structured, meta));
		String before = result.toString();
		assertThat(result.content()).isEqualTo(content);
		assertThat(result.structuredContent()).isEqualTo(structured);
		assertThat(result.meta()).isEqualTo(meta);
		List<Object> parts = collections(result.structuredContent());
		parts.addAll(collections(result.meta()));
		parts.addAll(collections(result.content()));
		assertThat(parts).hasSize(38).allSatisfy((part) -> {
			if (part instanceof Map<?, ?> map) {
				assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(() -> map.clear());
			}
			else {
				assertThatExceptionOfType(UnsupportedOperationException.class)
					.isThrownBy(() -> ((Collection<?>) part).clear());
			}
		});
		collections(list(content, structured, meta)).forEach((part) -> {
			if (part instanceof Map<?, ?> map) {
				map.clear();
			}
			else if (part instanceof ArrayList<?> list) {
				list.clear();
			}
		});
		assertThat(result).hasToString(before);
	}

	@Test
	void whatAnApplicationMakesItselfStaysAsItIs() {
		Own own = new Own(new ArrayList<>(List.of("a")));
		McpToolResult result = McpToolResult.of("a_tool", new CallToolResult(List.of(own), false, own, null));
		assertThat(result.structuredContent()).isSameAs(own);
		assertThat(result.content()).singleElement().isSameAs(own);
	}

	// all of a value, the inner ones first
	private static List<Object> collections(@Nullable Object value) {
		List<Object> all = new ArrayList<>();
		if (value instanceof Map<?, ?> map) {
			map.values().forEach((member) -> all.addAll(collections(member)));
			all.add(map);
		}
		else if (value instanceof List<?> list) {
			list.forEach((item) -> all.addAll(collections(item)));
			all.add(list);
		}
		else if (value instanceof Record record) {
			for (RecordComponent component : record.getClass().getRecordComponents()) {
				all.addAll(collections(ReflectionUtils.invokeMethod(component.getAccessor(), record)));
			}
		}
		return all;
	}

	private static Map<String, Object> map(Object... members) {
		Map<String, Object> map = new HashMap<>();
		for (int i = 0; i < members.length; i += 2) {
			map.put((String) members[i], members[i + 1]);
		}
		return map;
	}

	private static List<Object> list(Object... items) {
		return new ArrayList<>(Arrays.asList(items));
	}

	private record Own(List<String> items) implements Content {

		@Override
		public Map<String, Object> meta() {
			return Map.of();
		}

	}

}
