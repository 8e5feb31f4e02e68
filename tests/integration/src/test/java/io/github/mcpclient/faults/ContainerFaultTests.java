package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import com.github.dockerjava.api.DockerClient;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.testsupport.Containers;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Survival;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.api.Test;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * What happens to containers: the reference server in one that is paused, stopped and
 * killed.
 */
class ContainerFaultTests extends AbstractFaultTests {

	private static final Duration PAUSE = Duration.ofSeconds(10);

	@Test
	@Fault(value = FaultKind.HALF_OPEN, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 20)
	void pausedForTenSeconds() throws Exception {
		Container container = closing(new Container());
		FaultScene scene = start(container.properties(), "mcp.servers.faulty.request-timeout=2s");
		AtomicInteger pauses = new AtomicInteger();
		scene.survives(() -> {
			container.docker().pauseContainerCmd(container.id()).exec();
			long paused = System.nanoTime();
			assertThat(failure(container.longCall(scene))).isInstanceOf(McpRequestTimeoutException.class);
			// the first time is for warming up
			if (pauses.getAndIncrement() > 0) {
				Waiting.await(PAUSE.plusSeconds(20)).until(() -> System.nanoTime() - paused >= PAUSE.toNanos());
			}
			container.docker().unpauseContainerCmd(container.id()).exec();
		});
	}

	@Test
	@Fault(value = FaultKind.REFUSED, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 20)
	void stoppedAndStartedOnTheSamePort() throws Exception {
		Container container = closing(new Container());
		FaultScene scene = start(container.properties());
		scene.survives(() -> {
			container.docker().stopContainerCmd(container.id()).withTimeout(1).exec();
			failure(scene.call("echo").toFuture());
			awaitLoss(scene);
			container.docker().startContainerCmd(container.id()).exec();
		});
	}

	@Test
	@Fault(value = FaultKind.RESET, over = Transport.STREAMABLE_HTTP)
	@Survival(within = 20)
	void killedWithinACall() throws Exception {
		Container container = closing(new Container());
		FaultScene scene = start(container.properties());
		scene.survives(() -> {
			CompletableFuture<McpToolResult> call = container.longCall(scene);
			// it is under way once another one is answered
			scene.awaitRecovery();
			container.docker().killContainerCmd(container.id()).exec();
			assertThat(failure(call)).isInstanceOf(McpConnectionException.class);
			awaitLoss(scene);
			container.docker().startContainerCmd(container.id()).exec();
		});
	}

	/**
	 * A container with a port of its own that stays the same.
	 */
	private static final class Container implements AutoCloseable {

		private final int port = Peers.freePort();

		private final GenericContainer<?> container;

		Container() {
			this.container = Containers.everything("streamableHttp");
			this.container.setPortBindings(List.of(this.port + ":" + Containers.PORT));
			this.container.start();
		}

		DockerClient docker() {
			return DockerClientFactory.instance().client();
		}

		String id() {
			return this.container.getContainerId();
		}

		String[] properties() {
			return new String[] {
					"mcp.servers.faulty.url=http://" + this.container.getHost() + ":" + this.port + "/mcp" };
		}

		CompletableFuture<McpToolResult> longCall(FaultScene scene) {
			return scene.application()
				.tools()
				.get("faulty_trigger-long-running-operation")
				.callAsync(Map.of("duration", 60, "steps", 6))
				.toFuture();
		}

		@Override
		public void close() {
			this.container.close();
		}

	}

}
