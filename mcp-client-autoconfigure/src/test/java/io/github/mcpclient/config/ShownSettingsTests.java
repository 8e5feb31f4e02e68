package io.github.mcpclient.config;

import java.util.LinkedHashMap;
import java.util.Map;

import io.github.mcpclient.management.McpServerSetting;
import org.junit.jupiter.api.Test;

import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ShownSettings}.
 */
class ShownSettingsTests {

	private final StandardEnvironment environment = new StandardEnvironment();

	@Test
	void settingsAreMergedWithThoseOfAllServers() {
		variables(Map.of("MCP_SERVERS_MYSERVER_URL", "https://other/mcp"));
		file("mcp.servers.my-server.url", "https://host/mcp", "mcp.servers.my-server.tools.filter[0]", "a",
				"mcp.servers.my-server.headers.x-a", "1", "mcp.defaults.tools.filter[0]", "b",
				"mcp.defaults.tools.filter[1]", "c", "mcp.defaults.request-timeout", "5s", "mcp.defaults.headers.X-A",
				"2", "mcp.defaults.headers.X-B", "3", "mcp.servers.other.url", "https://other");
		assertThat(ShownSettings.of(this.environment, "my-server")).containsExactly(
				setting("mcp.servers.my-server.headers.x-a", "******", "file:3"),
				setting("mcp.servers.my-server.tools.filter[0]", "a", "file:2"),
				new McpServerSetting("mcp.servers.my-server.url", "https://other/mcp",
						"\"MCP_SERVERS_MYSERVER_URL\" from property source \"systemEnvironment\""),
				setting("mcp.defaults.headers.X-B", "******", "file:8"),
				setting("mcp.defaults.request-timeout", "5s", "file:6"));
		assertThat(ShownSettings.of(this.environment, "none")).isEmpty();
	}

	@Test
	void theSourceThatComesFirstHasTheWholeList() {
		file("mcp.servers.a.args[0]", "1", "mcp.servers.a.args[1]", "2", "mcp.servers.a.args[10]", "10",
				"mcp.servers.a.args[2]", "3", "mcp.servers.a.command", "run");
		assertThat(shown("a").keySet()).containsExactly("args[0]", "args[1]", "args[2]", "args[10]", "command");
		this.environment.getPropertySources()
			.addFirst(new MapPropertySource("first", Map.of("mcp.servers.a.args", "x,--token,y")));
		assertThat(shown("a")).containsExactly(Map.entry("args", "x,--token,******"), Map.entry("command", "run"));
	}

	@Test
	void argumentsThatASourceHasInTwoWaysAreShown() {
		file("mcp.servers.a.args[0]", "--token", "mcp.servers.a.args", "x, --token, s3cr3t", "mcp.servers.a.args[1]",
				"s3cr3t");
		assertThat(shown("a")).containsExactly(Map.entry("args", "x,--token,******"), Map.entry("args[0]", "--token"),
				Map.entry("args[1]", "******"));
	}

	@Test
	void noSecretIsShown() {
		file("mcp.servers.a.url", "https://user:s3cr3t@host/mcp?key=s3cr3t", "mcp.servers.a.headers.A", "s3cr3t",
				"mcp.servers.a.headers.B", "Bearer s3cr3t", "mcp.servers.a.headers.timeout", "s3cr3t",
				"mcp.servers.a.env.A_TIMEOUT", "s3cr3t", "mcp.servers.a.env[a-timeout]", "s3cr3t",
				"mcp.servers.a.options.x", "s3cr3t", "mcp.servers.a.config.x.url", "s3cr3t",
				"mcp.servers.a.auth.bearer.token", "s3cr3t", "mcp.servers.a.auth.basic.username", "s3cr3t",
				"mcp.servers.a.auth.basic.password", "s3cr3t", "mcp.servers.a.auth.oauth2.client-secret", "s3cr3t",
				"mcp.servers.a.auth.oauth2.client-id", "s3cr3t", "mcp.servers.a.auth.oauth2.private-key", "s3cr3t",
				"mcp.servers.a.auth.oauth2.issuer-uri", "https://s3cr3t@issuer", "mcp.servers.a.proxy.password",
				"s3cr3t", "mcp.servers.a.proxy.username", "s3cr3t", "mcp.servers.a.command", "run --password s3cr3t",
				"mcp.servers.a.args[0]", "--api-key", "mcp.servers.a.args[1]", "s3cr3t", "mcp.servers.a.args[2]",
				"--token=s3cr3t", "mcp.servers.a.tools.rules[0].arguments.x", "s3cr3t",
				"mcp.servers.a.tools.rules[0].default-arguments.x", "s3cr3t", "mcp.defaults.headers.Z", "s3cr3t");
		assertThat(ShownSettings.of(this.environment, "a")).hasSize(24)
			.noneMatch((setting) -> setting.toString().contains("s3cr3t"));
		assertThat(shown("a")).containsEntry("url", "https://host/mcp?key=******")
			.containsEntry("command", "run --password ******")
			.containsEntry("args[0]", "--api-key");
	}

	@Test
	void noPartOfAUrlThatCannotBeReadIsShown() {
		file("mcp.servers.a.enabled", "false", "mcp.servers.a.url", "https://user:s3/cr3t@host/mcp");
		assertThat(shown("a")).containsEntry("url", "******");
	}

	@Test
	void placeholdersAreShownAsTheyAreWrittenButForTheirDefaults() {
		this.environment.getPropertySources().addFirst(new MapPropertySource("secrets", Map.of("TOKEN", "s3cr3t")));
		file("mcp.servers.a.url", "http://${HOST:s3cr3t}:${PORT}/${A:${B:s3cr3t}}/mcp", "mcp.servers.a.headers.A",
				"Bearer ${TOKEN}", "mcp.servers.a.headers.B", "${TOKEN:s3cr3t}", "mcp.servers.a.headers.C",
				"s3cr3t ${TOKEN}", "mcp.servers.a.headers.D", "${TOKEN}", "mcp.servers.a.request-timeout", "${T}");
		assertThat(shown("a")).containsExactly(Map.entry("headers.A", "Bearer ${TOKEN}"),
				Map.entry("headers.B", "******"), Map.entry("headers.C", "******"), Map.entry("headers.D", "${TOKEN}"),
				Map.entry("request-timeout", "${T}"),
				Map.entry("url", "http://${HOST:******}:${PORT}/${A:******}/mcp"));
	}

	private Map<String, String> shown(String server) {
		Map<String, String> shown = new LinkedHashMap<>();
		ShownSettings.of(this.environment, server)
			.forEach((setting) -> shown.put(setting.name().substring("mcp.servers.a.".length()), setting.value()));
		return shown;
	}

	private static McpServerSetting setting(String name, String value, String origin) {
		return new McpServerSetting(name, value, origin);
	}

	private void variables(Map<String, Object> variables) {
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		this.environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
	}

	// the origin of a property is its place
	private void file(String... properties) {
		Map<String, Object> values = new LinkedHashMap<>();
		for (int i = 0; i < properties.length; i += 2) {
			String place = "file:" + (i / 2 + 1);
			values.put(properties[i], OriginTrackedValue.of(properties[i + 1], new Origin() {

				@Override
				public String toString() {
					return place;
				}

			}));
		}
		this.environment.getPropertySources().addLast(new OriginTrackedMapPropertySource("file", values));
	}

}
