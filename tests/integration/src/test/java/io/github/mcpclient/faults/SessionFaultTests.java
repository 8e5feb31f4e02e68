package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.testsupport.faults.EachTransport;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What servers do to sessions, and to the streams that belong to them.
 */
class SessionFaultTests extends AbstractFaultTests {

	@Fault(value = FaultKind.SESSION_LOST, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	@Survival(within = 10, cycles = 100)
	@EachTransport
	void sessionIsNotFound(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultScene scene = start(server);
		scene.survives(server.script()::forgetSessions);
		assertThat(server.starts()).isEqualTo(1 + 1 + scene.cycles());
	}

	@Test
	@Fault(value = FaultKind.SESSION_LOST, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10, cycles = 100)
	void sessionIsABadRequest() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		FaultScene scene = start(server);
		server.script().unknownSession(FaultyServer.NO_SESSION.withStatus(400));
		scene.survives(server.script()::forgetSessions);
		assertThat(server.starts()).isEqualTo(1 + 1 + scene.cycles());
	}

	@Test
	@Fault(value = FaultKind.SESSION_LOST_IN_200, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10, cycles = 20)
	void sessionIsAnErrorOfJsonRpc() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		FaultScene scene = start(server);
		server.script().unknownSession(FaultyServer.NO_SESSION);
		scene.survives(server.script()::forgetSessions);
		assertThat(server.starts()).isEqualTo(1 + 1 + scene.cycles());
	}

	@Fault(FaultKind.REFUSAL)
	@Survival(within = 10, cycles = 5)
	@EachTransport
	void firstAnswersAreRefusals(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultScene scene = start(server);
		scene.survives(() -> {
			for (int status : List.of(503, 401, 403, 429)) {
				scene.awaitRecovery();
				server.down();
				assertThat(failure(scene.call("echo").toFuture())).isNotNull();
				awaitLoss(scene);
				server.failNext(2, status);
				server.up();
			}
		});
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10)
	void streamIsNotThere() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		FaultScene scene = start(server);
		scene.survives(() -> {
			for (int status : List.of(404, 400, 405)) {
				server.stream(McpTestReply.status(status));
				int starts = server.starts();
				int openings = server.openings();
				server.restart();
				scene.awaitRecovery();
				Waiting.await().until(() -> server.openings() > openings);
				// neither a storm of initializations nor one of streams
				Waiting.await()
					.during(Duration.ofMillis(500))
					.until(() -> server.openings() <= openings + 2 && server.starts() == starts + 1);
			}
		});
	}

	@Test
	@Fault(value = FaultKind.STREAM_ENDS, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10)
	void streamFlaps() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		FaultScene scene = start(server);
		server.stream(McpTestReply.events(": open\n\n"));
		scene.survives(server::restart);
		int openings = server.openings();
		int starts = server.starts();
		Waiting.await().until(() -> server.openings() > openings);
		long begin = System.nanoTime();
		int more = server.openings();
		Waiting.await()
			.during(Duration.ofSeconds(3))
			.until(() -> server.openings() - more <= 1 + Duration.ofNanos(System.nanoTime() - begin).toSeconds());
		assertThat(server.starts()).isEqualTo(starts);
	}

	@Test
	@Survival(within = 10)
	void changeBetweenTwoStreamsIsNotMissed() throws Exception {
		FaultyServer server = closing(new FaultyServer(Transport.STREAMABLE_HTTP));
		server.stream(McpTestReply
			.events(Flux.just(": open\n\n").concatWith(Mono.delay(Duration.ofSeconds(1)).then(Mono.empty()))));
		FaultScene scene = start(server);
		Waiting.await().until(() -> server.openings() > 0);
		server.tools("added");
		Waiting.await().until(() -> scene.application().tools().find("faulty_added").isPresent());
		assertThat(server.starts()).isEqualTo(1);
	}

	@Fault(FaultKind.CHANGES)
	@Survival(within = 10, cycles = 10)
	@EachTransport
	void comesBackWithOtherTools(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer);
		scene.survives(() -> {
			peer.tools("other");
			peer.restart();
			scene.awaitRecovery();
			assertThat(scene.toolNames()).containsExactly("faulty_echo", "faulty_other", "faulty_read");
			assertThat(scene.application().text("faulty_other", Map.of())).isEqualTo("echo ");
			peer.tools("hang", "storm");
			peer.restart();
			scene.awaitRecovery();
			assertThat(scene.toolNames()).containsExactly("faulty_echo", "faulty_hang", "faulty_read", "faulty_storm");
		});
	}

	@Fault(FaultKind.MANY_CALLS_MEET_A_LOSS)
	@Survival(within = 10, cycles = 20)
	@EachTransport
	void manyCallsMeetTheLossOfASession(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer);
		scene.survives(() -> {
			int starts = peer.starts();
			loseSession(peer);
			List<CompletableFuture<McpToolResult>> calls = Stream.generate(() -> scene.call("read").toFuture())
				.limit(20)
				.toList();
			for (CompletableFuture<McpToolResult> call : calls) {
				assertAnsweredOrRefusedAtOnce(call);
			}
			scene.awaitRecovery();
			assertThat(peer.starts()).isEqualTo(starts + 1);
		});
	}

	/**
	 * The tool is declared read-only, so that a call may be repeated; one that comes when
	 * the server is known to be lost is refused.
	 */
	private static void assertAnsweredOrRefusedAtOnce(CompletableFuture<McpToolResult> call) throws Exception {
		Object outcome = call.<Object>handle((result, ex) -> (result != null) ? result.text() : ex)
			.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
		if (!(outcome instanceof McpServerUnavailableException)) {
			assertThat(outcome).isEqualTo("echo ");
		}
	}

	private static void loseSession(FaultyPeer peer) {
		if (peer instanceof FaultyServer server && server.hasSessions()) {
			server.script().forgetSessions();
		}
		else {
			peer.restart();
		}
	}

	@Fault(FaultKind.HUNG_SERVER)
	@Survival(within = 10)
	@EachTransport
	void hangsWithManyCalls(Transport transport) throws Exception {
		FaultScene scene = start(FaultyPeer.start(transport), "mcp.servers.faulty.request-timeout=500ms");
		scene.survives(() -> {
			List<CompletableFuture<McpToolResult>> calls = IntStream.range(0, 300)
				.mapToObj((i) -> scene.call("hang").toFuture())
				.toList();
			for (CompletableFuture<McpToolResult> call : calls) {
				assertThat(failure(call)).isNotNull();
			}
		});
	}

}
