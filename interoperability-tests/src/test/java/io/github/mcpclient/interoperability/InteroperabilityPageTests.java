package io.github.mcpclient.interoperability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDeviation.Kind;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that docs/interoperability.md has each deviation, in the words of the log.
 */
class InteroperabilityPageTests {

	@Test
	void pageHasEachDeviation() throws IOException {
		assertThat(Files.readAllLines(Path.of("../docs/interoperability.md"))
			.stream()
			.filter((line) -> line.matches("\\| `[A-Z_]+` \\|.*")))
			.containsExactly(Stream.of(Kind.values())
				.map((kind) -> "| `" + kind + "` | " + kind.summary() + " | " + kind.handling() + " |")
				.toArray(String[]::new));
	}

}
