package io.github.mcpclient.integration.architecture;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code build/public-api.txt} lists the public API, so that a change of it is
 * seen where it is made, and in its diff.
 */
class PublicApiTests {

	@Test
	void isAsItIsListed() throws IOException, InterruptedException {
		String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
		Process command = new ProcessBuilder(java, "-Dfile.encoding=UTF-8", "build/PublicApi.java")
			.directory(ProjectFiles.root().toFile())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		List<String> api = new String(command.getInputStream().readAllBytes(), StandardCharsets.UTF_8).lines().toList();
		assertThat(command.waitFor()).isZero();
		assertThat(api).hasSizeGreaterThan(1000)
			.contains("public abstract class io.github.mcpclient.McpException extends RuntimeException",
					"\tpublic @Nullable String getServerName()")
			.noneMatch((line) -> line.contains(".internal."));
		assertThat(api)
			.as("the public API. Where it is to change, java build/PublicApi.java --write renews the list, and"
					+ " CHANGELOG.md says what was before and is now")
			.containsExactlyElementsOf(Files.readAllLines(ProjectFiles.of("build/public-api.txt")));
	}

}
