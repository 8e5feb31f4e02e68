package io.github.mcpclient.console;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServer.RecentCall;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.console.ServerFigures.Figures;
import io.github.mcpclient.support.VirtualScheduler;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
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

	private final McpServerRegistry servers = mock(McpServerRegistry.class);

	private final List<RecentCall> recent = new ArrayList<>();

	private final List<MeterRegistry> registries = new ArrayList<>();

	@AfterEach
	void close() {
		this.registries.forEach(MeterRegistry::close);
	}

	static Stream<MeterRegistry> counting() {
		LoggingMeterRegistry logging = new LoggingMeterRegistry();
		return Stream.of(new SimpleMeterRegistry(), prometheus(),
				new CompositeMeterRegistry(Clock.SYSTEM, List.of(logging, prometheus())));
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
		calls("a", "none", 1000, 15);
		assertThat(figures.figures()).containsOnlyKeys("a", "never-asked")
			.containsEntry("a", new Figures(null, null, null, 3));
		this.time.advance(TICK);
		calls("a", "none", 16, 15);
		calls("a", "tool_error", 2, 15);
		calls("a", "cancelled", 2, 15);
		other("a", 50);
		assertThat(figures.figures().get("a")).returns(10.0, Figures::callsPerSecond)
			.returns(0.1, Figures::errorRate)
			.returns(3, Figures::pending);
		assertThat(figures.figures()).containsEntry("never-asked", new Figures(null, null, null, 0));
		IntStream.range(0, 12).forEach((i) -> {
			this.time.advance(TICK);
			figures.figures();
		});
		assertThat(figures.figures().get("a").callsPerSecond()).isBetween(0.6, 0.9);
		IntStream.range(0, 3).forEach((i) -> {
			this.time.advance(TICK);
			figures.figures();
		});
		assertThat(figures.figures()).containsEntry("a", new Figures(0.0, null, null, 3));
	}

	@Test
	void nobodyIsToldOfWhatHappenedWhileNobodyLooked() {
		ServerFigures figures = figures(new SimpleMeterRegistry());
		pending("a", 0);
		figures.figures();
		calls("a", "none", 1000, 15);
		this.time.advance(Duration.ofHours(1));
		assertThat(figures.figures().get("a").callsPerSecond()).isNull();
		this.time.advance(TICK);
		calls("a", "none", 1, 15);
		assertThat(figures.figures().get("a").callsPerSecond()).isEqualTo(0.5);
	}

	@Test
	void bucketsTellHowLongMostCallsTake() {
		ServerFigures figures = figures(prometheus());
		pending("a", 0);
		calls("a", "none", 1000, 900);
		figures.figures();
		this.time.advance(TICK);
		calls("a", "none", 1, 15);
		recent(1, 15);
		assertThat(figures.figures().get("a").p95Ms()).as("where buckets began is not known yet").isEqualTo(15.0);
		this.time.advance(TICK);
		calls("a", "none", 90, 15);
		calls("a", "tool_error", 10, 150);
		assertThat(figures.figures().get("a").p95Ms()).isBetween(100.0, 200.0);
	}

	@Test
	void recentCallsDoWhereThereAreNoBuckets() {
		ServerFigures figures = figures(new SimpleMeterRegistry());
		pending("a", 0);
		figures.figures();
		this.time.advance(TICK);
		calls("a", "none", 20, 15);
		recent(18, 15);
		recent(2, 150);
		assertThat(figures.figures().get("a").p95Ms()).isEqualTo(150.0);
	}

	@Test
	void recentCallsDoWhereMetersCountBySteps() {
		ServerFigures figures = figures(new LoggingMeterRegistry());
		pending("a", 1);
		calls("a", "none", 20, 15);
		recent(6, 15);
		this.time.advance(Duration.ofSeconds(10));
		assertThat(figures.figures()).containsEntry("a", new Figures(0.2, 15.0, 0.0, 1));
		recent(50, 30);
		this.time.advance(TICK);
		assertThat(figures.figures().get("a").callsPerSecond()).isBetween(20.0, 30.0);
	}

	@Test
	void whatIsNotMeasuredIsAbsent() {
		MeterRegistry denying = new SimpleMeterRegistry();
		denying.config().meterFilter(MeterFilter.denyNameStartsWith("mcp"));
		for (MeterRegistry registry : List.of(denying, new CompositeMeterRegistry())) {
			ServerFigures figures = figures(registry);
			pending("a", 0);
			calls("a", "none", 1, 15);
			assertThat(figures.figures()).isEmpty();
		}
	}

	@Test
	void aServerThatIsRemovedIsForgotten() {
		MeterRegistry registry = new SimpleMeterRegistry();
		ServerFigures figures = figures(registry);
		pending("a", 0);
		calls("a", "none", 1, 15);
		assertThat(figures.figures()).containsOnlyKeys("a");
		registry.getMeters().forEach(registry::remove);
		this.time.advance(TICK);
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
					application.context().getBean(McpServerRegistry.class), this.time);
			figures.figures();
			McpToolCatalog tools = application.context().getBean(McpToolCatalog.class);
			IntStream.range(0, 3).forEach((i) -> tools.get("a_add").call(Map.of()));
			tools.get("a_fail").call(Map.of());
			this.time.advance(TICK);
			assertThat(figures.figures().get("a")).returns(2.0, Figures::callsPerSecond)
				.returns(0.25, Figures::errorRate)
				.returns(0, Figures::pending)
				.satisfies((all) -> assertThat(all.p95Ms()).isPositive());
		}
	}

	private ServerFigures figures(MeterRegistry registry) {
		this.registries.add(registry);
		McpServer server = mock(McpServer.class);
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

	private void calls(String server, String error, int count, long milliseconds) {
		Timer timer = Timer.builder("mcp.client.operation.duration")
			.tags("mcp.server", server, "mcp.method.name", "tools/call", "error.type", error)
			.serviceLevelObjectives(buckets())
			.register(registry());
		IntStream.range(0, count).forEach((i) -> timer.record(Duration.ofMillis(milliseconds)));
	}

	private Duration[] buckets() {
		return (registry() instanceof SimpleMeterRegistry) ? new Duration[0]
				: Stream.of(10, 20, 50, 100, 200, 500, 1000).map(Duration::ofMillis).toArray(Duration[]::new);
	}

	private void other(String server, int count) {
		Timer timer = registry().timer("mcp.client.operation.duration", "mcp.server", server, "mcp.method.name", "ping",
				"error.type", "none");
		IntStream.range(0, count).forEach((i) -> timer.record(Duration.ofMillis(1)));
	}

	private void recent(int count, long milliseconds) {
		IntStream.range(0, count)
			.forEach((i) -> this.recent.add(0, new RecentCall("a_add", this.time.instant(),
					Duration.ofMillis(milliseconds), false, "success", null)));
		while (this.recent.size() > 50) {
			this.recent.remove(50);
		}
	}

}
