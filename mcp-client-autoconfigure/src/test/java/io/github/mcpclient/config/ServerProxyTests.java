package io.github.mcpclient.config;

import java.net.URI;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerProxy}.
 */
class ServerProxyTests {

	private static final McpServerProperties.Proxy FROM_ENVIRONMENT = new McpServerProperties.Proxy(null, null, null,
			null, null, true);

	private static @Nullable Proxy proxy(McpServerProperties.Proxy values, String url,
			Map<String, String> environment) {
		return ServerProxy.of(values, URI.create(url), environment::get);
	}

	@Test
	void thereIsNoneByDefault() {
		McpServerProperties.Proxy none = new McpServerProperties.Proxy(null, null, null, null, null, null);
		assertThat(proxy(none, "https://mcp.example/mcp", Map.of("HTTPS_PROXY", "http://proxy:3128"))).isNull();
	}

	@Test
	void settingsComeBeforeTheEnvironment() {
		McpServerProperties.Proxy values = new McpServerProperties.Proxy("proxy", 3128, "me", "s3cr3t",
				List.of("*.internal"), true);
		Map<String, String> environment = Map.of("HTTPS_PROXY", "http://other:1");
		Proxy proxy = proxy(values, "https://mcp.example/mcp", environment);
		assertThat(proxy).isEqualTo(new Proxy("proxy", 3128, "me", "s3cr3t"));
		assertThat(proxy.toString()).doesNotContain("s3cr3t");
		assertThat(proxy(values, "https://MCP.Internal/mcp", environment)).isNull();
	}

	@ParameterizedTest
	@CsvSource({ "https://mcp.example/mcp, secure, 3128", "http://mcp.example/mcp, plain, 80" })
	void environmentNamesOnePerScheme(String url, String host, int port) {
		assertThat(proxy(FROM_ENVIRONMENT, url, Map.of("HTTPS_PROXY", "http://secure:3128", "http_proxy", "plain")))
			.isEqualTo(new Proxy(host, port, null, null));
	}

	@Test
	void environmentHasTheCredentials() {
		assertThat(proxy(FROM_ENVIRONMENT, "https://mcp.example/mcp", Map.of("https_proxy", "http://me:a%3Ab@proxy:1")))
			.isEqualTo(new Proxy("proxy", 1, "me", "a:b"));
	}

	@ParameterizedTest
	@CsvSource({ "*, true", "example, true", ".example, true", "'other, MCP.example', true", "other, false",
			"ample, false", "'', false" })
	void environmentNamesExceptions(String noProxy, boolean direct) {
		Proxy proxy = proxy(FROM_ENVIRONMENT, "https://mcp.example/mcp",
				Map.of("HTTPS_PROXY", "http://proxy:3128", "NO_PROXY", noProxy));
		assertThat(proxy == null).isEqualTo(direct);
	}

	@Test
	void nonsenseInTheEnvironmentIsNoProxyThatWorks() {
		assertThat(proxy(FROM_ENVIRONMENT, "https://mcp.example/mcp", Map.of("HTTPS_PROXY", "http://")))
			.isEqualTo(new Proxy("", 0, null, null));
	}

}
