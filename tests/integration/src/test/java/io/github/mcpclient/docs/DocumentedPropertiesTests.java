package io.github.mcpclient.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that {@code docs/properties.md} has the properties of all modules, with the
 * types, defaults and descriptions of their metadata, so that a change is visible in its
 * diff.
 */
class DocumentedPropertiesTests {

	@Test
	void pageIsGeneratedFromTheMetadata() throws IOException, InterruptedException {
		List<String> page = ProjectFiles.run("build/Properties.java");
		assertThat(page).hasSizeGreaterThan(150)
			.anyMatch((line) -> line.startsWith("| `auth.oauth2.client-id` | `String` |"))
			.anyMatch((line) -> line.startsWith("| `tools.rules[].rate` | `Rate` |"))
			.anyMatch((line) -> line.startsWith("| `url` | `String` |"))
			.anyMatch((line) -> line.startsWith("| `mcp.audit.arguments` | `Arguments` | `hashed` |"))
			.anyMatch((line) -> line.startsWith("| `mcp.console.access` | `Access` | `read-only` |"));
		assertThat(Files.readAllLines(ProjectFiles.of("docs/properties.md")))
			.as("docs/properties.md, which java build/Properties.java --write generates")
			.isEqualTo(page);
	}

}
