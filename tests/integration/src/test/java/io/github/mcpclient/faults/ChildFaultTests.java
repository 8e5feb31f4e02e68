package io.github.mcpclient.faults;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What child processes do.
 */
@DisabledOnOs(value = OS.WINDOWS, disabledReason = "The children are shell scripts")
class ChildFaultTests extends AbstractFaultTests {

	private final FaultyChild child = new FaultyChild();

	@Test
	@Fault(value = FaultKind.EXIT_IN_CALL, over = Transport.STDIO)
	@Survival(within = 10, cycles = 100)
	void killedWithinACall() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(() -> {
			int hangs = this.child.hangs();
			CompletableFuture<McpToolResult> call = scene.call("hang").toFuture();
			// one that it did not read would be repeated
			Waiting.await().until(() -> this.child.hangs() > hangs);
			this.child.kill();
			assertThat(failure(call)).isInstanceOf(McpConnectionException.class)
				.hasMessageContaining("exited with code 137 (killed)");
		});
	}

	@Test
	@Fault(value = FaultKind.EXIT_IN_CALL, over = Transport.STDIO)
	@Survival(within = 10, cycles = 20)
	void exitsWithinACall() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(
				() -> assertThat(failure(scene.call("exit").toFuture())).isInstanceOf(McpConnectionException.class)
					.hasMessageContaining("exited with code 7: last lines of stderr: told to exit"));
	}

	@Test
	@Fault(value = FaultKind.EXIT_AT_START, over = Transport.STDIO)
	@Survival(within = 10, cycles = 20)
	void exitsBeforeItAnswers() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(() -> {
			this.child.down();
			assertThat(awaitFailedAttempt(scene))
				.contains("exited with code 3 before it responded: last lines of stderr: told to be down");
			this.child.up();
		});
	}

	@Test
	@Fault(value = FaultKind.NO_EXECUTABLE, over = Transport.STDIO)
	@Survival(within = 10, cycles = 20)
	void executableIsMissing(@TempDir Path directory) throws Exception {
		Path command = directory.resolve("server");
		String[] properties = this.child.properties(FaultScene.FAULTY);
		properties[0] = "mcp.servers.faulty.command=" + command;
		Files.createSymbolicLink(command, Path.of("/bin/sh"));
		FaultScene scene = start(properties);
		scene.survives(() -> {
			Files.delete(command);
			this.child.kill();
			assertThat(awaitFailedAttempt(scene)).startsWith("Cannot start '" + command + "': no such file.");
			Files.createSymbolicLink(command, Path.of("/bin/sh"));
		});
	}

	@Test
	@Fault(value = FaultKind.STUBBORN_CHILD, over = Transport.STDIO)
	@Survival(within = 15)
	void ignoresTheEndOfItsInputAndSigterm() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(() -> {
			this.child.stubborn(true);
			this.child.kill();
			scene.awaitRecovery();
			this.child.stubborn(false);
			ProcessHandle process = this.child.process();
			scene.application().manager().server(FaultScene.FAULTY).reconnect();
			assertThat(process.isAlive()).isFalse();
		});
	}

	@Test
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	@Survival(within = 10, cycles = 5)
	void leavesAGrandchild() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(() -> {
			assertThat(scene.call("fork").block(LIMIT).text()).isEqualTo("fork");
			List<ProcessHandle> family = this.child.process().descendants().toList();
			assertThat(family).isNotEmpty();
			this.child.kill();
			Waiting.await().until(() -> family.stream().noneMatch(ChildFaultTests::isRunning));
		});
	}

	@Test
	@Fault(value = FaultKind.STDERR, over = Transport.STDIO)
	@Survival(within = 10, cycles = 5)
	void floodsStderrWithoutANewline() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(() -> assertThat(scene.call("flood").block(LIMIT).text()).isEqualTo("flood"));
		assertThat(this.child.starts()).isEqualTo(1);
	}

	@Test
	@Fault(value = FaultKind.STDERR, over = Transport.STDIO)
	@Survival(within = 10, cycles = 20)
	void closesStderr() throws Exception {
		FaultScene scene = start(this.child);
		scene.survives(() -> {
			int starts = this.child.starts();
			assertThat(scene.call("mute").block(LIMIT).text()).isEqualTo("mute");
			assertThat(scene.application().text("faulty_echo", Map.of("message", "still"))).isEqualTo("echo still");
			assertThat(this.child.starts()).isEqualTo(starts);
			// the next one has its stderr again
			this.child.kill();
		});
	}

	@Test
	@Fault(value = FaultKind.NO_ANSWER, over = Transport.STDIO)
	@Survival(within = 15)
	void readsNoFurther() throws Exception {
		FaultScene scene = start(this.child, "mcp.servers.faulty.request-timeout=500ms",
				"mcp.servers.faulty.keep-alive-interval=300ms");
		scene.survives(() -> {
			ProcessHandle process = this.child.process();
			assertThat(scene.call("deaf").block(LIMIT).text()).isEqualTo("deaf");
			assertThat(failure(scene.call("echo").toFuture())).isInstanceOfAny(McpRequestTimeoutException.class,
					McpConnectionException.class);
			awaitLoss(scene);
			Waiting.await().until(() -> !process.isAlive());
		});
	}

	private static boolean isRunning(ProcessHandle process) {
		// one that ended but whose new parent does not care has no command any more
		return process.isAlive() && process.info().command().isPresent();
	}

}
