package io.github.mcpclient.observation;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.ObservationView;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * What an application has that is observed, without a tracer.
 */
@Configuration(proxyBeanMethods = false)
class ObservedApplication {

	/**
	 * The requests whose observation has ended.
	 */
	final List<McpClientObservationContext> ended = new CopyOnWriteArrayList<>();

	/**
	 * The requests of servers whose observation has ended.
	 */
	final List<McpHandlerObservationContext> handled = new CopyOnWriteArrayList<>();

	/**
	 * What the handler was observed in.
	 */
	final AtomicReference<@Nullable Observation> handledIn = new AtomicReference<>();

	final AtomicReference<@Nullable String> failing = new AtomicReference<>();

	@Bean
	MeterRegistry meterRegistry(ObjectProvider<MeterRegistryCustomizer<MeterRegistry>> customizers,
			ObjectProvider<MeterFilter> filters) {
		// one that may export something
		SimpleMeterRegistry registry = new SimpleMeterRegistry() {
		};
		customizers.orderedStream().forEach((customizer) -> customizer.customize(registry));
		filters.orderedStream().forEach(registry.config()::meterFilter);
		return registry;
	}

	@Bean
	ObservationRegistry observationRegistry(MeterRegistry meters) {
		ObservationRegistry registry = ObservationRegistry.create();
		registry.observationConfig()
			.observationHandler(new Requests())
			.observationHandler(new Handled())
			.observationHandler(new DefaultMeterObservationHandler(meters));
		return registry;
	}

	/**
	 * Observe calls that ask for it.
	 */
	@Bean
	@ConditionalOnBooleanProperty(name = "test.interceptor", matchIfMissing = true)
	McpToolInterceptor observingInterceptor(ObservationRegistry registry) {
		return (tool, request, chain) -> "yes".equals(request.arguments().get("intercept"))
				? Objects
					.requireNonNull(Observation.start("interceptor", registry).observe(() -> chain.proceed(request)))
				: chain.proceed(request);
	}

	@Bean
	McpHeadersProvider someHeaders() {
		return (request) -> Mono.just(Map.of("X-Some", "header"));
	}

	/**
	 * Do what the message says.
	 */
	@Bean
	McpElicitationHandler elicitationHandler(ObservationRegistry registry) {
		return (request, context) -> {
			this.handledIn.set(registry.getCurrentObservation());
			switch (request.message()) {
				case "fail" -> throw new IllegalStateException("no");
				case "refuse" -> throw McpError.builder(-32602).message("no").build();
				case "wait" -> new CompletableFuture<>().join();
			}
			return new ElicitResult(ElicitResult.Action.DECLINE, null, null);
		};
	}

	static Map<String, String> tags(KeyValues values) {
		return values.stream().collect(Collectors.toMap(KeyValue::getKey, KeyValue::getValue));
	}

	private final class Handled implements ObservationHandler<McpHandlerObservationContext> {

		@Override
		public void onStop(McpHandlerObservationContext context) {
			ObservedApplication.this.handled.add(context);
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof McpHandlerObservationContext;
		}

	}

	/**
	 * Sends the name of the parent in place of its trace.
	 */
	private final class Requests implements ObservationHandler<McpClientObservationContext> {

		@Override
		public void onStart(McpClientObservationContext context) {
			fail("start");
			ObservationView parent = context.getParentObservation();
			context.getSetter()
				.set(context.getCarrier(), "traceparent",
						(parent != null) ? parent.getContextView().getName() : "none");
		}

		@Override
		public void onStop(McpClientObservationContext context) {
			ObservedApplication.this.ended.add(context);
			fail("stop");
		}

		private void fail(String phase) {
			if (phase.equals(ObservedApplication.this.failing.get())) {
				throw new IllegalStateException("handler");
			}
		}

		@Override
		public boolean supportsContext(Observation.Context context) {
			return context instanceof McpClientObservationContext;
		}

	}

}
