package io.github.mcpclient.internal.transport.http;

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.X509TrustManager;

import io.netty.handler.ssl.SslContextBuilder;
import reactor.core.publisher.Mono;
import reactor.netty.tcp.SslProvider;

/**
 * Looks which certificates a server presents that were refused. Trusts none, so that each
 * handshake fails, and nothing is sent.
 */
final class PresentedCertificates implements X509TrustManager {

	private final AtomicReference<List<X509Certificate>> chain = new AtomicReference<>(List.of());

	private PresentedCertificates() {
	}

	/**
	 * Return the chain, or an empty list.
	 */
	static Mono<List<X509Certificate>> of(HttpSetup setup) {
		PresentedCertificates presented = new PresentedCertificates();
		String url = setup.http().url().toString().replaceFirst("(?i)^ws", "http");
		return Mono.fromCallable(() -> SslContextBuilder.forClient().trustManager(presented).build())
			.flatMap((tls) -> setup.pool()
				.client()
				.secure(SslProvider.builder()
					.sslContext(tls)
					.handshakeTimeoutMillis(setup.definition().timeouts().connect().toMillis())
					.build())
				.head()
				.uri(url)
				.response())
			.then()
			.onErrorComplete()
			.then(Mono.fromSupplier(presented.chain::get))
			.filter((chain) -> !chain.isEmpty());
	}

	@Override
	public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
		this.chain.set(List.of(chain));
		throw new CertificateException("No certificate is trusted here");
	}

	@Override
	public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
		throw new CertificateException("No certificate is trusted here");
	}

	@Override
	public X509Certificate[] getAcceptedIssuers() {
		return new X509Certificate[0];
	}

}
