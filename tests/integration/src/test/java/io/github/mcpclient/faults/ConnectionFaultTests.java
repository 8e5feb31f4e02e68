package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.Map;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.testsupport.FaultProxy;
import io.github.mcpclient.testsupport.faults.EachTransport;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What networks do to connections.
 */
class ConnectionFaultTests extends AbstractFaultTests {

	@Fault(FaultKind.RESET)
	@Survival(within = 10, cycles = 100)
	@EachTransport
	void resetWithinAnAnswer(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultProxy proxy = FaultProxy.to(server.port());
		FaultScene scene = start(server.properties(FaultScene.FAULTY, proxy.port()));
		scene.survives(() -> {
			proxy.resetWithinAnswers(20);
			assertThat(failure(scene.call("echo").toFuture())).isInstanceOf(McpConnectionException.class);
			proxy.pass();
		});
	}

	@Fault(value = FaultKind.NO_ANSWER, over = { Transport.STREAMABLE_HTTP, Transport.SSE, Transport.WEBSOCKET })
	@Survival(within = 10, cycles = 5)
	@EachTransport
	void answerDripsSlowerThanTheTimeout(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultProxy proxy = FaultProxy.to(server.port());
		FaultScene scene = start(server.properties(FaultScene.FAULTY, proxy.port()),
				"mcp.servers.faulty.request-timeout=500ms");
		scene.survives(() -> {
			proxy.drip(Duration.ofMillis(20));
			assertThat(failure(scene.call("echo").toFuture())).isInstanceOf(McpRequestTimeoutException.class);
			proxy.pass();
		});
	}

	@Fault(FaultKind.HALF_OPEN)
	@Survival(within = 10, cycles = 5)
	@EachTransport
	void connectionIsHalfOpen(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultProxy proxy = FaultProxy.to(server.port());
		FaultScene scene = start(server.properties(FaultScene.FAULTY, proxy.port()),
				"mcp.servers.faulty.request-timeout=500ms", "mcp.servers.faulty.keep-alive-interval=200ms");
		scene.survives(() -> {
			proxy.hold();
			assertThat(failure(scene.call("hang").toFuture())).isNotNull();
			awaitLoss(scene);
			proxy.pass();
		});
	}

	@Fault(value = FaultKind.HALF_OPEN, over = { Transport.STREAMABLE_HTTP, Transport.SSE })
	@Survival(within = 10)
	@EachTransport
	void connectionIsForgottenWhileItIsIdle(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultProxy proxy = FaultProxy.to(server.port());
		FaultScene scene = start(server.properties(FaultScene.FAULTY, proxy.port()),
				"mcp.servers.faulty.request-timeout=500ms", "mcp.servers.faulty.sse-read-timeout=300ms");
		scene.survives(() -> {
			proxy.forget();
			int openings = server.openings();
			// the stream on which nothing arrives is opened anew
			Waiting.await().until(() -> server.openings() > openings);
		});
		server.tools("added");
		// between two streams nobody hears it
		Waiting.await().pollInterval(Duration.ofMillis(100)).until(() -> {
			server.script().notifyToolsListChanged();
			return scene.application().tools().find("faulty_added").isPresent();
		});
	}

	@Fault(FaultKind.HALF_OPEN)
	@Survival(within = 10, cycles = 5)
	@EachTransport
	void connectionIsSlow(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultProxy proxy = FaultProxy.to(server.port());
		FaultScene scene = start(server.properties(FaultScene.FAULTY, proxy.port()));
		int starts = server.starts();
		scene.survives(() -> {
			proxy.delay(Duration.ofMillis(100));
			assertThat(scene.application().text("faulty_echo", Map.of("message", "slow"))).isEqualTo("echo slow");
			proxy.pass();
		});
		assertThat(server.starts()).isEqualTo(starts);
	}

	@Fault(FaultKind.REFUSED)
	@Survival(within = 10, cycles = 100)
	@EachTransport
	void connectionIsRefused(Transport transport) throws Exception {
		FaultyServer server = closing(new FaultyServer(transport));
		FaultProxy proxy = FaultProxy.to(server.port());
		FaultScene scene = start(server.properties(FaultScene.FAULTY, proxy.port()));
		scene.survives(() -> {
			proxy.refuse();
			// the first may meet a connection that was open, the second needs a new
			// one
			assertThat(failure(scene.call("echo").toFuture())).isNotNull();
			assertThat(failure(scene.call("echo").toFuture())).isNotNull();
			awaitLoss(scene);
			proxy.accept();
		});
	}

}
