package io.github.mcpclient.internal.httpclient;

import java.util.Collection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.UnusableSettingsException;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.HttpResources;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.HttpCookieHandling;
import org.springframework.boot.http.client.HttpRedirects;
import org.springframework.boot.http.client.ReactorHttpClientBuilder;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.http.client.ReactorResourceFactory;

/**
 * Creates clients with Spring Boot's settings, except for settings that are unsuitable
 * for MCP. Safe for use by many threads.
 *
 * <ul>
 * <li>An application-wide read timeout does not apply, since it would close idle streams.
 * Requests have their own deadlines.</li>
 * <li>An application-wide SSL bundle and address filter do apply; a bundle of the server
 * takes precedence. If a named bundle is reloaded, new connections use the reloaded
 * bundle.</li>
 * </ul>
 */
public final class BootHttpClientFactory implements McpHttpClientFactory {

	private final HttpClientSettings settings;

	private final @Nullable ReactorResourceFactory resources;

	private final SslBundles sslBundles;

	private final Map<String, SslBundle> serverBundles;

	// shared by all servers that name them
	private final Map<String, SslContext> namedBundles = new ConcurrentHashMap<>();

	/**
	 * Create a factory.
	 * @param settings the application-wide settings, or {@code null} for none
	 * @param resources the event loops, if it does not use the global ones; may be
	 * {@code null}
	 * @param sslBundles the application's SSL bundles, or {@code null} for none
	 * @param serverBundles bundles by the name of their server, which take precedence
	 * over the bundles of the definitions
	 */
	public BootHttpClientFactory(@Nullable HttpClientSettings settings, @Nullable ReactorResourceFactory resources,
			@Nullable SslBundles sslBundles, Map<String, SslBundle> serverBundles) {
		this.settings = ((settings != null) ? settings : HttpClientSettings.defaults())
			.withRedirects(HttpRedirects.DONT_FOLLOW)
			.withCookieHandling(HttpCookieHandling.DISABLE)
			.withReadTimeout(null);
		this.resources = resources;
		this.sslBundles = (sslBundles != null) ? sslBundles : new DefaultSslBundleRegistry();
		this.serverBundles = Map.copyOf(serverBundles);
	}

	@Override
	public HttpClient create(McpServerDefinition definition, ConnectionProvider connections) {
		HttpClientSettings settings = this.settings.withConnectTimeout(definition.timeouts().connect());
		SslBundle serverBundle = this.serverBundles.get(definition.name());
		HttpClient client = new ReactorHttpClientBuilder().withHttpClientFactory(() -> HttpClient.create(connections))
			.withHttpClientDefaults((defaults) -> defaults.compress(true))
			.build((serverBundle != null) ? settings.withSslBundle(serverBundle) : settings);
		SslContext namedBundle = (serverBundle != null) ? null : namedBundle(definition);
		if (namedBundle != null) {
			client = client.secure((spec) -> spec.sslContext(namedBundle));
		}
		return run(client);
	}

	private HttpClient run(HttpClient client) {
		if (this.resources != null && !this.resources.isUseGlobalResources()) {
			return client.runOn(this.resources.getLoopResources());
		}
		// resolves names in the client and not by a proxy, since a filter requires
		// addresses
		return (this.settings.inetAddressFilter() != null) ? client.runOn(HttpResources.get()) : client;
	}

	@Override
	public @Nullable Collection<String> sslBundles(McpServerDefinition definition) {
		return this.serverBundles.containsKey(definition.name()) ? null : this.sslBundles.getBundleNames();
	}

	private @Nullable SslContext namedBundle(McpServerDefinition definition) {
		Http http = definition.http();
		String bundle = (http != null) ? http.sslBundle() : null;
		if (bundle == null) {
			return null;
		}
		try {
			return this.namedBundles.computeIfAbsent(bundle, (name) -> ReloadableSslContext.of(this.sslBundles, name));
		}
		catch (NoSuchSslBundleException ex) {
			throw new UnusableSettingsException("There is no SSL bundle '" + bundle + "'", "Set spring.ssl.bundle.*."
					+ bundle + ", or correct " + PropertyNames.ofServer(definition.name(), "ssl.bundle") + ".", ex);
		}
	}

}
