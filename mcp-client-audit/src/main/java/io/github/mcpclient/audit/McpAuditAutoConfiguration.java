package io.github.mcpclient.audit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;

import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpServerReloader;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Primary;

/**
 * {@link EnableAutoConfiguration Auto-configuration} of the audit, if there is an
 * {@link McpAuditSink}.
 */
@AutoConfiguration(afterName = { "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration",
		"io.github.mcpclient.reload.McpReloadAutoConfiguration" })
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
@ConditionalOnBean({ McpAuditSink.class, ClientThreads.class })
@EnableConfigurationProperties(McpAuditProperties.class)
@ImportRuntimeHints(AuditedManagement.Hints.class)
public final class McpAuditAutoConfiguration {

	private static final String RELOADER = "mcpServerReloader";

	@Bean(destroyMethod = "close")
	AuditTrail mcpAuditTrail(Map<String, McpAuditSink> sinks, McpAuditProperties properties,
			ObjectProvider<McpCallerIdentity> callers, ClientThreads threads, ObjectProvider<LossMeter> meter) {
		ClientScheduler time = threads.scheduler();
		LossMeter losses = meter.getIfAvailable(() -> (sink) -> (count) -> {
		});
		List<SinkQueue> queues = new ArrayList<>();
		sinks.forEach((name, sink) -> queues
			.add(new SinkQueue(sink, new LostRecords(name, () -> time.now(TimeUnit.NANOSECONDS), losses.of(name)))));
		return new AuditTrail(List.copyOf(queues),
				new AuditedArguments(properties.arguments(), properties.maskedFields()),
				callers.getIfAvailable(() -> Mono::empty), time);
	}

	@Bean
	McpToolInterceptor mcpAuditInterceptor(AuditTrail trail) {
		return new AuditInterceptor(trail);
	}

	@Bean
	static AuditedManagement mcpAuditedManagement(ObjectProvider<AuditTrail> trail) {
		return new AuditedManagement(trail::getObject);
	}

	/**
	 * Wrap the reloader. Automatic reloads use the wrapped bean, which they find by its
	 * name.
	 */
	@Bean
	@Primary
	@ConditionalOnBean(name = RELOADER)
	AuditedReloader mcpAuditedServerReloader(AuditTrail trail,
			@Qualifier(RELOADER) ObjectProvider<McpServerReloader> reloader) {
		return new AuditedReloader(reloader::getObject, trail);
	}

	/**
	 * Counts lost records.
	 */
	@FunctionalInterface
	interface LossMeter {

		/**
		 * Return the counter of the losses of a sink.
		 */
		IntConsumer of(String sink);

	}

	/**
	 * Configures the meter of lost records.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterRegistry.class)
	static class MeterConfiguration {

		@Bean
		LossMeter mcpAuditLossMeter(ObjectProvider<MeterRegistry> registries) {
			return (sink) -> {
				MeterRegistry registry = registries.getIfUnique();
				if (registry == null) {
					return (count) -> {
					};
				}
				Counter lost = Counter.builder("mcp.client.audit.lost")
					.description("Records of the audit that a sink did not accept")
					.tag("sink", sink)
					.register(registry);
				return lost::increment;
			};
		}

	}

}
