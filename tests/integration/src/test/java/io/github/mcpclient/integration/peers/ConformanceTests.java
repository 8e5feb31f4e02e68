package io.github.mcpclient.integration.peers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.ConformanceClient;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The official conformance suite, with all scenarios for clients of two protocol
 * versions, and {@code docs/interoperability.md}, which has the results. Writes the table
 * of that page with the system property {@code conformance.write}.
 */
class ConformanceTests {

	private static final Path PAGE = ProjectFiles.of("docs/interoperability.md");

	private static final Pattern TABLE = Pattern.compile("(?m)^\\| scenario \\|.*\\n.*\\n((\\|.*\\n)*)");

	// scenarios that the client has to end with a failure
	private static final Set<String> REFUSED = Set.of("auth/scope-retry-limit", "auth/resource-mismatch",
			"auth/iss-supported-missing", "auth/iss-wrong-issuer", "auth/iss-unexpected", "auth/iss-normalized",
			"auth/metadata-issuer-mismatch");

	// the columns of the table: a protocol version, and the way of running its scenarios
	private static final List<String> RUNS = List.of("2025-11-25-alone", "2025-11-25-users", "2026-07-28-alone",
			"2026-07-28-users");

	// by scenario and run, what is wrong: nothing for one that passed
	private static final Map<String, Map<String, List<String>>> results = new TreeMap<>();

	@BeforeAll
	static void runSuite(@TempDir Path directory) throws Exception {
		Path bin = Peers.conformanceSuite().toAbsolutePath();
		try (ConformanceClient client = new ConformanceClient()) {
			for (String run : RUNS) {
				runSuite(bin, directory.resolve(run), client);
			}
		}
	}

	private static void runSuite(Path bin, Path directory, ConformanceClient client) throws Exception {
		String run = directory.getFileName().toString();
		Process suite = new ProcessBuilder(bin.resolve("node").toString(), bin.resolve("conformance").toString(),
				"client", "--requirements", run.substring(0, run.lastIndexOf('-')), "--command",
				client.command(bin.resolve("node"), run), "--timeout", "240000", "-o", directory.toString())
			.redirectErrorStream(true)
			.start();
		// it exits with 1 for each scenario that fails, and with 0 for one that it
		// skips
		String output = new String(suite.getInputStream().readAllBytes());
		suite.waitFor();
		Matcher rows = Pattern.compile("(?m)^(?:[✓✗-]) (\\S+): (skipped|\\d+ passed)").matcher(output);
		while (rows.find()) {
			String scenario = rows.group(1);
			if (run.endsWith("alone") || client.isLogin(scenario)) {
				results.computeIfAbsent(scenario, (name) -> new TreeMap<>())
					.put(run, problems(scenario, directory, client));
			}
		}
		assertThat(results).as(output).isNotEmpty();
	}

	private static List<String> problems(String scenario, Path directory, ConformanceClient client) throws IOException {
		List<String> problems = new ArrayList<>();
		Path checks = checks(scenario, directory);
		if (checks == null) {
			return List.of("it was skipped");
		}
		for (JsonNode check : JsonMapper.shared().readTree(checks)) {
			if (List.of("FAILURE", "WARNING").contains(check.path("status").asString())) {
				problems.add(check.path("id").asString() + ": " + check.path("description").asString() + " "
						+ check.path("errorMessage").asString(""));
			}
		}
		Throwable failure = client.failures().get(directory.getFileName() + " " + scenario);
		if ((failure != null) != REFUSED.contains(scenario)) {
			problems.add("the client " + ((failure != null) ? "failed: " + failure : "did not fail"));
		}
		return problems;
	}

	private static Path checks(String scenario, Path directory) throws IOException {
		try (Stream<Path> files = Files.walk(directory)) {
			return files.filter((file) -> file.endsWith("checks.json"))
				.filter((file) -> directory.relativize(file.getParent())
					.toString()
					.matches("(client-)?" + Pattern.quote(scenario) + "-\\d{4}-.*"))
				.findFirst()
				.orElse(null);
		}
	}

	@TestFactory
	Stream<DynamicTest> scenariosThatThePageSaysPass() throws IOException {
		Matcher table = TABLE.matcher(Files.readString(PAGE));
		assertThat(table.find()).isTrue();
		return Pattern.compile("(?m)^\\| `(.*)` \\| (.*) \\|$")
			.matcher(table.group(1))
			.results()
			.flatMap((row) -> Stream.of(row.group(1).split("`, `"))
				.map((scenario) -> DynamicTest.dynamicTest(scenario,
						() -> passed(scenario, row.group(2).split(" ?\\| ?")))));
	}

	private static void passed(String scenario, String[] marks) {
		for (int i = 0; i < marks.length; i++) {
			if (marks[i].equals("✓")) {
				assertThat(results.get(scenario).get(RUNS.get(i))).as(RUNS.get(i)).isEmpty();
			}
		}
	}

	private static String mark(@Nullable List<String> problems) {
		return (problems != null) ? problems.isEmpty() ? "✓" : "–" : "";
	}

	@Test
	void pageHasTheResults() throws IOException {
		String page = Files.readString(PAGE);
		Matcher table = TABLE.matcher(page);
		assertThat(table.find()).isTrue();
		// by marks, the scenarios that have them
		Map<String, List<String>> rows = new LinkedHashMap<>();
		results.forEach(
				(scenario, runs) -> rows
					.computeIfAbsent(RUNS.stream().map((run) -> mark(runs.get(run))).collect(Collectors.joining(" | ")),
							(marks) -> new ArrayList<>())
					.add("`" + scenario + "`"));
		String current = page.substring(0, table.start(1)) + rows.entrySet()
			.stream()
			.map((row) -> "| " + String.join(", ", row.getValue()) + " | " + row.getKey() + " |\n")
			.collect(Collectors.joining()) + page.substring(table.end(1));
		if (Boolean.getBoolean("conformance.write")) {
			Files.writeString(PAGE, current);
		}
		else {
			assertThat(page).as("docs/interoperability.md, which -Dconformance.write=true writes: %s", results)
				.isEqualTo(current);
		}
	}

}
