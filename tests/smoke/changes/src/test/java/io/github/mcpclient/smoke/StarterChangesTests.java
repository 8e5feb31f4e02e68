package io.github.mcpclient.smoke;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That the starter changes no more in an application than the lists in
 * {@code tests/smoke/changes/src/test/changes} say: what an application has with it
 * ({@code +}), and without it only ({@code -}). Both have Actuator.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StarterChangesTests {

	private static final Path MODULE = Path.of(System.getProperty("basedir"));

	@TempDir
	private Path directory;

	static Stream<String> applications() {
		return Stream.of(System.getProperty("smoke.applications").split(","));
	}

	@ParameterizedTest
	@MethodSource("applications")
	void theStarterChangesNoMoreThanIsListed(String type) throws Exception {
		String without = Files.readString(MODULE.resolve("target/class-path-without")) + File.pathSeparator
				+ MODULE.resolve("target/test-classes");
		// at the same time: they do little but start
		try (Run before = new Run("without", type, without);
				Run after = new Run("with", type, System.getProperty("java.class.path"))) {
			assertListed(type, changes(before.lines(), after.lines()));
		}
	}

	private static List<String> changes(List<String> before, List<String> after) {
		List<String> removed = new ArrayList<>(before);
		after.forEach(removed::remove);
		List<String> added = new ArrayList<>(after);
		before.forEach(added::remove);
		return Stream.concat(removed.stream().map((line) -> "- " + line), added.stream().map((line) -> "+ " + line))
			.sorted(Comparator.comparing((line) -> line.substring(2)))
			.toList();
	}

	private static void assertListed(String type, List<String> changes) throws IOException {
		Path list = MODULE.resolveSibling("src/test/changes/" + type + ".txt");
		if (Boolean.getBoolean("changes.write")) {
			Files.write(list, changes);
			return;
		}
		assertThat(changes)
			.as("The starter changes something in an application that %s does not list."
					+ " If it is meant to, this writes the list:%nmvn -B -pl tests/smoke/changes/%s -am package"
					+ " -Dtest=StarterChangesTests -Dsurefire.failIfNoSpecifiedTests=false -Dpeers.skip=true"
					+ " -Dchanges.write=true%n", list.normalize(), MODULE.getFileName())
			.containsExactlyElementsOf(Files.readAllLines(list));
	}

	/**
	 * An application in a JVM of its own.
	 */
	private final class Run implements AutoCloseable {

		private final Path inventory;

		private final Path output;

		private final Process process;

		Run(String name, String type, String classPath) throws IOException {
			this.inventory = StarterChangesTests.this.directory.resolve(name);
			this.output = StarterChangesTests.this.directory.resolve(name + ".log");
			this.process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-cp", classPath, Inventory.class.getName(),
					type.toUpperCase(Locale.ROOT), this.inventory.toString())
				.redirectErrorStream(true)
				.redirectOutput(this.output.toFile())
				.start();
		}

		/**
		 * What the application has, and what it has logged.
		 */
		List<String> lines() throws IOException, InterruptedException {
			int status = this.process.waitFor();
			List<String> log = Files.readAllLines(this.output);
			assertThat(status).as(() -> String.join("\n", log)).isZero();
			return Stream.concat(Files.readAllLines(this.inventory).stream(),
					// numbers are those of ports, processes and times
					log.stream().map((line) -> "log " + line.replaceAll("\\d+", "#")))
				.toList();
		}

		@Override
		public void close() {
			this.process.destroyForcibly();
		}

	}

}
