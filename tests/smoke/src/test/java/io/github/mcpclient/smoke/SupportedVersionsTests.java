package io.github.mcpclient.smoke;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That this application runs with the versions that {@code docs/support.md} says it does.
 */
class SupportedVersionsTests {

	private static final Path MODULE = Path.of(System.getProperty("basedir"));

	private final List<String> jars = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
		.map((entry) -> Path.of(entry).getFileName().toString())
		.toList();

	@Test
	void areThoseOfTheTable() throws IOException {
		List<List<String>> rows;
		try (Stream<String> lines = Files.lines(MODULE.resolve("../../../docs/support.md"))) {
			rows = lines.filter((line) -> line.matches("\\| \\d.*"))
				.map((line) -> Stream.of(line.split("\\|")).map(String::strip).toList())
				.toList();
		}
		assertThat(rows).extracting((row) -> row.get(1)).contains(version("spring-boot"));
		rows.stream().filter((row) -> row.get(5).equals("`" + MODULE.getFileName() + "`")).forEach((row) -> {
			assertThat(version("spring-boot")).isEqualTo(row.get(1));
			assertThat(version("spring-ai-commons")).isEqualTo(row.get(3).replaceFirst(",.*", ""));
			assertThat(version("langchain4j-core")).isEqualTo(row.get(4));
		});
		// what builds may be another Java
		String java = System.getProperty("smoke.java");
		if (java != null) {
			assertThat(Runtime.version().feature()).hasToString(java);
			assertThat(rows).extracting((row) -> List.of(row.get(2).split(", "))).allMatch((all) -> all.contains(java));
		}
	}

	private String version(String artifact) {
		return this.jars.stream()
			.filter((jar) -> jar.matches("\\Q" + artifact + "\\E-\\d.*\\.jar"))
			.map((jar) -> jar.substring(artifact.length() + 1, jar.length() - ".jar".length()))
			.findFirst()
			.orElse("");
	}

}
