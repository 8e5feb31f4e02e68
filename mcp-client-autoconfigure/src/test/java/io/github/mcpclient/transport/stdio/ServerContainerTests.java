package io.github.mcpclient.transport.stdio;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Stdio;
import io.github.mcpclient.support.ContainerLabels;
import io.github.mcpclient.testsupport.Containers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.testcontainers.containers.GenericContainer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerContainer}.
 */
class ServerContainerTests {

	private static final String LABEL = ContainerLabels.SERVER + "=test";

	@Test
	void aCommandWithoutTheLabelHasNone() {
		assertThat(ServerContainer.of(stdio("run", "-i", "image"), "1")).isNull();
		assertThat(ServerContainer.of(stdio("ps", "--label", "other"), "1")).isNull();
	}

	@Test
	void hasANameAnOwnerAndTheNamesOfVariables() {
		ServerContainer container = ServerContainer.of(stdio("--host", "x", "run", "--label", LABEL, "image", "arg"),
				"1");
		assertThat(container.args()).containsExactly("--host", "x", "run", "--label", LABEL, "--name", "mcp-1",
				"--label", ContainerLabels.OWNER + "=" + ServerContainer.owner(), "-e", "KEY", "image", "arg");
	}

	@Test
	void ownersThatHaveEndedAreThoseOfThisMachineOnly() {
		String owner = ServerContainer.owner();
		String place = owner.replaceFirst("\\d+/\\d+$", "");
		assertThat(ServerContainer.isLeft(owner)).isFalse();
		assertThat(ServerContainer.isLeft(place + ProcessHandle.current().pid() + "/1")).isTrue();
		assertThat(ServerContainer.isLeft(place + Integer.MAX_VALUE + "/1")).isTrue();
		assertThat(ServerContainer.isLeft("elsewhere/" + Integer.MAX_VALUE + "/1")).isFalse();
		assertThat(ServerContainer.isLeft("")).isFalse();
		assertThat(ServerContainer.isLeft(place + "x/1")).isFalse();
	}

	@Test
	@EnabledIf("io.github.mcpclient.testsupport.Containers#isAvailable")
	void whatAKilledApplicationLeftBehindIsRemovedAndNothingElse() {
		String left = ServerContainer.owner().replaceFirst("\\d+$", "1");
		try (GenericContainer<?> dead = owned(left); GenericContainer<?> alive = owned(ServerContainer.owner())) {
			ServerContainer container = ServerContainer.of(stdio("--log-level=error", "run", "--label", LABEL, "image"),
					"1");
			container.starting("docker", System.getenv());
			assertThat(dead.isRunning()).isFalse();
			assertThat(alive.isRunning()).isTrue();
		}
	}

	private static GenericContainer<?> owned(String owner) {
		GenericContainer<?> container = Containers.everything("streamableHttp").withLabel(ContainerLabels.OWNER, owner);
		container.start();
		return container;
	}

	private static Stdio stdio(String... args) {
		return McpServerDefinition.stdio("test", "docker")
			.args(List.of(args))
			.env(Map.of("KEY", "value"))
			.build()
			.stdio();
	}

}
