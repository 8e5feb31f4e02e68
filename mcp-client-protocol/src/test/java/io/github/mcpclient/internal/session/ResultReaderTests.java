package io.github.mcpclient.internal.session;

import java.util.Arrays;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.McpToolResult.UnknownContent;
import io.modelcontextprotocol.spec.McpSchema.AudioContent;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ImageContent;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ResultReader}, with trees as our transports deliver them, and with
 * maps as the SDK's do.
 */
@ParameterizedClass
@ValueSource(booleans = { true, false })
class ResultReaderTests {

	@Parameter
	private boolean trees;

	@Test
	void allTypesOfContentAreRead() {
		List<Content> content = read("""
				{"content": [{"type": "text", "text": "t"}, {"type": "image", "data": "aQ==", "mimeType": "image/png"},
				 {"type": "audio", "data": "YQ==", "mimeType": "audio/wav"},
				 {"type": "resource_link", "uri": "file:///a", "name": "a"},
				 {"type": "resource", "resource": {"uri": "file:///b", "text": "b"}}]}""").content();
		assertThat(content).hasExactlyElementsOfTypes(TextContent.class, ImageContent.class, AudioContent.class,
				ResourceLink.class, EmbeddedResource.class);
	}

	@Test
	void nothingIsLost() {
		CallToolResult result = read("""
				{"content": [{"type": "text", "text": "t", "annotations": {"audience": ["user"], "priority": 0.5},
				 "_meta": {"a": 1}}], "isError": true, "structuredContent": {"b": [1, 2.5, null, "c", true]},
				 "_meta": {"d": {"e": 1}}}""");
		assertThat(((TextContent) result.content().get(0)).annotations().priority()).isEqualTo(0.5);
		assertThat(result.content().get(0).meta()).isEqualTo(Map.of("a", 1));
		assertThat(result.isError()).isTrue();
		assertThat(result.structuredContent()).isEqualTo(Map.of("b", Arrays.asList(1, 2.5, null, "c", true)));
		assertThat(result.meta()).isEqualTo(Map.of("d", Map.of("e", 1)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					{"resultType": "input_required", "inputRequests": {}, "content": []} | a request for more input (resultType input_required)
					{"resultType": "task", "taskId": "1"} | a task
					{"task": {"taskId": "1", "status": "working"}} | a task""")
	void whatIsNoResultYetIsRefused(String json, String what) {
		assertThatExceptionOfType(SessionProtocolException.class).isThrownBy(() -> read(json))
			.withMessage("The server responded to tools/call with " + what
					+ ", which was not requested, instead of a result");
	}

	@Test
	void aCompleteResultMayHaveAnyOtherMembers() {
		assertThat(read("{\"resultType\": \"complete\", \"task\": \"x\", \"content\": []}").content()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"content\": null}", "{\"content\": []}" })
	void missingContentIsNoContent(String json) {
		CallToolResult result = read(json);
		assertThat(result.content()).isEmpty();
		assertThat(result.structuredContent()).isNull();
		assertThat(result.isError()).isNotEqualTo(true);
	}

	@Test
	void itemOfAnUnknownTypeCostsOnlyItself() {
		CallToolResult result = read("""
				{"content": [{"type": "text", "text": "before"}, {"type": "video", "data": [1]},
				 {"type": "text", "text": "after"}], "isError": true, "structuredContent": [1, {"a": 2}],
				 "_meta": {"d": 1}}""");
		assertThat(result.content()).containsExactly(text("before"),
				new UnknownContent("video", Map.of("type", "video", "data", List.of(1))), text("after"));
		assertThat(result.isError()).isTrue();
		assertThat(result.structuredContent()).isEqualTo(List.of(1, Map.of("a", 2)));
		assertThat(result.meta()).isEqualTo(Map.of("d", 1));
	}

	@Test
	void oddHintsDoNotCostTheText() {
		CallToolResult result = read("""
				{"content": [{"type": "text", "text": "a", "annotations": {"audience": ["robot"]}, "_meta": {"m": 1}},
				 {"type": "text", "text": "b", "annotations": {"priority": 1}, "_meta": 5}]}""");
		assertThat(result.content()).extracting((item) -> ((TextContent) item).text()).containsExactly("a", "b");
		assertThat(result.content().get(0).meta()).isEqualTo(Map.of("m", 1));
		assertThat(((TextContent) result.content().get(1)).annotations().priority()).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "null", "5", "\"text\"", "[]", "{}", "{\"type\": null}", "{\"type\": 5}", "{\"type\": \"\"}",
					"{\"type\": \"text\", \"text\": {\"a\": 1}}", "{\"type\": \"resource\", \"resource\": 1}",
					"{\"type\": \"io.modelcontextprotocol.spec.McpSchema$TextContent\", \"text\": \"a\"}" })
	void itemThatIsNotWellFormedCostsOnlyItself(String item) {
		CallToolResult result = read("{\"content\": [" + item + ", {\"type\": \"text\", \"text\": \"good\"}]}");
		assertThat(result.content()).hasSize(2);
		assertThat(result.content().get(0)).isInstanceOf(UnknownContent.class);
		assertThat(result.content().get(1)).isEqualTo(text("good"));
	}

	@ParameterizedTest
	@CsvSource(quoteCharacter = '`', value = { "`\"text\"`, text", "5, 5", "2.5, 2.5", "true, true", "[1], [1]",
			"{}, {}", "12345678901234567890, 12345678901234567890" })
	void structuredContentMayBeAnyValue(String json, String text) {
		assertThat(read("{\"content\": [], \"structuredContent\": " + json + "}").structuredContent())
			.hasToString(text);
		assertThat(read("{\"content\": [null], \"structuredContent\": " + json + "}").structuredContent())
			.hasToString(text);
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "false, false", "null, false", "'\"true\"', true", "[], true", "{}, true",
			"'\"perhaps\"', true" })
	void doubtfulErrorIsAnError(String json, boolean expected) {
		CallToolResult result = read("{\"content\": [null], \"isError\": " + json + "}");
		assertThat(Boolean.TRUE.equals(result.isError())).isEqualTo(expected);
	}

	@Test
	void embeddedTextIsRead() {
		EmbeddedResource resource = (EmbeddedResource) read("""
				{"content": [{"type": "resource", "resource": {"uri": "a:b", "text": "c"}}]}""").content().get(0);
		assertThat(((TextResourceContents) resource.resource()).text()).isEqualTo("c");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			value = { "[1] | it is not an object", "\"done\" | it is not an object", "5 | it is not an object",
					"null | it is not an object", "true | it is not an object",
					"{\"content\": \"done\"} | its content is not a list",
					"{\"content\": {\"type\": \"text\", \"text\": \"a\"}} | its content is not a list",
					"{\"content\": 5, \"isError\": false, \"structuredContent\": {}} | its content is not a list",
					"{\"content\": [], \"isError\": []} | its isError is neither true nor false",
					"{\"content\": [], \"isError\": \"perhaps\"} | its isError is neither true nor false" })
	void whatIsNoResultIsAnErrorThatTellsHowItBegins(String json, String reason) {
		CallToolResult result = read(json);
		assertThat(result.isError()).isTrue();
		assertThat(result.structuredContent()).isNull();
		assertThat(result.content()).singleElement()
			.satisfies((item) -> assertThat(((TextContent) item).text().replace("\"", "").replace(" ", ""))
				.isEqualTo(("The MCP server returned a malformed tool result: " + reason + ". It begins with: " + json)
					.replace("\"", "")
					.replace(" ", "")));
	}

	@Test
	void errorQuotesNoMoreThanABitAndNothingThatDeceives() {
		String text = ((TextContent) read("[\"" + "x\\u001b\\n\\u202e\\u009b\\ud83d\\ude00".repeat(1000) + "\"]")
			.content()
			.get(0)).text();
		assertThat(text).hasSizeLessThan(1500)
			.contains("x\\u001B\\n\ud83d\ude00x\\u001B")
			.endsWith(" characters)")
			.doesNotContain("\n", "\u001b", "\u202e", "\u009b");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\": \"text\"}", "{\"type\": \"text\", \"text\": null}", "{\"type\": \"image\"}",
			"{\"type\": \"audio\"}", "{\"type\": \"resource_link\"}", "{\"type\": \"resource\"}",
			"{\"type\": \"resource\", \"resource\": {}}", "{\"type\": \"resource\", \"resource\": {\"uri\": \"a:b\"}}",
			"{\"type\": \"resource\", \"resource\": {\"text\": \"a\"}}",
			"{\"type\": \"resource\", \"resource\": {\"blob\": \"a\"}}" })
	void itemWithoutItsMembersHasText(String item) {
		CallToolResult result = read("{\"content\": [" + item + "]}");
		assertThat(McpToolResult.of("tool", result).text()).isNotNull();
		assertThat(McpToolResult.of("tool",
				CallToolResult.builder().content(List.of(result.content().get(0), text("b"))).isError(false).build())
			.text()).endsWith("\nb");
	}

	private CallToolResult read(String json) {
		JsonNode tree = JsonMapper.shared().readTree(json);
		return ResultReader.readTool(new ScriptedTransport(),
				this.trees ? tree : JsonMapper.shared().convertValue(tree, Object.class));
	}

	private static TextContent text(String text) {
		return TextContent.builder(text).build();
	}

}
