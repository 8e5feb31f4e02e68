package io.github.mcpclient.declared;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SchemaComparison}.
 */
class SchemaComparisonTests {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final JsonShape STRING = JsonShape.of("string");

	private static List<String> compare(String schema, Map<String, JsonShape> arguments) {
		return compare(MAPPER.readValue(schema.replace('\'', '"'), Map.class), arguments);
	}

	private static List<String> compare(Map<?, ?> schema, Map<String, JsonShape> arguments) {
		List<String> found = new ArrayList<>();
		new SchemaComparison(schema, (kind, detail) -> found.add(kind + " " + detail))
			.compareArguments(JsonShape.object(arguments));
		return found;
	}

	@Test
	void aRequiredArgumentThatIsNotGiven() {
		assertThat(compare("{'required': ['city', 'unit']}", Map.of("city", STRING)))
			.containsExactly("MISSING_ARGUMENT the tool requires argument 'unit', which the method lacks");
	}

	@Test
	void anArgumentThatTheSchemaDoesNotHave() {
		assertThat(compare("{'properties': {'city': {}}, 'additionalProperties': false}", Map.of("citty", STRING)))
			.containsExactly("UNKNOWN_ARGUMENT the tool takes no argument 'citty'. Did you mean city?");
		assertThat(compare("{'properties': {'city': false}}", Map.of("city", STRING)))
			.containsExactly("UNKNOWN_ARGUMENT the tool takes no argument 'city'");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "{'properties': {'city': {}}}", "{'additionalProperties': true}",
			"{'additionalProperties': {}}", "{'additionalProperties': false, 'patternProperties': {'^x': {}}}",
			"{'properties': {'x': {}}, 'additionalProperties': false}",
			"{'properties': {'x': true}, 'additionalProperties': false}" })
	void anArgumentThatTheSchemaMayHave(String schema) {
		assertThat(compare(schema, Map.of("x", STRING))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'type': 'integer'}", "{'type': ['integer', 'null']}", "{'$ref': '#/$defs/Days'}",
			"{'allOf': [{'$ref': '#/$defs/Days'}], 'default': 3}", "{'type': 'integer', 'anyOf': [{}]}" })
	void aTypeThatCannotFit(String days) {
		assertThat(compare("{'$defs': {'Days': {'type': ['integer', 'null']}}, 'properties': {'days': " + days + "}}",
				Map.of("days", STRING)))
			.singleElement()
			.asString()
			.startsWith("ARGUMENT_TYPE argument 'days' is sent as string, and the schema of the tool allows integer");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{}", "true", "{'type': 'string'}", "{'type': ['string', 'null']}", "{'type': 'str'}",
			"{'type': ['integer', 'str']}", "{'type': []}", "{'type': 3}", "{'anyOf': [{'type': 'integer'}]}",
			"{'oneOf': [{'type': 'integer'}]}", "{'$ref': '#/$defs/None'}", "{'$ref': 'https://example.com/a'}",
			"{'$ref': '#/$defs/Loop'}", "{'$ref': '#/$defs/Other/$defs/Days', 'type': 'integer'}",
			"{'allOf': [{'type': 'integer'}, {'type': 'string'}]}", "{'enum': [1]}" })
	void aTypeThatMayFit(String days) {
		assertThat(compare("{'$defs': {'Loop': {'$ref': '#/$defs/Loop'}}, 'properties': {'days': " + days + "}}",
				Map.of("days", STRING)))
			.isEmpty();
	}

	@Test
	void anIntegerIsANumber() {
		String schema = "{'properties': {'a': {'type': 'number'}, 'b': {'type': 'integer'}, 'c': {'type': 'string'}}}";
		assertThat(compare(schema, Map.of("a", JsonShape.of("integer"), "b", JsonShape.of("number")))).isEmpty();
		assertThat(compare(schema, Map.of("c", JsonShape.of("integer")))).hasSize(1);
	}

	@Test
	void membersOfRecordsWithinArguments() {
		JsonShape place = JsonShape.object(Map.of("lat", STRING, "name", STRING));
		String schema = """
				{'properties': {'place': {'type': 'object', 'required': ['lon'], 'additionalProperties': false,
					'properties': {'lat': {'type': 'number'}}},
					'places': {'type': 'array', 'items': {'properties': {'lat': {'type': 'number'}}}}}}""";
		assertThat(compare(schema, Map.of("place", place))).containsExactlyInAnyOrder(
				"MISSING_ARGUMENT the tool requires argument 'place.lon', which the method lacks",
				"UNKNOWN_ARGUMENT the tool takes no argument 'place.name'",
				"ARGUMENT_TYPE argument 'place.lat' is sent as string, and the schema of the tool allows number");
		assertThat(compare(schema, Map.of("places", JsonShape.array(place)))).containsExactly(
				"ARGUMENT_TYPE argument 'places[].lat' is sent as string, and the schema of the tool allows number");
		assertThat(compare(schema, Map.of("places", place))).containsExactly(
				"ARGUMENT_TYPE argument 'places' is sent as object, and the schema of the tool allows array");
		assertThat(compare(schema, Map.of("place", JsonShape.array(STRING)))).containsExactly(
				"ARGUMENT_TYPE argument 'place' is sent as array, and the schema of the tool allows object");
	}

	@Test
	void nothingIsSaidOfArgumentsThatAreNotKnown() {
		List<String> found = new ArrayList<>();
		Map<?, ?> schema = Map.of("required", List.of("city"), "additionalProperties", false);
		new SchemaComparison(schema, (kind, detail) -> found.add(detail)).compareArguments(JsonShape.ANY);
		assertThat(found).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'required': 'city', 'properties': [], 'allOf': 3, 'additionalProperties': 'no'}",
			"{'required': [null, 1, {}], 'properties': {'city': null}, '$defs': 4, 'allOf': [null, 1]}",
			"{'$ref': '#'}", "{'$ref': ''}", "{'properties': {'city': {'$ref': '#/properties/city'}}}" })
	void aMalformedSchemaFits(String schema) {
		assertThat(compare(schema, Map.of("city", STRING))).isEmpty();
	}

	private static String result(String schema, JsonShape result) {
		return new SchemaComparison(MAPPER.readValue(schema.replace('\'', '"'), Map.class), (kind, detail) -> {
		}).resultMismatch(result);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{'type': 'array'}", "{'type': ['string', 'null']}", "{'allOf': [{'type': 'array'}]}" })
	void anObjectCannotBeReadFromAnotherType(String schema) {
		assertThat(result(schema, JsonShape.of("object"))).isNotNull();
		assertThat(result(schema, JsonShape.ANY)).isNull();
		assertThat(result("{'type': 'object'}", JsonShape.of("object"))).isNull();
		assertThat(result("{}", JsonShape.of("object"))).isNull();
	}

	@Test
	void anArrayMayBeWrappedInAnObject() {
		JsonShape array = JsonShape.of("array");
		assertThat(result("{'type': 'object', 'properties': {'result': {}}, 'required': ['result']}", array)).isNull();
		assertThat(result("{'type': 'object'}", array)).isNull();
		assertThat(result("{'type': 'object', 'required': ['city']}", array)).isEqualTo("object");
		assertThat(result("{'type': 'object', 'properties': {'a': {}}, 'additionalProperties': false}", array))
			.isEqualTo("object");
		assertThat(result("{'type': 'string'}", array)).isEqualTo("string");
	}

	@Test
	void namesOfTheServerArePrintableAndShort() {
		assertThat(compare(Map.of("required", List.of("a\u001b[2J\n" + "b".repeat(1000))), Map.of())).singleElement()
			.asString()
			.hasSizeLessThan(250)
			.doesNotContain("\u001b", "\n");
	}

	@Test
	void theWorkIsThatOfTheArguments() {
		Map<String, Object> properties = new LinkedHashMap<>();
		IntStream.range(0, 100_000).forEach((i) -> properties.put("property-" + i, Map.of("type", "string")));
		Map<String, JsonShape> arguments = new LinkedHashMap<>();
		IntStream.range(0, 200).forEach((i) -> arguments.put("propperty-" + i, STRING));
		Map<String, Object> schema = Map.of("properties", properties, "additionalProperties", false, "required",
				Collections.nCopies(100_000, "none"), "allOf",
				Collections.nCopies(100_000, Map.of("allOf", List.of())));
		assertThat(compare(schema, arguments)).hasSize(201);
	}

}
