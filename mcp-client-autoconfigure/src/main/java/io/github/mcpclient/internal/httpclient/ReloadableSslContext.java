package io.github.mcpclient.internal.httpclient;

import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.SslContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.http.client.HttpClient;
import reactor.netty.tcp.SslProvider;

import org.springframework.boot.http.client.HttpClientSettings;
import org.springframework.boot.http.client.ReactorHttpClientBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.util.Assert;

/**
 * The TLS context of an SSL bundle. When the bundle is reloaded, new connections use the
 * reloaded bundle; open connections are unaffected. Safe for use by many threads.
 * Instances are shared, since a listener for a reload cannot be removed.
 */
final class ReloadableSslContext extends SslContext {

	private static final Logger logger = LoggerFactory.getLogger(ReloadableSslContext.class);

	private final SslBundles bundles;

	private final String name;

	private final ReentrantLock loading = new ReentrantLock();

	private SslBundle bundle;

	private volatile SslContext current;

	private ReloadableSslContext(SslBundles bundles, String name) {
		this.bundles = bundles;
		this.name = name;
		this.bundle = bundles.getBundle(name);
		this.current = context(this.bundle);
	}

	/**
	 * Create the context of a bundle, and listen for its reload. Reads keys and
	 * certificates.
	 */
	static ReloadableSslContext of(SslBundles bundles, String name) {
		ReloadableSslContext context = new ReloadableSslContext(bundles, name);
		bundles.addBundleUpdateHandler(name, (bundle) -> context.reload());
		// the bundle may have been reloaded before the listener was added
		context.reload();
		return context;
	}

	private void reload() {
		this.loading.lock();
		try {
			SslBundle bundle = this.bundles.getBundle(this.name);
			if (bundle != this.bundle) {
				this.current = context(bundle);
				this.bundle = bundle;
			}
		}
		catch (RuntimeException ex) {
			logger.warn(
					"SSL bundle '{}' has changed, but cannot be used: MCP servers are connected with its previous version",
					this.name, ex);
		}
		finally {
			this.loading.unlock();
		}
	}

	private static SslContext context(SslBundle bundle) {
		HttpClient client = new ReactorHttpClientBuilder().withHttpClientFactory(HttpClient::newConnection)
			.build(HttpClientSettings.ofSslBundle(bundle));
		SslProvider provider = client.configuration().sslProvider();
		Assert.state(provider != null, "No TLS");
		return provider.getSslContext();
	}

	@Override
	public boolean isClient() {
		return this.current.isClient();
	}

	@Override
	public List<String> cipherSuites() {
		return this.current.cipherSuites();
	}

	@Override
	@SuppressWarnings("deprecation") // there is no other type for it
	public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
		return this.current.applicationProtocolNegotiator();
	}

	@Override
	public SSLEngine newEngine(ByteBufAllocator alloc) {
		return this.current.newEngine(alloc);
	}

	@Override
	public SSLEngine newEngine(ByteBufAllocator alloc, @Nullable String peerHost, int peerPort) {
		return this.current.newEngine(alloc, peerHost, peerPort);
	}

	@Override
	public SSLSessionContext sessionContext() {
		return this.current.sessionContext();
	}

}
