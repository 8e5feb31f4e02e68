package io.github.mcpclient.docs;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the tables of {@code docs/properties.md} have the properties of
 * {@code spring-configuration-metadata.json}, all of them and no others, with their
 * defaults, and that what users have in their files and editors stays as it is.
 */
class DocumentedPropertiesTests {

	private static final String NO_DEFAULT = "";

	private static final String AUDIT = "mcp.audit.";

	private static final String CONSOLE = "mcp.console.";

	private static final Pattern CODE = Pattern.compile("`([^`]+)`");

	// what follows the name of a map, such as .* and .<name>.*
	private static final Pattern ENTRIES = Pattern.compile("(\\.<\\w+>)?\\.\\*");

	private static final Pattern OF_BOOT = Pattern.compile("management\\.(endpoint|health|info)\\.mcp\\..*");

	private static final Map<String, String> METADATA = new TreeMap<>();

	private static final Map<String, String> ROWS = new TreeMap<>();

	private static String page;

	@BeforeAll
	static void read() throws IOException {
		for (URL url : Collections
			.list(McpProperties.class.getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream content = url.openStream()) {
				JsonMapper.shared().readTree(content).path("properties").forEach(DocumentedPropertiesTests::put);
			}
		}
		page = Files.readString(ProjectFiles.of("docs/properties.md"));
	}

	private static void put(JsonNode property) {
		String name = property.path("name").asString();
		if (name.startsWith("mcp.")) {
			METADATA.put(name, property.path("defaultValue").asString(NO_DEFAULT));
		}
		if (name.startsWith("mcp.") || OF_BOOT.matcher(name).matches()) {
			ROWS.put(name, String.join(" | ", name, property.path("type").asString(),
					property.path("defaultValue").asString(NO_DEFAULT), property.path("description").asString()));
		}
	}

	/**
	 * Descriptions of types in other modules stand in
	 * {@code additional-spring-configuration-metadata.json}, since they are not seen
	 * there: a type that moves must not lose them.
	 */
	@Test
	void propertiesOfAllModulesAreThoseThatUsersKnow() throws IOException {
		assertThat(ROWS.values())
			.containsExactlyElementsOf(Files.readAllLines(Path.of("src/test/resources/configuration-metadata.txt")));
	}

	@Test
	void theAuditAndTheConsoleHaveProperties() {
		assertThat(tables("## Audit")).isNotEmpty().isEqualTo(below(AUDIT));
		assertThat(tables("## Console")).isNotEmpty().isEqualTo(below(CONSOLE));
	}

	private static Map<String, String> below(String prefix) {
		Map<String, String> expected = new TreeMap<>(METADATA);
		expected.keySet().removeIf((name) -> !name.startsWith(prefix));
		return expected;
	}

	@Test
	void theClientHasThePropertiesThatAreOfNoServer() {
		Map<String, String> expected = new TreeMap<>();
		METADATA.forEach((name, value) -> {
			if (!name.startsWith("mcp.defaults.") && !name.startsWith(CONSOLE) && !name.startsWith(AUDIT)) {
				expected.put(name.substring("mcp.".length()), value);
			}
		});
		expected.put("defaults", NO_DEFAULT);
		assertThat(tables("## The client")).isEqualTo(expected);
	}

	@Test
	void oneServerHasTheSettingsOfServers() {
		Map<String, String> expected = new TreeMap<>();
		METADATA.forEach((name, value) -> {
			if (name.startsWith("mcp.defaults.")) {
				expected.put(name.substring("mcp.defaults.".length()), value);
			}
		});
		expected.put("url", NO_DEFAULT);
		expected.put("command", NO_DEFAULT);
		expected.put("package", NO_DEFAULT);
		assertThat(tables("## One server")).isEqualTo(expected);
	}

	private static Map<String, String> tables(String heading) {
		int start = page.indexOf("\n" + heading + "\n");
		String section = page.substring(start, page.indexOf("\n## ", start + 1));
		Map<String, String> properties = new TreeMap<>();
		section.lines().filter((line) -> line.startsWith("| `")).forEach((line) -> {
			String[] cells = line.split("(?<!\\\\)\\|", -1);
			List<String> names = codes(cells[1]).toList();
			List<String> defaults = codes(cells[2]).toList();
			assertThat(defaults.size()).as(line).isIn(0, 1, names.size());
			for (int i = 0; i < names.size(); i++) {
				String value = defaults.isEmpty() ? NO_DEFAULT : defaults.get(Math.min(i, defaults.size() - 1));
				String previous = properties.put(name(names.get(i), names.get(0)), value);
				assertThat(previous).as("Twice: " + names.get(i)).isNull();
			}
		});
		return properties;
	}

	private static Stream<String> codes(String cell) {
		return CODE.matcher(cell).results().map((MatchResult result) -> result.group(1));
	}

	/**
	 * The whole name of a property, which stands there without the part that it shares
	 * with the first one of its row.
	 */
	private static String name(String name, String first) {
		String whole = name.startsWith(".") ? first.substring(0, first.lastIndexOf('.')) + name : name;
		return ENTRIES.matcher(whole).replaceAll("");
	}

}
