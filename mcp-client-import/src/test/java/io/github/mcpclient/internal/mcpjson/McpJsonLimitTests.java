package io.github.mcpclient.internal.mcpjson;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for files that would cost too much.
 */
class McpJsonLimitTests {

	@Test
	void moreServersThanAnyoneHasAreAMistake() {
		assertMistake("{'mcpServers': {" + list(1001, (i) -> "'s" + i + "': {'command': 'x'}") + "}}",
				"It has 1001 servers: a file may have 1000 at most.");
	}

	@ParameterizedTest
	@ValueSource(strings = { "'command': 'x', 'args': [%s]", "'command': [%s]", "'command': 'x', 'env': {%s}",
			"'url': 'http://h', 'headers': {%s}", "'url': 'http://h', 'excludeTools': [%s]",
			"'url': 'http://h', 'auth': {'scopes': [%s]}" })
	void moreSettingsThanAnyoneHasAreAMistake(String server) {
		String items = list(20_001, (i) -> server.contains("{%s}") ? "'K" + i + "': 'v'" : "'v" + i + "'");
		assertMistake("{'mcpServers': {'few': {'command': 'x'},\n'a': {" + server.formatted(items) + "}}}",
				"(line 2, column 6): Up to the end of this server there are 2000");
	}

	@Test
	void aCommandOfVeryManyWordsIsAMistake() {
		assertMistake("{'mcpServers': {'a': {'command': '" + "x ".repeat(20_001) + "'}}}",
				"settings, each item of a list counted: a file may have 20000 at most.");
	}

	@Test
	void aLongNameIsRead() {
		String name = "K".repeat(40_000);
		assertThat(definition("{'mcpServers': {'a': {'command': 'x', 'env': {'" + name + "': 'v'}}}}").stdio().env())
			.containsOnlyKeys(name);
	}

	@Test
	void manyBackslashesBeforeAVariableAreRead() {
		String backslashes = "\\".repeat(20_000);
		String json = "{'mcpServers': {'a': {'command': 'x', 'args': ['" + backslashes.repeat(2) + "${A}']}}}";
		assertThat(definition(json).stdio().args()).containsExactly(backslashes + "value");
	}

	@Test
	void ofVeryManyMistakesOnlySomeAreShown() {
		String items = list(5_000, (i) -> "'${NOPE_" + i + "}'");
		String json = "{'mcpServers': {'a': {'command': 'x', 'args': [" + items + "]}}}";
		assertThatExceptionOfType(InvalidMcpConfigurationException.class).isThrownBy(() -> definition(json))
			.satisfies((ex) -> {
				assertThat(ex.getMessage().lines()).hasSize(102).endsWith("- and 4900 more");
				FailureAnalysis analysis = new ImportingEnvironment("none").analyze(ex);
				assertThat(analysis.getDescription()).contains("(5000 errors)")
					.contains("NOPE_99}")
					.doesNotContain("NOPE_100}")
					.endsWith("and 4900 more");
			});
	}

	private static void assertMistake(String json, String message) {
		assertThatExceptionOfType(InvalidMcpFileException.class).isThrownBy(() -> definition(json))
			.withMessageContaining(message);
	}

	private static String list(int count, IntFunction<String> item) {
		return IntStream.range(0, count).mapToObj(item).collect(Collectors.joining(","));
	}

	private static McpServerDefinition definition(String json) {
		List<McpServerDefinition> definitions = new ImportingEnvironment("none").variable("A", "value")
			.required()
			.definitions(new ByteArrayResource(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
		return definitions.get(0);
	}

}
