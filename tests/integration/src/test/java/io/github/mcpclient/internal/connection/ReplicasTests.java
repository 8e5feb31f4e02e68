package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Replicas}, and that the page on scale has its figures.
 */
class ReplicasTests {

	private static final Path DOCS = ProjectFiles.of("docs");

	private final Replicas replicas = new Replicas(1000, 30, 100, 30, 42);

	@Test
	void replicasDoNotReturnTogether() {
		assertThat(this.replicas.outcomes()).hasSize(9).allSatisfy((outcome) -> {
			assertThat(outcome.connected()).hasSize(1000);
			if (outcome.jitter() == 1) {
				assertThat(outcome.mostAfterwards()).isLessThan(200);
				assertThat(outcome.connected(0.99)).isLessThanOrEqualTo(Reconnect.DEFAULTS.maxDelay().multipliedBy(2));
			}
			else if (outcome.jitter() == 0) {
				assertThat(outcome.mostAfterwards()).isEqualTo(1000);
			}
		});
	}

	@Test
	void thePageHasTheFiguresAndTheDrawing() throws IOException {
		assertThat(Files.readString(DOCS.resolve("scale.md"))).contains(this.replicas.connections())
			.contains(this.replicas.renewals());
		assertThat(DOCS.resolve("scale.svg")).hasContent(this.replicas.svg());
	}

}
