package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Many servers that are down at once for many attempts, while one is called all the time.
 */
class ManyServersDownTests {

	private static final int SERVERS = 37;

	private static final int ATTEMPTS = 10;

	@Test
	@Fault(value = FaultKind.CRASH_LOOP, over = Transport.STREAMABLE_HTTP)
	@Fault(value = FaultKind.ALL_RESTART, over = Transport.STREAMABLE_HTTP)
	void thirtySevenAreDownForManyAttempts() throws Exception {
		Leaks leaks = new Leaks();
		FaultyServer server = new FaultyServer(Transport.STREAMABLE_HTTP);
		try (FaultyServer healthy = new FaultyServer(Transport.STREAMABLE_HTTP); server) {
			List<String> properties = new ArrayList<>(
					List.of("mcp.defaults.reconnect.initial-delay=100ms", "mcp.defaults.reconnect.max-delay=1s"));
			properties.addAll(List.of(healthy.properties("healthy")));
			for (int i = 0; i < SERVERS; i++) {
				properties.add("mcp.servers.down-" + i + ".url=http://localhost:" + server.port() + "/mcp?server=" + i);
			}
			try (LogLines log = new LogLines("");
					ClientApplication application = ClientApplication.start(properties.toArray(String[]::new));
					Load load = new Load(application, Map.of("healthy_echo", "echo "))) {
				awaitAll(application, McpServerState.READY);
				int before = log.lines().size();
				server.down();
				awaitAll(application, McpServerState.UNAVAILABLE);
				Resources resources = Resources.settled().whileRetrying(SERVERS);
				long began = System.nanoTime();
				Waiting.await(Duration.ofMinutes(2))
					.until(() -> down(application).allMatch((status) -> status.attempts() >= ATTEMPTS));
				// on the average, each waits half a second
				long most = 2 * ATTEMPTS + 8 * Duration.ofNanos(System.nanoTime() - began).toSeconds();
				assertThat(down(application)).allMatch((status) -> status.attempts() < most);
				// the loss, and the refusal
				assertThat(log.lines().size() - before).as("lines in the log").isLessThanOrEqualTo(2 * SERVERS);
				load.paused(resources::assertNoMoreNow);
				server.up();
				awaitAll(application, McpServerState.READY);
				assertThat(log.lines().size() - before).isLessThanOrEqualTo(3 * SERVERS);
				assertThat(server.starts()).isEqualTo(2 * SERVERS);
				load.assertGoesOn();
			}
		}
		leaks.assertNone();
	}

	private static void awaitAll(ClientApplication application, McpServerState state) {
		Waiting.await(Duration.ofSeconds(60))
			.until(() -> down(application).allMatch((status) -> status.state() == state
					|| (state == McpServerState.UNAVAILABLE && status.state() == McpServerState.CONNECTING)));
	}

	private static Stream<McpServerStatus> down(ClientApplication application) {
		return application.registry()
			.servers()
			.stream()
			.map(McpServer::status)
			.filter((status) -> status.name().startsWith("down"));
	}

}
