package io.github.mcpclient.autoconfigure;

import java.util.List;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.config.McpProperties;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.management.McpServerManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@code mcp.transports}.
 */
class AllowedTransportsTests {

	private static final String REFUSED = "The type is stdio, and mcp.transports allows streamable-http only.";

	private static final McpServerDefinition STDIO = McpServerDefinition.stdio("child", "/does/not/exist").build();

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withUserConfiguration(Application.class)
		.withPropertyValues("mcp.startup.mode=lazy", "mcp.transports=HTTP");

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					mcp.servers.child.command=true                                     | mcp.servers.child.command | The type is stdio (inferred from its command), and mcp.transports allows streamable-http only.
					mcp.servers.child.command=true,mcp.servers.child.type=STDIO        | mcp.servers.child.type    | The type is stdio, and mcp.transports allows streamable-http only.
					mcp.servers.old.url=http://localhost:9/,mcp.servers.old.type=sse   | mcp.servers.old.type      | The type is sse, and mcp.transports allows streamable-http only.
					mcp.servers.old.url=http://localhost:9/,mcp.defaults.type=sse      | mcp.defaults.type         | The type is sse, and mcp.transports allows streamable-http only.
					""")
	void aConfiguredServerOfAnotherTypeFailsTheStart(String properties, String property, String message) {
		this.runner.withPropertyValues(properties.split(","))
			.run((context) -> assertThat(problems(context.getStartupFailure())).singleElement().satisfies((problem) -> {
				assertThat(problem.property()).isEqualTo(property);
				assertThat(problem.message()).isEqualTo(message);
				assertThat(problem.origin()).isNotNull();
			}));
	}

	@Test
	void aBeanOfAnotherTypeFailsTheStart() {
		this.runner.withBean(McpServerDefinition.class, () -> STDIO)
			.run((context) -> assertThat(problems(context.getStartupFailure())).extracting(Problem::message)
				.containsExactly(REFUSED));
	}

	@Test
	void aSourceOfAnotherTypeFailsTheStart() {
		this.runner.withBean(McpServerDefinitionSource.class, () -> () -> List.of(STDIO))
			.run((context) -> assertThat(problems(context.getStartupFailure())).extracting(Problem::message)
				.containsExactly(REFUSED));
	}

	@Test
	void aServerOfAnotherTypeIsRefusedAtRuntime() {
		this.runner.withPropertyValues("mcp.servers.a.url=http://localhost:9/mcp").run((context) -> {
			McpServerRegistry registry = context.getBean(McpServerRegistry.class);
			McpServerManager manager = context.getBean(McpServerManager.class);
			assertThatIllegalArgumentException().isThrownBy(() -> manager.add(STDIO)).withMessageContaining(REFUSED);
			assertThatIllegalArgumentException()
				.isThrownBy(() -> manager.replace(McpServerDefinition.stdio("a", "true").build()))
				.withMessageContaining(REFUSED);
			assertThat(registry.servers()).singleElement()
				.satisfies((server) -> assertThat(server.status().type()).isEqualTo("streamable-http"));
		});
	}

	@Test
	void whatIsAllowedIsShown() {
		this.runner.withPropertyValues("mcp.servers.a.url=http://localhost:9/mcp")
			.run((context) -> assertThat(context.getBean(McpProperties.class).transports()).containsExactly("HTTP"));
	}

	@Test
	void aServerThatIsNotEnabledMayBeOfAnyType() {
		this.runner.withPropertyValues("mcp.servers.child.command=true", "mcp.servers.child.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@ParameterizedTest
	@ValueSource(strings = { "htp", "" })
	void aListWithoutTypesIsAMistake(String types) {
		this.runner.withPropertyValues("mcp.transports=" + types)
			.run((context) -> assertThat(problems(context.getStartupFailure())).extracting(Problem::property)
				.containsExactly("mcp.transports"));
	}

	private static List<Problem> problems(Throwable failure) {
		Throwable cause = failure;
		while (!(cause instanceof InvalidMcpConfigurationException)) {
			cause = cause.getCause();
		}
		return ((InvalidMcpConfigurationException) cause).getProblems();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(McpClientAutoConfiguration.class)
	static class Application {

	}

}
