package io.github.mcpclient.internal.session;

import java.util.Map;

import io.github.mcpclient.internal.support.ProtocolVersions;
import io.github.mcpclient.testsupport.CapturedLog;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.TextContent;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MissingMembers}.
 */
class MissingMembersTests {

	private static final int TIMES = 100;

	private final ScriptedTransport transport = new ScriptedTransport();

	@RegisterExtension
	private final CapturedLog log = new CapturedLog(McpSchema.class);

	@ParameterizedTest
	@ValueSource(strings = { "{'type': 'text'}", "{'type': 'text', 'text': null}", "{'type': 'image'}",
			"{'type': 'image', 'data': 'aQ=='}", "{'type': 'audio', 'mimeType': 'a/b'}", "{'type': 'resource'}",
			"{'type': 'resource', 'resource': {}}", "{'type': 'resource', 'resource': {'text': 'a'}}",
			"{'type': 'resource', 'resource': {'uri': 'a:b', 'text': null}}",
			"{'type': 'resource', 'resource': {'blob': 'YQ=='}}", "{'type': 'resource_link'}",
			"{'type': 'resource_link', 'name': 'a', 'uri': 'a:b', 'icons': [{}, {'src': null}, 5]}",
			"{'type': 'text', 'annotations': {'audience': 5}}", "{'type': 'image', '_meta': 5}" })
	void itemsOfContentLeaveNoLine(String item) {
		for (int i = 0; i < TIMES; i++) {
			assertThat(ResultReader.readTool(this.transport, tree("{'content': [" + item + "]}")).content()).hasSize(1);
			ResultReader.readPrompt(this.transport, tree("{'messages': [{'role': 'user', 'content': " + item + "}]}"));
		}
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void contentIsThatOfTheSdk() {
		CallToolResult result = ResultReader.readTool(this.transport,
				tree("{'content': [{'type': 'text'}, {'type': 'text', 'text': 'a'}]}"));
		assertThat(result.content()).extracting((item) -> ((TextContent) item).text()).containsExactly("", "a");
		assertThat(this.log.events()).isEmpty();
	}

	@Test
	void resourcesLeaveNoLine() {
		for (int i = 0; i < TIMES; i++) {
			ResultReader.readResource(this.transport, tree("{}"));
			ResultReader.readResource(this.transport,
					tree("{'contents': [{'text': 'a'}, {'blob': 'YQ=='}, {'uri': 'a', 'blob': null}]}"));
			ResultReader.readPrompt(this.transport, tree("{}"));
			ResultReader.readCompletion(this.transport, tree("{'completion': {'values': []}}"));
		}
		assertThat(this.log.events()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'name': 'a'}", "{'name': 'a', 'inputSchema': null}",
			"{'name': 'a', 'title': 'A', 'icons': [{'mimeType': 'a/b'}]}", "{'name': 'a', 'annotations': 5}" })
	void listedItemsLeaveNoLine(String item) {
		for (int i = 0; i < TIMES; i++) {
			assertThat(ItemKind.TOOLS.reader().apply(map(item)).inputSchema()).isEmpty();
			ItemKind.PROMPTS.reader().apply(map(item));
			Map<String, Object> resource = map(item);
			resource.put("uri", "a:b");
			ItemKind.RESOURCES.reader().apply(resource);
			resource.put("uriTemplate", "a:{b}");
			ItemKind.RESOURCE_TEMPLATES.reader().apply(resource);
		}
		assertThat(this.log.events()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'protocolVersion': '2025-11-25'}",
			"{'protocolVersion': '2025-11-25', 'capabilities': 5, 'serverInfo': 5}",
			"{'protocolVersion': '2025-11-25', 'capabilities': {'tools': 5}, 'serverInfo': {'icons': [{}]}}",
			"{'protocolVersion': '2025-11-25', 'capabilities': {}, 'serverInfo': {'name': 'a', 'version': null}}" })
	void handshakesLeaveNoLine(String answer) {
		HandshakeReader handshakes = new HandshakeReader(this.transport, ProtocolVersions.LEGACY, "auto",
				new RecordingListener());
		for (int i = 0; i < TIMES; i++) {
			ServerDescription result = handshakes.read(tree(answer));
			assertThat(result.capabilities()).isNotNull();
			assertThat(result.serverInfo().version()).isEmpty();
		}
		assertThat(this.log.events()).isEmpty();
	}

	private static Object tree(String json) {
		return JsonMapper.shared().readTree(json.replace('\'', '"'));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> map(String json) {
		return JsonMapper.shared().convertValue(tree(json), Map.class);
	}

}
