package io.github.mcpclient.autoconfigure;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolApproval.Decision;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRule.Approval;
import io.github.mcpclient.management.McpServerManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * That nothing is open which is to be closed, where the module that closes it is missing:
 * it is not on the class path of these tests.
 */
class MissingGuardTests {

	private static final String DEPENDENCY = "Add the dependency io.github.mcpclient:mcp-client-guard.";

	private final ApplicationContextRunner application = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(McpClientAutoConfiguration.class))
		.withBean(McpToolApproval.class, () -> (tool, request) -> Mono.just(Decision.approve()))
		.withPropertyValues("mcp.startup.mode=lazy", "mcp.servers.a.command=none");

	@ParameterizedTest
	@ValueSource(strings = { "mcp.servers.a.tools.pinning=block", "mcp.servers.a.tools.pinning=warn",
			"mcp.defaults.tools.pinning=block", "mcp.servers.a.tools.rules[0].title=X",
			"mcp.defaults.tools.rules[0].approval=always", "mcp.servers.a.tools.rules[0].approval=destructive",
			"mcp.servers.a.tools.rules[0].cache=1m" })
	void theStartFailsWhereItIsConfigured(String property) {
		String tools = property.contains("rules") ? property.substring(0, property.lastIndexOf('.')) + ".tools=*" : "";
		this.application.withPropertyValues(property, tools.isEmpty() ? "mcp.tools.pins=file:none.lock" : tools)
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidMcpConfigurationException.class)
				.hasMessageContaining(property.replaceAll("(pinning|rules).*", "$1") + ": This needs a module")
				.hasMessageContaining(DEPENDENCY));
	}

	static Stream<Arguments> settings() {
		McpToolRule rule = McpToolRule.builder("*").title("X").approval(Approval.ALWAYS).build();
		return Stream
			.<UnaryOperator<McpServerDefinitionBuilder>>of((server) -> server.toolPinning(McpToolPinning.WARN),
					(server) -> server.toolPinning(McpToolPinning.BLOCK), (server) -> server.toolRules(List.of(rule)),
					(server) -> server.defaultToolRules(List.of(rule)))
			.map(Arguments::of);
	}

	@ParameterizedTest
	@MethodSource("settings")
	void theStartFailsWhereABeanHasIt(UnaryOperator<McpServerDefinitionBuilder> setting) {
		this.application.withBean(McpServerDefinition.class, () -> definition("b", setting))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(DEPENDENCY));
		this.application.withBean(McpServerCustomizer.class, () -> (name, server) -> setting.apply(server))
			.run((context) -> assertThat(context).getFailure().rootCause().hasMessageContaining(DEPENDENCY));
	}

	@ParameterizedTest
	@MethodSource("settings")
	void noServerGetsItAtRuntime(UnaryOperator<McpServerDefinitionBuilder> setting) {
		this.application.run((context) -> {
			McpServerManager manager = context.getBean(McpServerManager.class);
			assertThatIllegalArgumentException().isThrownBy(() -> manager.add(definition("b", setting)))
				.withMessageContaining(DEPENDENCY);
			assertThatIllegalArgumentException().isThrownBy(() -> manager.replace(definition("a", setting)))
				.withMessageContaining(DEPENDENCY);
		});
	}

	@Test
	void aServerThatHasItIsNotEnabled() {
		this.application
			.withPropertyValues("mcp.servers.a.enabled=false", "mcp.servers.a.tools.rules[0].tools=*",
					"mcp.servers.a.tools.rules[0].title=X")
			.run((context) -> {
				McpServerManager manager = context.getBean(McpServerManager.class);
				assertThatIllegalArgumentException().isThrownBy(() -> manager.enable("a"))
					.withMessageContaining(DEPENDENCY);
			});
	}

	private static McpServerDefinition definition(String name, UnaryOperator<McpServerDefinitionBuilder> setting) {
		return setting.apply(McpServerDefinition.stdio(name, "none")).build();
	}

}
