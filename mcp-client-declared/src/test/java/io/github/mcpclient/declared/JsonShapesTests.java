package io.github.mcpclient.declared;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.internal.support.JsonValues;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.ToStringSerializer;

import org.springframework.core.ParameterizedTypeReference;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JsonShapes}.
 */
class JsonShapesTests {

	private final JsonShapes shapes = new JsonShapes(JsonValues.mapper(List.of()));

	private String written(Class<?> type) {
		return String.join(",", this.shapes.written(type).types());
	}

	private String read(Class<?> type) {
		return String.join(",", this.shapes.read(type).types());
	}

	@Test
	void valuesAreWhatTheMapperWrites() {
		assertThat(written(String.class)).isEqualTo("string");
		assertThat(written(Unit.class)).isEqualTo("string");
		assertThat(written(UUID.class)).isEqualTo("string");
		assertThat(written(LocalDate.class)).isIn("string", "");
		assertThat(written(int.class)).isEqualTo("integer");
		assertThat(written(Long.class)).isEqualTo("integer");
		assertThat(written(double.class)).isEqualTo("number");
		assertThat(written(BigDecimal.class)).isEqualTo("number");
		assertThat(written(boolean.class)).isEqualTo("boolean");
		assertThat(written(String[].class)).isEqualTo("array");
		assertThat(written(Collection.class)).isEqualTo("array");
		assertThat(written(Map.class)).isEqualTo("object");
		assertThat(written(Place.class)).isEqualTo("object");
		assertThat(written(Code.class)).isEqualTo("string");
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, JsonNode.class, Shape.class, byte[].class, char[].class,
			McpToolRequest.class, Comparable.class })
	void whatIsNotCertainIsAnything(Class<?> type) {
		assertThat(this.shapes.written(type)).isEqualTo(JsonShape.ANY);
	}

	@Test
	void membersHaveTheirNamesAndTypes() {
		Map<String, JsonShape> members = this.shapes.written(Place.class).members();
		assertThat(members).containsOnlyKeys("lat", "name", "tags", "zone", "place", "many");
		assertThat(members.get("name").types()).containsExactly("string");
		assertThat(members.get("tags").items()).isEqualTo(JsonShape.of("string"));
		assertThat(members.get("zone").types()).containsExactly("integer");
		assertThat(members.get("lat").types()).as("of a format").containsExactly("string");
		assertThat(members.get("place")).as("within itself").isEqualTo(JsonShape.ANY);
		assertThat(members.get("many").items()).isEqualTo(JsonShape.ANY);
	}

	@Test
	void membersThatAreNotToldAreNotKnown() {
		assertThat(this.shapes.written(Open.class).members()).isNull();
		assertThat(this.shapes.written(Typed.class).members()).isNull();
		assertThat(this.shapes.written(Open.class).types()).containsExactly("object");
	}

	@Test
	void modulesAndNamingOfTheMapperHold() {
		SimpleModule module = new SimpleModule().addSerializer(Long.class, ToStringSerializer.instance);
		JsonShapes other = new JsonShapes(JsonMapper.builder()
			.addModule(module)
			.propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
			.build());
		assertThat(other.written(Long.class).types()).containsExactly("string");
		assertThat(other.written(Named.class).members()).containsOnlyKeys("first_name");
	}

	@Test
	void whatTypesHaveIsBounded() {
		// four of each type in each, which are six types deep: more than can be written
		JsonShape shape = this.shapes.written(A.class);
		assertThat(count(shape)).isLessThanOrEqualTo(2500);
	}

	private static int count(JsonShape shape) {
		return 1 + ((shape.members() != null) ? shape.members().values().stream().mapToInt(JsonShapesTests::count).sum()
				: 0);
	}

	@Test
	void recordsAreReadFromObjectsAndListsFromArrays() {
		assertThat(read(Place.class)).isEqualTo("object");
		assertThat(read(Map.class)).isEqualTo("object");
		assertThat(read(List.class)).isEqualTo("array");
		assertThat(read(int[].class)).isEqualTo("array");
		assertThat(this.shapes.read(new ParameterizedTypeReference<List<Place>>() {
		}.getType()).types()).containsExactly("array");
	}

	@ParameterizedTest
	@ValueSource(classes = { Object.class, JsonNode.class, String.class, int.class, Integer.class, Delegating.class,
			OfText.class, byte[].class, Unit.class })
	void whatMayBeReadFromOtherValuesIsAnything(Class<?> type) {
		assertThat(read(type)).isEmpty();
	}

	enum Unit {

		METRIC

	}

	record Place(String name, List<String> tags, Optional<Integer> zone,
			@JsonProperty("lat") @JsonFormat(shape = JsonFormat.Shape.STRING) double latitude, Place place,
			List<Place> many) {
	}

	record Code(@JsonValue String code) {
	}

	record Named(String firstName) {
	}

	record Open(String name, @JsonAnyGetter Map<String, Object> others) {
	}

	@JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
	record Typed(String name) {
	}

	interface Shape {

		String name();

	}

	record Delegating(Set<String> names) {

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		Delegating {
		}

	}

	record OfText(String text) {

		@JsonCreator(mode = JsonCreator.Mode.DELEGATING)
		static OfText of(String text) {
			return new OfText(text);
		}

	}

	record A(B b1, B b2, B b3, B b4) {
	}

	record B(C c1, C c2, C c3, C c4) {
	}

	record C(D d1, D d2, D d3, D d4) {
	}

	record D(E e1, E e2, E e3, E e4) {
	}

	record E(F f1, F f2, F f3, F f4) {
	}

	record F(Unit u1, Unit u2, Unit u3, Unit u4) {
	}

}
