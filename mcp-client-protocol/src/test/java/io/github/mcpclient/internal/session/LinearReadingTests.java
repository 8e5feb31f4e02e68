package io.github.mcpclient.internal.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.internal.support.ProtocolVersions;
import io.modelcontextprotocol.json.TypeRef;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JacksonSerializable;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.jsontype.TypeSerializer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how much work an object with very many members makes, whether one of them is
 * malformed or not: how often each member is looked at does not depend on their number.
 */
class LinearReadingTests {

	private static final int MEMBERS = 40_000;

	private final Looks looks = new Looks();

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void capabilitiesOfALegacyServer(boolean malformed) {
		Map<String, Object> capabilities = members("tools", malformed ? 5 : Map.of("listChanged", true));
		capabilities.put("prompts", Map.of());
		ServerDescription server = reader().read(Map.of("protocolVersion", "2025-11-25", "capabilities", capabilities,
				"serverInfo", Map.of("name", "n", "version", "1")));
		assertThat(server.offers("tools")).isTrue();
		assertThat(server.capabilities()).contains("prompts").hasSizeLessThan(5);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void allOfAnAnswerToInitialize(boolean malformed) {
		Map<String, Object> answer = members("instructions", malformed ? List.of(1) : "Read this.");
		Map<String, Object> info = members("name", "n");
		info.put("version", "1");
		answer.put("serverInfo", info);
		answer.put("protocolVersion", "2025-11-25");
		answer.put("capabilities", Map.of("experimental", members("a", 1), "tools", members("listChanged", true)));
		answer.put("_meta", members("a", 1));
		ServerDescription server = reader().read(answer);
		assertThat(server.instructions()).isEqualTo(malformed ? null : "Read this.");
		assertThat(server.serverInfo().name()).isEqualTo("n");
		assertThat(server.offers("tools")).isTrue();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void capabilitiesAndInfoOfAModernServer(boolean malformed) {
		Map<String, Object> capabilities = members("tools", malformed ? 5 : Map.of("listChanged", true));
		for (int i = 0; i < MEMBERS; i++) {
			capabilities.put("y" + i, Map.of("listChanged", true));
		}
		Map<String, Object> info = members("title", malformed ? List.of() : "T");
		info.put("name", "n");
		ServerDescription server = reader()
			.readDiscovery(Map.of("supportedVersions", List.of(ProtocolVersions.FIRST_STATELESS), "capabilities",
					capabilities, "_meta", Map.of("io.modelcontextprotocol/serverInfo", info)));
		assertThat(server.serverInfo().name()).isEqualTo("n");
		assertThat(server.serverInfo().title()).isEqualTo(malformed ? null : "T");
		assertThat(server.capabilities()).hasSizeLessThan(5);
		assertThat(server.offers("tools.listChanged")).isEqualTo(!malformed);
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void hintsOfATool(boolean malformed) {
		Map<String, Object> hints = members("title", malformed ? Map.of() : "T");
		hints.put("readOnlyHint", false);
		Tool tool = ItemKind.TOOLS.reader().apply(Map.of("name", "t", "annotations", hints));
		assertThat(tool.annotations())
			.isEqualTo(new ToolAnnotations(malformed ? null : "T", false, null, null, null, null));
	}

	@Test
	void otherMembersOfATool() {
		Map<String, Object> tool = members("name", "t");
		tool.put("icons", 5);
		tool.put("title", List.of());
		tool.put("outputSchema", members("type", "object"));
		assertThat(ItemKind.TOOLS.reader().apply(tool).outputSchema()).hasSize(MEMBERS + 1);
	}

	private Map<String, Object> members(String name, Object value) {
		Map<String, Object> members = new LinkedHashMap<>();
		for (int i = 0; i < MEMBERS; i++) {
			members.put("x" + i, this.looks);
		}
		members.put(name, value);
		return members;
	}

	@SuppressWarnings("unchecked")
	private static HandshakeReader reader() {
		return new HandshakeReader(new ScriptedTransport() {

			@Override
			public <T> T unmarshalFrom(Object data, TypeRef<T> type) {
				return (T) data;
			}

		}, ProtocolVersions.ALL, "auto", new RecordingListener());
	}

	/**
	 * A value that fails the test when it is looked at too often.
	 */
	private static final class Looks implements JacksonSerializable {

		// those of all tests have five objects with so many members, at most
		private static final int MOST = 5 * 10 * MEMBERS;

		private int count;

		@Override
		public void serialize(JsonGenerator json, SerializationContext context) {
			this.count++;
			if (this.count > MOST) {
				throw new AssertionError("Each member was looked at again and again");
			}
			json.writeNumber(1);
		}

		@Override
		public void serializeWithType(JsonGenerator json, SerializationContext context, TypeSerializer types) {
			serialize(json, context);
		}

	}

}
