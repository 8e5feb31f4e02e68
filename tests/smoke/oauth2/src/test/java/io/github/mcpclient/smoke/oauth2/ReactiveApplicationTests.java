package io.github.mcpclient.smoke.oauth2;

import java.util.Map;
import java.util.stream.Collectors;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * A reactive application.
 */
class ReactiveApplicationTests extends AbstractWebApplicationTests {

	@Override
	OAuth2Application start(String... properties) {
		return OAuth2Application.start(WebApplicationType.REACTIVE, new Class<?>[] { Pages.class }, properties);
	}

	@Configuration(proxyBeanMethods = false)
	@RestController
	static class Pages {

		private final McpToolCatalog tools;

		Pages(McpToolCatalog tools) {
			this.tools = tools;
		}

		@GetMapping("/ask")
		Mono<String> ask() {
			return this.tools.forCallerAsync()
				.flatMap((tools) -> tools.get("hosted_whoami").callAsync(Map.of()))
				.map((result) -> result.orThrow().text());
		}

		@GetMapping("/tools")
		Mono<String> tools() {
			return this.tools.forCallerAsync()
				.map((tools) -> tools.all().stream().map(McpTool::name).collect(Collectors.joining(",")));
		}

	}

}
