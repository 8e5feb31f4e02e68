package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.faults.EachTransport;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Servers that are not there: at the start, all of them, or again and again.
 */
class StartFaultTests extends AbstractFaultTests {

	@Fault(FaultKind.DOWN_AT_START)
	@Fault(FaultKind.ONE_OF_MANY_DOWN)
	@Survival(within = 10, cycles = 10)
	@EachTransport
	void downAtTheStartAndLater(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.startDown(transport);
		FaultScene scene = start(peer);
		assertThat(awaitFailedAttempt(scene)).isNotEmpty();
		scene.assertOthersGoOn();
		assertThat(scene.toolNames()).isEmpty();
		peer.up();
		scene.survives(() -> {
			peer.down();
			failure(scene.call("echo").toFuture());
			awaitFailedAttempt(scene);
			// its tools stay, and a call tells at once why it fails
			assertThat(scene.toolNames()).isNotEmpty();
			assertThat(failure(scene.call("echo").toFuture())).isInstanceOf(McpServerUnavailableException.class);
			peer.up();
		});
	}

	@Fault(FaultKind.ALL_DOWN)
	@EachTransport
	void allDown(Transport transport) throws Exception {
		endScene();
		FaultyPeer one = FaultyPeer.startDown(transport);
		FaultyPeer two = FaultyPeer.startDown(transport);
		List<String> properties = new ArrayList<>(List.of(one.properties("one")));
		properties.addAll(List.of(two.properties("two")));
		properties.add("mcp.defaults.reconnect.initial-delay=50ms");
		properties.add("mcp.defaults.reconnect.max-delay=200ms");
		ClientApplication application = ClientApplication.start(properties.toArray(String[]::new));
		// an error that names the server, where an empty list would say that
		// there are no tools
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> application.text("one_echo", Map.of()))
			.withMessageContaining("MCP server 'one'")
			.withMessageNotContaining("two");
		one.up();
		two.up();
		Waiting.await()
			.until(() -> application.tools().find("one_echo").isPresent()
					&& application.tools().find("two_echo").isPresent());
		int tools = application.tools().all().size();
		one.down();
		two.down();
		for (String server : List.of("one", "two")) {
			Waiting.await().until(() -> isUnavailable(application, server));
			assertThatExceptionOfType(McpServerUnavailableException.class)
				.isThrownBy(() -> application.text(server + "_echo", Map.of()));
		}
		assertThat(application.tools().all()).hasSize(tools)
			.allSatisfy((tool) -> assertThat(tool.available()).isFalse());
	}

	/**
	 * Another application that closes takes the event loops of all with it.
	 */
	private static void endScene() {
		FaultScene.end();
	}

	private static boolean isUnavailable(ClientApplication application, String server) {
		application.tools().get(server + "_echo").callAsync(Map.of()).onErrorComplete().block(LIMIT);
		return application.state(server) == McpServerState.UNAVAILABLE;
	}

	@Fault(FaultKind.START_RACES_STOP)
	@EachTransport
	void stopsWhileItConnects(Transport transport) throws Exception {
		endScene();
		Leaks leaks = new Leaks();
		FaultyPeer peer = FaultyPeer.start(transport);
		List<String> properties = new ArrayList<>(List.of(peer.properties("faulty")));
		properties.add("mcp.startup.wait=0s");
		String[] all = properties.toArray(String[]::new);
		for (int i = 0; i < 4; i++) {
			ClientApplication application = ClientApplication.start(all);
			if (i % 2 == 1) {
				Waiting.await().until(() -> peer.starts() > 0);
			}
			application.close();
			leaks.assertNone();
		}
	}

	@Fault(FaultKind.CRASH_LOOP)
	@Survival(within = 10)
	@EachTransport
	void failsAgainAndAgain(Transport transport) throws Exception {
		FaultyPeer peer = FaultyPeer.start(transport);
		FaultScene scene = start(peer, "mcp.servers.faulty.reconnect.jitter=0");
		((Logger) LoggerFactory.getLogger("io.github.mcpclient")).setLevel(Level.INFO);
		scene.survives(() -> {
			try (LogLines log = new LogLines(FaultScene.FAULTY)) {
				peer.down();
				failure(scene.call("echo").toFuture());
				// the delays are 10, 20 and then 40 ms
				Waiting.await().until(() -> scene.status().attempts() >= 10);
				peer.up();
				scene.awaitRecovery();
				// the loss, perhaps the failure that is another one, and the recovery
				assertThat(log.lines()).hasSizeLessThanOrEqualTo(4);
			}
		});
	}

	@Fault(FaultKind.ALL_RESTART)
	@EachTransport
	void thirtySevenRestartAtOnce(Transport transport) throws Exception {
		endScene();
		Leaks leaks = new Leaks();
		List<FaultyPeer> peers = new ArrayList<>();
		List<String> properties = new ArrayList<>(List.of("mcp.startup.wait=60s",
				"mcp.defaults.reconnect.initial-delay=500ms", "mcp.defaults.reconnect.max-delay=2s"));
		for (int i = 0; i < 37; i++) {
			peers.add(FaultyPeer.start(transport));
			properties.addAll(List.of(peers.get(i).properties("s" + i)));
		}
		try (ClientApplication application = ClientApplication.start(properties.toArray(String[]::new))) {
			awaitAll(application);
			peers.forEach(FaultyPeer::restart);
			awaitAll(application);
			// each came back by itself, and nobody tried more than a few times
			assertThat(peers).allSatisfy((peer) -> assertThat(peer.starts()).isBetween(2, 4));
		}
		finally {
			peers.forEach(FaultyPeer::close);
		}
		leaks.assertNone();
	}

	private static void awaitAll(ClientApplication application) {
		for (int i = 0; i < 37; i++) {
			String tool = "s" + i + "_read";
			Waiting.await(Duration.ofSeconds(60))
				.until(() -> application.tools().find(tool).isPresent() && answers(application, tool));
		}
	}

	private static boolean answers(ClientApplication application, String tool) {
		return application.tools()
			.get(tool)
			.callAsync(Map.of("message", tool))
			.map((result) -> result.text().equals("echo " + tool))
			.onErrorReturn(false)
			.blockOptional(LIMIT)
			.orElse(false);
	}

}
