package io.github.mcpclient.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that each build runs what {@code docs/support.md} lists. That each of these
 * applications has the versions of its line, on which Java, is a test in it.
 */
class SupportPageTests {

	private static final Path PAGE = ProjectFiles.of("docs/support.md");

	@Test
	void eachLineIsAModule() throws IOException {
		String pom = Files.readString(ProjectFiles.of("pom.xml"));
		List<String> modules = column(5).stream().map((module) -> module.replace("`", "")).toList();
		assertThat(modules).isNotEmpty()
			.doesNotHaveDuplicates()
			.allMatch((module) -> pom.contains("<module>tests/smoke/" + module + "</module>"));
		try (Stream<Path> smoke = Files.list(ProjectFiles.of("tests/smoke"))) {
			assertThat(
					smoke.map((folder) -> folder.getFileName().toString()).filter((name) -> name.startsWith("boot-")))
				.isSubsetOf(modules);
		}
		assertThat(Files.readString(ProjectFiles.of(".ci/run"))).contains("\n  .ci/matrix\n");
	}

	@Test
	void otherPagesSayTheSame() throws IOException {
		List<String> boot = column(1).stream().distinct().toList();
		String last = boot.get(boot.size() - 1);
		assertThat(Files.readString(ProjectFiles.of("README.md")))
			.contains("Spring Boot " + String.join(", ", boot).replace(", " + last, " and " + last) + " are supported");
		assertThat(Files.readString(ProjectFiles.of("mcp-client-bom/pom.xml")))
			.contains("for Spring Boot " + boot.get(0) + " to " + last + "</description>");
		assertThat(Files.readString(ProjectFiles.of("pom.xml")))
			.contains("<spring-boot.version>" + last + "</spring-boot.version>")
			.contains("<java.version>" + column(2).get(0).replaceFirst(",.*", "") + "</java.version>");
	}

	private static List<String> column(int number) throws IOException {
		try (Stream<String> lines = Files.lines(PAGE)) {
			return lines.filter((line) -> line.matches("\\| \\d.*"))
				.map((line) -> line.split("\\|")[number].strip())
				.toList();
		}
	}

}
