package io.github.mcpclient.auth.oauth2;

import java.util.List;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.spi.McpHttpClientFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication.Type;
import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.InMemoryReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.endpoint.OAuth2AuthorizationCodeGrantRequest;
import org.springframework.security.oauth2.client.endpoint.ReactiveOAuth2AccessTokenResponseClient;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.registration.ReactiveClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.AuthenticatedPrincipalOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.server.AuthenticatedPrincipalServerOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.server.DefaultServerOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.server.ServerOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.server.ServerOAuth2AuthorizedClientRepository;

/**
 * {@link EnableAutoConfiguration Auto-configuration} for the authorization of requests to
 * MCP servers by OAuth 2.0, on Spring Security's client.
 */
@AutoConfiguration(afterName = { "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration",
		"org.springframework.boot.security.oauth2.client.autoconfigure.servlet.OAuth2ClientWebSecurityAutoConfiguration",
		"org.springframework.boot.security.oauth2.client.autoconfigure.reactive.ReactiveOAuth2ClientWebSecurityAutoConfiguration" })
@ConditionalOnClass(ClientRegistrationRepository.class)
@ConditionalOnBean(McpHttpClientFactory.class)
@ConditionalOnBooleanProperty(name = "mcp.enabled", matchIfMissing = true)
public final class McpOAuth2AutoConfiguration {

	@Bean
	OAuth2Authorizer mcpOAuth2Authorizer(McpHttpClientFactory factory, ClientThreads threads, BeanFactory beans,
			Environment environment) {
		String application = environment.getProperty("spring.application.name", McpHttpClients.PRODUCT);
		HttpClientSettings settings = find(beans, HttpClientSettings.class);
		return new OAuth2Authorizer(new ApplicationBeans(
				new AuthorizationClients(new McpHttpClients(factory, List.of(), threads::onEventLoops, application),
						settings),
				(id) -> registration(beans, id), () -> logins(beans), find(beans, SslBundles.class),
				find(beans, McpLoginBrowser.class),
				(name) -> beans.getBean(McpServerRegistry.class).find(name).map(McpServer::definition).orElse(null)),
				threads);
	}

	private static @Nullable ClientRegistration registration(BeanFactory beans, String id) {
		ClientRegistrationRepository repository = find(beans, ClientRegistrationRepository.class);
		if (repository != null) {
			return repository.findByRegistrationId(id);
		}
		ReactiveClientRegistrationRepository reactive = find(beans, ReactiveClientRegistrationRepository.class);
		return (reactive != null) ? reactive.findByRegistrationId(id).block() : null;
	}

	private static @Nullable ReactiveOAuth2AuthorizedClientService logins(BeanFactory beans) {
		ReactiveOAuth2AuthorizedClientService reactive = find(beans, ReactiveOAuth2AuthorizedClientService.class);
		if (reactive != null) {
			return reactive;
		}
		OAuth2AuthorizedClientService blocking = find(beans, OAuth2AuthorizedClientService.class);
		return (blocking != null) ? new BlockingLogins(blocking) : null;
	}

	private static <T> @Nullable T find(BeanFactory beans, Class<T> type) {
		return beans.getBeanProvider(type).getIfAvailable();
	}

	@Bean
	@Conditional(OnUsersCondition.class)
	@ConditionalOnWebApplication
	ClientMetadataController mcpClientMetadataController(OAuth2Authorizer authorizer) {
		return new ClientMetadataController(authorizer);
	}

	/**
	 * The beans that Spring Security's filters need to log users in.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnUsersCondition.class)
	@ConditionalOnWebApplication(type = Type.SERVLET)
	static class ServletLoginConfiguration {

		@Bean
		UserLogins mcpUserLogins(OAuth2Authorizer authorizer) {
			return new UserLogins(authorizer);
		}

		@Bean
		LoginPageFilter mcpLoginPageFilter(UserLogins logins) {
			return new LoginPageFilter(logins);
		}

		@Bean
		@Primary
		@Conditional(OnClientsOfServersCondition.class)
		ClientRegistrationRepository mcpClientRegistrationRepository(UserLogins logins,
				ObjectProvider<ClientRegistrationRepository> all) {
			return new UserLogins.Registrations(logins, all);
		}

		@Bean
		@ConditionalOnMissingBean
		OAuth2AuthorizedClientService mcpAuthorizedClientService(ClientRegistrationRepository registrations) {
			return new InMemoryOAuth2AuthorizedClientService(registrations);
		}

		@Bean
		@ConditionalOnMissingBean
		OAuth2AuthorizedClientRepository mcpAuthorizedClientRepository(OAuth2AuthorizedClientService service) {
			return new AuthenticatedPrincipalOAuth2AuthorizedClientRepository(service);
		}

		@Bean
		@ConditionalOnMissingBean
		OAuth2AuthorizationRequestResolver mcpAuthorizationRequestResolver(UserLogins logins,
				ClientRegistrationRepository registrations) {
			DefaultOAuth2AuthorizationRequestResolver resolver = new DefaultOAuth2AuthorizationRequestResolver(
					registrations);
			resolver.setAuthorizationRequestCustomizer(logins.customizer());
			return resolver;
		}

	}

	/**
	 * The beans that the filters of a reactive application need.
	 */
	@Configuration(proxyBeanMethods = false)
	@Conditional(OnUsersCondition.class)
	@ConditionalOnWebApplication(type = Type.REACTIVE)
	static class ReactiveLoginConfiguration {

		private final UserLogins logins;

		private final ClientThreads threads;

		ReactiveLoginConfiguration(OAuth2Authorizer authorizer, ClientThreads threads) {
			this.logins = new UserLogins(authorizer);
			this.threads = threads;
		}

		@Bean
		LoginPageWebFilter mcpLoginPageFilter() {
			return new LoginPageWebFilter(this.logins);
		}

		@Bean
		@Primary
		@Conditional(OnClientsOfServersCondition.class)
		ReactiveClientRegistrationRepository mcpReactiveClientRegistrationRepository(
				ObjectProvider<ReactiveClientRegistrationRepository> all) {
			return new UserLogins.ReactiveRegistrations(this.logins, all);
		}

		@Bean
		@ConditionalOnMissingBean
		ReactiveOAuth2AuthorizedClientService mcpReactiveAuthorizedClientService(
				ReactiveClientRegistrationRepository registrations) {
			return new InMemoryReactiveOAuth2AuthorizedClientService(registrations);
		}

		@Bean
		@ConditionalOnMissingBean
		ServerOAuth2AuthorizedClientRepository mcpServerAuthorizedClientRepository(
				ReactiveOAuth2AuthorizedClientService service) {
			return new AuthenticatedPrincipalServerOAuth2AuthorizedClientRepository(service);
		}

		@Bean
		@ConditionalOnMissingBean
		ServerOAuth2AuthorizationRequestResolver mcpServerAuthorizationRequestResolver(
				ReactiveClientRegistrationRepository registrations) {
			// the customizer may have to wait for an authorization server
			DefaultServerOAuth2AuthorizationRequestResolver resolver = new DefaultServerOAuth2AuthorizationRequestResolver(
					(id) -> registrations.findByRegistrationId(id).publishOn(this.threads.headers()));
			resolver.setAuthorizationRequestCustomizer(this.logins.customizer());
			return resolver;
		}

		@Bean
		@ConditionalOnMissingBean
		ReactiveOAuth2AccessTokenResponseClient<OAuth2AuthorizationCodeGrantRequest> mcpReactiveTokenClient() {
			return (request) -> this.logins.requestToken(request, this.threads);
		}

	}

}
