package io.github.mcpclient.console;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.console.ServerFigures.Figures;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.logging.LoggingMeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link ServerFigures}.
 */
class ServerFiguresTests {

	private static final Duration TICK = Duration.ofSeconds(2);

	private final VirtualScheduler time = new VirtualScheduler();

	private final McpServerManager servers = mock(McpServerManager.class);

	private final List<RecentCall> recent = new ArrayList<>();

	private final List<MeterRegistry> registries = new ArrayList<>();

	@AfterEach
	void close() {
		this.registries.forEach(MeterRegistry::close);
	}

	static Stream<MeterRegistry> counting() {
		return Stream.of(new SimpleMeterRegistry(), prometheus(), new LoggingMeterRegistry(),
				new CompositeMeterRegistry(Clock.SYSTEM, List.of(new LoggingMeterRegistry(), prometheus())));
	}

	private static MeterRegistry prometheus() {
		return new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
	}

	@ParameterizedTest
	@MethodSource("counting")
	void ratesAreThoseOfTheLastHalfMinute(MeterRegistry registry) {
		ServerFigures figures = figures(registry);
		pending("a", 3);
		pending("never-asked", 0);
		assertThat(figures.figures()).containsOnlyKeys("a", "never-asked")
			.containsEntry("a", new Figures(0.0, null, null, 3));
		recent(16, 15, "success");
		recent(2, 15, "tool_error");
		recent(2, 15, "cancelled");
		this.time.advance(TICK);
		assertThat(figures.figures()).containsEntry("a", new Figures(0.67, 15.0, 0.1, 3))
			.containsEntry("never-asked", new Figures(0.0, null, null, 0));
		this.time.advance(ServerFigures.WINDOW.minus(TICK));
		assertThat(figures.figures().get("a").callsPerSecond()).isEqualTo(0.67);
		this.time.advance(TICK);
		assertThat(figures.figures()).containsEntry("a", new Figures(0.0, null, null, 3));
	}

	@Test
	void aRateIsThatOfTheLatestCallsWhereThereAreMore() {
		ServerFigures figures = figures(new SimpleMeterRegistry());
		pending("a", 0);
		this.time.advance(TICK);
		recent(1000, 0, "success");
		this.time.advance(TICK);
		assertThat(figures.figures().get("a").callsPerSecond()).isEqualTo(25.0);
	}

	@Test
	void mostCallsTakeNoLongerThanTheP95() {
		ServerFigures figures = figures(new SimpleMeterRegistry());
		pending("a", 0);
		recent(18, 15, "success");
		recent(2, 150, "success");
		assertThat(figures.figures().get("a").p95Ms()).isEqualTo(150.0);
		recent(20, 15, "success");
		assertThat(figures.figures().get("a").p95Ms()).isEqualTo(15.0);
	}

	@Test
	void whatIsNotMeasuredIsAbsent() {
		MeterRegistry denying = new SimpleMeterRegistry();
		denying.config().meterFilter(MeterFilter.denyNameStartsWith("mcp"));
		for (MeterRegistry registry : List.of(denying, new CompositeMeterRegistry())) {
			ServerFigures figures = figures(registry);
			pending("a", 0);
			recent(1, 15, "success");
			assertThat(figures.figures()).isEmpty();
		}
	}

	@Test
	void aServerThatIsRemovedIsForgotten() {
		MeterRegistry registry = new SimpleMeterRegistry();
		ServerFigures figures = figures(registry);
		pending("a", 0);
		assertThat(figures.figures()).containsOnlyKeys("a");
		registry.getMeters().forEach(registry::remove);
		assertThat(figures.figures()).isEmpty();
	}

	@Test
	void theMetersOfAnApplicationAreFound() {
		try (McpTestServer peer = McpTestServer.create()
			.tool("add", McpTestReply.text("5"))
			.tool("fail", McpTestReply.toolError("no"))
			.start();
				ConsoleApplication application = ConsoleApplication.run(WebApplicationType.NONE, new Class<?>[0],
						"mcp.servers.a.url=" + URI.create(peer.url()))) {
			ServerFigures figures = new ServerFigures(application.context().getBean(MeterRegistry.class),
					application.context().getBean(McpServerManager.class),
					application.context().getBean(ClientThreads.class).scheduler());
			McpToolCatalog tools = application.context().getBean(McpToolCatalog.class);
			IntStream.range(0, 3).forEach((i) -> tools.get("a_add").call(Map.of()));
			tools.get("a_fail").call(Map.of());
			assertThat(figures.figures().get("a")).returns(0.13, Figures::callsPerSecond)
				.returns(0.25, Figures::errorRate)
				.returns(0, Figures::pending)
				.satisfies((all) -> assertThat(all.p95Ms()).isPositive());
		}
	}

	private ServerFigures figures(MeterRegistry registry) {
		this.registries.add(registry);
		ManagedMcpServer server = mock(ManagedMcpServer.class);
		given(server.recentCalls()).willReturn(this.recent);
		given(this.servers.find("a")).willReturn(Optional.of(server));
		return new ServerFigures(registry, this.servers, this.time);
	}

	private MeterRegistry registry() {
		return this.registries.get(this.registries.size() - 1);
	}

	private void pending(String server, int count) {
		Gauge.builder("mcp.client.pending", () -> count).tag("mcp.server", server).register(registry());
	}

	private void recent(int count, long milliseconds, String outcome) {
		IntStream.range(0, count)
			.forEach((i) -> this.recent.add(0, new RecentCall("a_add", this.time.instant(),
					Duration.ofMillis(milliseconds), false, outcome, null)));
		while (this.recent.size() > 50) {
			this.recent.remove(50);
		}
	}

}
