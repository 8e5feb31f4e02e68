package io.github.mcpclient.integration.handlers;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * How often a server may ask for what has no limit of its own.
 */
class RequestRateTests {

	private static final int LIMIT = 600;

	private static final int AT_ONCE = 30;

	@Test
	void elicitationAndRootsAreLimitedInRate() {
		McpTestServer server = closing(McpTestServer.create().start());
		ClientApplication application = ClientApplication.start(Declining.class, "mcp.servers.x.url=" + server.url(),
				"mcp.servers.x.roots.directories=/tmp");
		assertThat(application.registry().server("x").status().lastError()).isNull();
		server.awaitListeners(1);
		flood(server, "roots/list", Map.of(), "roots");
		flood(server, "elicitation/create",
				Map.of("message", "m", "requestedSchema", Map.of("type", "object", "properties", Map.of())),
				"elicitation");
	}

	private static void flood(McpTestServer server, String method, Map<String, ?> params, String kind) {
		for (int sent = 0; sent < LIMIT; sent += AT_ONCE) {
			CompletableFuture
				.allOf(Stream.generate(() -> server.request(method, params))
					.limit(AT_ONCE)
					.toArray(CompletableFuture[]::new))
				.join();
		}
		assertThat(server.request(method, params)).failsWithin(Duration.ofSeconds(30))
			.withThrowableOfType(ExecutionException.class)
			.withMessageContaining("More than 600 requests for " + kind);
	}

	@TestConfiguration(proxyBeanMethods = false)
	static class Declining {

		@Bean
		McpElicitationHandler declining() {
			return (request, context) -> ElicitResult.builder(Action.DECLINE).build();
		}

	}

}
