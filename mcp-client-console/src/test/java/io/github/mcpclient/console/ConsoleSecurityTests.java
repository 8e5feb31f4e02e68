package io.github.mcpclient.console;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.audit.McpAuditRecord;
import io.github.mcpclient.audit.McpAuditSink;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.console.ConsoleApplication.Answer;
import io.github.mcpclient.console.ConsoleApplication.Connection;
import io.github.mcpclient.console.ConsoleApplication.Event;
import io.github.mcpclient.console.docs.ReactiveConsoleSecurity;
import io.github.mcpclient.console.docs.ServletConsoleSecurity;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the console with rules of Spring Security, on the port of the application and
 * on that of Actuator, each below another path.
 */
@ParameterizedClass
@CsvSource({ "SERVLET,server", "SERVLET,management", "REACTIVE,server", "REACTIVE,management" })
@ExtendWith(OutputCaptureExtension.class)
class ConsoleSecurityTests {

	private static final String[] ANNA = { "Authorization: Basic " + encoded("anna:secret"), "Host: console.example" };

	private static final String[] BERT = { "Authorization: Basic " + encoded("bert:secret"), "Host: console.example" };

	private static final BlockingQueue<McpAuditRecord> records = new LinkedBlockingQueue<>();

	private static McpTestServer server;

	private static ConsoleApplication application;

	private static int port;

	private static String base;

	@Parameter(0)
	private WebApplicationType type;

	@Parameter(1)
	private String namespace;

	@BeforeParameterizedClassInvocation
	static void start(WebApplicationType type, String namespace) {
		server = McpTestServer.create().tools("add").start();
		boolean same = namespace.equals("server");
		application = ConsoleApplication.run(type,
				new Class<?>[] { (type == WebApplicationType.SERVLET) ? ServletRules.class : ReactiveRules.class },
				"mcp.servers.demo.url=" + server.url(), "mcp.console.access=unrestricted",
				"spring.lifecycle.timeout-per-shutdown-phase=60s", "server.servlet.context-path=/shop",
				"spring.webflux.base-path=/shop",
				same ? "management.server.base-path=" : "management.server.base-path=/manage",
				same ? "management.endpoints.access.default=read-only" : "management.server.port=0",
				// with Tomcat and Netty, both would make the second server
				"spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.actuate.web.server."
						+ "TomcatReactiveManagementContextAutoConfiguration");
		port = application.port(namespace);
		base = same ? "/shop/mcp-console" : "/manage/mcp-console";
	}

	@AfterParameterizedClassInvocation
	static void stop() throws Exception {
		try (Connection events = ConsoleApplication.open(port, "GET", base + "/api/events", null, ANNA)) {
			assertThat(events.head()).isEqualTo(200);
			events.event();
			long started = System.nanoTime();
			application.close();
			// the web server waits for open requests
			assertThat(Duration.ofNanos(System.nanoTime() - started)).isLessThan(Duration.ofSeconds(50));
			Event last = events.event();
			while (last != null) {
				last = events.event();
			}
		}
		server.close();
	}

	@Test
	void answersWhomTheRulesOfTheApplicationLetIn() {
		assertThat(send("GET", "", null).status()).isEqualTo(401);
		assertThat(send("GET", "/api/servers", null).status()).isEqualTo(401);
		assertThat(send("GET", "", null, BERT).status()).isEqualTo(403);
		Answer page = send("GET", "", null, ANNA);
		assertThat(page.status()).isEqualTo(200);
		assertThat(page.headers().get("content-security-policy")).startsWith("default-src 'none'").doesNotContain("|");
		assertThat(page.headers()).containsEntry("cache-control", "private, no-cache")
			.containsEntry("x-content-type-options", "nosniff");
		assertThat(send("GET", "/api/servers", null, ANNA).json().at("/servers/0/name").asString()).isEqualTo("demo");
		Answer session = send("GET", "/api/session", null, ANNA);
		assertThat(session.json().path("user").asString()).isEqualTo("anna");
		assertThat(session.headers()).containsEntry("cache-control", "no-store");
	}

	@Test
	void isNowhereElse() {
		Answer other = ConsoleApplication.send(application.port(), "GET", "/shop/other", null, BERT);
		assertThat(other.status()).isEqualTo(404);
		if (this.namespace.equals("management")) {
			// the rules for the console are not for what is no console
			assertThat(ConsoleApplication.send(application.port(), "GET", "/shop/mcp-console", null, BERT).status())
				.isEqualTo(404);
		}
	}

	@Test
	void writesWithTheTokenOfSpringSecurityAlone(CapturedOutput output) throws Exception {
		records.clear();
		String[] writing = with(ANNA, "X-MCP-Console: 1", "Content-Type: application/json");
		String body = "{\"action\":\"refresh\"}";
		assertThat(send("POST", "/api/servers/demo/actions", body, writing).status()).isIn(401, 403);
		Answer session = send("GET", "/api/session", null, ANNA);
		JsonNode csrf = session.json().path("csrf");
		String cookie = session.headers().get("set-cookie");
		String[] known = with(writing, csrf.path("header").asString() + ": " + csrf.path("token").asString(),
				"Cookie: " + cookie.substring(0, cookie.indexOf(';')));
		assertThat(send("POST", "/api/servers/demo/actions", body, known).status()).isEqualTo(200);
		assertThat(output).contains("user anna").contains("'demo'").contains("refresh");
		assertThat(send("POST", "/api/reload", "{}", writing).status()).isIn(401, 403);
		assertThat(send("POST", "/api/reload", "{}", known).status()).isEqualTo(200);
		assertThat(output).containsOnlyOnce("action of user anna on the MCP client: reload");
		for (String action : new String[] { "disable", "enable" }) {
			assertThat(send("POST", "/api/servers/demo/actions", "{\"action\":\"" + action + "\"}", known).status())
				.isEqualTo(200);
		}
		for (String action : new String[] { "refresh", "reload", "disable", "enable" }) {
			McpAuditRecord made = records.poll(30, TimeUnit.SECONDS);
			assertThat(made).isNotNull();
			assertThat(made.action()).isEqualTo(action);
			assertThat(made.caller()).isEqualTo("anna");
		}
		assertThat(send("POST", "/api/servers/demo/actions", body, with(known, "Origin: http://evil.example")).status())
			.isEqualTo(403);
	}

	@Test
	void callsForTheUserWhoIsSignedIn() {
		Answer session = send("GET", "/api/session", null, ANNA);
		JsonNode csrf = session.json().path("csrf");
		String cookie = session.headers().get("set-cookie");
		Answer call = send("POST", "/api/servers/demo/calls",
				"{\"kind\":\"tool\",\"name\":\"add\",\"arguments\":{\"message\":\"x\"}}",
				with(ANNA, "X-MCP-Console: 1", "Content-Type: application/json",
						csrf.path("header").asString() + ": " + csrf.path("token").asString(),
						"Cookie: " + cookie.substring(0, cookie.indexOf(';'))));
		assertThat(call.body()).contains("event:result");
		assertThat(server.awaitCall("add").header("X-User")).isEqualTo("anna");
	}

	private static Answer send(String method, String path, String body, String... headers) {
		return ConsoleApplication.send(port, method, base + path, body, headers);
	}

	private static String[] with(String[] headers, String... more) {
		return Stream.of(List.of(headers), List.of(more)).flatMap(List::stream).toArray(String[]::new);
	}

	private static String encoded(String text) {
		return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
	}

	private static UserDetails user(String name, String role) {
		return User.withUsername(name).password("{noop}secret").roles(role).build();
	}

	@Configuration(proxyBeanMethods = false)
	static class Beans {

		@Bean
		McpAuditSink sink() {
			return records::addAll;
		}

		@Bean
		McpHeadersProvider user() {
			return (request) -> ReactiveSecurityContextHolder.getContext()
				.switchIfEmpty(Mono.fromSupplier(SecurityContextHolder::getContext))
				.mapNotNull(SecurityContext::getAuthentication)
				.map((user) -> Map.of("X-User", user.getName()));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	@Import({ ServletConsoleSecurity.class, Beans.class })
	static class ServletRules {

		@Bean
		SecurityFilterChain others(HttpSecurity http) {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		InMemoryUserDetailsManager users() {
			return new InMemoryUserDetailsManager(user("anna", "OPERATOR"), user("bert", "USER"));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	@Import({ ReactiveConsoleSecurity.class, Beans.class })
	static class ReactiveRules {

		@Bean
		SecurityWebFilterChain others(ServerHttpSecurity http) {
			return http.authorizeExchange((exchanges) -> exchanges.anyExchange().authenticated())
				.httpBasic(Customizer.withDefaults())
				.build();
		}

		@Bean
		MapReactiveUserDetailsService users() {
			return new MapReactiveUserDetailsService(user("anna", "OPERATOR"), user("bert", "USER"));
		}

	}

}
