package io.github.mcpclient.internal.connection;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FirstStart}.
 */
class FirstStartTests {

	@ParameterizedTest
	@ValueSource(strings = { "npx -y foo", "/usr/bin/npx foo", "C:\\tools\\NPX.CMD foo", "npx.exe foo", "bunx foo",
			"pnpx foo", "uvx foo", "pipx run foo", "docker run -i --rm foo", "podman run foo", "npm exec foo",
			"npm --yes x foo", "pnpm dlx foo", "yarn dlx foo", "bun x foo", "uv tool run foo",
			"uv --directory dir run foo.py", "cmd /c npx -y foo", "cmd.exe /d /s /c npx",
			"C:\\Windows\\cmd.exe /C npx" })
	void launchersHaveLonger(String command) {
		assertThat(firstStart(command).limit()).isEqualTo(Duration.ofMinutes(5));
	}

	@ParameterizedTest
	@ValueSource(
			strings = { "node server.js npx", "npm start", "pnpm run serve", "yarn serve", "uv sync", "bun server.ts",
					"cmd", "cmd /c", "cmd /c node npx", "/opt/npx/server", "npxx foo", "java -jar docker.jar" })
	void othersHaveNot(String command) {
		FirstStart firstStart = firstStart(command);
		assertThat(firstStart.limit()).isEqualTo(Duration.ofSeconds(20));
		assertThat(firstStart.notice(firstStart.limit())).isNull();
	}

	@Test
	void aPackageHasLongerWhateverRunsIt() {
		FirstStart firstStart = new FirstStart(
				McpServerDefinition.stdio("x", "/opt/wrapper", "npx", "-y", "foo").packageName("npm:foo").build());
		assertThat(firstStart.limit()).isEqualTo(Duration.ofMinutes(5));
		assertThat(firstStart.notice(firstStart.limit())).contains(": wrapper may still be downloading the server");
	}

	@Test
	void serverOverHttpHasNoFirstStart() {
		FirstStart firstStart = new FirstStart(McpServerDefinition.http("x", URI.create("https://npx/npx")).build());
		assertThat(firstStart.limit()).isEqualTo(Duration.ofSeconds(20));
	}

	@Test
	void longerTimeForEachAttemptCounts() {
		Duration minute = Duration.ofMinutes(1);
		FirstStart firstStart = new FirstStart(McpServerDefinition.stdio("x", "npx")
			.requestTimeout(minute)
			.initializationTimeout(minute)
			.firstStartTimeout(Duration.ofSeconds(59))
			.connectTimeout(minute)
			.build());
		assertThat(firstStart.limit()).isEqualTo(minute);
		assertThat(firstStart.notice(minute)).isNull();
	}

	private static FirstStart firstStart(String command) {
		List<String> words = List.of(command.split(" "));
		return new FirstStart(
				McpServerDefinition.stdio("x", words.get(0)).args(words.subList(1, words.size())).build());
	}

}
