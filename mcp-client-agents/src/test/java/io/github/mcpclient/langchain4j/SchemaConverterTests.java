package io.github.mcpclient.langchain4j;

import java.util.Map;

import dev.langchain4j.internal.JsonSchemaElementUtils;
import dev.langchain4j.model.chat.request.json.JsonArraySchema;
import dev.langchain4j.model.chat.request.json.JsonEnumSchema;
import dev.langchain4j.model.chat.request.json.JsonObjectSchema;
import dev.langchain4j.model.chat.request.json.JsonRawSchema;
import dev.langchain4j.model.chat.request.json.JsonStringSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SchemaConverter}.
 */
class SchemaConverterTests {

	@Test
	void commonSchemasBecomeTypes() {
		JsonObjectSchema schema = convert("""
				{"type": "object", "description": "all", "required": ["s"], "properties": {
					"s": {"type": "string", "description": "a string"}, "e": {"type": "string", "enum": ["x", "y"]},
					"l": {"type": "array", "items": {"type": "integer"}}, "b": {"type": "boolean"},
					"o": {"type": "object", "properties": {"n": {"type": "number"}}, "required": ["n"]}}}""");
		assertThat(schema.description()).isEqualTo("all");
		assertThat(schema.required()).containsExactly("s");
		assertThat(schema.properties().get("s")).isInstanceOf(JsonStringSchema.class);
		assertThat(schema.properties().get("e")).isInstanceOf(JsonEnumSchema.class);
		assertThat(schema.properties().get("l")).isInstanceOf(JsonArraySchema.class);
		assertThat(schema.properties().get("o")).isInstanceOf(JsonObjectSchema.class);
	}

	// each is what a model is told, as it stands
	@ParameterizedTest
	@ValueSource(strings = { """
			{"type": "string", "description": "a string"}""", """
			{"type": "string", "enum": ["x"], "description": "d"}""", """
			{"type": "string", "format": "date-time", "minLength": 1}""", """
			{"type": ["string", "null"]}""", """
			{"anyOf": [{"type": "string"}, {"type": "null"}], "default": null}""", """
			{"type": "integer", "minimum": 1}""", """
			{"enum": [1, "a", null]}""", """
			{"type": "array", "items": {"type": "object", "properties": {}, "additionalProperties": false}}""", """
			{"type": "array", "items": true}""", """
			{"type": "array", "items": {"type": "array", "items": {"type": "number", "multipleOf": 2}}}""", """
			{"type": "object", "properties": {"a": {"type": "boolean"}}, "required": ["a"]}""", """
			{"type": "object", "properties": {}, "required": "a"}""", """
			{"type": "object", "additionalProperties": {"type": "string"}}""", """
			{"type": "banana", "description": 7}""", """
			{"$ref": "#/$defs/node"}""", "{}" })
	void aPropertyIsToldAsItCame(String property) {
		JsonObjectSchema schema = convert("{\"type\": \"object\", \"properties\": {\"p\": " + property + "}}");
		assertThat(told(schema))
			.isEqualTo(read("{\"type\": \"object\", \"required\": [], \"properties\": {\"p\": " + property + "}}"));
	}

	@Test
	void definitionsMoveToTheirPlace() {
		JsonObjectSchema schema = convert("""
				{"type": "object", "properties": {"p": {"$ref": "#/definitions/node"}, "any": true},
					"definitions": {"node": {"type": "object", "properties": {"next": {"$ref": "#/definitions/node"}}}},
					"$defs": {"other": {"type": "string"}}}""");
		assertThat(told(schema)).isEqualTo(
				read("""
						{"type": "object", "required": [], "properties": {"p": {"$ref": "#/$defs/node"}, "any": {}},
							"$defs": {"node": {"type": "object", "properties": {"next": {"$ref": "#/$defs/node"}}, "required": []},
								"other": {"type": "string"}}}"""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{\"type\": \"string\"}", "{\"properties\": []}", "{\"required\": 1}",
			"{\"properties\": {\"p\": null}}", "{\"oneOf\": [{}]}" })
	void noSchemaIsTooOdd(String schema) {
		assertThat(told(convert(schema))).containsEntry("type", "object").containsKey("properties");
	}

	@Test
	void whatLangChain4jHasNoTypeForIsRaw() {
		assertThat(convert("{\"properties\": {\"p\": {\"type\": \"integer\", \"minimum\": 1}}}").properties().get("p"))
			.isEqualTo(JsonRawSchema.from("{\"type\":\"integer\",\"minimum\":1}"));
	}

	private static Map<String, Object> told(JsonObjectSchema schema) {
		return JsonSchemaElementUtils.toMap(schema);
	}

	private JsonObjectSchema convert(String json) {
		return SchemaConverter.parameters(read(json));
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> read(String json) {
		return JsonMapper.shared().readValue(json, Map.class);
	}

}
