package io.github.mcpclient.faults;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens with servers of revision 2026-07-28.
 */
class ModernFaultTests extends AbstractFaultTests {

	private static final String MODERN = "2026-07-28";

	private static final String LEGACY = "2025-11-25";

	@Test
	@Fault(value = FaultKind.REPLACED, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10, cycles = 20)
	void replacedByTheOther() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		FaultScene scene = start(server);
		AtomicInteger replaced = new AtomicInteger();
		scene.survives(() -> {
			String revision = (replaced.getAndIncrement() % 2 == 0) ? MODERN : LEGACY;
			server.script().protocolVersions(revision).forgetSessions();
			Waiting.await().until(() -> {
				scene.awaitRecovery();
				return revision.equals(scene.status().protocolVersion());
			});
		});
	}

	@Test
	@Fault(value = FaultKind.REPLACED, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10)
	void replacedUnderTwentyCallers() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		FaultScene scene = start(server);
		List<String> tools = scene.toolNames();
		for (String revision : List.of(MODERN, LEGACY)) {
			List<CompletableFuture<Long>> callers = IntStream.range(0, 20)
				.mapToObj((caller) -> Flux.range(0, 30)
					.concatMap((call) -> scene.call("echo")
						.map((result) -> 1)
						// what was not sent, or not answered, may fail; nothing else
						.onErrorReturn((failure) -> failure instanceof McpConnectionException
								|| failure instanceof McpServerUnavailableException, 0))
					.count()
					.toFuture())
				.toList();
			server.script().protocolVersions(revision).forgetSessions();
			for (CompletableFuture<Long> caller : callers) {
				assertThat(caller.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).isEqualTo(30);
			}
			scene.awaitRecovery();
			Waiting.await().until(() -> revision.equals(scene.status().protocolVersion()));
			assertThat(scene.toolNames()).isEqualTo(tools);
		}
	}

	@Test
	@Fault(value = FaultKind.HEADERS_LOST, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10, cycles = 5)
	void aProxyLosesHeaders() throws Exception {
		FaultyServer server = modern();
		FaultScene scene = start(server);
		scene.survives(() -> {
			server.script().loseHeaders("Mcp-");
			assertThat(failure(scene.call("echo").toFuture())).hasMessageContaining("-32020");
			server.script().loseHeaders("None-");
		});
	}

	@Test
	@Fault(value = FaultKind.SUBSCRIPTION, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10, cycles = 5)
	void subscriptionIsCut() throws Exception {
		FaultyServer server = modern();
		FaultScene scene = start(server);
		AtomicInteger cuts = new AtomicInteger();
		scene.survives(() -> {
			server.script().awaitListeners(1);
			server.script().cutSubscriptions();
			String tool = "cut-" + cuts.incrementAndGet();
			server.tools(tool);
			Waiting.await().until(() -> scene.toolNames().contains("faulty_" + tool));
		});
		assertThat(server.script().requests("server/discover")).hasSize(1);
	}

	@Test
	@Fault(value = FaultKind.SUBSCRIPTION, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10)
	void subscriptionIsNotAcknowledged() throws Exception {
		FaultyServer server = modern();
		server.script().on("subscriptions/listen", McpTestReply.never());
		FaultScene scene = start(server, "mcp.servers.faulty.request-timeout=500ms");
		server.script().awaitRequests("subscriptions/listen", 2);
		scene.awaitRecovery();
		server.script().on("subscriptions/listen", McpTestReply.standard()).awaitListeners(1);
		server.tools("late");
		Waiting.await().until(() -> scene.toolNames().contains("faulty_late"));
	}

	private static FaultyServer modern() {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		server.script().protocolVersions(MODERN).capability("tools", Map.of("listChanged", true));
		return server;
	}

}
