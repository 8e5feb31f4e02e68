package io.github.mcpclient.observation;

import java.net.URI;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.core.instrument.LongTaskTimer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

class OperationMetersTests {

	private static final String NAME = DefaultMcpClientObservationConvention.NAME;

	private static final McpServerDefinition SERVER = McpServerDefinition
		.http("one", URI.create("http://localhost/mcp"))
		.build();

	// as if all tools had one tag: what is known of another is not what is measured
	private final ToolTags tags = new ToolTags();

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final OperationMeters meters = new OperationMeters(this.registry, true);

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void measuresWhatTheHandlerOfMicrometerMeasures(boolean active) {
		MeterRegistry expected = new SimpleMeterRegistry();
		MeterRegistry measured = new SimpleMeterRegistry();
		observe(active ? new DefaultMeterObservationHandler(expected)
				: new DefaultMeterObservationHandler(expected, IgnoredMeters.LONG_TASK_TIMER));
		observe(new OperationMeters(measured, active));

		assertThat(measured.getMeters().stream().map(Meter::getId)).isNotEmpty()
			.containsExactlyInAnyOrderElementsOf(expected.getMeters().stream().map(Meter::getId).toList());
		for (Timer timer : expected.find(NAME).timers()) {
			assertThat(measured.get(NAME).tags(timer.getId().getTags()).timer().count()).isEqualTo(timer.count());
		}
		assertThat(expected.find(NAME).timers()).hasSize(3);
	}

	private void observe(ObservationHandler<?> handler) {
		for (int i = 0; i < 3; i++) {
			call(handler, "echo", null);
			call(handler, "echo", new IllegalStateException());
			call(handler, "add", null);
		}
	}

	private void call(ObservationHandler<?> handler, String tool, RuntimeException failure) {
		Observation observation = start(handler, tool);
		observation.event(Observation.Event.of("retry"));
		if (failure != null) {
			observation.error(failure);
		}
		observation.stop();
	}

	private Observation start(ObservationHandler<?> handler, String tool) {
		ObservationRegistry observations = ObservationRegistry.create();
		observations.observationConfig().observationHandler(handler);
		return Observation.start(new DefaultMcpClientObservationConvention(),
				() -> new McpClientObservationContext(new Request(SERVER, "tools/call", "1", tool, null, Map.of()),
						new Outcome("2025-11-25", "1.1", tool, null, null, null), this.tags),
				observations);
	}

	@Test
	void goesOnWithANewMeterAfterTheRemovalOfAnother() {
		call(this.meters, "echo", null);
		Timer removed = this.registry.get(NAME).timer();
		this.registry.remove(removed);
		call(this.meters, "echo", null);

		assertThat(removed.count()).isEqualTo(1);
		assertThat(this.registry.get(NAME).timer().count()).isEqualTo(1);
	}

	@Test
	void countsWhatIsPending() {
		Observation observation = start(this.meters, "echo");
		LongTaskTimer active = this.registry.get(NAME + ".active").longTaskTimer();
		assertThat(active.activeTasks()).isEqualTo(1);
		observation.stop();
		assertThat(active.activeTasks()).isZero();
	}

}
