package io.github.mcpclient.declared;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.entry;

/**
 * Tests for {@link McpToolClientSource}.
 */
class McpToolClientSourceTests {

	private static final List<String> HOSTILE = List.of("*/ class Evil {} /*", "*\\u002f class Evil {} /\\u002a",
			"\\u000a*/ class Evil {}", "**//**/*/", "*\u200B/*\u202E/", "\"); class Evil {} //",
			"\\\"); class Evil {} //", "\\", "\\u0022", "\\uD800", "\uD800", "\"\"\"",
			"a\nb\r\nc\u2028d\u0085e\u0000f\f\u001A", "@deprecated {@code } <script>&", "x\n@deprecated y", "x {@value",
			"{@link Object#wait()} </ul> &bogus; <p", "class", "_", "$", "", " ", "123", "1", "Object", "String",
			"toString", "getClass", "notify", "record", "List", "JsonNode", "\u57CE\u5E02", "grün", "\u0430", "\u3164",
			"\uD835\uDC00", "sealed", "non-sealed", "null", "Ünïcödé/Ω", "e\u0301");

	private static final List<String> ODD = List.of("{}", "{\"type\": 3}", "{\"type\": []}", "{\"type\": \"file\"}",
			"{\"properties\": []}", "{\"properties\": {\"a\": true, \"b\": false, \"c\": null, \"d\": 1, \"e\": []}}",
			"{\"properties\": {\"a\": {\"$ref\": \"#\"}}, \"required\": \"a\"}", "{\"$ref\": \"#\"}",
			"{\"properties\": {\"a\": {\"$ref\": \"#/properties/a\"}}}",
			"{\"properties\": {\"a\": {\"$ref\": \"http://localhost/a\"}, \"b\": {\"$ref\": \"#/%zz/~2\"}}}",
			"{\"properties\": {\"a\": {\"anyOf\": []}, \"b\": {\"anyOf\": [null, {\"$ref\": \"#/properties/b\"}]}}}",
			"{\"properties\": {\"a\": {\"type\": \"array\", \"items\": [{}]}, \"b\": {\"type\": \"array\"}}}",
			"{\"properties\": {\"a\": {\"enum\": [null, 1, {}, []]}, \"b\": {\"enum\": []}, \"c\": {\"enum\": {}}}}",
			"{\"properties\": {\"a\": {\"type\": \"integer\", \"maximum\": 1e400, \"default\": [[1]]}}}",
			"{\"additionalProperties\": {\"type\": \"integer\"}}", "{\"allOf\": [{}, {}]}", "{\"not\": {}}",
			"{\"type\": \"string\"}", "{\"type\": [\"array\", \"null\"], \"items\": {\"type\": \"string\"}}",
			"{\"type\": \"boolean\", \"nullable\": true}", "{\"enum\": [\"a\", \"b\"]}", "{\"patternProperties\": {}}");

	private static final Map<String, Object> FORECAST = schema("""
			{"content": [], "structuredContent": {"station": {"id": 4000000000, "nearby": [{"id": 2, "nearby": []}]},
			"days": [{"min": 1.5, "max": null, "sky": "cloudy", "more": 1}], "raw": "x", "count": 3, "percent": 7}}""");

	// of weather-station.json
	private static final String WEATHER_STATION = """
			import java.util.List;
			import java.util.Map;

			import com.fasterxml.jackson.annotation.JsonInclude;
			import com.fasterxml.jackson.annotation.JsonProperty;
			import io.github.mcpclient.declared.McpToolArgument;
			import io.github.mcpclient.declared.McpToolCall;
			import io.github.mcpclient.declared.McpToolClient;
			import org.jspecify.annotations.NullMarked;
			import org.jspecify.annotations.Nullable;
			import tools.jackson.databind.JsonNode;

			/**
			 * Tools of the MCP server 'weather-station'.
			 */
			@NullMarked
			@McpToolClient("weather-station")
			public interface WeatherStation {

				List<@Nullable String> cities();

				/**
				 * The weather of the next days.
				 * <p>
				 * Costs nothing &amp; &lt;needs&gt; no key.
				 * @param city Name of the city
				 * @param days Default: 3.
				 * @param temperatureUnit The unit of temperatures
				 */
				ForecastResult forecast(
						String city,
						@Nullable Integer days,
						@McpToolArgument("temperature-unit") @Nullable TemperatureUnit temperatureUnit);

				@Nullable Boolean near(NearRequest request);

				Map<String, Long> put(Map<String, Double> arguments);

				/**
				 * Set an alarm
				 */
				@McpToolCall("set_alarm")
				String setAlarm(SetAlarmRequest request);

				/**
				 * @param station A station and those near it
				 */
				record ForecastResult(
						Station station,
						List<Day> days,
						@Nullable JsonNode raw,
						long count,
						int percent) {
				}

				/**
				 * A station and those near it
				 */
				record Station(
						long id,
						List<Station> nearby) {
				}

				record Day(
						double min,
						@Nullable Double max,
						@Nullable Sky sky,
						@Nullable String readAt) {
				}

				enum Sky {

					@JsonProperty("clear") CLEAR,
					@JsonProperty("cloudy") CLOUDY

				}

				enum TemperatureUnit {

					@JsonProperty("celsius") CELSIUS,
					@JsonProperty("degrees F") DEGREES_F,
					K

				}

				record NearRequest(
						@Nullable Place place) {
				}

				record Place(
						@Nullable Double lat,
						@Nullable Double lon) {
				}

				/**
				 * @param threshold Off if null
				 * @param channel Always mail.
				 * @param since Default: 4000000000.
				 */
				record SetAlarmRequest(
						@JsonInclude(JsonInclude.Include.ALWAYS) @Nullable Double threshold,
						@Nullable String channel,
						@Nullable Map<String, String> labels,
						@Nullable Map<String, JsonNode> options,
						@Nullable Long since,
						List<Area> areas,
						@Nullable Unit unit) {
				}

				record Area(
						double lat,
						double lon,
						@JsonProperty("class") @Nullable String classValue) {
				}

				enum Unit {

					@JsonProperty("celsius") CELSIUS,
					@JsonProperty("fahrenheit") FAHRENHEIT

				}

			}
			""";

	@TempDir
	private Path folder;

	// what ten servers of npm listed, each in the version that is named there
	@Test
	void fitsRealServers() throws Exception {
		Listing[] listings = JsonMapper.shared().readValue(text("listings.json"), Listing[].class);
		assertThat(listings).hasSizeGreaterThanOrEqualTo(10);
		StandaloneMcpClient.Builder builder = StandaloneMcpClient.builder();
		List<McpTestServer> servers = new ArrayList<>();
		for (Listing listing : listings) {
			McpTestServer server = McpTestServer.create().tools(listing.tools()).start();
			servers.add(server);
			builder.server(McpServerDefinition.http(listing.name(), URI.create(server.url())).build());
		}
		try (StandaloneMcpClient client = builder.build()) {
			McpToolClientFactory factory = new McpToolClientFactory(client.registry());
			List<Class<?>> clients = JavaCompilation.compile(this.folder,
					Stream.of(listings)
						.map((listing) -> McpToolClientSource.of(client.registry().server(listing.name())))
						.toArray(McpToolClientSource[]::new));
			for (int i = 0; i < listings.length; i++) {
				assertThat(tools(clients.get(i))).containsExactlyInAnyOrderElementsOf(
						listings[i].tools().stream().map((tool) -> (String) tool.get("name")).toList());
				factory.create(clients.get(i));
			}
			assertThat(factory.mismatches()).isEmpty();
		}
		finally {
			servers.forEach(McpTestServer::close);
		}
	}

	@Test
	void saysInJavaWhatSchemasSay() throws Exception {
		Listing listing = JsonMapper.shared().readValue(text("weather-station.json"), Listing.class);
		try (McpTestServer server = McpTestServer.create()
			.tools(listing.tools())
			.tool(listing.tools().get(0), (request) -> McpTestReply.result(FORECAST))
			.start();
				StandaloneMcpClient client = StandaloneMcpClient.builder()
					.server(McpServerDefinition.http(listing.name(), URI.create(server.url())).build())
					.build()) {
			McpToolClientSource source = McpToolClientSource.of(client.registry().server(listing.name()));
			assertThat(source.typeName()).isEqualTo("WeatherStation");
			assertThat(source.text()).isEqualTo(WEATHER_STATION);
			Class<?> type = JavaCompilation.compile(this.folder, source).get(0);
			McpToolClientFactory factory = new McpToolClientFactory(client.registry());
			Object weather = factory.create(type);
			assertThat(factory.mismatches()).isEmpty();
			Object unit = nested(type, "TemperatureUnit").getEnumConstants()[1];
			assertThat(method(type, "forecast").invoke(weather, "Paris", null, unit))
				.hasToString("ForecastResult[station=Station[id=4000000000, nearby=[Station[id=2, nearby=[]]]], "
						+ "days=[Day[min=1.5, max=null, sky=CLOUDY, readAt=null]], raw=\"x\", count=3, percent=7]");
			assertThat(server.awaitCall("forecast").arguments()).containsOnly(entry("city", "Paris"),
					entry("temperature-unit", "degrees F"));
			Object area = constructor(type, "Area").newInstance(1.5, 2.5, "A");
			Object alarm = constructor(type, "SetAlarmRequest").newInstance(null, null, null, null, 7L, List.of(area),
					null);
			method(type, "setAlarm").invoke(weather, alarm);
			assertThat(server.awaitCall("set_alarm").arguments()).containsOnly(entry("threshold", null),
					entry("since", 7), entry("areas", List.of(Map.of("lat", 1.5, "lon", 2.5, "class", "A"))));
		}
	}

	private static Method method(Class<?> type, String name) {
		return Stream.of(type.getMethods()).filter((method) -> method.getName().equals(name)).findFirst().orElseThrow();
	}

	private static Constructor<?> constructor(Class<?> type, String name) {
		return nested(type, name).getConstructors()[0];
	}

	private static Class<?> nested(Class<?> type, String name) {
		return Stream.of(type.getClasses()).filter((one) -> one.getSimpleName().equals(name)).findFirst().orElseThrow();
	}

	@Test
	void aHostileTextIsAText() throws Exception {
		List<McpToolClientSource> sources = new ArrayList<>();
		for (String text : HOSTILE) {
			sources.add(McpToolClientSource.of(text + "x", hostileTools(text)));
		}
		List<Class<?>> clients = JavaCompilation.compile(this.folder, sources.toArray(McpToolClientSource[]::new));
		for (int i = 0; i < HOSTILE.size(); i++) {
			String text = HOSTILE.get(i);
			assertThat(clients.get(i).getAnnotation(McpToolClient.class).value()).isEqualTo(text + "x");
			assertThat(tools(clients.get(i)))
				.containsExactlyInAnyOrderElementsOf(hostileTools(text).stream().map(Tool::name).toList());
		}
	}

	private static List<Tool> hostileTools(String text) {
		Map<String, Object> schema = schema("""
				{"type": "object", "description": "@", "title": "@", "properties": {"@": {"$ref": "#/$defs/@",
				"description": "@"}, "b": {"type": "object", "properties": {"@": {"enum": ["@", "-@", "+@", "@ @"],
				"default": "@", "description": "@"}, "c": {"const": "@"}}}, "wait": {"type": ["integer", "null"]}},
				"required": ["@", "wait"], "$defs": {"@": {"type": "object", "description": "@", "properties":
				{"@": {"$ref": "#/$defs/@"}, "-@": {"type": "integer"}}}}}""".replace("@",
				JsonMapper.shared().writeValueAsString(text).replaceAll("^\"|\"$", "")));
		return Stream.of(text, text + text, "-" + text, "other")
			.distinct()
			.map((name) -> tool(name, text, schema, schema))
			.toList();
	}

	@Test
	void namesThatAreAlmostTheSameAreToldApart() throws Exception {
		List<String> names = List.of("my-x", "myX", "my_x", "MyX", "id", "ID", "Id", "class", "classValue", "get",
				"getX", "isX", "x", "X", "\u00e9", "e", "\u57ce", "\u5e02");
		Map<String, Object> properties = new LinkedHashMap<>();
		names.forEach((name) -> properties.put(name, Map.of("enum", List.of(name, name + name, "-" + name))));
		Map<String, Object> schema = Map.of("type", "object", "properties", properties);
		List<Tool> tools = names.stream().map((name) -> tool(name, "", schema, schema)).toList();
		Class<?> client = JavaCompilation.compile(this.folder, McpToolClientSource.of("names", tools)).get(0);
		assertThat(tools(client)).containsExactlyInAnyOrderElementsOf(names);
		Map<String, Object> values = new LinkedHashMap<>();
		names.forEach((name) -> values.put(name, "-" + name));
		assertThat(Stream.of(client.getClasses()).filter(Class::isRecord)).isNotEmpty().allSatisfy((type) -> {
			Object read = JsonMapper.shared().convertValue(values, type);
			assertThat(JsonMapper.shared().convertValue(read, Object.class)).isEqualTo(values);
		});
	}

	@Test
	void anySchemaIsTaken() throws Exception {
		List<McpToolClientSource> sources = new ArrayList<>();
		for (String json : ODD) {
			Map<String, Object> schema = schema(json);
			sources.add(McpToolClientSource.of("odd", List.of(tool("a", "", schema, schema),
					tool("b", "", schema, Map.of("properties", Map.of("a", schema))))));
		}
		JavaCompilation.compile(this.folder, sources.toArray(McpToolClientSource[]::new));
	}

	@Test
	void thousandsOfToolsAreCut() throws Exception {
		Map<String, Object> schema = Map.of("type", "object", "properties", numbered(40, (i) -> Map.of("type", "object",
				"properties", Map.of("value" + i, Map.of("enum", List.of("a" + i, "b"))))));
		List<Tool> tools = IntStream.range(0, 10_000)
			.mapToObj((i) -> tool("tool " + i % 7, "long ".repeat(1000), schema, schema))
			.toList();
		McpToolClientSource source = McpToolClientSource.of("many", tools);
		assertThat(source.text()).hasSizeBetween(500_000, 1_500_000).contains("\t// omitted, too many");
		assertThat(McpToolClientSource.of("many", tools).text()).isEqualTo(source.text());
		JavaCompilation.compile(this.folder, source);
		List<Tool> small = tools.stream().map((tool) -> tool(tool.name(), "", Map.of(), null)).toList();
		assertThat(McpToolClientSource.of("many", small).text()).contains("large: 9000 tools");
	}

	@Test
	void hugeAndDeepSchemasAreCut() throws Exception {
		Map<String, Object> deep = Map.of("type", "string");
		Map<String, Object> lists = Map.of("type", "string");
		Map<String, Object> choices = Map.of("type", "string");
		for (int i = 0; i < 10_000; i++) {
			deep = Map.of("type", "object", "properties", Map.of("deeper", deep));
			lists = Map.of("type", "array", "items", lists);
			choices = Map.of("anyOf", List.of(choices));
		}
		Map<String, Object> wide = Map.of("type", "object", "properties", numbered(10_000, (i) -> Map.of()));
		Map<String, Object> named = Map.of("type", "object", "properties", Map.of("n".repeat(100_000), Map.of()));
		Map<String, Object> values = Map.of("enum", IntStream.range(0, 100_000).mapToObj(String::valueOf).toList());
		// what only looks into them looks too deep
		Map<String, Object> hidden = Map.of("enum", Arrays.asList(deep, "a", "b"), "const", deep, "default", deep,
				"required", List.of(deep), "type", List.of(deep));
		// each of a hundred types has each of them
		Map<String, Object> web = new LinkedHashMap<>();
		web.put("$defs", numbered(100, (i) -> Map.of("type", "object", "properties",
				numbered(100, (k) -> Map.of("description", "d".repeat(10_000), "$ref", "#/$defs/p" + k)))));
		web.put("properties", Map.of("deep", deep, "lists", lists, "choices", choices, "wide", wide, "named", named,
				"values", values, "hidden", hidden, "web", Map.of("$ref", "#/$defs/p1")));
		McpToolClientSource source = McpToolClientSource.of("huge", List.of(tool("web", "d".repeat(100_000), web, web),
				tool("wide", "", wide, wide), tool("n".repeat(100_000), "", Map.of(), null)));
		assertThat(source.text().length()).isLessThan(8_000_000);
		JavaCompilation.compile(this.folder, source);
	}

	@Test
	void aPackageIsTheDevelopersOwn() {
		McpToolClientSource source = McpToolClientSource.of("none", List.of());
		assertThat(source.text("com.example")).isEqualTo("package com.example;\n\n" + source);
		assertThatIllegalArgumentException().isThrownBy(() -> source.text("com.example; class A"))
			.withMessageContaining("'com.example; class A' is not a package name");
	}

	private static Map<String, Object> numbered(int count, IntFunction<Object> value) {
		Map<String, Object> map = new LinkedHashMap<>();
		IntStream.range(0, count).forEach((i) -> map.put("p" + i, value.apply(i)));
		return map;
	}

	private static Tool tool(String name, String text, Map<String, Object> input,
			@Nullable Map<String, Object> output) {
		return new Tool(name, text, text, input, output, null, null, null);
	}

	private static Map<String, Object> schema(String json) {
		return JsonMapper.shared().readValue(json, new TypeReference<Map<String, Object>>() {
		});
	}

	private static List<String> tools(Class<?> client) {
		return DeclaredClient.of(client).tools().stream().map(DeclaredTool::name).toList();
	}

	private static String text(String name) throws IOException {
		try (InputStream text = McpToolClientSourceTests.class.getResourceAsStream(name)) {
			return new String(text.readAllBytes(), StandardCharsets.UTF_8);
		}
	}

	record Listing(String name, @Nullable String packageName, List<Map<String, Object>> tools) {
	}

}
