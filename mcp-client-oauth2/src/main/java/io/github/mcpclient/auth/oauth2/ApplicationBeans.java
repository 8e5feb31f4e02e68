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
 * What the application has that tokens are obtained with. All of it may block.
 *
 * @param clients builds the HTTP clients for authorization servers
 * @param registrations finds Spring Security's client registrations
 * @param logins gives what users have logged in for, {@code null} if that is not stored
 * @param sslBundles the SSL bundles, or {@code null} for none
 * @param browser shows the page to log in at; {@code null} for the system's browser
 * @param servers returns the current definition of a server, {@code null} if no server
 * has that name any more
 */
record ApplicationBeans(AuthorizationClients clients, Function<String, @Nullable ClientRegistration> registrations,
		Supplier<@Nullable ReactiveOAuth2AuthorizedClientService> logins, @Nullable SslBundles sslBundles,
		@Nullable McpLoginBrowser browser, Function<String, @Nullable McpServerDefinition> servers) {

}
