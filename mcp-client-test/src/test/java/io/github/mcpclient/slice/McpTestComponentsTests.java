package io.github.mcpclient.slice;

import java.util.Map;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.test.McpTest;
import io.github.mcpclient.test.MockMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests which components {@link McpTest} finds.
 */
@McpTest(properties = { "mcp.servers.shop.url=https://shop.example/mcp", "mcp.servers.shop.tools.rules[0].tools=*",
		"mcp.servers.shop.tools.rules[0].approval=always" })
class McpTestComponentsTests {

	@MockMcpServer("shop")
	static final McpTestServer shop = McpTestServer.create()
		.tool("ask", (request) -> McpTestReply.text(request
			.request("elicitation/create",
					Map.of("message", "Which?", "requestedSchema", Map.of("type", "object", "properties", Map.of())))
			.get()
			.toString()));

	@Autowired
	ApplicationContext context;

	@Test
	void aSliceHasTheApprovalOfItsRules(@Autowired McpToolCatalog tools) {
		assertThat(tools.get("shop_ask").call(Map.of()).text()).contains("the shop is closed");
		assertThat(this.context.getBean(McpCallerIdentity.class)).isInstanceOf(ShopComponents.Callers.class);
		assertThat(shop.calls()).isEmpty();
	}

	@Test
	void componentsWithAnnotatedMethodsAreFoundAndOthersAreNot() {
		assertThat(this.context.getBeansOfType(ShopComponents.Questions.class)).hasSize(1);
		ShopComponents.Lists lists = this.context.getBean(ShopComponents.Lists.class);
		Awaitility.await().until(() -> lists.names.contains("ask"));
		assertThat(this.context.getBeansOfType(ShopComponents.Warehouse.class)).isEmpty();
	}

}
