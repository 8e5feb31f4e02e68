package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSSigner;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.impl.ECDSA;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.HeaderSources.Proofs;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.ssl.SslBundles;
import org.springframework.http.HttpHeaders;

/**
 * Binds the tokens for one server to a key (DPoP, RFC 9449): creates a proof for each
 * token request, and for each request with a token. Keys and nonces are not shared with
 * other servers.
 */
final class Dpop implements Proofs {

	/**
	 * The token type, and the scheme of the header.
	 */
	static final String SCHEME = "DPoP";

	private static final String NONCE_HEADER = "DPoP-Nonce";

	/**
	 * The error of a request whose proof lacks the right nonce.
	 */
	static final String USE_NONCE = "use_dpop_nonce";

	// RFC 9449, section 8.1
	private static final Pattern NONCE = Pattern.compile("[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,1000}");

	private final Failures failures;

	private final @Nullable SslBundles bundles;

	private final ClientThreads threads;

	private final AtomicReference<@Nullable Key> key = new AtomicReference<>();

	// by origin: of authorization servers, and of the server, which may be the same
	private final Map<String, String> ofTokenRequests = Tokens.bounded();

	private final Map<String, String> ofRequests = Tokens.bounded();

	Dpop(Failures failures, @Nullable SslBundles bundles, ClientThreads threads) {
		this.failures = failures;
		this.bundles = bundles;
		this.threads = threads;
	}

	/**
	 * Return the proof of a request for a token.
	 */
	String make(URI tokenUri) {
		return proof("POST", tokenUri, null, this.ofTokenRequests);
	}

	/**
	 * Record the nonce of a response.
	 */
	void answered(URI tokenUri, AuthorizationHttp.Response response) {
		keep(tokenUri, response.headers().getOrDefault(NONCE_HEADER, List.of()), this.ofTokenRequests);
	}

	/**
	 * Reject an authorization server that does not accept these proofs.
	 */
	void check(AuthorizationServer server) {
		List<String> algorithms = server.list("dpop_signing_alg_values_supported");
		String own = key().header.getAlgorithm().getName();
		if (!algorithms.isEmpty() && !algorithms.contains(own)) {
			throw this.failures.of("The authorization server accepts no proofs that are signed with " + own,
					String.join(", ", algorithms),
					"Set {auth}.oauth2.dpop-key-bundle to an SSL bundle with a key of another type.");
		}
	}

	/**
	 * {@inheritDoc} Signing takes up to half a millisecond, which is too long for an
	 * event loop.
	 */
	@Override
	public Mono<String> make(String method, URI uri, Map<String, String> authorization) {
		Mono<String> proof = Mono.fromSupplier(() -> proof(method, uri,
				authorization.getOrDefault(HttpHeaders.AUTHORIZATION, SCHEME).substring(SCHEME.length()).strip(),
				this.ofRequests));
		return Mono.defer(() -> Schedulers.isInNonBlockingThread() ? proof.subscribeOn(this.threads.headers()) : proof);
	}

	@Override
	public boolean answered(URI uri, int status, Function<String, List<String>> headers) {
		return keep(uri, headers.apply(NONCE_HEADER), this.ofRequests) && status == 401 && USE_NONCE
			.equals(BearerChallenge.of(SCHEME, headers.apply(HttpHeaders.WWW_AUTHENTICATE)).get("error"));
	}

	private static boolean keep(URI uri, List<String> nonces, Map<String, String> kept) {
		if (nonces.size() != 1 || !NONCE.matcher(nonces.get(0)).matches()) {
			return false;
		}
		kept.put(AuthorizationHttp.origin(uri), nonces.get(0));
		return true;
	}

	private String proof(String method, URI uri, @Nullable String token, Map<String, String> nonces) {
		Key key = key();
		JWTClaimsSet.Builder claims = new JWTClaimsSet.Builder().jwtID(UUID.randomUUID().toString())
			.claim("htm", method)
			.claim("htu", target(uri))
			.issueTime(Date.from(this.threads.scheduler().instant()));
		if (token != null) {
			claims.claim("ath", hash(token));
		}
		String nonce = nonces.get(AuthorizationHttp.origin(uri));
		if (nonce != null) {
			claims.claim("nonce", nonce);
		}
		SignedJWT proof = new SignedJWT(key.header, claims.build());
		try {
			proof.sign(key.signer);
		}
		catch (JOSEException ex) {
			throw unusable(ex);
		}
		return proof.serialize();
	}

	/**
	 * Return a URL without query and fragment, in the normalized form that both sides
	 * compare (RFC 3986, section 6.2).
	 */
	private static String target(URI uri) {
		String scheme = uri.getScheme().toLowerCase(Locale.ROOT);
		int port = uri.getPort();
		String path = uri.getRawPath();
		return scheme + "://" + uri.getHost().toLowerCase(Locale.ROOT)
				+ ((port == -1 || port == (scheme.equals("https") ? 443 : 80)) ? "" : ":" + port)
				+ ((path == null || path.isEmpty()) ? "/" : path);
	}

	private static String hash(String token) {
		try {
			return Base64URL
				.encode(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII)))
				.toString();
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	// the first of several keys that are created concurrently
	private Key key() {
		Key known = this.key.get();
		if (known == null) {
			this.key.compareAndSet(null, create());
			known = Objects.requireNonNull(this.key.get());
		}
		return known;
	}

	private Key create() {
		String bundle = this.failures.definition().auth().oauth2().dpopKeyBundle();
		try {
			return Key.of((bundle != null) ? ClientKey.read(bundle, this.bundles)
					: new ECKeyGenerator(Curve.P_256).generate());
		}
		catch (Exception ex) {
			throw unusable(ex);
		}
	}

	// the text of an exception may quote the key
	private RuntimeException unusable(Exception ex) {
		return this.failures.of("The key of DPoP cannot be used", ex.getClass().getSimpleName(),
				"Set {auth}.oauth2.dpop-key-bundle to an SSL bundle that has an EC or RSA key and its certificate.");
	}

	/**
	 * The key.
	 *
	 * @param header the common beginning of all proofs, including the public key
	 */
	private record Key(JWSHeader header, JWSSigner signer) {

		static Key of(JWK key) throws JOSEException {
			boolean ec = key instanceof ECKey;
			JWSAlgorithm algorithm = ec ? ECDSA.resolveAlgorithm(key.toECKey().getCurve()) : JWSAlgorithm.RS256;
			return new Key(new JWSHeader.Builder(algorithm).type(new JOSEObjectType("dpop+jwt"))
				.jwk(key.toPublicJWK())
				.build(), ec ? new ECDSASigner(key.toECKey()) : new RSASSASigner(key.toRSAKey()));
		}

	}

}
