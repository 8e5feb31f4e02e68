package io.github.mcpclient.integration.application;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Leaks;
import io.github.mcpclient.testsupport.faults.Transport;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import reactor.netty.resources.LoopResources;

import org.springframework.context.annotation.Bean;
import org.springframework.http.client.ReactorResourceFactory;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Several applications in one JVM. One that is closed disposes of Reactor Netty's global
 * event loops.
 */
class SeveralApplicationsTests {

	private final Leaks leaks = new Leaks();

	private final CompletableFuture<Void> answer = new CompletableFuture<>();

	private final McpTestServer server = McpTestServer.create()
		.tools("echo")
		.tool("slow", McpTestReply.text("done").after(this.answer))
		.start();

	@ParameterizedTest
	@EnumSource(value = Transport.class, mode = Mode.EXCLUDE, names = "STDIO")
	void oneThatIsClosedCostsTheOthersNothing(Transport transport) {
		ClientApplication other = start(GlobalLoops.class, transport);
		ClientApplication application = start(GlobalLoops.class, transport);
		assertThat(other.text("server_echo", Map.of("message", "before"))).isEqualTo("echo before");
		assertThat(application.text("server_echo", Map.of("message", "before"))).isEqualTo("echo before");
		Instant since = application.registry().server("server").status().since();
		CompletableFuture<McpToolResult> pending = application.tools()
			.get("server_slow")
			.callAsync(Map.of())
			.toFuture();
		this.server.awaitPending("tools/call", 1);
		other.close();
		this.answer.complete(null);
		assertThat(pending).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("done");
		assertThat(application.text("server_echo", Map.of("message", "after"))).isEqualTo("echo after");
		assertThat(application.registry().server("server").status().since()).isEqualTo(since);
		application.close();
		this.leaks.assertNone();
	}

	@ParameterizedTest
	@EnumSource(value = Transport.class, mode = Mode.EXCLUDE, names = "STDIO")
	void eventLoopsOfTheApplicationThatEndAreReplaced(Transport transport) {
		ClientApplication application = start(SharedLoops.class, transport);
		assertThat(application.text("server_echo", Map.of("message", "before"))).isEqualTo("echo before");
		CompletableFuture<McpToolResult> pending = application.tools()
			.get("server_slow")
			.callAsync(Map.of())
			.toFuture();
		this.server.awaitPending("tools/call", 1);
		application.context().getBean(LoopResources.class).disposeLater(Duration.ZERO, LIMIT).block(LIMIT);
		// the first call may be the one that notices
		await().ignoreExceptions()
			.untilAsserted(() -> assertThat(application.text("server_echo", Map.of("message", "after")))
				.isEqualTo("echo after"));
		assertThat(application.state("server")).isEqualTo(McpServerState.READY);
		assertThat(pending).failsWithin(LIMIT);
	}

	private ClientApplication start(Class<?> configuration, Transport transport) {
		String url = switch (transport) {
			case SSE -> this.server.sseUrl();
			case WEBSOCKET -> this.server.webSocketUrl();
			default -> this.server.url();
		};
		return ClientApplication.start(configuration, "mcp.servers.server.url=" + url,
				"mcp.servers.server.type=" + transport.id(), "mcp.servers.server.reconnect.initial-delay=50ms");
	}

	static class GlobalLoops {

		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setShutdownQuietPeriod(Duration.ZERO);
			return factory;
		}

	}

	static class SharedLoops {

		@Bean(destroyMethod = "dispose")
		LoopResources loops() {
			return LoopResources.create("shared", 1, true);
		}

		@Bean
		ReactorResourceFactory reactorResourceFactory(LoopResources loops) {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			factory.setLoopResources(loops);
			return factory;
		}

	}

}
