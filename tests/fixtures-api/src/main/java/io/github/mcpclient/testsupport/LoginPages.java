package io.github.mcpclient.testsupport;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerRegistry;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.authentication.OAuth2AuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.endpoint.OAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationCodeGrantFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.web.DefaultSecurityFilterChain;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.util.matcher.AnyRequestMatcher;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * A servlet application with one user, and Spring Security's filters for OAuth clients.
 */
@Configuration(proxyBeanMethods = false)
@RestController
public class LoginPages {

	private static final Authentication USER = UsernamePasswordAuthenticationToken.authenticated("user", "none",
			List.of());

	private final McpServerRegistry registry;

	LoginPages(McpServerRegistry registry) {
		this.registry = registry;
	}

	@GetMapping("/call")
	String call(@RequestParam String tool) {
		return this.registry.callTool(tool, Map.of()).orThrow().text();
	}

	@GetMapping("/public")
	String page() {
		return "public";
	}

	@Bean
	static FilterChainProxy security(OAuth2AuthorizationRequestResolver resolver,
			ClientRegistrationRepository registrations, OAuth2AuthorizedClientRepository logins,
			OAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> tokens) {
		return new FilterChainProxy(
				new DefaultSecurityFilterChain(AnyRequestMatcher.INSTANCE, (request, response, chain) -> {
					SecurityContextHolder.getContext().setAuthentication(USER);
					chain.doFilter(request, response);
				}, new OAuth2AuthorizationRequestRedirectFilter(resolver),
						new OAuth2AuthorizationCodeGrantFilter(registrations, logins,
								new ProviderManager(new OAuth2AuthorizationCodeAuthenticationProvider(tokens)))));
	}

}
