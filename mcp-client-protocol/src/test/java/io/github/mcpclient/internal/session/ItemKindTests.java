package io.github.mcpclient.internal.session;

import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a {@link ItemKind} keeps of a tool for those who decide about it.
 */
class ItemKindTests {

	@Test
	void requiredTaskSupportIsNotedInMeta() {
		Tool tool = tool("'execution': {'taskSupport': 'required'}, '_meta': {'m': 1}");
		assertThat(TaskSupport.isRequired(tool)).isTrue();
		assertThat(tool.meta()).containsEntry("m", 1);
		assertThat(TaskSupport.isRequired(tool("'execution': {'taskSupport': 'required'}"))).isTrue();
		assertThat(TaskSupport.isRequired(tool("'execution': {'taskSupport': 'required'}, '_meta': 'odd'"))).isTrue();
		assertThat(TaskSupport
			.isRequired(tool("'execution': {'taskSupport': 'required'}, 'annotations': {'readOnlyHint': []}")))
			.isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "'execution': {'taskSupport': 'optional'}", "'execution': {'taskSupport': 'forbidden'}",
			"'execution': {}", "'execution': 'required'", "'execution': null", "'title': 'A'", "'_meta': {'m': 1}" })
	void otherTaskSupportIsNotNoted(String members) {
		Tool tool = tool(members);
		assertThat(TaskSupport.isRequired(tool)).isFalse();
		assertThat(tool.meta()).isIn(null, Map.of("m", 1));
	}

	@Test
	void anOddHintDoesNotTakeOthersWithIt() {
		ToolAnnotations hints = tool(
				"'icons': 'odd', 'annotations': {'title': {}, 'readOnlyHint': false, 'destructiveHint': 'maybe',"
						+ " 'idempotentHint': null, 'openWorldHint': true, 'futureHint': 5}")
			.annotations();
		assertThat(hints).isEqualTo(new ToolAnnotations(null, false, null, null, true, null));
		assertThat(tool("'annotations': {'readOnlyHint': 'maybe'}").annotations()).isNull();
		assertThat(tool("'annotations': [true]").annotations()).isNull();
		assertThat(tool("'annotations': {'readOnlyHint': true, 'x': [1]}").annotations().readOnlyHint()).isTrue();
	}

	@SuppressWarnings("unchecked")
	private static Tool tool(String members) {
		String json = "{'tools': [{'name': 'a', 'inputSchema': {'type': 'object'}, " + members + "}]}";
		ListedItems<Tool> listing = new ListedItems<>(ItemKind.TOOLS, SessionFixture.OPTIONS, false, (item) -> null);
		listing.add(JsonMapper.builder().build().readValue(json.replace('\'', '"'), Map.class));
		assertThat(listing.items()).hasSize(1);
		return listing.items().get(0);
	}

}
