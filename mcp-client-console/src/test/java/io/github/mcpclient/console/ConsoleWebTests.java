package io.github.mcpclient.console;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.console.ConsoleApplication.Answer;
import io.github.mcpclient.console.ConsoleApplication.Connection;
import io.github.mcpclient.console.ConsoleApplication.Event;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the console over HTTP, without Spring Security.
 */
@ParameterizedClass
@EnumSource(names = { "SERVLET", "REACTIVE" })
class ConsoleWebTests {

	private static McpTestServer server;

	private static ConsoleApplication application;

	@Parameter
	private WebApplicationType type;

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type) {
		server = McpTestServer.create().tools("add", "remove").start();
		application = ConsoleApplication.run(type, new Class<?>[0], "mcp.servers.demo.url=" + server
			.url(), "spring.application.name=shop", "spring.autoconfigure.exclude="
					+ "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration,"
					+ "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration");
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		application.close();
		server.close();
	}

	@Test
	void answersWithThePageAndItsFilesAlone() {
		Answer page = application.get("");
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.headers()).containsEntry("content-type", "text/html;charset=UTF-8");
		assertThat(page.headers().get("content-security-policy")).startsWith("default-src 'none'; script-src 'self';");
		assertThat(application.get("", "If-None-Match: " + page.headers().get("etag")).status()).isEqualTo(304);
		assertThat(application.get("/").headers()).containsEntry("location", "../mcp-console");
		for (String path : new String[] { "/McpConsole.class", "/package-info.class", "/..%2fconsole.html", "/none.js",
				"/api", "/api/none", "/api/servers/none", "/console.html/" }) {
			Answer none = application.get(path);
			assertThat(none.status()).as(path).isBetween(400, 404);
		}
		assertThat(application.get("/none.js").headers()).containsEntry("x-content-type-options", "nosniff");
	}

	@Test
	void showsSessionServersAndDetails() {
		assertThat(application.get("/api/session").json().path("application").asString()).isEqualTo("shop");
		Answer servers = application.get("/api/servers");
		assertThat(servers.headers()).containsEntry("content-type", "application/json;charset=UTF-8")
			.containsEntry("cache-control", "no-store");
		assertThat(servers.json().at("/servers/0/name").asString()).isEqualTo("demo");
		assertThat(servers.json().at("/servers/0/state").asString()).isEqualTo(McpServerState.READY.name());
		assertThat(servers.json().at("/servers/0/position").asInt(-1)).isZero();
		assertThat(application.get("/api/servers/demo").json().at("/tools/0/originalName").asString()).isEqualTo("add");
	}

	@Test
	void tellsOfChanges() throws Exception {
		try (Connection events = application.open("GET", "/api/events", null)) {
			assertThat(events.head()).isEqualTo(200);
			Event all = events.event();
			assertThat(all.name()).isEqualTo("servers");
			assertThat(all.data().path("full").asBoolean()).isTrue();
			assertThat(all.data().at("/servers/0/tools").asInt()).isEqualTo(2);
			server.tools("add", "remove", "more").notifyToolsListChanged();
			Event change = events.event();
			assertThat(change.data().has("full")).isFalse();
			assertThat(change.data().at("/servers/0/tools").asInt()).isEqualTo(3);
		}
		finally {
			server.removeTools("more").notifyToolsListChanged();
		}
	}

}
