package io.github.mcpclient.faults;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ClientMain;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * That no child and no grandchild outlives the JVM.
 */
class ShutdownTests {

	@Test
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	void sigtermEndsChildrenAndGrandchildren() throws Exception {
		Process jvm = start();
		List<ProcessHandle> children = awaitUp(jvm);
		assertThat(children).as("the shell and its sleep").hasSizeGreaterThanOrEqualTo(2);
		jvm.destroy();
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertGone(children);
	}

	@Test
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	void aNormalExitEndsChildrenAndGrandchildren() throws Exception {
		Process jvm = start();
		List<ProcessHandle> children = awaitUp(jvm);
		jvm.getOutputStream().close();
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(jvm.exitValue()).isZero();
		assertGone(children);
	}

	@Test
	void aStartThatFailsEndsChildrenAndGrandchildren() throws Exception {
		Process jvm = start("mcp.servers.needed.required=true", "mcp.servers.needed.initialization-timeout=2s",
				"mcp.servers.needed.url=http://localhost:" + Peers.freePort() + "/mcp");
		Set<ProcessHandle> seen = ConcurrentHashMap.newKeySet();
		Thread watch = new Thread(() -> {
			while (jvm.isAlive()) {
				jvm.descendants().forEach(seen::add);
				LockSupport.parkNanos(10_000_000);
			}
		});
		watch.start();
		StringBuilder output = new StringBuilder();
		try (BufferedReader reader = jvm.inputReader()) {
			for (String line = reader.readLine(); line != null; line = reader.readLine()) {
				output.append(line).append('\n');
			}
		}
		watch.join();
		assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
		assertThat(jvm.exitValue()).isEqualTo(1);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("MCP servers that the application requires are not available:")
			.contains("needed (http://localhost:");
		assertThat(seen).isNotEmpty();
		assertGone(seen);
	}

	@Test
	@EnabledOnOs(value = OS.LINUX, disabledReason = "Needs taskset")
	@Fault(value = FaultKind.GRANDCHILDREN, over = Transport.STDIO)
	void anApplicationThatHardlyRunsEndsTwoHundredGrandchildren() throws Exception {
		List<Process> busy = new ArrayList<>();
		List<ProcessHandle> children = List.of();
		try {
			Process jvm = start("mcp.servers.child.env.STUBBORN=200");
			children = awaitUp(jvm);
			assertThat(children).hasSizeGreaterThanOrEqualTo(201);
			new ProcessBuilder("taskset", "-acp", "0", Long.toString(jvm.pid())).start().waitFor();
			for (int i = 0; i < 4; i++) {
				busy.add(new ProcessBuilder("taskset", "-c", "0", "sh", "-c", "while :; do :; done").start());
			}
			jvm.toHandle().destroy();
			// Process.destroy() would close it
			String output = jvm.inputReader().lines().collect(Collectors.joining("\n"));
			assertThat(jvm.waitFor(60, TimeUnit.SECONDS)).isTrue();
			busy.forEach(Process::destroyForcibly);
			assertThat(children).as(output).noneMatch(ShutdownTests::isRunning);
		}
		finally {
			busy.forEach(Process::destroyForcibly);
			children.forEach(ProcessHandle::destroyForcibly);
		}
	}

	@Test
	void afterAKillTheChildSeesItsInputEnd() throws Exception {
		Process jvm = start();
		List<ProcessHandle> children = awaitUp(jvm);
		ProcessHandle shell = jvm.children().findFirst().orElseThrow();
		jvm.destroyForcibly().waitFor();
		await().until(() -> !shell.isAlive());
		children.forEach(ProcessHandle::destroyForcibly);
	}

	private Process start(String... more) throws IOException {
		return ClientMain.start(ClientMain.java(),
				Stream.of(ClientApplication.mini("child", "GRANDCHILD=yes"), more)
					.flatMap(Stream::of)
					.toArray(String[]::new));
	}

	private List<ProcessHandle> awaitUp(Process jvm) throws IOException {
		ClientMain.awaitUp(jvm);
		return jvm.descendants().toList();
	}

	private static boolean isRunning(ProcessHandle process) {
		// one that was killed, but that nobody has taken notice of, has no command any
		// more
		return process.isAlive() && process.info().command().isPresent();
	}

	private void assertGone(Collection<ProcessHandle> processes) {
		await().untilAsserted(() -> assertThat(processes).noneMatch(ProcessHandle::isAlive));
	}

}
