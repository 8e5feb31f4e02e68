package io.github.mcpclient.internal.mcpjson;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.testsupport.Endurance;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.io.ByteArrayResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that whatever stands in a file ends in definitions or in a failure that is
 * explained, and never in an exception of a library or with a secret in it.
 */
class McpJsonRandomTests {

	private static final int RUNS = Endurance.times(2_000);

	private static final String SECRET = "s3cr3t";

	private static final Pattern VALUE = Pattern
		.compile("(?<=[:\\[,{]\\s{0,20})(\"([^\"\\\\]|\\\\.)*\"|-?[0-9.]+|true|false|null)");

	private static final List<String> VALUES = List.of("\"s3cr3t\"", "\"s3cr3t ${NOPE}\"", "\"\"", "\" \"", "null",
			"true", "false", "0", "-1", "1.5", "1e9999", "99999999999999999999", "[]", "{}", "[\"s3cr3t\"]",
			"{\"a\":\"s3cr3t\"}", "[[[]]]", "{\"a\":{\"b\":[null]}}", "\"${TOKEN}\"", "\"${NOPE}\"", "\"${NOPE:-d}\"",
			"\"${env:NOPE}\"", "\"${env:TOKEN | value:x}\"", "\"${input:key}\"", "\"${input:nope}\"", "\"$TOKEN\"",
			"\"${file:nope.txt}\"", "\"{file:nope.txt}\"", "\"{env:NOPE}\"", "\"${config:x}\"", "\"${\"",
			"\"${TOKEN:-${NOPE:-${TOKEN}}}\"", "\"\\u0000\"", "\"\\ud800\"", "\"a\\nb\"", "\"#{1}\"",
			"\"\\\\${TOKEN}\"", "\"https://u:s3cr3t@h/sse?k=s3cr3t\"", "\"http://s3cr3t h/\"", "\"wss://h/\"",
			"\"ftp://s3cr3t/\"", "\"cmd\"", "\"npx -y 's3cr3t\"", "\"stdio\"", "\"http\"", "\"sse\"", "\"ws\"",
			"\"htp\"", "\"inMemory\"", "\"remote\"", "\"天气\"", "{\"path\":\"s3cr3t\",\"args\":[1]}",
			"{\"request\":1,\"startup\":\"x\"}", "[null,true,1,\"s3cr3t\",{}]");

	private static final List<String> NAMES = List.of("mcpServers", "servers", "mcp", "context_servers", "inputs",
			"command", "cmd", "args", "env", "environment", "envs", "envFile", "cwd", "workingDirectory", "url",
			"serverUrl", "uri", "httpUrl", "headers", "type", "transport", "transportType", "source", "disabled",
			"enabled", "required", "timeout", "requestTimeout", "initTimeout", "connectionTimeout", "tool_timeout_sec",
			"startup_timeout_sec", "includeTools", "excludeTools", "tools", "enabled_tools", "disabledTools",
			"available_tools", "autoApprove", "trust", "oauth", "auth", "headersHelper", "excluded", "allowed",
			"packages", "remotes", "manifest_version", "a b", "a.b", "[a]", "a[0]", "-", "", "天气", "\\u0000", "A-B",
			"a_b", "${TOKEN}", "x".repeat(300));

	private static final List<String> FRAGMENTS = List.of("{", "}", "[", "]", "\"", ",", ":", "\\", "//", "/*", "*/",
			"null", "\n", "\uFEFF", "\u0000", "'", "#", "-", "1", "${", "\ud83d", "é");

	private static final List<String> NAMES_OF_FILES = List.of("mcp.json", "mcp.json", ".mcp.json", ".roo/mcp.json",
			".gemini/settings.json", "opencode.json", "mcp-config.json", ".vscode/mcp.json");

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.mcpclient.internal.mcpjson");

	@TempDir
	private Path directory;

	@BeforeEach
	void quiet() {
		this.logger.setLevel(Level.OFF);
	}

	@AfterEach
	void loud() {
		this.logger.setLevel(null);
	}

	@Test
	void everyOutcomeIsDefinitionsOrExplainedFailure() throws IOException {
		long seed = 42;
		Random random = new Random(seed);
		List<String> originals = originals();
		for (String name : NAMES_OF_FILES) {
			Files.createDirectories(this.directory.resolve(name).getParent());
		}
		int failures = 0;
		for (int run = 0; run < RUNS; run++) {
			boolean wellFormed = random.nextBoolean();
			String json = mutated(pick(random, originals), wellFormed, random);
			Path file = this.directory.resolve(pick(random, NAMES_OF_FILES));
			byte[] content = json
				.getBytes((random.nextInt(50) == 0) ? StandardCharsets.UTF_16 : StandardCharsets.UTF_8);
			try {
				failures += isFailure(file, content, wellFormed, run % 50 == 0, random.nextBoolean()) ? 1 : 0;
			}
			catch (Exception | AssertionError | StackOverflowError ex) {
				throw new AssertionError("Run " + run + " with seed " + seed + " failed for " + file + ":\n" + json,
						ex);
			}
		}
		assertThat(failures).as("seed " + seed).isBetween(RUNS / 20, RUNS - RUNS / 20);
	}

	/**
	 * Import a file and check what comes of it.
	 */
	private static boolean isFailure(Path file, byte[] content, boolean wellFormed, boolean boot, boolean required)
			throws IOException {
		ImportingEnvironment environment = new ImportingEnvironment("mcp:" + file).variable("TOKEN", "t")
			.variable("COPILOT_MCP_K", "1")
			.variable("MCP_INPUTS_KEY", "s");
		environment.argument("mcp.defaults.required", String.valueOf(required));
		try {
			if (boot) {
				Files.write(file, content);
			}
			check(boot ? environment.definitions() : environment.definitions(new InMemoryFile(file, content)),
					required);
			return false;
		}
		catch (InvalidMcpFileException | InvalidMcpConfigurationException ex) {
			FailureAnalysis analysis = environment.analyze(ex);
			assertThat(analysis.getCause()).isSameAs(ex);
			assertThat(analysis.getDescription()).contains(file.toString()).contains("Reason: ");
			assertThat(analysis.getAction()).startsWith("Update ");
			if (wellFormed) {
				// but the name of a file, which is no secret
				assertThat((analysis.getDescription() + ex).replaceAll("There is no file .*", ""))
					.doesNotContain(SECRET);
			}
			return true;
		}
	}

	private static void check(List<McpServerDefinition> definitions, boolean required) {
		for (McpServerDefinition definition : definitions) {
			assertThat(definition.name()).matches("[A-Za-z0-9][A-Za-z0-9._-]*");
			assertThat(required && definition.enabled() && (definition.http() == null) == (definition.stdio() == null))
				.isFalse();
			assertThat(definition.timeouts().request()).isPositive();
		}
	}

	private static String mutated(String original, boolean wellFormed, Random random) {
		StringBuilder json = new StringBuilder(original);
		for (int i = random.nextInt(4); i >= 0; i--) {
			if (wellFormed) {
				changeValue(json, random);
			}
			else {
				changeText(json, random);
			}
		}
		return json.toString();
	}

	/**
	 * Put another name or value in the place of one.
	 */
	private static void changeValue(StringBuilder json, Random random) {
		List<MatchResult> values = VALUE.matcher(json).results().toList();
		if (!values.isEmpty()) {
			MatchResult value = pick(random, values);
			boolean name = json.substring(value.end()).stripLeading().startsWith(":");
			json.replace(value.start(), value.end(), name ? '"' + pick(random, NAMES) + '"' : pick(random, VALUES));
		}
	}

	private static void changeText(StringBuilder json, Random random) {
		int start = random.nextInt(json.length() + 1);
		int end = Math.min(json.length(), start + random.nextInt(12));
		switch (random.nextInt(5)) {
			case 0 -> json.delete(start, end);
			case 1 -> json.insert(start, json.substring(start, end));
			case 2 -> json.insert(start, pick(random, FRAGMENTS));
			case 3 -> json.replace(start, Math.min(end, start + 1), pick(random, FRAGMENTS));
			default -> json.setLength((random.nextInt(4) == 0) ? start : json.length());
		}
	}

	private static List<String> originals() throws IOException {
		List<String> originals = new ArrayList<>();
		try (Stream<Path> files = Files.walk(ImportingEnvironment.fixture(""))) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".json")).sorted().toList()) {
				// those that give servers count more
				String content = Files.readString(file);
				int times = file.toString().contains("broken") ? 1 : 4;
				for (int i = 0; i < times; i++) {
					originals.add(content);
				}
			}
		}
		return originals;
	}

	private static <T> T pick(Random random, List<T> values) {
		return values.get(random.nextInt(values.size()));
	}

	private static final class InMemoryFile extends ByteArrayResource {

		private final Path file;

		InMemoryFile(Path file, byte[] content) {
			super(content);
			this.file = file;
		}

		@Override
		public boolean isFile() {
			return true;
		}

		@Override
		public File getFile() {
			return this.file.toFile();
		}

		@Override
		public String getDescription() {
			return "file [" + this.file + "]";
		}

	}

}
