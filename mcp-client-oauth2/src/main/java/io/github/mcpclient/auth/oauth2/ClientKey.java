package io.github.mcpclient.auth.oauth2;

import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPrivateCrtKey;
import java.security.interfaces.RSAPublicKey;
import java.security.spec.ECParameterSpec;
import java.security.spec.ECPoint;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import io.github.mcpclient.definition.McpServerAuth.OAuth2;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.pem.PemSslStore;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.util.Assert;

/**
 * Reads the keys of a client.
 */
final class ClientKey {

	private ClientKey() {
	}

	/**
	 * Read the key for client authentication ({@code private_key_jwt}). Throws an
	 * exception of any type on failure.
	 */
	static JWK read(OAuth2 settings, @Nullable SslBundles bundles) throws Exception {
		PrivateKey key = privateKey(settings, bundles);
		if (key instanceof RSAPrivateCrtKey rsa) {
			return new RSAKey.Builder(Base64URL.encode(rsa.getModulus()), Base64URL.encode(rsa.getPublicExponent()))
				.privateKey(rsa)
				.algorithm(algorithm(settings, JWSAlgorithm.RS256))
				.keyID(settings.privateKeyId())
				.build();
		}
		Assert.isInstanceOf(ECPrivateKey.class, key, "The key must be an RSA or an elliptic curve key.");
		ECParameterSpec parameters = ((ECPrivateKey) key).getParams();
		Curve curve = Curve.forECParameterSpec(parameters);
		// Java cannot derive the public point, and signing does not use it: any will do
		ECPoint point = parameters.getGenerator();
		int size = parameters.getCurve().getField().getFieldSize();
		return new ECKey.Builder(curve, ECKey.encodeCoordinate(size, point.getAffineX()),
				ECKey.encodeCoordinate(size, point.getAffineY()))
			.privateKey(key)
			.algorithm(algorithm(settings, ECDSA.resolveAlgorithm(curve)))
			.keyID(settings.privateKeyId())
			.build();
	}

	/**
	 * Read a key pair. Throws an exception of any type on failure.
	 */
	static JWK read(String name, @Nullable SslBundles bundles) throws Exception {
		SslBundle bundle = bundle(name, bundles);
		PublicKey key = keyStore(bundle).getCertificate(alias(bundle)).getPublicKey();
		PrivateKey privateKey = privateKey(bundle);
		return (key instanceof ECPublicKey ec)
				? new ECKey.Builder(Curve.forECParameterSpec(ec.getParams()), ec).privateKey(privateKey).build()
				: new RSAKey.Builder((RSAPublicKey) key).privateKey(privateKey).build();
	}

	private static JWSAlgorithm algorithm(OAuth2 settings, JWSAlgorithm inferred) {
		return (settings.signingAlgorithm() != null) ? JWSAlgorithm.parse(settings.signingAlgorithm()) : inferred;
	}

	private static @Nullable PrivateKey privateKey(OAuth2 settings, @Nullable SslBundles bundles) throws Exception {
		String name = settings.privateKeyBundle();
		if (name == null) {
			PemSslStore store = PemSslStore.load(new PemSslStoreDetails(null, null, settings.privateKey()));
			return (store != null) ? store.privateKey() : null;
		}
		return privateKey(bundle(name, bundles));
	}

	private static SslBundle bundle(String name, @Nullable SslBundles bundles) {
		Assert.notNull(bundles, "There are no SSL bundles");
		return bundles.getBundle(name);
	}

	private static KeyStore keyStore(SslBundle bundle) {
		KeyStore keyStore = bundle.getStores().getKeyStore();
		Assert.notNull(keyStore, "The SSL bundle has no key");
		return keyStore;
	}

	private static String alias(SslBundle bundle) throws KeyStoreException {
		String alias = bundle.getKey().getAlias();
		return (alias != null) ? alias : keyStore(bundle).aliases().nextElement();
	}

	private static PrivateKey privateKey(SslBundle bundle) throws GeneralSecurityException {
		String password = (bundle.getKey().getPassword() != null) ? bundle.getKey().getPassword()
				: bundle.getStores().getKeyStorePassword();
		return (PrivateKey) keyStore(bundle).getKey(alias(bundle), (password != null) ? password.toCharArray() : null);
	}

}
