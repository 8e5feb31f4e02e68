package io.github.mcpclient.internal.transport.stdio;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.testsupport.Containers;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerContainer}.
 */
@EnabledOnOs(OS.LINUX)
@ExtendWith(OutputCaptureExtension.class)
class ServerContainerTests {

	private static final String PID = Long.toString(ProcessHandle.current().pid());

	@TempDir
	private Path directory;

	@Test
	void hasANameAnOwnerAndTheNamesOfVariables() throws IOException {
		String engine = engine("");
		ChildLauncher launcher = launcher("oci:image:1", engine, "--host", "x", "run", "-i", "--rm", "--init",
				"--memory=1b", "image:1", "run");
		assertThat(launcher.command()).containsExactly(engine, "--host", "x", "run", "-i", "--rm", "--init", "--name",
				"mcp-" + launcher.marker(), "--label", "io.github.mcpclient.server=x", "--label",
				"io.github.mcpclient.owner=" + ServerContainer.owner(), "-e", "KEY", "--memory=1b", "image:1", "run");
		assertThat(launcher.environment()).containsEntry("KEY", "value").containsEntry("DOCKER_HOST", "unix:///x");
	}

	@Test
	void commandsThatAreNotOfAnImageHaveNone() throws IOException {
		assertThat(launcher(null, engine(""), "run", "-i", "--rm", "--init", "image").command()).hasSize(6);
		assertThat(launcher("npm:run", engine(""), "run", "-i", "--rm", "--init").command()).hasSize(5);
	}

	@Test
	void aProcessIsToldByItsNumberAndItsStart() {
		String owner = ServerContainer.owner();
		assertThat(owner).startsWith(place() + "/" + PID + "/");
		assertThat(ServerContainer.hasEnded(PID, owner.substring(owner.lastIndexOf('/') + 1))).isFalse();
		assertThat(ServerContainer.hasEnded(PID, "1")).isTrue();
		assertThat(ServerContainer.hasEnded(Integer.toString(Integer.MAX_VALUE), "1")).isTrue();
	}

	@Test
	void aProcessThatCannotBeLookedAtHasNotEnded() {
		assertThat(ServerContainer.hasEnded("uptime", "1")).isFalse();
	}

	@Test
	void onlyWhatEndedInThisPlaceIsRemoved() throws IOException {
		String place = place();
		String boot = place.substring(0, place.indexOf('/'));
		String removed = removedOf("111111111111 " + place + "/" + Integer.MAX_VALUE + "/1",
				"222222222222 " + place + "/" + PID + "/1", "333333333333 " + ServerContainer.owner(),
				"444444444444 " + place.replace(boot, "another-boot") + "/" + Integer.MAX_VALUE + "/1",
				"555555555555 " + place.replace("pid:[", "pid:[1") + "/" + Integer.MAX_VALUE + "/1",
				"666666666666 " + place + "1/" + Integer.MAX_VALUE + "/1", "777777777777 " + place + "/x/1",
				"888888888888 " + place, "999999999999 ", "--all " + place + "/" + Integer.MAX_VALUE + "/1",
				"aaaaaaaaaaaa 1b4e28ba-2fa1-11d2-883f-0016d3cca427",
				"bbbbbbbbbbbb " + place + "/99999999999999999999/99999999999999999999");
		assertThat(removed).isEqualTo("rm -f 111111111111 222222222222 bbbbbbbbbbbb");
	}

	private static String place() {
		return ServerContainer.owner().replaceFirst("/\\d+/\\d+$", "");
	}

	private String removedOf(String... containers) throws IOException {
		Path listed = Files.write(this.directory.resolve("listed"), List.of(containers));
		Path log = this.directory.resolve("log");
		container(engine("[ $2 = ps ] && exec cat '" + listed + "'\nshift; echo \"$@\" > '" + log + "'\n"))
			.removeOrphans();
		return Files.readString(log).strip();
	}

	@ParameterizedTest
	@ValueSource(strings = { "printf '111111111111 %s'", "echo '111111111111 %s'\nexit 1",
			"echo '111111111111 %s'\nexec sleep 1000" })
	void aListThatIsNotWholeIsNotUsed(String script) throws IOException {
		Path log = this.directory.resolve("log");
		String dead = place() + "/" + Integer.MAX_VALUE + "/1";
		container(engine("echo $2 >> '" + log + "'\n" + script.formatted(dead) + "\n")).removeOrphans();
		assertThat(log).hasContent("ps");
	}

	@ParameterizedTest
	@CsvSource({ "exit 1, true", "exec sleep 1000, true", "pwd; [ $(pwd) != / ], true", "exit 0, false",
			"echo Error: No such container: x >&2; exit 1, false", "[ $(pwd) = / ], false" })
	void aContainerThatCannotBeRemovedIsAWarning(String script, boolean warning, CapturedOutput output)
			throws IOException {
		container(engine(script + "\n")).remove();
		assertThat(output.toString().contains("Cannot remove container mcp-test")).isEqualTo(warning);
	}

	@Test
	void aChildThatKeepsTheOutputOpenIsNotWaitedFor() throws IOException {
		Path log = this.directory.resolve("log");
		Path pid = this.directory.resolve("pid");
		String dead = "111111111111 " + place() + "/" + Integer.MAX_VALUE + "/1";
		container(engine("echo $2 >> '" + log + "'\nsleep 1000 & echo $! > '" + pid + "'\necho '" + dead + "'\n"))
			.removeOrphans();
		ProcessHandle.of(Long.parseLong(Files.readString(pid).strip())).ifPresent(ProcessHandle::destroy);
		assertThat(log).hasContent("ps\nrm");
	}

	@Test
	void whatHangsIsKilledWithItsChildren() throws IOException {
		Path pid = this.directory.resolve("pid");
		container(engine("sleep 1000 & echo $! > '" + pid + "'\nwait\n")).removeOrphans();
		assertThat(ProcessHandle.of(Long.parseLong(Files.readString(pid).strip()))).satisfiesAnyOf(
				(process) -> assertThat(process).isEmpty(),
				(process) -> Awaitility.await()
					.atMost(Duration.ofSeconds(5))
					.until(() -> !process.orElseThrow().isAlive()));
	}

	@Test
	void theStartWaitsForNothingAndEachStartLooksAgain() throws Exception {
		Path log = this.directory.resolve("log");
		String engine = engine("echo $1 >> '" + log + "'\n[ $1 = ps ] && exec sleep 1000\nexit 5\n");
		ChildLauncher launcher = launcher("oci:image", engine, "run", "-i", "--rm", "--init", "image");
		long quickest = Long.MAX_VALUE;
		for (int start = 1; start <= 3; start++) {
			int looks = start;
			long begin = System.nanoTime();
			Process process = launcher.start();
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			quickest = Math.min(quickest, System.nanoTime() - begin);
			assertThat(process.exitValue()).isEqualTo(5);
			Awaitility.await()
				.atMost(Duration.ofSeconds(10))
				.until(() -> Files.readAllLines(log).stream().filter("ps"::equals).count() == looks);
		}
		// each would have waited for all of the time that a look may take
		assertThat(Duration.ofNanos(quickest)).isLessThan(Duration.ofSeconds(4));
	}

	@Test
	@EnabledIf("io.github.mcpclient.testsupport.Containers#isAvailable")
	void whatAKilledApplicationLeftBehindIsRemovedAndNothingElse() {
		String left = ServerContainer.owner().replaceFirst("\\d+$", "1");
		String elsewhere = left.replaceFirst("^[^/]+", "another-boot");
		GenericContainer<?> dead = closing(owned(left));
		GenericContainer<?> alive = closing(owned(ServerContainer.owner()));
		GenericContainer<?> other = closing(owned(elsewhere));
		container("docker").removeOrphans();
		assertThat(dead.isRunning()).isFalse();
		assertThat(alive.isRunning()).isTrue();
		assertThat(other.isRunning()).isTrue();
	}

	private static GenericContainer<?> owned(String owner) {
		GenericContainer<?> container = Containers.everything("streamableHttp").withLabel(ServerContainer.OWNER, owner);
		container.start();
		return container;
	}

	private static ServerContainer container(String engine) {
		return new ServerContainer(List.of(engine, "--log-level=error"), System.getenv(), new File("/"), "mcp-test");
	}

	private String engine(String script) throws IOException {
		Path file = this.directory.resolve("engine");
		Files.writeString(file, "#!/bin/sh\n" + script);
		assertThat(file.toFile().setExecutable(true)).isTrue();
		return file.toString();
	}

	private static ChildLauncher launcher(String packageName, String command, String... args) {
		return new ChildLauncher("x",
				McpServerDefinition.stdio("x", command, args)
					.packageName(packageName)
					.env(Map.of("KEY", "value", "PATH", System.getenv("PATH"), "DOCKER_HOST", "unix:///x"))
					.build()
					.stdio());
	}

}
