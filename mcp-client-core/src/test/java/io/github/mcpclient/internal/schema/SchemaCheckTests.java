package io.github.mcpclient.internal.schema;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SchemaCheck}.
 */
@ExtendWith(OutputCaptureExtension.class)
class SchemaCheckTests {

	private static final JsonMapper mapper = JsonMapper.builder().build();

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '~',
			textBlock = """
					{`type`:`object`}                                           | {}            |
					{`properties`:{`a`:{`type`:`integer`}}}                     | {`a`:1}       |
					{`properties`:{`a`:{`type`:`integer`}}}                     | {`a`:`s3cret`} | /a: string found, integer expected
					{`required`:[`a`]}                                          | {}            | required property 'a' not found
					{`additionalProperties`:false,`properties`:{`b`:{}}}        | {`b`:1,`c`:2} | property 'c' is not defined in the schema and the schema does not allow additional properties
					{`properties`:{`a`:{`enum`:[1,2]}}}                         | {`a`:`s3cret`} | /a: does not have a value in the enumeration [1, 2]
					{`properties`:{`a`:{`const`:1}}}                            | {`a`:`s3cret`} | /a: must be the constant value '1'
					{`properties`:{`a`:{`pattern`:`^[0-9]+$`}}}                 | {`a`:`12`}    |
					{`properties`:{`a`:{`pattern`:`^[0-9]+$`}}}                 | {`a`:`s3cret`} | /a: does not match the regex pattern ^[0-9]+$
					{`patternProperties`:{`^x`:{`type`:`null`}}}                | {`x1`:`s3cret`} | /x1: string found, null expected
					{`properties`:{`a`:{`maxLength`:2}}}                        | {`a`:`s3cret`} | /a: must be at most 2 characters long
					{`properties`:{`a`:{`format`:`date`}}}                      | {`a`:`s3cret`} |
					{`properties`:{`a`:{`minimum`:2}}}                          | {`a`:1}       | /a: must have a minimum value of 2
					{`properties`:{`a`:{`uniqueItems`:true}}}                   | {`a`:[1,1]}   | /a: must have only unique items in the array
					{`unevaluatedProperties`:false,`allOf`:[{`properties`:{`b`:{}}}]} | {`b`:1} |
					{`unevaluatedProperties`:false,`allOf`:[{`properties`:{`b`:{}}}]} | {`c`:1} | property 'c' is not evaluated and the schema does not allow unevaluated properties
					{`$defs`:{`n`:{`type`:`object`,`properties`:{`n`:{`$ref`:`#/$defs/n`}}}},`$ref`:`#/$defs/n`} | {`n`:{`n`:{}}} |
					{`$defs`:{`n`:{`type`:`object`,`properties`:{`n`:{`$ref`:`#/$defs/n`}}}},`$ref`:`#/$defs/n`} | {`n`:{`n`:1}} | /n/n: integer found, object expected
					{`prefixItems`:[{`type`:`string`}]}                         | [1]           | /0: integer found, string expected
					{`$schema`:`https://json-schema.org/draft/2020-12/schema`,`required`:[`a`]} | {} | required property 'a' not found
					{`$schema`:`http://json-schema.org/draft-07/schema#`,`items`:[{`type`:`string`}]} | [1] | /0: integer found, string expected
					{`type`:`string`}                                           | `text`        |
					{`type`:`object`}                                           | `{}`          | string found, object expected
					""")
	void valuesAreChecked(String schema, String value, String violation) {
		Locale before = Locale.getDefault();
		Locale.setDefault(Locale.GERMANY);
		afterTest(() -> Locale.setDefault(before));
		SchemaCheck check = check(schema);
		Object read = mapper.readValue(value.replace('`', '"'), Object.class);
		List<String> violations = violations(check, read);
		assertThat(violations).isEqualTo((violation != null) ? List.of(violation) : List.of());
		assertThat(violations(check, read)).isEqualTo(violations);
	}

	@Test
	void onlyTheFirstViolationsAreTold() {
		SchemaCheck check = check("{\"additionalProperties\":{\"type\":\"integer\"}}");
		Map<String, Object> value = new HashMap<>();
		for (int i = 0; i < 100; i++) {
			value.put("\n" + "x".repeat(10_000) + i, "");
		}
		assertThat(violations(check, value)).hasSize(6)
			.contains("and 95 more")
			.allSatisfy((text) -> assertThat(text).hasSizeLessThan(200).doesNotContain("\n"));
	}

	@Test
	void referencesElsewhereAreNotRead(@TempDir Path directory, CapturedOutput output) throws IOException {
		Path file = Files.writeString(directory.resolve("schema.json"), "{\"type\":\"integer\"}");
		AtomicInteger requests = new AtomicInteger();
		HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
		server.createContext("/", (exchange) -> {
			requests.incrementAndGet();
			exchange.sendResponseHeaders(404, -1);
			exchange.close();
		});
		server.start();
		afterTest(() -> server.stop(0));
		String url = "http://localhost:" + server.getAddress().getPort();
		List<String> schemas = List.of("{\"$ref\":\"" + url + "/a.json\"}",
				"{\"$id\":\"" + url + "/root.json\",\"$ref\":\"b.json#/x\"}", "{\"$schema\":\"" + url + "/meta\"}",
				"{\"$dynamicRef\":\"" + url + "/c.json\"}", "{\"allOf\":[{\"$ref\":\"" + file.toUri() + "\"}]}",
				"{\"$ref\":\"" + file + "\"}", "{\"$ref\":\"classpath:junit-platform.properties\"}",
				"{\"$ref\":\"resource:junit-platform.properties\"}",
				"{\"$ref\":\"https://json-schema.org/draft/2020-12/none\"}");
		for (String schema : schemas) {
			SchemaCheck check = check(schema);
			assertThat(violations(check, "text")).as(schema).isEmpty();
			assertThat(violations(check, "text")).isEmpty();
		}
		assertThat(requests).hasValue(0);
		assertThat(output).doesNotContain("ERROR");
		assertThat(output.toString().split("nothing is checked against the inputSchema", -1))
			.hasSize(schemas.size() + 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"type\":5}", "{\"properties\":[1]}", "{\"pattern\":\"(\"}", "{\"pattern\":\"[\\n\"}",
			"{\"patternProperties\":{\"(\":{}}}", "{\"$ref\":\"#/$defs/none\"}", "{\"$ref\":\"#\"}",
			"{\"allOf\":[{\"$ref\":\"#\"}]}", "{\"$schema\":\"x:y\"}", "{\"$schema\":5}", "{\"$id\":\"\\u0000\"}",
			"{\"required\":\"a\"}", "{\"enum\":1}", "{\"minimum\":\"x\"}" })
	void schemaThatIsNoneCostsNothing(String schema, CapturedOutput output) {
		SchemaCheck check = check(schema);
		for (int i = 0; i < 3; i++) {
			assertThat(violations(check, "text")).isNotNull();
			assertThat(violations(check, Map.of("a", 1))).isNotNull();
		}
		assertThat(output).doesNotContain("ERROR").doesNotContain("\n\tat ");
		assertThat(output.toString().split("nothing is checked", -1)).hasSizeLessThanOrEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					{`properties`:{`a`:{`$ref`:`#/none`}}} |
					{`$schema`:`https://json-schema.org/draft/2099-01/schema`} | its dialect is not supported, $schema being https://json-schema.org/draft/2099-01/schema
					{`$schema`:`http://json-schema.org/draft-03/schema#`} | its dialect is not supported, $schema being http://json-schema.org/draft-03/schema#
					{`$schema`:`https://spec.openapis.org/oas/3.1/dialect/base`} | its dialect is not supported
					""")
	void schemaThatCannotBeUsedIsLoggedOnce(String schema, String reason, CapturedOutput output) {
		SchemaCheck check = check(schema);
		for (int i = 0; i < 3; i++) {
			assertThat(violations(check, Map.of("a", "s3cret"))).isEmpty();
		}
		assertThat(output)
			.containsOnlyOnce("MCP server 'a': nothing is checked against the inputSchema of its tool"
					+ " 'x', which cannot be used: " + ((reason != null) ? reason : ""))
			.doesNotContain("s3cret");
	}

	@ParameterizedTest
	@ValueSource(strings = { "^(a+)+$", "(a*)*b", "^(([a-z])+.)+[A-Z]([a-z])+$" })
	void expressionsThatWouldBacktrackAreChecked(String pattern, CapturedOutput output) {
		String value = "a".repeat(50_000) + "!";
		SchemaCheck check = check("{\"properties\":{\"a\":{\"pattern\":\"" + pattern + "\"}}}");
		assertThat(violations(check, Map.of("a", value)))
			.containsExactly("/a: does not match the regex pattern " + pattern);
		SchemaCheck names = check("{\"patternProperties\":{\"" + pattern + "\":false}}");
		assertThat(violations(names, Map.of(value, 1))).isEmpty();
		assertThat(output).doesNotContain("nothing is checked");
	}

	@ParameterizedTest
	@CsvSource(delimiter = ' ', quoteCharacter = '~', textBlock = """
			^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$ 01234567-89ab-cdef-0123-456789abcdef 01234567
			^\\(?[0-9]{3}\\)?-[0-9]{4}$ (123)-4567 [123]-4567
			^(([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}|([0-9a-f]{1,4}:){1,7}:)$ fe80:: fe80
			^[\\w.+-]+@(?:[a-z]+\\.){1,8}[a-z]{2,63}$ a.b@c.de a.b@c
			^\\p{L}{1,50}$ M\u00fcller 1
			^\\u0061\\u{62}\\ud83d\\ude00$ ab\ud83d\ude00 ab
			^[\\u0061-c]$ b d
			^[[a]$ [ ]
			^[\\]\\[]$ ] x
			^[^\\s]$ x ~\u3000~
			^\\S\\s$ x\u00a0 xx
			^(?<year>[0-9]{4})$ 2026 26
			^a{b$ a{b ab
			^.$ x ~\u2028~
			""")
	void ordinaryPatternsAreChecked(String pattern, String match, String other, CapturedOutput output) {
		SchemaCheck check = new SchemaCheck("a", "x", Map.of("pattern", pattern));
		assertThat(violations(check, match)).isEmpty();
		assertThat(violations(check, other)).hasSize(1);
		assertThat(output).doesNotContain("cannot be checked");
	}

	@ParameterizedTest
	@MethodSource("hostilePatterns")
	void expressionsThatAreTooLargeAreNotChecked(String pattern, CapturedOutput output) {
		Map<String, Object> unchecked = Map.of("pattern", pattern);
		SchemaCheck check = new SchemaCheck("a", "inputSchema of its tool 'x'",
				Map.of("properties", Map.of("a", unchecked, "b", unchecked, "c", Map.of("pattern", "^c$")),
						"patternProperties", Map.of(pattern, false), "additionalProperties", false));
		Map<String, Object> value = Map.of("a", "a".repeat(2000), "c", "x", "d", 1);
		for (int i = 0; i < 3; i++) {
			assertThat(violations(check, value)).containsExactly("/c: does not match the regex pattern ^c$");
		}
		assertThat(output).containsOnlyOnce(
				"MCP server 'a': 1 of the patterns in the inputSchema of its tool 'x'" + " cannot be checked");
	}

	private static List<String> hostilePatterns() {
		return List.of("((a{1000}){1000}){100}", "(?:a?){1000}".repeat(10), "(?:(?:){2147483647}){2147483647}",
				"(?:a?".repeat(2000) + ")*".repeat(2000) + "b", "(?:a?".repeat(300) + ")*".repeat(300) + "b",
				"(".repeat(51) + ")".repeat(51), "\\p{L}".repeat(100), "[\\p{L}]{1000}{1000}", "(?i)a", "(?=a)b",
				"(?<!a)b", "(a)\\1", "a".repeat(2001), "(", "[", "[]", "[^]", "a**", "\\", "\\Qa\\E");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{`not`:{`pattern`:`(?=a)`}}", "{`oneOf`:[{`pattern`:`(?=a)`},{`pattern`:`(?=b)`}]}",
			"{`anyOf`:[{`not`:{`pattern`:`(?=a)`}},{`type`:`integer`}]}",
			"{`if`:{`pattern`:`(?=a)`},`then`:{`maxLength`:1}}",
			"{`allOf`:[{`not`:{`not`:{`not`:{`pattern`:`(?=a)`}}}}]}" })
	void whatDependsOnAPatternThatIsNotCheckedPasses(String schema) {
		SchemaCheck check = check("{`properties`:{`a`:%s,`b`:{`maxLength`:1}}}".formatted(schema));
		for (int i = 0; i < 2; i++) {
			assertThat(violations(check, Map.of("a", "text", "b", "text")))
				.containsExactly("/b: must be at most 1 characters long");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "{`patternProperties`:{`(?=a)`:false},`unevaluatedProperties`:false}",
			"{`allOf`:[{`patternProperties`:{`(?=a)`:{}}}],`unevaluatedProperties`:false}",
			"{`propertyNames`:{`pattern`:`(?=a)`}}" })
	void propertiesOfAPatternThatIsNotCheckedPass(String schema) {
		SchemaCheck check = check(schema);
		assertThat(violations(check, Map.of("a", 1))).isEmpty();
		assertThat(violations(check, Map.of("a", 1))).isEmpty();
	}

	@Test
	void formatsAndMediaTypesAreNotChecked() {
		for (String dialect : List.of("http://json-schema.org/draft-07/schema#",
				"https://json-schema.org/draft/2020-12/schema")) {
			SchemaCheck check = new SchemaCheck("a", "x",
					Map.of("$schema", dialect, "properties",
							Map.of("a", Map.of("format", "email"), "b",
									Map.of("contentMediaType", "text/a;a=\"" + ".".repeat(5000)), "c",
									Map.of("format", "regex"), "d", Map.of("contentEncoding", "base64"))));
			assertThat(violations(check, Map.of("a", "no mail", "b", "b", "c", "((a{1000}){1000}){100}", "d", "%")))
				.isEmpty();
		}
	}

	@Test
	void keywordsThatNobodyKnowsAreNotKept(CapturedOutput output) {
		assertThat(violations(check("{\"x-nobody-knows\":1,\"maxLength\":1}"), "text")).hasSize(1);
		assertThat(output).doesNotContain("x-nobody-knows");
	}

	@Test
	void checkThatIsStoppedEnds() {
		CheckBudget budget = new CheckBudget(CheckBudget.LONG);
		SchemaCheck check = check("{\"items\":{\"type\":\"integer\"}}");
		budget.stop();
		assertThat(check.check(List.of("a"), budget)).isEmpty();
		assertThat(violations(check, List.of("a"))).as("later").hasSize(1);
	}

	@ParameterizedTest
	@MethodSource("costlySchemas")
	void workThatIsHiddenInOneKeywordEnds(Map<String, Object> schema, Object value, CapturedOutput output) {
		assertThat(violations(new SchemaCheck("a", "x", schema), value)).isEmpty();
		assertThat(output).contains("it takes too long");
	}

	private static Stream<Arguments> costlySchemas() {
		Map<String, Object> properties = new HashMap<>();
		for (int i = 0; i < 9000; i++) {
			properties.put("p" + i, true);
		}
		Object deep = Collections.nCopies(1_000_000, 1);
		for (int i = 0; i < 100; i++) {
			deep = List.of(deep);
		}
		Object text = "a".repeat(1_000_000);
		BigInteger large = BigInteger.TEN.pow(999);
		Map<String, Object> told = Map.of("const", "a".repeat(200_000));
		return Stream.of(
				Arguments.of(repeated(Map.of("dependentRequired", Map.of("a", Collections.nCopies(40_000, "a")))),
						Map.of("a", 1)),
				Arguments.of(repeated(Map.of("not", Map.of("not", told))), 1),
				Arguments.of(repeated(Map.of("anyOf", List.of(told))), 1),
				Arguments.of(repeated(60, 2, "anyOf", Map.of("type", "integer")), "text"),
				Arguments.of(repeated(Map.of("minimum", large)), large),
				Arguments.of(repeated(Map.of("multipleOf", 7)), new BigDecimal("1e100000")),
				Arguments.of(repeated(Map.of("multipleOf", 1e-300)), 1e308),
				Arguments.of(Map.of("items", Map.of("properties", properties)), Collections.nCopies(500_000, Map.of())),
				Arguments.of(Map.of("items", Map.of("$ref", "#"), "enum", List.of(1)), deep),
				Arguments.of(Map.of("uniqueItems", true), collisions()),
				Arguments.of(Map.of("allOf", Collections.nCopies(2000, Map.of("maxLength", 1_000_000))), text),
				Arguments.of(Map.of("pattern", "(?:a{0,99}b){10}"), text));
	}

	/**
	 * A schema that checks a value about sixteen thousand times.
	 */
	private static Map<String, Object> repeated(Map<String, Object> schema) {
		return repeated(7, 4, "allOf", schema);
	}

	private static Map<String, Object> repeated(int depth, int times, String keyword, Map<String, Object> schema) {
		Map<String, Object> definitions = new HashMap<>(Map.of("d" + depth, schema));
		for (int i = 0; i < depth; i++) {
			definitions.put("d" + i,
					Map.of(keyword, Collections.nCopies(times, Map.of("$ref", "#/$defs/d" + (i + 1)))));
		}
		return Map.of("$defs", definitions, "$ref", "#/$defs/d0");
	}

	/**
	 * Texts with the same hash code.
	 */
	private static List<String> collisions() {
		List<String> texts = new ArrayList<>();
		for (int i = 0; i < 1 << 16; i++) {
			StringBuilder text = new StringBuilder();
			for (int bit = 0; bit < 16; bit++) {
				text.append(((i >> bit & 1) == 0) ? "Aa" : "BB");
			}
			texts.add(text.toString());
		}
		return texts;
	}

	@Test
	void errorsWithoutNumberAreFew() {
		SchemaCheck check = check("{\"items\":{\"type\":\"integer\"}}");
		assertThat(violations(check, Collections.nCopies(1_000_000, "a"))).hasSize(6);
	}

	@Test
	void deepValuesOfRecursiveSchemasEnd() {
		SchemaCheck check = check(
				"{\"items\":{\"$ref\":\"#\"},\"additionalProperties\":{\"$ref\":\"#\"},\"not\":{\"const\":1}}");
		Object value = List.of();
		for (int i = 0; i < 400; i++) {
			value = (i % 2 == 0) ? List.of(value) : Map.of("a", value);
		}
		assertThat(violations(check, value)).isEmpty();
		SchemaCheck doubling = check("{\"items\":{\"allOf\":[{\"$ref\":\"#\"},{\"$ref\":\"#\"}]}}");
		for (int i = 0; i < 400; i++) {
			value = List.of(value);
		}
		assertThat(violations(doubling, value)).isEmpty();
	}

	@Test
	void schemaThatIsTooDeepCostsNothing() {
		Map<String, Object> schema = Map.of("type", "integer");
		for (int i = 0; i < 20_000; i++) {
			schema = Map.of("allOf", List.of(schema));
		}
		assertThat(violations(new SchemaCheck("a", "inputSchema", schema), "text")).isEmpty();
	}

	@Test
	void largeValuesAreCheckedElsewhere() {
		SchemaCheck check = check("{\"items\":{\"type\":\"integer\",\"minimum\":0}}");
		List<Object> value = new ArrayList<>(Collections.nCopies(200_000, 1));
		assertThat(violations(check, value)).isEmpty();
		value.set(199_999, -1);
		assertThat(check.tryCheck(value)).isNull();
		assertThat(violations(check, value)).containsExactly("/199999: must have a minimum value of 0");
		assertThat(check.tryCheck(List.of(-1))).containsExactly("/0: must have a minimum value of 0");
	}

	@Test
	void identifierMeansNothingToOtherSchemas() {
		SchemaCheck first = check("{\"$id\":\"https://x.example/s\",\"type\":\"string\"}");
		SchemaCheck second = check("{\"$id\":\"https://x.example/s\",\"type\":\"integer\"}");
		SchemaCheck reference = check("{\"$ref\":\"https://x.example/s\"}");
		assertThat(violations(first, 1)).hasSize(1);
		assertThat(violations(second, 1)).isEmpty();
		assertThat(violations(second, "text")).hasSize(1);
		assertThat(violations(reference, 1)).isEmpty();
		assertThat(violations(first, "text")).isEmpty();
	}

	@Test
	void manyChecksAtOnce() {
		SchemaCheck check = check("{\"properties\":{\"a\":{\"pattern\":\"^x+$\",\"type\":\"string\"}}}");
		List<List<String>> all = Flux.range(0, 2000)
			.flatMap((i) -> Mono.fromCallable(() -> violations(check, Map.of("a", (i % 2 == 0) ? "xx" : "xy")))
				.subscribeOn(Schedulers.boundedElastic()), 16)
			.collectList()
			.block(LIMIT);
		assertThat(all).hasSize(2000);
		assertThat(all).filteredOn(List::isEmpty).hasSize(1000);
	}

	@SuppressWarnings("unchecked")
	private static SchemaCheck check(String schema) {
		return new SchemaCheck("a", "inputSchema of its tool 'x'",
				mapper.readValue(schema.replace('`', '"'), Map.class));
	}

	private static List<String> violations(SchemaCheck check, Object value) {
		List<String> known = check.tryCheck(value);
		return (known != null) ? known : check.check(value, new CheckBudget(CheckBudget.LONG));
	}

}
