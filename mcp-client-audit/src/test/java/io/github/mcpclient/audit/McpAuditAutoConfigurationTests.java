package io.github.mcpclient.audit;

import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import javax.sql.DataSource;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.testsupport.CapturedLog;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the auto-configuration of the audit.
 */
class McpAuditAutoConfigurationTests {

	private static final BlockingQueue<McpAuditRecord> records = new LinkedBlockingQueue<>();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(McpAuditAutoConfiguration.class, McpAuditJdbcAutoConfiguration.class,
				McpAuditLogAutoConfiguration.class, McpClientAutoConfiguration.class, SslAutoConfiguration.class));

	private static void call(McpServerRegistry registry, String tool) {
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> registry.callTool(tool, Map.of()));
	}

	@Test
	void thereIsNothingByDefault() {
		this.runner.run((context) -> {
			assertThat(context).doesNotHaveBean(McpToolInterceptor.class)
				.doesNotHaveBean(AuditTrail.class)
				.doesNotHaveBean(AuditedManagement.class);
			assertThat(Proxy.isProxyClass(context.getBean(McpServerManager.class).getClass())).isFalse();
		});
	}

	@Test
	void thereIsNothingForAClientThatIsDisabled() {
		this.runner.withUserConfiguration(Sink.class)
			.withPropertyValues("mcp.enabled=false", "mcp.audit.log.enabled=true", "mcp.audit.jdbc.enabled=true")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(AuditTrail.class));
	}

	@Test
	void aBeanGetsRecords() {
		this.runner.withUserConfiguration(Sink.class).run((context) -> {
			call(context.getBean(McpServerRegistry.class), "none_such");
			assertThat(records.poll(30, TimeUnit.SECONDS)).isNotNull()
				.extracting(McpAuditRecord::tool)
				.isEqualTo("none_such");
		});
	}

	@Test
	void theLogHasFieldsAsKeyValues() {
		try (CapturedLog log = new CapturedLog("io.github.mcpclient.audit").open()) {
			this.runner.withPropertyValues("mcp.audit.log.enabled=true").run((context) -> {
				// what comes from outside stays on one line
				call(context.getBean(McpServerRegistry.class), "none\nsuch");
				Awaitility.await().until(() -> !log.events().isEmpty());
			});
			ILoggingEvent line = log.events().get(0);
			assertThat(line.getFormattedMessage())
				.isEqualTo("MCP audit: call of tool 'none such' by an unknown caller: REFUSED");
			assertThat(line.getKeyValuePairs()).extracting((pair) -> pair.key)
				.containsExactly("mcp.time", "mcp.action", "mcp.tool", "mcp.outcome", "mcp.duration-ms", "mcp.cause",
						"mcp.arguments-sha256");
			assertThat(line.getKeyValuePairs()).contains(new KeyValuePair("mcp.action", "call"));
			assertThat(json(line)).contains("\"logger_name\":\"io.github.mcpclient.audit\"", "\"mcp.action\":\"call\"",
					"\"mcp.outcome\":\"REFUSED\"", "\"mcp.duration-ms\":", "\"mcp.arguments-sha256\":\"");
		}
	}

	// as logging.structured.format.console=logstash has it
	private static String json(ILoggingEvent line) {
		LoggerContext logback = new LoggerContext();
		logback.putObject(Environment.class.getName(), new MockEnvironment());
		StructuredLogEncoder encoder = new StructuredLogEncoder();
		encoder.setContext(logback);
		encoder.setFormat("logstash");
		encoder.start();
		return new String(encoder.encode(line), StandardCharsets.UTF_8);
	}

	@Test
	void whatIsLostIsCounted() {
		try (CapturedLog log = new CapturedLog("io.github.mcpclient.lost-audit").open()) {
			this.runner.withUserConfiguration(BrokenSink.class).run((context) -> {
				call(context.getBean(McpServerRegistry.class), "none_such");
				MeterRegistry meters = context.getBean(MeterRegistry.class);
				Awaitility.await()
					.until(() -> meters.get("mcp.client.audit.lost").tag("sink", "broken").counter().count() == 1);
			});
			assertThat(log.lines()).hasSize(1);
		}
	}

	@Test
	void itWorksWithoutMicrometerAndDatabases() {
		this.runner.withUserConfiguration(Sink.class)
			.withClassLoader(new FilteredClassLoader("io.micrometer.core", "org.springframework.boot.jdbc",
					"org.springframework.boot.sql", "org.springframework.jdbc"))
			.run((context) -> assertThat(context).hasNotFailed().hasSingleBean(AuditTrail.class));
	}

	@Test
	void aDatabaseThatIsMissingFailsTheStart() {
		this.runner.withPropertyValues("mcp.audit.jdbc.enabled=true")
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining(DataSource.class.getName()));
	}

	@Test
	void propertiesThatDoNotExistFailTheStart() {
		this.runner
			.withInitializer((context) -> context.getEnvironment()
				.getPropertySources()
				.addFirst(new SimpleCommandLinePropertySource("--mcp.audit.enabled=true")))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.hasMessageContaining("mcp.audit.enabled: There is no such property."));
	}

	@Configuration(proxyBeanMethods = false)
	static class Sink {

		@Bean
		McpAuditSink sink() {
			return records::addAll;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class BrokenSink {

		@Bean
		McpAuditSink broken() {
			return (records) -> {
				throw new IllegalStateException("no disk");
			};
		}

		@Bean
		MeterRegistry meters() {
			return new SimpleMeterRegistry();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Archive {

		@Bean
		McpAuditSink auditSink(AuditArchive archive) {
			return (records) -> archive.store(records);
		}

	}

	interface AuditArchive {

		void store(List<McpAuditRecord> records);

	}

}
