package io.github.mcpclient.integration.load;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpTransportFactory;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Unchecked;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * An application that keeps all threads of Reactor's shared schedulers for itself.
 */
class BusyApplicationTests {

	private static final int CALLERS = Schedulers.DEFAULT_BOUNDED_ELASTIC_SIZE;

	private final McpTestServer server = McpTestServer.create()
		.tools(List.of(
				Map.of("name", "echo", "inputSchema", Map.of("type", "object"), "annotations",
						Map.of("readOnlyHint", true)),
				Map.of("name", "checked", "inputSchema", Map.of("type", "object"), "outputSchema",
						Map.of("type", "object", "properties", Map.of("n", Map.of("type", "integer"))))))
		.start();

	private final ClientApplication application = ClientApplication.start("mcp.servers.a.url=" + this.server.url(),
			"mcp.servers.a.request-timeout=4s", "mcp.servers.a.reconnect.initial-delay=50ms");

	private final CountDownLatch release = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.release.countDown();
	}

	@Test
	void callsThatAreNotAnsweredEndInTime() {
		this.server.on("tools/call", McpTestReply.never());
		assertThat(callAll("a_echo")).hasSize(CALLERS)
			.allSatisfy((end) -> assertThat(end).isInstanceOf(McpRequestTimeoutException.class));
	}

	@Test
	void callsAreAnswered() {
		assertThat(callAll("a_echo")).hasSize(CALLERS)
			.allSatisfy((end) -> assertThat(end).isInstanceOf(McpToolResult.class));
	}

	@Test
	void callsWhoseResultIsCheckedEnd() {
		this.server.on("tools/call",
				(request) -> McpTestReply.result(Map.of("content", List.of(), "structuredContent", Map.of("n", 1))));
		assertThat(callAll("a_checked")).hasSize(CALLERS);
	}

	@Test
	void aLostSessionIsReplaced() {
		this.server.forgetSessions();
		assertThat(callAll("a_echo")).hasSize(CALLERS);
		assertThat(this.application.state("a")).isEqualTo(McpServerState.READY);
		assertThat(this.server.requests("initialize").size()).isGreaterThan(1);
	}

	@Test
	void connectionsAreMadeAndEndWhileAllSharedThreadsAreHeld() {
		for (int i = 0; i < CALLERS; i++) {
			Schedulers.boundedElastic().schedule(this::hold);
		}
		for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
			Schedulers.parallel().schedule(this::hold);
		}
		this.server.forgetSessions();
		McpTool echo = this.application.tools().get("a_echo");
		await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> !echo.call(Map.of()).isError());
		this.server.on("tools/call", McpTestReply.never());
		assertThat(end(echo)).isInstanceOf(McpRequestTimeoutException.class);
		this.application.manager().removeAsync("a").toFuture().orTimeout(60, TimeUnit.SECONDS).join();
	}

	@Test
	void aTransportFactoryThatHangsKeepsOneThread() {
		HangingFactory.release = this.release;
		HangingFactory.entered.set(0);
		ClientApplication hanging = ClientApplication.start(HangingFactory.class, "mcp.startup.wait=0s",
				"mcp.servers.stuck.type=hanging", "mcp.servers.stuck.url=http://localhost:1/mcp",
				"mcp.servers.stuck.initialization-timeout=100ms", "mcp.servers.stuck.reconnect.initial-delay=10ms",
				"mcp.servers.stuck.reconnect.max-delay=10ms", "mcp.servers.b.url=" + this.server.url());
		await().atMost(Duration.ofSeconds(60))
			.until(() -> hanging.registry().server("stuck").status().attempts() > 5
					&& hanging.state("b") == McpServerState.READY);
		assertThat(HangingFactory.entered).hasValue(1);
		this.release.countDown();
	}

	private void hold() {
		Unchecked.run(() -> this.release.await());
	}

	/**
	 * Call a tool on all threads of the shared scheduler at once, and wait for all.
	 */
	private List<Object> callAll(String name) {
		McpTool tool = this.application.tools().get(name);
		List<Object> ends = Flux.range(0, CALLERS)
			.flatMap((i) -> Mono.fromCallable(() -> end(tool)).subscribeOn(Schedulers.boundedElastic()), CALLERS)
			.collectList()
			.toFuture()
			.orTimeout(60, TimeUnit.SECONDS)
			.join();
		return ends;
	}

	private static Object end(McpTool tool) {
		try {
			return tool.call(Map.of());
		}
		catch (RuntimeException ex) {
			return ex;
		}
	}

	/**
	 * Heeds no interruption either.
	 */
	static class HangingFactory {

		private static final AtomicInteger entered = new AtomicInteger();

		private static volatile CountDownLatch release;

		@Bean
		McpTransportFactory hangingTransportFactory() {
			return new McpTransportFactory() {

				@Override
				public Set<String> types() {
					return Set.of("hanging");
				}

				@Override
				public McpClientTransport create(McpServerDefinition definition) {
					entered.incrementAndGet();
					boolean interrupted = false;
					while (release.getCount() > 0) {
						try {
							release.await();
						}
						catch (InterruptedException ex) {
							interrupted = true;
						}
					}
					throw new IllegalStateException("hung, interrupted: " + interrupted);
				}

			};
		}

	}

}
