package io.github.mcpclient.observation;

import java.util.Set;

import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.config.McpServersConfig;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler.IgnoredMeters;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.tracing.Tracer;
import io.micrometer.tracing.handler.TracingObservationHandler;
import io.micrometer.tracing.propagation.Propagator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * {@link AutoConfiguration Auto-configuration} of metrics and traces of the MCP client.
 */
@AutoConfiguration(after = McpClientAutoConfiguration.class,
		afterName = {
				"org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
				"org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration",
				"org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration" })
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBean(McpServersConfig.class)
@Conditional(McpObservationAutoConfiguration.AnyRegistry.class)
public final class McpObservationAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(McpClientObservationConvention.class)
	DefaultMcpClientObservationConvention mcpClientObservationConvention() {
		return new DefaultMcpClientObservationConvention();
	}

	@Bean
	McpClientObservations mcpClientObservations(ObjectProvider<ObservationRegistry> registry,
			McpClientObservationConvention convention, ObjectProvider<McpClientMeters> meters,
			McpServersConfig config) {
		McpProperties.Observations settings = config.properties().observations();
		return new McpClientObservations(registry.getIfUnique(() -> ObservationRegistry.NOOP), convention,
				meters.getIfAvailable(), new McpClientObservations.Settings(settings.includeArguments(),
						settings.includeResults(), settings.maxNames()));
	}

	/**
	 * Without a registry, nothing is observed.
	 */
	static final class AnyRegistry extends AnyNestedCondition {

		AnyRegistry() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(ObservationRegistry.class)
		static class Observations {

		}

		@ConditionalOnBean(type = "io.micrometer.core.instrument.MeterRegistry")
		static class Metrics {

		}

	}

	/**
	 * Configuration that requires Micrometer's traces.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(TracingObservationHandler.class)
	@ConditionalOnBean({ Tracer.class, Propagator.class })
	static class TracingConfiguration {

		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		ToolSpanObservationHandler mcpToolSpanObservationHandler(Tracer tracer, Propagator propagator) {
			return new ToolSpanObservationHandler(tracer, propagator);
		}

	}

	/**
	 * Configuration that requires Micrometer's metrics.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetricsConfiguration {

		@Bean
		McpClientMeters mcpClientMeters(MeterRegistry registry) {
			return new McpClientMeters(registry);
		}

	}

	/**
	 * Configuration that requires Spring Boot's metrics.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterRegistry.class, MeterRegistryCustomizer.class })
	@ConditionalOnBean(MeterRegistry.class)
	static class BucketsConfiguration {

		private static final Set<String> DURATIONS = Set.of(DefaultMcpClientObservationConvention.NAME,
				DefaultMcpClientObservationConvention.HANDLER_NAME, McpClientMeters.SESSION_DURATION);

		// in nanoseconds
		private static final double[] BUCKETS = { 0.01e9, 0.02e9, 0.05e9, 0.1e9, 0.2e9, 0.5e9, 1e9, 2e9, 5e9, 10e9,
				30e9, 60e9, 120e9, 300e9 };

		/**
		 * The buckets of OpenTelemetry's conventions. It precedes all filters, so that
		 * properties and filters of the application override it. It does not apply to a
		 * registry without export, which would retain a gauge for each bucket.
		 */
		@Bean
		@Order(Ordered.HIGHEST_PRECEDENCE)
		static MeterRegistryCustomizer<MeterRegistry> mcpDurationBuckets() {
			return (registry) -> {
				if (registry.getClass() != SimpleMeterRegistry.class) {
					registry.config().meterFilter(new MeterFilter() {

						@Override
						public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
							return DURATIONS.contains(id.getName()) ? DistributionStatisticConfig.builder()
								.serviceLevelObjectives(BUCKETS)
								.build()
								.merge(config) : config;
						}

					});
				}
			};
		}

	}

	/**
	 * The replacement of Spring Boot's handler.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MeterRegistry.class, MetricsProperties.class })
	@ConditionalOnBean({ MeterRegistry.class, MetricsProperties.class })
	static class OperationConfiguration {

		@Bean
		@Order(Ordered.LOWEST_PRECEDENCE - 1)
		OperationMeters mcpOperationMeters(MeterRegistry registry, MetricsProperties properties) {
			return new OperationMeters(registry,
					!properties.getObservations().getIgnoredMeters().contains(IgnoredMeters.LONG_TASK_TIMER));
		}

	}

}
