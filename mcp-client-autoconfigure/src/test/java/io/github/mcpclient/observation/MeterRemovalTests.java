package io.github.mcpclient.observation;

import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

/**
 * What Prometheus scrapes once servers are gone.
 */
class MeterRemovalTests {

	private static final Duration WAIT = Duration.ofSeconds(60);

	private static final int SERVERS = 60;

	@Test
	void nothingStaysOfServersThatAreGone() {
		McpTestServer server = closing(
				McpTestServer.create().tools("echo", "hangs").prompt("greeting", "hello").start());
		McpTestServer other = closing(McpTestServer.create().tools("echo").start());
		ClientApplication application = ClientApplication.start(Observed.class, "mcp.servers.a.url=" + server.url(),
				"mcp.defaults.keep-alive-interval=1h");
		server.tool("hangs", McpTestReply.never());
		PrometheusMeterRegistry meters = application.context().getBean(PrometheusMeterRegistry.class);
		McpServerManager manager = application.manager();
		// what follows READY
		await().atMost(WAIT)
			.until(() -> series(meters).stream()
				.anyMatch((line) -> line.startsWith("mcp_client_operation_duration_seconds_count")
						&& line.contains("prompts/list")));
		Set<String> before = series(meters);
		assertThatIllegalArgumentException().isThrownBy(() -> manager.add(definition("A", server)));
		assertThat(series(meters)).isEqualTo(before);
		IntStream.range(0, SERVERS).parallel().forEach((i) -> {
			String name = "s" + i;
			manager.add(definition(name, server));
			application.tools().get(name + "_echo").call(Map.of());
			application.registry().server(name).getPrompt("greeting", Map.of());
			application.tools().get(name + "_hangs").callAsync(Map.of()).subscribe((result) -> {
			}, (failure) -> {
			});
		});
		await().atMost(WAIT)
			.until(() -> server.requests().stream().filter((request) -> request.method().equals("tools/call")).count(),
					(calls) -> calls >= 2 * SERVERS);
		manager.replace(definition("s0", other));
		await().atMost(WAIT)
			.untilAsserted(() -> assertThat(series(meters)).filteredOn((line) -> line.contains("\"s0\""))
				.isNotEmpty()
				.noneMatch((line) -> line.contains("\"" + URI.create(server.url()).getPort() + "\"")));
		assertThat(series(meters)).hasSizeGreaterThan(before.size() + SERVERS * 20);
		IntStream.range(0, SERVERS).parallel().forEach((i) -> manager.remove("s" + i));
		await().atMost(WAIT).untilAsserted(() -> assertThat(series(meters)).isEqualTo(before));
		assertThat(application.tools().get("a_echo").call(Map.of()).isError()).isFalse();
		manager.add(definition("s1", server));
		assertThat(series(meters)).anyMatch((line) -> line.contains("\"s1\""));
	}

	private static McpServerDefinition definition(String name, McpTestServer server) {
		return McpServerDefinition.http(name, URI.create(server.url())).build();
	}

	/**
	 * Return the lines of a scrape without their values.
	 */
	private static Set<String> series(PrometheusMeterRegistry meters) {
		return meters.scrape()
			.lines()
			.filter((line) -> line.startsWith("mcp_"))
			.map((line) -> line.substring(0, line.lastIndexOf(' ')))
			.collect(Collectors.toSet());
	}

	static class Observed {

		@Bean
		PrometheusMeterRegistry meterRegistry() {
			return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
		}

		@Bean
		ObservationRegistry observationRegistry(PrometheusMeterRegistry meters) {
			ObservationRegistry registry = ObservationRegistry.create();
			registry.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
			return registry;
		}

	}

}
