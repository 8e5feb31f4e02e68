package io.github.mcpclient.transport.stdio;

import java.util.Map;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Stdio;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ChildEnvironment}.
 */
class ChildEnvironmentTests {

	@Test
	void passesOnHarmlessNamesOnly() {
		Map<String, String> parent = Map.of("PATH", "/bin", "HOME", "/home/me", "LC_ALL", "C", "DB_PASSWORD", "x",
				"path", "/evil", "JAVA_TOOL_OPTIONS", "-javaagent:x", "LD_PRELOAD", "x.so", "LC_F", "() { :; }");
		assertThat(ChildEnvironment.of(stdio(Map.of("A", "1"), false), parent, false)).containsOnly(
				Map.entry("PATH", "/bin"), Map.entry("HOME", "/home/me"), Map.entry("LC_ALL", "C"),
				Map.entry("A", "1"));
	}

	@Test
	void definitionWins() {
		assertThat(ChildEnvironment.of(stdio(Map.of("PATH", "/mine"), true), Map.of("PATH", "/bin", "X", "y"), false))
			.containsOnly(Map.entry("PATH", "/mine"), Map.entry("X", "y"));
	}

	@Test
	void namesOnWindowsDifferByMoreThanCase() {
		Map<String, String> parent = Map.of("Path", "C:\\bin", "SystemRoot", "C:\\Windows", "ProgramFiles(x86)", "p",
				"Secret", "x");
		assertThat(ChildEnvironment.of(stdio(Map.of("PATH", "C:\\mine"), false), parent, true)).hasSize(3)
			.containsEntry("Path", "C:\\mine")
			.containsEntry("SYSTEMROOT", "C:\\Windows")
			.doesNotContainKey("Secret");
	}

	private static Stdio stdio(Map<String, String> env, boolean inherit) {
		return McpServerDefinition.stdio("x", "server").env(env).inheritEnvironment(inherit).build().stdio();
	}

}
