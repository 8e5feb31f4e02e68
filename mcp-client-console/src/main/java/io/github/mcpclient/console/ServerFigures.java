package io.github.mcpclient.console;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

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

	private static final int SLOTS = 6;

	private static final long SLOT = WINDOW.toNanos() / SLOTS;

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

	// by identity, as to hash the tags of each takes longer than all else
	private final Map<Meter, Series> series = new IdentityHashMap<>();

	private final Map<String, Usage> usages = new HashMap<>();

	private Map<String, Figures> figures = Map.of();

	private long first;

	private long last;

	private int samples;

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
			if (this.samples == 0 || now - this.last >= SHORTEST_PAUSE) {
				sample(now);
			}
			return this.figures;
		}
		finally {
			this.lock.unlock();
		}
	}

	private void sample(long now) {
		if (this.samples == 0 || now - this.last > WINDOW.toNanos()) {
			// what happened meanwhile is not of the window
			this.first = now;
			this.series.clear();
			this.usages.clear();
		}
		this.last = now;
		this.samples++;
		MeterRegistry source = source(this.registry);
		if (source != null) {
			source.forEachMeter((meter) -> read(meter, source));
		}
		this.series.values().removeIf((series) -> series.sample != this.samples);
		this.usages.values().removeIf((usage) -> usage.sample != this.samples);
		Map<String, Figures> figures = new HashMap<>();
		this.usages.forEach((name, usage) -> figures.put(name, figures(name, usage)));
		this.figures = Map.copyOf(figures);
	}

	// of several, one that counts since its start
	private static @Nullable MeterRegistry source(MeterRegistry registry) {
		if (!(registry instanceof CompositeMeterRegistry composite)) {
			return registry;
		}
		MeterRegistry best = null;
		for (MeterRegistry one : composite.getRegistries()) {
			MeterRegistry source = source(one);
			if (source != null && (best == null || best instanceof StepMeterRegistry)) {
				best = source;
			}
		}
		return best;
	}

	private void read(Meter meter, MeterRegistry source) {
		String name = meter.getId().getName();
		if (meter instanceof Gauge gauge && PENDING.equals(name)) {
			Usage usage = usage(meter);
			if (usage != null) {
				usage.sample = this.samples;
				usage.pending = gauge.value();
				usage.steps |= source instanceof StepMeterRegistry;
			}
		}
		else if (meter instanceof Timer durations && DURATION.equals(name)) {
			Series series = this.series.get(durations);
			if (series == null) {
				Usage usage = usage(meter);
				if (usage == null) {
					return;
				}
				series = new Series(durations, usage, this.last == this.first);
				this.series.put(durations, series);
			}
			series.sample = this.samples;
			series.usage.sample = this.samples;
			series.read(durations, (this.last - this.first) / SLOT);
		}
	}

	private @Nullable Usage usage(Meter meter) {
		String server = meter.getId().getTag(SERVER);
		return (server != null) ? this.usages.computeIfAbsent(server, (name) -> new Usage()) : null;
	}

	private Figures figures(String server, Usage usage) {
		Integer pending = Double.isNaN(usage.pending) ? null : (int) usage.pending;
		if (usage.steps) {
			return figures(recentCalls(server), pending);
		}
		long time = this.last - this.first;
		if (!usage.measured || time == 0) {
			return new Figures(null, null, null, pending);
		}
		Slot sum = usage.sum(time / SLOT);
		// the present slot has just begun, perhaps
		long window = Math.min(time, (SLOTS - 1) * SLOT + time % SLOT);
		return new Figures(rounded(sum.calls * 1e9 / window, 100),
				(2 * sum.timed > sum.calls) ? Double.valueOf(rounded(sum.quantile(usage.bounds), 10))
						: (sum.calls > 0) ? p95(recentCalls(server)) : null,
				share(sum.errors, sum.calls), pending);
	}

	private static @Nullable Double share(long errors, long calls) {
		return (calls > 0) ? rounded((double) errors / calls, 1000) : null;
	}

	// of the window, the latest first
	private List<RecentCall> recentCalls(String server) {
		Instant start = this.timer.instant().minus(WINDOW);
		List<RecentCall> calls = new ArrayList<>();
		this.servers.find(server).ifPresent((known) -> calls.addAll(known.recentCalls()));
		calls.removeIf((call) -> ended(call).isBefore(start));
		return calls;
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
		List<Duration> durations = calls.stream().map(RecentCall::duration).sorted(Comparator.naturalOrder()).toList();
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
	 * What is known of a timer.
	 */
	private static final class Series {

		private final Usage usage;

		private final boolean ofCalls;

		private final boolean failed;

		private long count;

		// null until they are known
		private long @Nullable [] buckets;

		private int sample;

		Series(Timer timer, Usage usage, boolean baseline) {
			Meter.Id id = timer.getId();
			String error = id.getTag("error.type");
			this.usage = usage;
			this.ofCalls = McpSchema.METHOD_TOOLS_CALL.equals(id.getTag("mcp.method.name"));
			this.failed = error != null && !error.equals("none") && !error.equals("cancelled");
			this.count = baseline ? timer.count() : 0;
			this.buckets = (this.count == 0) ? new long[0] : null;
			usage.measured = true;
			// that of OTLP with deltas, for example, is not public
			usage.steps |= timer.getClass().getSimpleName().contains("Step");
		}

		void read(Timer timer, long slot) {
			if (!this.ofCalls || this.usage.steps) {
				return;
			}
			long count = timer.count();
			long calls = count - this.count;
			this.count = count;
			if (calls > 0) {
				Slot now = this.usage.slot(slot);
				now.calls += calls;
				now.errors += this.failed ? calls : 0;
				readBuckets(timer, calls, now);
			}
		}

		private void readBuckets(Timer timer, long calls, Slot now) {
			CountAtBucket[] counts = timer.takeSnapshot().histogramCounts();
			long[] before = this.buckets;
			long[] buckets = new long[counts.length];
			for (int i = 0; i < counts.length; i++) {
				buckets[i] = (long) counts[i].count();
			}
			this.buckets = buckets;
			if (counts.length == 0 || before == null || !this.usage.hasBounds(counts)) {
				return;
			}
			long[] added = new long[counts.length];
			for (int i = 0; i < counts.length; i++) {
				added[i] = buckets[i] - ((before.length == counts.length) ? before[i] : 0);
				if (added[i] < ((i > 0) ? added[i - 1] : 0) || added[i] > calls) {
					// those of a time that has passed are forgotten
					return;
				}
			}
			now.add(calls, added);
		}

	}

	/**
	 * The calls of one server.
	 */
	private static final class Usage {

		private final @Nullable Slot[] slots = new @Nullable Slot[SLOTS];

		private double[] bounds = {};

		private double pending = Double.NaN;

		private boolean measured;

		private boolean steps;

		private int sample;

		Slot slot(long number) {
			int index = (int) (number % SLOTS);
			Slot slot = this.slots[index];
			if (slot == null || slot.number != number) {
				slot = new Slot(number);
				this.slots[index] = slot;
			}
			return slot;
		}

		boolean hasBounds(CountAtBucket[] counts) {
			if (this.bounds.length == 0) {
				this.bounds = new double[counts.length];
				for (int i = 0; i < counts.length; i++) {
					this.bounds[i] = counts[i].bucket(TimeUnit.MILLISECONDS);
				}
			}
			return this.bounds.length == counts.length;
		}

		Slot sum(long number) {
			Slot sum = new Slot(number);
			for (Slot slot : this.slots) {
				if (slot != null && slot.number > number - SLOTS) {
					sum.calls += slot.calls;
					sum.errors += slot.errors;
					sum.add(slot.timed, slot.buckets);
				}
			}
			return sum;
		}

	}

	/**
	 * The calls of some seconds.
	 */
	private static final class Slot {

		private final long number;

		private long calls;

		private long errors;

		// those that are in buckets
		private long timed;

		// how many took no longer than each bound
		private long[] buckets = {};

		Slot(long number) {
			this.number = number;
		}

		void add(long timed, long[] buckets) {
			this.timed += timed;
			if (this.buckets.length == 0) {
				this.buckets = buckets.clone();
				return;
			}
			for (int i = 0; i < buckets.length; i++) {
				this.buckets[i] += buckets[i];
			}
		}

		/**
		 * Return the quantile, in a straight line between two bounds.
		 */
		double quantile(double[] bounds) {
			double rank = QUANTILE * this.timed;
			for (int i = 0; i < bounds.length; i++) {
				if (this.buckets[i] >= rank) {
					double below = (i > 0) ? bounds[i - 1] : 0;
					long before = (i > 0) ? this.buckets[i - 1] : 0;
					return below + (bounds[i] - below) * (rank - before) / (this.buckets[i] - before);
				}
			}
			return bounds[bounds.length - 1];
		}

	}

}
