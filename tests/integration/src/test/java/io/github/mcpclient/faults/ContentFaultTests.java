package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.faults.FaultyPeer.Behaviour;
import io.github.mcpclient.testsupport.faults.EachTransport;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What servers say, and what they do not say.
 */
class ContentFaultTests extends AbstractFaultTests {

	@Fault(FaultKind.OVERSIZE)
	@Survival(within = 10, cycles = 3)
	@EachTransport
	void resultOfAHundredMegabytes(Transport transport) throws Exception {
		FaultScene scene = start(FaultyPeer.start(transport));
		scene.survives(() -> assertThat(failure(scene.call("huge").toFuture())).isInstanceOf(McpException.class)
			.message()
			.containsAnyOf("max-message-size", "max-result-size"));
	}

	@Fault(FaultKind.ENDLESS)
	@Survival(within = 10, cycles = 5)
	@EachTransport
	void messageWithoutEnd(Transport transport) throws Exception {
		FaultScene scene = start(FaultyPeer.start(transport), "mcp.servers.faulty.max-message-size=1MB");
		scene.survives(() -> assertThat(failure(scene.call("endless").toFuture())).isInstanceOf(McpException.class)
			.message()
			.containsAnyOf("max-message-size", "max-result-size"));
	}

	@Fault(FaultKind.NOISE)
	@Survival(within = 10, cycles = 50)
	@EachTransport
	void noiseBesideTheAnswer(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer);
		scene.survives(() -> assertThat(scene.call("noise").block(LIMIT).text()).isEqualTo("noise"));
		assertThat(peer.starts()).isEqualTo(1);
	}

	@Fault(FaultKind.STRANGE_IDS)
	@Survival(within = 10, cycles = 50)
	@EachTransport
	void answersWithStrangeIds(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer);
		scene.survives(() -> assertThat(scene.call("ids").block(LIMIT).text()).isEqualTo("ids"));
		assertThat(peer.starts()).isEqualTo(1);
	}

	@Fault(FaultKind.NO_ANSWER)
	@Survival(within = 10, cycles = 10)
	@EachTransport
	void callIsNeverAnswered(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer);
		McpToolRequest request = McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(50));
		scene.survives(() -> {
			CompletableFuture<McpToolResult> call = scene.application()
				.tools()
				.get("faulty_hang")
				.callAsync(request)
				.toFuture();
			assertThat(failure(call)).isInstanceOf(McpRequestTimeoutException.class);
		});
		assertThat(peer.starts()).isEqualTo(1);
	}

	@Fault(FaultKind.NO_ANSWER)
	@Survival(within = 10)
	@EachTransport
	void initializeIsNotAnswered(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer, "mcp.servers.faulty.initialization-timeout=500ms");
		scene.survives(() -> {
			peer.behave(Behaviour.SILENT, true);
			peer.restart();
			failure(scene.call("echo").toFuture());
			Waiting.await()
				.until(() -> String.valueOf(scene.status().lastError()).contains("No response to initialize"));
			peer.behave(Behaviour.SILENT, false);
		});
	}

	@Fault(FaultKind.ENDLESS_LISTING)
	@Survival(within = 10)
	@EachTransport
	void listingThatNamesAnotherPageForEver(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer, "mcp.servers.faulty.tools.max=100");
		scene.survives(() -> {
			peer.behave(Behaviour.ENDLESS_LISTING, true);
			peer.restart();
			Waiting.await(Duration.ofSeconds(60))
				.until(() -> String.valueOf(scene.status().lastError()).contains("tools.max"));
			peer.behave(Behaviour.ENDLESS_LISTING, false);
		});
	}

	@Test
	@Fault(value = FaultKind.ENDLESS_LISTING, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 10)
	void tenThousandToolsAreMoreThanAllowed() throws Exception {
		FaultyPeer peer = FaultyPeer.start(Transport.STREAMABLE_HTTP);
		FaultScene scene = start(peer);
		scene.survives(() -> {
			peer.behave(Behaviour.MANY, true);
			peer.restart();
			Waiting.await(Duration.ofSeconds(60))
				.until(() -> String.valueOf(scene.status().lastError()).contains("tools.max"));
			peer.behave(Behaviour.MANY, false);
		});
	}

	@Fault(FaultKind.ENDLESS_LISTING)
	@Survival(within = 20)
	@EachTransport
	void tenThousandTools(Transport transport) throws Exception {
		int many = FaultyPeer.many(transport);
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer, "mcp.servers.faulty.tools.max=20000");
		scene.survives(() -> {
			peer.behave(Behaviour.MANY, true);
			peer.restart();
			Waiting.await(Duration.ofSeconds(60))
				.until(() -> scene.status().tools() > many && scene.status().state() == McpServerState.READY);
			assertThat(scene.application().text("faulty_tool-" + many, Map.of())).isEqualTo("echo ");
			peer.behave(Behaviour.MANY, false);
			peer.restart();
			Waiting.await(Duration.ofSeconds(60))
				.until(() -> scene.status().tools() < 100 && scene.status().state() == McpServerState.READY);
		});
	}

	@Fault(FaultKind.CHANGES)
	@Survival(within = 10, cycles = 5)
	@EachTransport
	void stormOfChanges(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer);
		scene.survives(() -> {
			long begin = System.nanoTime();
			int listings = peer.listings();
			McpTool tool = scene.application().tools().get("faulty_storm");
			Map<String, Object> arguments = Map.of("message", String.valueOf(FaultyPeer.many(transport)));
			Flux.range(0, 2).flatMap((i) -> tool.callAsync(arguments)).blockLast(LIMIT);
			scene.awaitRecovery();
			long seconds = Duration.ofNanos(System.nanoTime() - begin).toSeconds();
			assertThat(peer.listings() - listings).as("listings in %d s", seconds)
				.isLessThanOrEqualTo((int) (2 * (seconds + 1) + 1));
		});
		assertThat(peer.starts()).isEqualTo(1);
	}

}
