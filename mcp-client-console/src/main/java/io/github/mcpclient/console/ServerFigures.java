package io.github.mcpclient.console;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.McpServer.RecentCall;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.support.ClientScheduler;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.step.StepMeterRegistry;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/**
 * How much the tools of the servers are called, of the last half minute, from the meters
 * that the application has. A meter of which there is no count since its start, since its
 * registry counts by steps, and one without buckets, are made up for by the latest calls
 * of the server. Safe for use by many threads.
 */
final class ServerFigures {

	static final Duration WINDOW = Duration.ofSeconds(30);

	private static final long SHORTEST_PAUSE = Duration.ofSeconds(1).toNanos();

	// the names that docs/observability.md has

	private static final String PENDING = "mcp.client.pending";

	private static final String DURATION = "mcp.client.operation.duration";

	private static final String SERVER = "mcp.server";

	private static final double QUANTILE = 0.95;

	// as McpServer.recentCalls() says
	private static final int MOST_RECENT = 50;

	private final MeterRegistry registry;

	private final McpServerRegistry servers;

	private final ClientScheduler timer;

	private final Lock lock = new ReentrantLock();

	// those of the window: each has what was called since the one before
	private final Deque<Sample> samples = new ArrayDeque<>();

	// by identity, as to hash the tags of each takes longer than all else
	private Map<Meter, Count> counts = new IdentityHashMap<>();

	private Map<String, Figures> figures = Map.of();

	ServerFigures(MeterRegistry registry, McpServerRegistry servers, ClientScheduler timer) {
		this.registry = registry;
		this.servers = servers;
		this.timer = timer;
	}

	/**
	 * Return the figures of the servers that are measured, by their names. Who asks for
	 * them again within a second gets the same.
	 */
	Map<String, Figures> figures() {
		this.lock.lock();
		try {
			long now = this.timer.now(TimeUnit.NANOSECONDS);
			if (this.samples.isEmpty() || now - this.samples.getLast().time() >= SHORTEST_PAUSE) {
				sample(now);
			}
			return this.figures;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void sample(long now) {
		this.samples.removeIf((sample) -> now - sample.time() > WINDOW.toNanos());
		Reading reading = new Reading(this.samples.isEmpty() ? null : this.counts);
		// of several registries, one that counts since its start
		sources(this.registry).min(Comparator.comparing(StepMeterRegistry.class::isInstance)).ifPresent(reading::all);
		this.counts = reading.counts;
		this.samples.add(new Sample(now, reading.calls));
		Map<String, Calls> sum = new HashMap<>();
		// what happened before the first one is not of the window
		this.samples.stream()
			.skip(1)
			.forEach((sample) -> sample.calls().forEach((name, calls) -> sum.merge(name, calls, Calls::plus)));
		long time = now - this.samples.getFirst().time();
		Map<String, Figures> figures = new HashMap<>();
		reading.pending.forEach((name, pending) -> {
			boolean measured = time > 0 && reading.measured.contains(name);
			figures.put(name,
					reading.steps ? figures(recentCalls(name), pending)
							: measured ? figures(name, sum.getOrDefault(name, Calls.NONE), time, pending)
									: new Figures(null, null, null, pending));
		});
		this.figures = Map.copyOf(figures);
	}

	private static Stream<MeterRegistry> sources(MeterRegistry registry) {
		return (registry instanceof CompositeMeterRegistry composite)
				? composite.getRegistries().stream().flatMap(ServerFigures::sources) : Stream.of(registry);
	}

	private Figures figures(String server, Calls calls, long time, @Nullable Integer pending) {
		Double p95 = (2 * calls.timed() > calls.count()) ? (Double) rounded(calls.quantile(), 10)
				: (calls.count() > 0) ? p95(recentCalls(server)) : null;
		return new Figures(rounded(calls.count() * 1e9 / time, 100), p95, share(calls.errors(), calls.count()),
				pending);
	}

	private static @Nullable Double share(long errors, long calls) {
		return (calls > 0) ? rounded((double) errors / calls, 1000) : null;
	}

	// of the window, the latest first
	private List<RecentCall> recentCalls(String server) {
		Instant start = this.timer.instant().minus(WINDOW);
		return this.servers.find(server)
			.stream()
			.flatMap((known) -> known.recentCalls().stream())
			.filter((call) -> !ended(call).isBefore(start))
			.toList();
	}

	private static Instant ended(RecentCall call) {
		return call.started().plus(call.duration());
	}

	// of all calls there are only the latest: their rate is that of the time that they
	// took
	private Figures figures(List<RecentCall> calls, @Nullable Integer pending) {
		long errors = calls.stream()
			.filter((call) -> !call.outcome().equals("success") && !call.outcome().equals("cancelled"))
			.count();
		Duration time = WINDOW;
		if (calls.size() >= MOST_RECENT) {
			time = Duration.between(ended(calls.get(calls.size() - 1)), this.timer.instant());
		}
		return new Figures(rounded(calls.size() * 1e9 / Math.max(time.toNanos(), 1), 100), p95(calls),
				share(errors, calls.size()), pending);
	}

	private static @Nullable Double p95(List<RecentCall> calls) {
		List<Duration> durations = calls.stream().map(RecentCall::duration).sorted().toList();
		return durations.isEmpty() ? null
				: rounded(durations.get((int) Math.ceil(QUANTILE * durations.size()) - 1).toNanos() / 1e6, 10);
	}

	// so that what hardly changes is not sent again
	private static double rounded(double value, int parts) {
		return (double) Math.round(value * parts) / parts;
	}

	/**
	 * The figures of one server.
	 *
	 * @param callsPerSecond calls of tools that have ended; {@code null} before the
	 * second sample, and of a server that was not asked anything yet
	 * @param p95Ms the duration in milliseconds that 95 of 100 calls do not exceed,
	 * estimated; {@code null} without calls
	 * @param errorRate the part of the calls that failed, apart from those that were
	 * cancelled; {@code null} without calls
	 * @param pending how many requests wait for their responses
	 */
	@JsonInclude(Include.NON_NULL)
	record Figures(@Nullable Double callsPerSecond, @Nullable Double p95Ms, @Nullable Double errorRate,
			@Nullable Integer pending) {
	}

	/**
	 * What was called between two times.
	 */
	private record Sample(long time, Map<String, Calls> calls) {
	}

	/**
	 * What a timer has counted.
	 *
	 * @param buckets how many took no longer than each bound; {@code null} where that was
	 * not asked yet
	 */
	private record Count(long count, CountAtBucket @Nullable [] buckets) {

		static final Count NONE = new Count(0, new CountAtBucket[0]);

	}

	/**
	 * All meters as they are now.
	 */
	private static final class Reading {

		private final @Nullable Map<Meter, Count> before;

		private final Map<Meter, Count> counts = new IdentityHashMap<>();

		private final Map<String, Calls> calls = new HashMap<>();

		private final Map<String, @Nullable Integer> pending = new HashMap<>();

		private final Set<String> measured = new HashSet<>();

		private boolean steps;

		Reading(@Nullable Map<Meter, Count> before) {
			this.before = before;
		}

		void all(MeterRegistry registry) {
			this.steps = registry instanceof StepMeterRegistry;
			registry.forEachMeter(this::read);
		}

		private void read(Meter meter) {
			String name = meter.getId().getName();
			String server = meter.getId().getTag(SERVER);
			if (server != null && meter instanceof Gauge gauge && PENDING.equals(name)) {
				double pending = gauge.value();
				this.pending.put(server, Double.isNaN(pending) ? null : (Integer) (int) pending);
			}
			else if (server != null && meter instanceof Timer durations && DURATION.equals(name)) {
				this.pending.putIfAbsent(server, null);
				this.measured.add(server);
				// that of OTLP with deltas, for example, is not public
				this.steps |= durations.getClass().getSimpleName().contains("Step");
				if (!this.steps && McpSchema.METHOD_TOOLS_CALL.equals(durations.getId().getTag("mcp.method.name"))) {
					count(server, durations);
				}
			}
		}

		private void count(String server, Timer durations) {
			long count = durations.count();
			Count known = (this.before != null) ? this.before.getOrDefault(durations, Count.NONE)
					: new Count(count, (count > 0) ? null : Count.NONE.buckets());
			this.counts.put(durations, known);
			if (count > known.count()) {
				Count now = new Count(count, durations.takeSnapshot().histogramCounts());
				this.counts.put(durations, now);
				String error = durations.getId().getTag("error.type");
				boolean failed = error != null && !error.equals("none") && !error.equals("cancelled");
				this.calls.merge(server, Calls.between(known, now, failed), Calls::plus);
			}
		}

	}

	/**
	 * Calls of one server.
	 *
	 * @param timed how many are in buckets
	 * @param buckets how many took no longer than each bound
	 */
	private record Calls(long count, long errors, long timed, double[] bounds, long[] buckets) {

		static final Calls NONE = new Calls(0, 0, 0, new double[0], new long[0]);

		static Calls between(Count before, Count after, boolean failed) {
			long count = after.count() - before.count();
			long errors = failed ? count : 0;
			CountAtBucket[] known = before.buckets();
			CountAtBucket[] now = after.buckets();
			if (known == null || now == null || now.length == 0) {
				return new Calls(count, errors, 0, NONE.bounds, NONE.buckets);
			}
			long[] buckets = new long[now.length];
			for (int i = 0; i < now.length; i++) {
				buckets[i] = (long) (now[i].count() - ((known.length == now.length) ? known[i].count() : 0));
				if (buckets[i] < ((i > 0) ? buckets[i - 1] : 0) || buckets[i] > count) {
					// those of a time that has passed are forgotten
					return new Calls(count, errors, 0, NONE.bounds, NONE.buckets);
				}
			}
			double[] bounds = Arrays.stream(now).mapToDouble((one) -> one.bucket(TimeUnit.MILLISECONDS)).toArray();
			return new Calls(count, errors, count, bounds, buckets);
		}

		Calls plus(Calls other) {
			Calls in = (this.timed > 0) ? this : other;
			boolean both = this.timed > 0 && this.bounds.length == other.bounds.length;
			long[] buckets = !both ? in.buckets
					: IntStream.range(0, this.buckets.length)
						.mapToLong((i) -> this.buckets[i] + other.buckets[i])
						.toArray();
			return new Calls(this.count + other.count, this.errors + other.errors,
					both ? this.timed + other.timed : in.timed, in.bounds, buckets);
		}

		/**
		 * Return the quantile, in a straight line between two bounds.
		 */
		double quantile() {
			double rank = QUANTILE * this.timed;
			for (int i = 0; i < this.bounds.length; i++) {
				if (this.buckets[i] >= rank) {
					double below = (i > 0) ? this.bounds[i - 1] : 0;
					long before = (i > 0) ? this.buckets[i - 1] : 0;
					return below + (this.bounds[i] - below) * (rank - before) / (this.buckets[i] - before);
				}
			}
			return this.bounds[this.bounds.length - 1];
		}

	}

}
