package io.github.mcpclient.auth.oauth2;

import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.authorization.McpLoginBrowser;
import io.github.mcpclient.definition.McpServerDefinition;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundles;
import org.springframework.security.oauth2.client.ReactiveOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;

/**
 * The beans of the application for obtaining tokens. All of them may block.
 *
 * @param clients builds the HTTP clients for authorization servers
 * @param registrations finds Spring Security's client registrations
 * @param logins returns the logins of users, {@code null} if logins are not stored
 * @param sslBundles the SSL bundles, or {@code null} for none
 * @param browser opens the login page; {@code null} for the browser of the system
 * @param servers returns the current definition of a server, {@code null} if no server
 * has that name any more
 */
record ApplicationBeans(AuthorizationClients clients, Function<String, @Nullable ClientRegistration> registrations,
		Supplier<@Nullable ReactiveOAuth2AuthorizedClientService> logins, @Nullable SslBundles sslBundles,
		@Nullable McpLoginBrowser browser, Function<String, @Nullable McpServerDefinition> servers) {

}
