package io.github.mcpclient.integration.stdio;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * How many threads an application has for its child processes.
 */
class ChildThreadsTests {

	private static final int SERVERS = 20;

	private static final Duration LONG = Duration.ofSeconds(60);

	@Test
	void threeDaemonThreadsAServerAndNoneAfterwards() {
		Leaks leaks = new Leaks();
		List<String> properties = new ArrayList<>(
				List.of("mcp.startup.wait=60s", "mcp.defaults.reconnect.initial-delay=10ms"));
		Set<String> expected = new TreeSet<>();
		for (int i = 0; i < SERVERS; i++) {
			properties.addAll(List.of(ClientApplication.mini("s" + i)));
			for (String stream : List.of("stdin", "stdout", "stderr")) {
				expected.add("mcp-s" + i + "-" + stream);
			}
		}
		try (ClientApplication application = ClientApplication.start(properties.toArray(String[]::new))) {
			awaitReady(application);
			awaitThreads(expected);
			Map<String, String> pids = new TreeMap<>();
			for (int i = 0; i < SERVERS; i++) {
				String tool = "s" + i + "_pid";
				pids.put(tool, application.text(tool, Map.of()));
			}
			pids.values().forEach((pid) -> ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly());
			pids.forEach((tool, pid) -> await().atMost(LONG)
				.ignoreExceptions()
				.until(() -> !application.text(tool, Map.of()).equals(pid)));
			awaitReady(application);
			awaitThreads(expected);
		}
		leaks.assertNone();
	}

	private static void awaitReady(ClientApplication application) {
		await().atMost(LONG)
			.untilAsserted(() -> assertThat(application.registry().servers())
				.allMatch((server) -> server.status().state() == McpServerState.READY));
	}

	/**
	 * Of a server that was lost and is back, the last threads may still end.
	 */
	private static void awaitThreads(Set<String> expected) {
		await().atMost(LONG).untilAsserted(() -> {
			List<Thread> threads = Thread.getAllStackTraces()
				.keySet()
				.stream()
				.filter((thread) -> thread.isAlive() && thread.getName().startsWith("mcp-s"))
				.toList();
			assertThat(threads).extracting(Thread::getName).containsExactlyInAnyOrderElementsOf(expected);
			assertThat(threads).allMatch(Thread::isDaemon);
		});
	}

}
