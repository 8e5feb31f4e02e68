package io.github.mcpclient.console;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.RecentCall;
import io.github.mcpclient.management.McpServerManager;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.jspecify.annotations.Nullable;

/**
 * Figures of the calls of tools in the last 30 seconds, computed from the latest calls of
 * each server that the application measures. Safe for use by multiple threads.
 */
record ServerFigures(MeterRegistry registry, McpServerManager servers, ClientScheduler timer) {

	static final Duration WINDOW = Duration.ofSeconds(30);

	// the names in docs/observability.md

	private static final String PENDING = "mcp.client.pending";

	private static final String SERVER = "mcp.server";

	private static final double QUANTILE = 0.95;

	// the limit of ManagedMcpServer.recentCalls()
	private static final int MOST_RECENT = 50;

	/**
	 * Return the figures of the servers that are measured, by their names.
	 */
	Map<String, Figures> figures() {
		Map<String, Figures> figures = new HashMap<>();
		sources(this.registry).flatMap((source) -> source.find(PENDING).gauges().stream()).forEach((gauge) -> {
			String server = gauge.getId().getTag(SERVER);
			if (server != null) {
				double pending = gauge.value();
				figures.computeIfAbsent(server,
						(name) -> figures(name, Double.isNaN(pending) ? null : (Integer) (int) pending));
			}
		});
		return figures;
	}

	private static Stream<MeterRegistry> sources(MeterRegistry registry) {
		return (registry instanceof CompositeMeterRegistry composite)
				? composite.getRegistries().stream().flatMap(ServerFigures::sources) : Stream.of(registry);
	}

	private Figures figures(String server, @Nullable Integer pending) {
		List<RecentCall> known = this.servers.find(server).map(ManagedMcpServer::recentCalls).orElse(List.of());
		Instant now = this.timer.instant();
		List<RecentCall> calls = known.stream().filter((call) -> !ended(call).isBefore(now.minus(WINDOW))).toList();
		// only the latest calls are known: their rate is relative to their time span
		Duration time = (calls.size() < MOST_RECENT) ? WINDOW
				: Duration.between(ended(calls.get(calls.size() - 1)), now);
		double rate = rounded(calls.size() * 1e9 / Math.max(time.toNanos(), 1), 100);
		if (calls.isEmpty()) {
			return new Figures(rate, null, null, pending);
		}
		List<Duration> durations = calls.stream().map(RecentCall::duration).sorted().toList();
		Duration p95 = durations.get((int) Math.ceil(QUANTILE * durations.size()) - 1);
		long errors = calls.stream()
			.filter((call) -> !call.outcome().equals("success") && !call.outcome().equals("cancelled"))
			.count();
		return new Figures(rate, rounded(p95.toNanos() / 1e6, 10), rounded((double) errors / calls.size(), 1000),
				pending);
	}

	private static Instant ended(RecentCall call) {
		return call.started().plus(call.duration());
	}

	// rounded, so that small changes are not sent
	private static double rounded(double value, int parts) {
		return (double) Math.round(value * parts) / parts;
	}

	/**
	 * The figures of one server.
	 *
	 * @param callsPerSecond calls of tools that have ended
	 * @param p95Ms the duration in milliseconds that 95 of 100 calls do not exceed;
	 * {@code null} without calls
	 * @param errorRate the share of failed calls, except for cancelled ones; {@code null}
	 * without calls
	 * @param pending the number of requests in flight
	 */
	@JsonInclude(Include.NON_NULL)
	record Figures(double callsPerSecond, @Nullable Double p95Ms, @Nullable Double errorRate,
			@Nullable Integer pending) {
	}

}
