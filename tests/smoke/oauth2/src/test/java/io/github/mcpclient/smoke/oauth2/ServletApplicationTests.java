package io.github.mcpclient.smoke.oauth2;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A servlet application.
 */
class ServletApplicationTests extends AbstractWebApplicationTests {

	@Override
	OAuth2Application start(String... properties) {
		return OAuth2Application.start(WebApplicationType.SERVLET, new Class<?>[] { Pages.class }, properties);
	}

	@Configuration(proxyBeanMethods = false)
	@RestController
	static class Pages {

		private final McpServerRegistry registry;

		private final McpToolCatalog tools;

		Pages(McpServerRegistry registry, McpToolCatalog tools) {
			this.registry = registry;
			this.tools = tools;
		}

		@GetMapping("/tools")
		List<String> tools() {
			return this.tools.forCaller().all().stream().map(McpTool::name).toList();
		}

		@GetMapping("/ask")
		String ask() {
			return this.registry.callTool("hosted_whoami", Map.of()).orThrow().text();
		}

	}

}
