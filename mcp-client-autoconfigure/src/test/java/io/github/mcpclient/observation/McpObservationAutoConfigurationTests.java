package io.github.mcpclient.observation;

import java.util.Map;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.ObservationPredicate;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.MeterRegistryCustomizer;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.util.Assert;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpObservationAutoConfiguration}.
 */
class McpObservationAutoConfigurationTests {

	private final ApplicationContextRunner empty = new ApplicationContextRunner().withConfiguration(
			AutoConfigurations.of(McpObservationAutoConfiguration.class, McpClientAutoConfiguration.class));

	private final ApplicationContextRunner runner = this.empty
		.withBean(ObservationRegistry.class, ObservationRegistry::create)
		.withBean(MeterRegistry.class, SimpleMeterRegistry::new);

	@Test
	void observesWhereThereAreRegistries() {
		this.runner.run((context) -> {
			assertThat(context).hasSingleBean(McpClientMeters.class).hasBean("mcpDurationBuckets");
			assertThat(context.getBean(McpClientObservationConvention.class))
				.isExactlyInstanceOf(DefaultMcpClientObservationConvention.class);
			assertThat(context.getBean(McpClientObservations.class).of(definition())).isNotNull();
		});
	}

	@Test
	void costsNothingWithoutRegistries() {
		this.empty.run((context) -> assertThat(context).doesNotHaveBean(McpClientMeters.class)
			.doesNotHaveBean(McpClientObservations.class));
	}

	@Test
	void conventionOfTheApplicationReplacesTheDefault() {
		this.runner.withUserConfiguration(Customized.class)
			.run((context) -> assertThat(
					context.getBean(McpClientObservationConvention.class).getLowCardinalityKeyValues(ping()))
				.contains(KeyValue.of("mcp.method.name", "ping"), KeyValue.of("required", "false")));
	}

	@Test
	void clientWorksWithoutMicrometer() {
		this.empty.withClassLoader(new FilteredClassLoader("io.micrometer"))
			.run((context) -> assertThat(context).hasNotFailed()
				.hasSingleBean(McpServerRegistry.class)
				.doesNotHaveBean(McpClientObservations.class));
	}

	@Test
	void requestsAreObservedWithoutMetrics() {
		this.empty.withBean(ObservationRegistry.class, ObservationRegistry::create)
			.withClassLoader(new FilteredClassLoader("io.micrometer.core"))
			.run((context) -> assertThat(context).hasSingleBean(McpClientObservations.class)
				.doesNotHaveBean(McpClientMeters.class)
				.doesNotHaveBean("mcpDurationBuckets"));
	}

	@Test
	@SuppressWarnings("unchecked")
	void bucketsAreForRegistriesThatExport() {
		this.runner.run((context) -> {
			MeterRegistryCustomizer<MeterRegistry> buckets = context.getBean(MeterRegistryCustomizer.class);
			MeterRegistry simple = new SimpleMeterRegistry();
			buckets.customize(simple);
			simple.timer(DefaultMcpClientObservationConvention.NAME);
			assertThat(simple.getMeters()).hasSize(1);
			MeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
			buckets.customize(prometheus);
			assertThat(prometheus.timer(DefaultMcpClientObservationConvention.NAME).takeSnapshot().histogramCounts())
				.hasSize(14);
			assertThat(prometheus.timer("other").takeSnapshot().histogramCounts()).isEmpty();
		});
	}

	@Test
	void registryThatThrowsDoesNotFailTheStart() {
		MeterRegistry registry = new SimpleMeterRegistry();
		registry.config().meterFilter(MeterFilter.deny((id) -> {
			Assert.state(!id.getName().startsWith("mcp."), "No meters of mcp");
			return false;
		}));
		this.empty.withBean(MeterRegistry.class, () -> registry)
			.withPropertyValues("mcp.servers.a.command=no-such-command", "mcp.startup.mode=lazy")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	private static McpClientObservationContext ping() {
		return new McpClientObservationContext(new Request(definition(), "ping", "1", null, null, Map.of()),
				new Outcome(null, null, null, null, null, null));
	}

	private static McpServerDefinition definition() {
		return McpServerDefinition.stdio("a", "server").build();
	}

	static class Customized {

		@Bean
		ObservationPredicate noPings() {
			return (name, context) -> {
				boolean ping = context instanceof McpClientObservationContext request
						&& request.getRequest().method().equals("ping");
				return !ping;
			};
		}

		@Bean
		McpClientObservationConvention ownConvention() {
			return new DefaultMcpClientObservationConvention() {

				@Override
				public KeyValues getLowCardinalityKeyValues(McpClientObservationContext context) {
					return super.getLowCardinalityKeyValues(context).and("required",
							String.valueOf(context.getRequest().server().required()));
				}

			};
		}

	}

}
