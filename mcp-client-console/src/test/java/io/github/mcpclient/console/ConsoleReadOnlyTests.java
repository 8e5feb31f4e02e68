package io.github.mcpclient.console;

import java.util.List;

import io.github.mcpclient.console.ConsoleApplication.Answer;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.filter.ForwardedHeaderFilter;
import org.springframework.web.server.adapter.ForwardedHeaderTransformer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the console as it is by default, in an application that evaluates forwarded
 * headers, and hides them.
 */
@ParameterizedClass
@EnumSource(names = { "SERVLET", "REACTIVE" })
class ConsoleReadOnlyTests {

	private static McpTestServer server;

	private static ConsoleApplication application;

	@Parameter
	private WebApplicationType type;

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type) {
		server = McpTestServer.create().tools("add").start();
		application = ConsoleApplication.run(type, new Class<?>[] { ServletProxy.class, ReactiveProxy.class },
				"mcp.servers.demo.url=" + server.url(), ConsoleApplication.WITHOUT_SECURITY);
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		application.close();
		server.close();
	}

	@Test
	void takesNoAddressThatAHeaderSays() {
		for (String header : List.of("X-Forwarded-For: 127.0.0.1", "Forwarded: for=127.0.0.1",
				"X-Forwarded-Host: localhost", "Via: 1.1 proxy")) {
			Answer answer = application.get("/api/servers", header);
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.error()).contains("through a proxy").contains("mcp.console.remote");
		}
		// there, a header that was evaluated leaves no trace
		assertThat(application.get("/api/servers").status())
			.isEqualTo((this.type == WebApplicationType.SERVLET) ? 200 : 403);
	}

	@Test
	void refusesToWrite() {
		int requests = server.requests().size();
		for (String path : List.of("actions", "diagnosis", "calls")) {
			Answer answer = application.post("/api/servers/demo/" + path,
					"{\"action\":\"reconnect\",\"kind\":\"tool\",\"name\":\"add\",\"confirmed\":true}");
			assertThat(answer.status()).isEqualTo(403);
			assertThat(answer.headers().get("content-security-policy")).startsWith("default-src 'none'");
			if (this.type == WebApplicationType.SERVLET) {
				assertThat(answer.error()).contains("mcp.console.access");
			}
		}
		assertThat(application.post("/api/reload", "{}").status()).isEqualTo(403);
		assertThat(application.delete("/api/calls/1").status()).isEqualTo(403);
		assertThat(application.post("/api/servers/demo/actions", "{}", "X-HTTP-Method-Override: GET").status())
			.isEqualTo(403);
		assertThat(server.requests()).hasSize(requests);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class ServletProxy {

		@Bean
		ForwardedHeaderFilter forwardedHeaderFilter() {
			return new ForwardedHeaderFilter();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class ReactiveProxy {

		@Bean
		ForwardedHeaderTransformer forwardedHeaderTransformer() {
			return new ForwardedHeaderTransformer();
		}

	}

}
