package io.github.mcpclient.smoke.oauth2;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.authorization.McpHeadersProvider;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.server.resource.authentication.AbstractOAuth2TokenAuthenticationToken;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Resource servers that forward the tokens of their callers, as
 * {@code docs/calling-tools.md} shows.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ForwardedTokenTests {

	private static final ProtectedServer server = ProtectedServer.shared();

	private static final AuthorizationServer authorizationServer = server.authorizationServer();

	@BeforeEach
	void reset() {
		authorizationServer.reset();
		server.clear();
	}

	@Test
	void ofAServletApplication() {
		test(WebApplicationType.SERVLET, ServletUser.class, ServletPages.class);
	}

	@Test
	void ofAReactiveApplication() {
		test(WebApplicationType.REACTIVE, ReactiveUser.class, ReactivePages.class);
	}

	private static void test(WebApplicationType type, Class<?>... beans) {
		String own = new Browser("alice").token(authorizationServer, server.url());
		try (OAuth2Application started = OAuth2Application.start(type, beans, "mcp.servers.library.url=" + server.url(),
				"mcp.servers.library.headers.Authorization=Bearer " + own,
				"spring.security.oauth2.resourceserver.jwt.issuer-uri=" + authorizationServer.issuer())) {
			assertThat(server.tokens()).containsExactly(own);
			for (String user : List.of("alice", "bob")) {
				String incoming = new Browser(user).token(authorizationServer, server.url());
				assertThat(RestClient.create(started.origin())
					.get()
					.uri("/ask")
					.headers((headers) -> headers.setBearerAuth(incoming))
					.retrieve()
					.body(String.class)).isEqualTo(user);
				assertThat(server.calls()).last().isEqualTo(new ProtectedServer.Call(user, incoming));
			}
		}
	}

	@Configuration(proxyBeanMethods = false)
	static class ServletUser {

		@Bean
		McpHeadersProvider userToken() {
			return McpHeadersProvider.forServer("library", McpHeadersProvider.of((request) -> {
				Authentication user = SecurityContextHolder.getContext().getAuthentication();
				return (user instanceof AbstractOAuth2TokenAuthenticationToken<?> caller)
						? Map.of("Authorization", "Bearer " + caller.getToken().getTokenValue()) : Map.of();
			}));
		}

	}

	@RestController
	record ServletPages(McpServerRegistry registry) {

		@GetMapping("/ask")
		String ask() {
			return this.registry.callTool("library_whoami", Map.of()).orThrow().text();
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveUser {

		@Bean
		McpHeadersProvider userToken() {
			return McpHeadersProvider.forServer("library",
					(request) -> ReactiveSecurityContextHolder.getContext()
						.map(SecurityContext::getAuthentication)
						.ofType(AbstractOAuth2TokenAuthenticationToken.class)
						.map((caller) -> Map.of("Authorization", "Bearer " + caller.getToken().getTokenValue())));
		}

	}

	@RestController
	record ReactivePages(McpServerRegistry registry) {

		@GetMapping("/ask")
		Mono<String> ask() {
			return this.registry.tools()
				.get("library_whoami")
				.callAsync(Map.of())
				.map((result) -> result.orThrow().text());
		}

	}

}
