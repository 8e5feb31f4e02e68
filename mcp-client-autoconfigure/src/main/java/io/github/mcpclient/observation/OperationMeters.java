package io.github.mcpclient.observation;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.MeterObservationHandler;
import io.micrometer.observation.Observation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ConcurrentLruCache;

/**
 * Measures requests just as {@link DefaultMeterObservationHandler} does, but looks up
 * their meters once for each combination of tags, and not twice for each request that
 * names a tool, a prompt or a resource. Safe for use by many threads.
 */
final class OperationMeters implements MeterObservationHandler<McpClientObservationContext> {

	// a larger number means that a filter limits the meters, but not the tags
	private static final int MOST = 10_000;

	private static final int MOST_VALUES = 1000;

	private final MeterRegistry registry;

	private final DefaultMeterObservationHandler events;

	private final boolean active;

	private final Map<Key, Known<Timer>> timers = new ConcurrentHashMap<>();

	private final Map<Key, Known<LongTaskTimer>> activeTimers = new ConcurrentHashMap<>();

	// shared, since most tags are common to servers, and all to the requests of one
	// server
	private final ConcurrentLruCache<KeyValue, Tag> tags = new ConcurrentLruCache<>(MOST_VALUES,
			(value) -> Tag.of(value.getKey(), value.getValue()));

	private final AtomicLong removals = new AtomicLong();

	/**
	 * Create an instance.
	 * @param active whether requests that are pending are measured, too
	 */
	OperationMeters(MeterRegistry registry, boolean active) {
		this.registry = registry;
		this.events = new DefaultMeterObservationHandler(registry);
		this.active = active;
		registry.config().onMeterRemoved((meter) -> {
			this.removals.incrementAndGet();
			this.timers.clear();
			this.activeTimers.clear();
		});
	}

	@Override
	public boolean supportsContext(Observation.Context context) {
		return context instanceof McpClientObservationContext;
	}

	@Override
	public void onStart(McpClientObservationContext context) {
		LongTaskTimer.Sample sample = null;
		if (this.active) {
			sample = meter(this.activeTimers, context.getToolTags().active(), context, null,
					(tags) -> this.registry.more().longTaskTimer((context.getName() + ".active").intern(), tags))
				.start();
		}
		context.setMeasurement(new Measurement(this.registry.config().clock().monotonicTime(), sample));
	}

	@Override
	public void onStop(McpClientObservationContext context) {
		Measurement measurement = context.getMeasurement();
		if (measurement == null) {
			return;
		}
		Throwable error = context.getError();
		meter(this.timers, context.getToolTags().ended(), context,
				(error != null) ? error.getClass().getSimpleName() : "none",
				(tags) -> this.registry.timer(String.valueOf(context.getName()), tags))
			.record(this.registry.config().clock().monotonicTime() - measurement.started(), TimeUnit.NANOSECONDS);
		if (measurement.sample() != null) {
			measurement.sample().stop();
		}
	}

	@Override
	public void onEvent(Observation.Event event, McpClientObservationContext context) {
		this.events.onEvent(event, context);
	}

	private <T extends Meter> T meter(Map<Key, Known<T>> all, AtomicReference<@Nullable Known<T>> latest,
			McpClientObservationContext context, @Nullable String error, Function<List<Tag>, T> registration) {
		long removals = this.removals.get();
		Known<T> last = latest.get();
		if (last != null && last.removals == removals && last.key.isOf(context, error)) {
			return last.meter;
		}
		Key key = new Key(context.getName(), context.getLowCardinalityKeyValues(), error);
		if (context.getRequest().target() == null) {
			// requests such as a handshake are rare
			return registration.apply(tags(key));
		}
		Known<T> known = all.get(key);
		if (known == null || known.removals != removals) {
			// outside of the map, since it calls filters and listeners of the application
			known = new Known<>(key, removals, registration.apply(tags(key)));
			if (all.size() >= MOST) {
				all.clear();
			}
			all.put(key, known);
		}
		latest.set(new Known<>(key, removals, known.meter));
		return known.meter;
	}

	private List<Tag> tags(Key key) {
		List<Tag> tags = new ArrayList<>();
		key.values().forEach((value) -> tags.add(this.tags.get(value)));
		if (key.error() != null) {
			tags.add(this.tags.get(KeyValue.of("error", key.error())));
		}
		return tags;
	}

	/**
	 * The measurement of a request.
	 *
	 * @param started the start time, by the clock of the registry
	 * @param sample the sample of the pending request, or {@code null}
	 */
	record Measurement(long started, LongTaskTimer.@Nullable Sample sample) {
	}

	/**
	 * A meter, which may have been removed if any meter was removed since.
	 *
	 * @param removals how many were removed before
	 */
	record Known<T>(Key key, long removals, T meter) {
	}

	private record Key(@Nullable String name, KeyValues values, @Nullable String error) {

		/**
		 * Return whether this is the key of a request, without looking at each value.
		 */
		boolean isOf(McpClientObservationContext context, @Nullable String error) {
			return this.values == context.getLowCardinalityKeyValues() && Objects.equals(this.name, context.getName())
					&& Objects.equals(this.error, error);
		}

	}

}
