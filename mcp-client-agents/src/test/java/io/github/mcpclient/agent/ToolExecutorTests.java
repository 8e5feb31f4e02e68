package io.github.mcpclient.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.definition.McpToolRuleBuilder;
import io.github.mcpclient.internal.support.ClientThreads;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.EmbeddedResource;
import io.modelcontextprotocol.spec.McpSchema.ResourceLink;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.StaticListableBeanFactory;

import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link ToolExecutor}.
 */
class ToolExecutorTests {

	private static final String SECRET = "s3cr3t-of-the-tenant";

	private final McpTool tool = mock();

	private final McpServerRegistry registry = mock();

	private final McpToolExecutor executor = executor(this.registry);

	private static McpToolExecutor executor(McpServerRegistry registry) {
		McpToolCatalog catalog = mock();
		given(registry.tools()).willReturn(catalog);
		given(catalog.forCaller()).willReturn(catalog);
		ClientThreads threads = new ClientThreads();
		afterTest(threads::dispose);
		StaticListableBeanFactory beans = new StaticListableBeanFactory();
		beans.addBean("threads", threads);
		McpAgents agents = new McpAgents();
		agents.setBeanFactory(beans);
		return agents.modelTools(registry).executor();
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void modelsDoNotReadWhatRulesFix(boolean error) {
		McpToolRule rule = rule(Map.of("token", SECRET, "more", List.of(Map.of("deep", "deep-" + SECRET)), "json",
				"{\"deeper\": \"deeper-text\"}"));
		given(this.tool.rule()).willReturn(rule);
		CallToolResult echo = CallToolResult.builder()
			.addTextContent("You sent deep-" + SECRET + " and deeper-text")
			.addContent(ResourceLink.builder().name("x").uri("https://a.example/" + SECRET).build())
			.addContent(new EmbeddedResource(null, new TextResourceContents("x:1", null, "a " + SECRET, null), null))
			.structuredContent(Map.of("sent", List.of(Map.of(SECRET, SECRET))))
			.isError(error)
			.build();
		given(this.tool.call(any(McpToolRequest.class))).willReturn(McpToolResult.of("a_echo", echo));
		McpToolResult read = this.executor.execute(this.tool, McpToolRequest.of(Map.of()));
		assertThat(read.isError()).isEqualTo(error);
		assertThat(read.text()).isEqualTo("""
				You sent ****** and ******
				[resource link https://a.example/******]
				a ******""");
		assertThat(read.structuredContent()).isEqualTo(Map.of("sent", List.of(Map.of("******", "******"))));
		assertThat(read.untruncated().text()).as("the application").contains(SECRET);
	}

	@Test
	void whatARuleFixedBeforeTheCallIsMaskedWhereTheToolHasGone() {
		given(this.tool.rule()).willReturn(rule(Map.of("token", SECRET)), (McpToolRule) null);
		given(this.tool.call(any(McpToolRequest.class))).willReturn(McpToolResult.success("a_echo", SECRET));
		assertThat(this.executor.execute(this.tool, McpToolRequest.of(Map.of())).text()).isEqualTo("******");
	}

	@Test
	void aCallLooksAtNoOtherServer() {
		given(this.registry.tools().find("a_echo")).willReturn(Optional.of(this.tool));
		given(this.registry.tools().get(eq("a_echo"), any())).willReturn(this.tool);
		given(this.tool.call(any(McpToolRequest.class))).willReturn(McpToolResult.success("a_echo", "done"));
		assertThat(this.executor.canExecute("a_echo")).isTrue();
		assertThat(this.executor.execute("a_echo", McpToolRequest.of(Map.of())).text()).isEqualTo("done");
		then(this.registry).should(never()).servers();
	}

	private static McpToolRule rule(Map<String, Object> arguments) {
		McpToolRuleBuilder rule = McpToolRule.builder("*");
		arguments.forEach(rule::argument);
		return rule.build();
	}

}
