package io.github.mcpclient.auth.oauth2;

import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.interfaces.ECPrivateKey;
import java.security.interfaces.RSAPrivateCrtKey;
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
 * Reads the key with which a client authenticates itself by {@code private_key_jwt}.
 */
final class ClientKey {

	private ClientKey() {
	}

	/**
	 * Read the key. What goes wrong is no more than an exception here.
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

	private static JWSAlgorithm algorithm(OAuth2 settings, JWSAlgorithm inferred) {
		return (settings.signingAlgorithm() != null) ? JWSAlgorithm.parse(settings.signingAlgorithm()) : inferred;
	}

	private static @Nullable PrivateKey privateKey(OAuth2 settings, @Nullable SslBundles bundles) throws Exception {
		String name = settings.privateKeyBundle();
		if (name == null) {
			PemSslStore store = PemSslStore.load(new PemSslStoreDetails(null, null, settings.privateKey()));
			return (store != null) ? store.privateKey() : null;
		}
		Assert.notNull(bundles, "There are no SSL bundles");
		SslBundle bundle = bundles.getBundle(name);
		String alias = bundle.getKey().getAlias();
		KeyStore keyStore = bundle.getStores().getKeyStore();
		Assert.notNull(keyStore, "The SSL bundle has no key");
		String password = (bundle.getKey().getPassword() != null) ? bundle.getKey().getPassword()
				: bundle.getStores().getKeyStorePassword();
		Key key = keyStore.getKey((alias != null) ? alias : keyStore.aliases().nextElement(),
				(password != null) ? password.toCharArray() : null);
		return (PrivateKey) key;
	}

}
