package io.github.mcpclient.interoperability;

import java.util.List;
import java.util.Map;

import dev.langchain4j.agent.tool.ToolSpecification;
import dev.langchain4j.service.tool.AiServiceTool;
import dev.langchain4j.service.tool.ToolProvider;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that one tool whose schema model providers refuse does not cost the tools of all
 * servers: bridges show one that they take.
 */
class ModelSchemaTests {

	private static final JsonMapper MAPPER = JsonMapper.shared();

	private static final String EITHER = """
			{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
			 "oneOf": [{"required": ["id"]}, {"required": ["name"]}]}""";

	private final McpTestServer peer = McpTestServer.create().start();

	private ConfigurableApplicationContext application;

	@AfterEach
	void close() {
		this.application.close();
		this.peer.close();
	}

	@Test
	void bridgesShowSchemasThatModelsTake() {
		tool("either", EITHER);
		tool("union",
				"""
						{"anyOf": [
						  {"type": "object", "properties": {"kind": {"const": "a"}, "a": {"type": "string"}}, "required": ["kind", "a"]},
						  {"type": "object", "properties": {"kind": {"const": "b"}, "b": {"type": "string"}}, "required": ["kind", "b"]}
						]}""");
		tool("all", """
				{"type": "object", "allOf": [{"$ref": "#/$defs/Base"}, {"properties": {"more": {"type": "boolean"}}}],
				 "$defs": {"Base": {"properties": {"base": {"type": "string"}}, "required": ["base"]}}}""");
		tool("ref", """
				{"$ref": "#/definitions/Input", "definitions": {"Input": {"type": "object",
				 "properties": {"q": {"type": "string"}}, "required": ["q"]}}}""");
		tool("typeless", """
				{"type": ["object", "null"], "properties": {"x": {"type": "string"}}, "not": {"required": ["x"]}}""");
		tool("right", """
				{"type": "object", "properties": {"x": {"oneOf": [{"type": "string"}, {"type": "number"}]}}}""");
		start();
		assertShown("either", """
				{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}},
				 "description": "Give one of these sets of arguments: id; name."}""");
		assertShown("union", """
				{"type": "object", "properties": {"kind": {"anyOf": [{"const": "a"}, {"const": "b"}]},
				 "a": {"type": "string"}, "b": {"type": "string"}}, "required": ["kind"],
				 "description": "Give one of these sets of arguments: kind, a; kind, b."}""");
		assertShown("all", """
				{"type": "object", "properties": {"base": {"type": "string"}, "more": {"type": "boolean"}},
				 "required": ["base"],
				 "$defs": {"Base": {"properties": {"base": {"type": "string"}}, "required": ["base"]}}}""");
		assertShown("ref", """
				{"type": "object", "properties": {"q": {"type": "string"}}, "required": ["q"],
				 "definitions": {"Input": {"type": "object",
				 "properties": {"q": {"type": "string"}}, "required": ["q"]}}}""");
		assertShown("typeless", """
				{"type": "object", "properties": {"x": {"type": "string"}}}""");
		assertShown("right", """
				{"type": "object", "properties": {"x": {"oneOf": [{"type": "string"}, {"type": "number"}]}}}""");
		List<McpServerDeviation> deviations = this.application.getBean(McpServerRegistry.class)
			.server("peer")
			.status()
			.deviations();
		assertThat(deviations).extracting(McpServerDeviation::kind).hasSize(5).containsOnly(Kind.INPUT_SCHEMA);
		assertThat(deviations).extracting(McpServerDeviation::detail).contains("'either' has oneOf at the top");
		ToolSpecification union = this.application.getBean(ToolProvider.class)
			.provideTools(null)
			.aiServiceTools()
			.stream()
			.map(AiServiceTool::toolSpecification)
			.filter((tool) -> tool.name().equals("peer_union"))
			.findFirst()
			.orElseThrow();
		assertThat(union.parameters().properties()).containsOnlyKeys("kind", "a", "b");
		assertThat(union.parameters().required()).containsExactly("kind");
	}

	@Test
	void argumentsAreStillCheckedAgainstTheSchemaOfTheServer() {
		tool("either", EITHER);
		start("--mcp.servers.peer.tools.validate-arguments=true");
		ToolCallback callback = callback("either");
		assertThat(callback.call("{\"id\": 1}")).isEqualTo("ok");
		assertThat(callback.call("{\"id\": 1, \"name\": \"x\"}")).contains("do not fit its input schema");
		assertThat(this.peer.calls()).hasSize(1);
	}

	@Test
	void fixedArgumentsOfARuleStayHiddenInEachPart() {
		tool("either",
				"""
						{"type": "object", "oneOf": [
						  {"properties": {"owner": {"type": "string"}, "id": {"type": "integer"}}, "required": ["owner", "id"]},
						  {"properties": {"owner": {"type": "string"}, "name": {"type": "string"}}, "required": ["owner"]}]}""");
		start("--mcp.servers.peer.tools.rules[0].tools=*", "--mcp.servers.peer.tools.rules[0].arguments.owner=me");
		assertShown("either", """
				{"type": "object", "properties": {"id": {"type": "integer"}, "name": {"type": "string"}}}""");
	}

	@Test
	void propertyWhoseSchemaIsNullTakesAnything() {
		tool("loose",
				"""
						{"type": "object", "oneOf": [{"properties": {"id": null}}, {"properties": {"id": null, "name": null}}]}""");
		start();
		assertShown("loose", """
				{"type": "object", "properties": {"id": {}, "name": {}}}""");
	}

	private void tool(String name, String schema) {
		this.peer.tool(Map.of("name", name, "inputSchema", MAPPER.readValue(schema, Map.class)),
				(request) -> McpTestReply.text("ok"));
	}

	private void start(String... properties) {
		this.application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.properties("spring.main.banner-mode=off", "mcp.startup.wait=60s",
					"mcp.servers.peer.url=" + this.peer.url())
			.run(properties);
	}

	private void assertShown(String tool, String expected) {
		JsonNode schema = MAPPER.readTree(callback(tool).getToolDefinition().inputSchema());
		assertThat(schema).isEqualTo(MAPPER.readTree(expected));
	}

	private ToolCallback callback(String tool) {
		for (ToolCallback callback : this.application.getBean(ToolCallbackProvider.class).getToolCallbacks()) {
			if (callback.getToolDefinition().name().equals("peer_" + tool)) {
				return callback;
			}
		}
		throw new AssertionError("No tool " + tool);
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

	}

}
