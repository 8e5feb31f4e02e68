package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.ClientApplication;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link Dpop} with an authorization server and MCP servers that check each
 * proof, and a server that gets none.
 */
@ExtendWith(OutputCaptureExtension.class)
class DpopTests {

	private static final McpTestServer server = McpTestServer.create().start();

	// without authorization
	private static final McpTestServer other = McpTestServer.create().tool("echo", McpTestReply.text("other")).start();

	private static final Reconnect NEVER = new Reconnect(false, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), 0);

	private static ClientApplication application;

	private final ClientThreads threads = new ClientThreads();

	private final AtomicInteger tokens = new AtomicInteger();

	// by token, the thumbprint of its key
	private final Map<String, String> keys = new ConcurrentHashMap<>();

	private final Set<String> ids = ConcurrentHashMap.newKeySet();

	// what is wrong with proofs
	private final List<String> problems = new CopyOnWriteArrayList<>();

	// what the servers want as a nonce, if they want one
	private volatile @Nullable String ofServer;

	private volatile @Nullable String ofAuthorizationServer;

	private AuthorizationServerStub authorization;

	@BeforeAll
	static void startApplication() {
		application = ClientApplication.startShared("mcp.servers.other.url=" + other.url(),
				"logging.level.io.github.mcpclient=debug");
	}

	@AfterAll
	static void stopAll() {
		application.close();
		server.close();
		other.close();
	}

	@BeforeEach
	void serve() throws IOException {
		server.reset().forgetRequests().tool("echo", McpTestReply.text("hello"));
		List.of("GET", "POST", "DELETE").forEach((method) -> server.on(method, this::answer));
		this.authorization = new AuthorizationServerStub();
		this.authorization.on("/token", this::issue);
	}

	@AfterEach
	void noProofIsWrongAndNoneWentElsewhere() {
		application.manager().servers().forEach((known) -> {
			if (!known.name().equals("other")) {
				application.manager().remove(known.name());
			}
		});
		assertThat(this.problems).isEmpty();
		assertThat(other.requests()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.headers()).doesNotContainKeys("DPoP", "Authorization"));
		this.authorization.close();
	}

	private McpTestReply answer(McpTestRequest request) {
		String authorization = request.header("Authorization");
		if (authorization == null || !this.keys.containsKey(authorization.replaceFirst("^DPoP ", ""))) {
			return McpTestReply.status(401).withHeader("WWW-Authenticate", "DPoP error=\"invalid_token\"");
		}
		String token = authorization.replaceFirst("^DPoP ", "");
		String nonce = check(request.header("DPoP"), request.httpMethod(),
				"http://" + request.header("Host") + request.path(), token);
		String wanted = this.ofServer;
		if (wanted != null && !wanted.equals(nonce)) {
			return McpTestReply.status(401)
				.withHeader("WWW-Authenticate", "Bearer, DPoP algs=\"ES256\", error=\"use_dpop_nonce\"")
				.withHeader("DPoP-Nonce", wanted);
		}
		return McpTestReply.standard();
	}

	private Reply issue(AuthorizationServerStub.Request request) {
		String nonce = check(request.headers().getFirst("DPoP"), "POST", this.authorization.url() + "/token", null);
		String wanted = this.ofAuthorizationServer;
		if (wanted != null && !wanted.equals(nonce)) {
			return new Reply(400, "{\"error\": \"use_dpop_nonce\"}", Map.of("DPoP-Nonce", wanted));
		}
		String token = "token-" + this.tokens.incrementAndGet();
		this.keys.put(token, thumbprint(request.headers().getFirst("DPoP")));
		return new Reply(200, "{\"access_token\": \"" + token + "\", \"token_type\": \"DPoP\", \"expires_in\": 3600}");
	}

	/**
	 * Check a proof as RFC 9449, section 4.3, says, and return its nonce.
	 */
	private @Nullable String check(@Nullable String proof, String method, String url, @Nullable String token) {
		try {
			SignedJWT jwt = SignedJWT.parse(proof);
			JWK key = jwt.getHeader().getJWK();
			JWTClaimsSet claims = jwt.getJWTClaimsSet();
			assertThat(jwt.getHeader().getType().getType()).isEqualTo("dpop+jwt");
			assertThat(key.isPrivate()).isFalse();
			assertThat(jwt.verify((jwt.getHeader().getAlgorithm().getName().startsWith("ES"))
					? new ECDSAVerifier(key.toECKey()) : new RSASSAVerifier(key.toRSAKey())))
				.isTrue();
			assertThat(claims.getStringClaim("htm")).isEqualTo(method);
			assertThat(claims.getStringClaim("htu")).isEqualTo(url);
			assertThat(this.ids.add(claims.getJWTID())).as("a proof of its own").isTrue();
			assertThat(claims.getIssueTime().toInstant()).isBetween(Instant.now().minusSeconds(60),
					Instant.now().plusSeconds(5));
			assertThat(claims.getStringClaim("ath")).isEqualTo((token != null) ? Base64URL
				.encode(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.US_ASCII)))
				.toString() : null);
			if (token != null) {
				assertThat(thumbprint(proof)).isEqualTo(this.keys.get(token));
			}
			return claims.getStringClaim("nonce");
		}
		catch (Throwable ex) {
			this.problems.add(method + " " + url + ": " + ex);
			return null;
		}
	}

	private static String thumbprint(String proof) {
		try {
			return SignedJWT.parse(proof).getHeader().getJWK().computeThumbprint().toString();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	private McpServerDefinitionBuilder definition(String name, String url, String... settings) {
		return definition(McpServerDefinition.http(name, URI.create(url)), settings);
	}

	private McpServerDefinitionBuilder definition(McpServerDefinitionBuilder definition, String... settings) {
		Map<String, String> all = new HashMap<>(Map.of("oauth2.client-id", "client", "oauth2.client-secret",
				"the-secret", "oauth2.token-uri", this.authorization.url() + "/token", "oauth2.dpop", "true"));
		for (int i = 0; i < settings.length; i += 2) {
			all.put("oauth2." + settings[i], settings[i + 1]);
		}
		return definition.auth(AuthSettings.of(all));
	}

	private void connect(McpServerDefinition definition) {
		application.manager().add(definition);
		await().atMost(LIMIT).until(() -> application.state(definition.name()) == McpServerState.READY);
	}

	@Test
	void eachRequestHasAProofOfItsOwn(CapturedOutput log) {
		connect(definition("bound", server.url()).build());
		server.awaitListeners(1);
		for (int i = 0; i < 3; i++) {
			assertThat(application.text("bound_echo", Map.of())).isEqualTo("hello");
		}
		application.text("other_echo", Map.of());
		application.manager().remove("bound");
		server.awaitRequest("DELETE");
		assertThat(server.requests()).extracting(McpTestRequest::httpMethod).contains("POST", "GET", "DELETE");
		assertThat(server.requests()).allSatisfy((request) -> assertThat(request.header("DPoP")).isNotNull());
		assertThat(this.tokens).hasValue(1);
		assertThat(this.ids).hasSize(server.requests().size() + 1);
		assertThat(log.getAll()).doesNotContain("PRIVATE", "the-secret", "token-1", "\"d\":");
	}

	@Test
	void aSecondServerHasAnotherKey() {
		connect(definition("bound", server.url()).build());
		connect(definition("second", server.url()).build());
		assertThat(Set.copyOf(this.keys.values())).hasSize(2);
	}

	@Test
	void eventsAndMessagesOfTheOlderTransportAreProved() {
		connect(definition(McpServerDefinition.of("bound", "sse").url(URI.create(server.sseUrl()))).build());
		assertThat(application.text("bound_echo", Map.of())).isEqualTo("hello");
		assertThat(server.requests()).extracting(McpTestRequest::query)
			.anyMatch((query) -> query != null && query.startsWith("sessionId="));
	}

	@Test
	void aRedirectIsProvedAnew() {
		connect(definition("bound", server.url()).build());
		server.onNext("POST", (request) -> {
			answer(request);
			return McpTestReply.status(307).withHeader("Location", "/?moved");
		});
		server.on("POST", (request) -> {
			answer(request);
			return McpTestReply.text("moved");
		});
		assertThat(application.text("bound_echo", Map.of())).isEqualTo("moved");
		assertThat(server.requests().get(server.requests().size() - 1).uri()).isEqualTo("/?moved");
	}

	@Test
	void eachServersNonceIsItsOwnAndTheNewestOne() {
		this.ofAuthorizationServer = "of-authorization-1";
		this.ofServer = "of-server-1";
		connect(definition("bound", server.url()).build());
		assertThat(this.authorization.requests("/token")).hasSize(2);
		assertThat(this.tokens).hasValue(1);
		long before = calls();
		assertThat(application.text("bound_echo", Map.of())).isEqualTo("hello");
		assertThat(calls()).isEqualTo(before + 1);
		this.ofServer = "of-server-2";
		assertThat(application.text("bound_echo", Map.of())).isEqualTo("hello");
		assertThat(calls()).as("once more, with the other nonce").isEqualTo(before + 3);
		// rotated with an answer
		server.onNext("POST", (request) -> McpTestReply.text(String.valueOf(answer(request) != null))
			.withHeader("DPoP-Nonce", "of-server-3"));
		application.text("bound_echo", Map.of());
		this.ofServer = "of-server-3";
		assertThat(application.text("bound_echo", Map.of())).isEqualTo("hello");
		assertThat(calls()).isEqualTo(before + 5);
		assertThat(this.tokens).hasValue(1);
		this.keys.clear();
		this.ofAuthorizationServer = "of-authorization-2";
		assertThat(application.text("bound_echo", Map.of())).isEqualTo("hello");
		assertThat(this.authorization.requests("/token")).hasSize(4);
		assertThat(nonces(this.authorization.requests("/token")
			.stream()
			.map((request) -> request.headers().getFirst("DPoP"))
			.toList())).containsOnly("of-authorization-1", "of-authorization-2", "none");
		assertThat(nonces(server.requests().stream().map((request) -> request.header("DPoP")).toList()))
			.containsOnly("of-server-1", "of-server-2", "of-server-3", "none");
	}

	private static long calls() {
		return server.requests("tools/call").size();
	}

	private static Set<String> nonces(List<String> proofs) {
		Set<String> nonces = ConcurrentHashMap.newKeySet();
		proofs.forEach((proof) -> {
			try {
				String nonce = SignedJWT.parse(proof).getJWTClaimsSet().getStringClaim("nonce");
				nonces.add((nonce != null) ? nonce : "none");
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
		return nonces;
	}

	@Test
	void aServerThatAlwaysWantsAnotherNonceIsAskedTwice() {
		connect(definition("bound", server.url()).build());
		AtomicInteger nonces = new AtomicInteger();
		server.on("POST", (request) -> {
			this.ofServer = "nonce-" + nonces.incrementAndGet();
			return answer(request);
		});
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> application.text("bound_echo", Map.of()))
			.withMessageContaining("401");
		assertThat(calls()).isEqualTo(2);
		assertThat(this.tokens).as("its token was not refused").hasValue(1);
	}

	@Test
	void anAuthorizationServerThatAlwaysWantsAnotherNonceIsAskedTwice() {
		AtomicInteger nonces = new AtomicInteger();
		this.authorization.on("/token", (request) -> {
			this.ofAuthorizationServer = "nonce-" + nonces.incrementAndGet();
			return issue(request);
		});
		assertThat(lastError(definition("bound", server.url()).reconnect(NEVER).build())).contains("use_dpop_nonce");
		assertThat(this.authorization.requests("/token")).hasSize(2);
		assertThat(server.requests()).isEmpty();
	}

	@Test
	void anAssertionOfTheClientIsSentOnce() {
		String url = this.authorization.url();
		this.authorization.on("/.well-known/oauth-authorization-server", """
				{"issuer": "%1$s", "token_endpoint": "%1$s/token"}""".formatted(url));
		this.ofAuthorizationServer = "of-authorization";
		connect(McpServerDefinition.http("bound", URI.create(server.url()))
			.auth((auth) -> auth.oauth2((oauth2) -> oauth2.issuerUri(url)
				.clientId("me")
				.privateKey("classpath:dpop-ec.pem")
				.signingAlgorithm("ES384")
				.dpop(true)))
			.build());
		assertThat(this.authorization.requests("/token")).hasSize(2)
			.extracting((request) -> request.form().get("client_assertion"))
			.doesNotContainNull()
			.doesNotHaveDuplicates();
	}

	private String lastError(McpServerDefinition definition) {
		application.manager().add(definition);
		await().atMost(LIMIT).until(() -> application.state(definition.name()) == McpServerState.UNAVAILABLE);
		return String.valueOf(application.registry().server(definition.name()).status().lastError());
	}

	@Test
	void aTokenThatIsNotBoundIsRefused() {
		this.authorization.on("/token", "{\"access_token\": \"stealable\", \"token_type\": \"Bearer\"}");
		assertThat(lastError(definition("bound", server.url()).reconnect(NEVER).build()))
			.contains("gives no token that is bound to the client's key (DPoP)")
			.doesNotContain("stealable");
		assertThat(this.authorization.requests("/token")).hasSize(1);
		assertThat(server.requests()).isEmpty();
	}

	@Test
	void aBoundTokenThatNobodyAskedForIsRefused() {
		this.authorization.on("/token", "{\"access_token\": \"bound\", \"token_type\": \"DPoP\"}");
		assertThat(lastError(definition("bound", server.url(), "dpop", "false").reconnect(NEVER).build()))
			.contains("its token_type is not Bearer");
	}

	@Test
	void aServerThatTakesNoOtherTokensIsWorded(CapturedOutput log) {
		this.authorization.on("/token", "{\"access_token\": \"bearer\", \"token_type\": \"Bearer\"}");
		assertThat(lastError(definition("bound", server.url(), "dpop", "false").reconnect(NEVER).build()))
			.contains("401");
		await().atMost(LIMIT)
			.until(() -> log.getAll().contains("bound to a key: set 'auth.oauth2.dpop' of its definition to true"));
	}

	@Test
	void anAuthorizationServerThatTakesOtherProofsIsNotAsked() {
		String url = this.authorization.url();
		this.authorization.on("/.well-known/oauth-authorization-server", """
				{"issuer": "%1$s", "token_endpoint": "%1$s/token", "dpop_signing_alg_values_supported": ["EdDSA"]}"""
			.formatted(url));
		McpServerDefinition definition = McpServerDefinition.http("bound", URI.create(server.url()))
			.auth((auth) -> auth.oauth2((oauth2) -> oauth2.issuerUri(url).clientId("me").clientSecret("s").dpop(true)))
			.reconnect(NEVER)
			.build();
		assertThat(lastError(definition)).contains("accepts no proofs that are signed with ES256: EdDSA");
		assertThat(this.authorization.requests("/token")).isEmpty();
	}

	@Test
	void aCheckOfAServerProvesItsRequests() {
		this.ofServer = "of-server";
		connect(definition("bound", server.url()).build());
		assertThat(application.manager().server("bound").diagnose().steps())
			.noneMatch((step) -> step.outcome() == Outcome.FAILED);
	}

	@ParameterizedTest
	@CsvSource({ "dpop-ec.pem, ES384", "dpop-rsa.pem, RS256" })
	void theKeyOfAnSslBundleOutlivesTheApplication(String pem, String algorithm) throws Exception {
		String location = "classpath:" + pem;
		PemSslStoreDetails details = PemSslStoreDetails.forCertificate(location).withPrivateKey(location);
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("mine",
				SslBundle.of(new PemSslStoreBundle(details, (PemSslStoreDetails) null)));
		McpServerDefinition definition = definition("bound", server.url(), "dpop-key-bundle", "mine").build();
		String first = dpop(definition, bundles).make(URI.create("https://Issuer.example:443?query#fragment"));
		String second = dpop(definition, bundles).make(URI.create("https://Issuer.example:443?query#fragment"));
		assertThat(SignedJWT.parse(first).getHeader().getAlgorithm().getName()).isEqualTo(algorithm);
		check(first, "POST", "https://issuer.example/", null);
		check(second, "POST", "https://issuer.example/", null);
		assertThat(thumbprint(first)).isEqualTo(thumbprint(second));
		application.text("other_echo", Map.of());
	}

	@ParameterizedTest
	@ValueSource(strings = { "unknown", "empty" })
	void anSslBundleWithoutAKeyIsWorded(String bundle) {
		DefaultSslBundleRegistry bundles = new DefaultSslBundleRegistry("empty",
				SslBundle.of(new PemSslStoreBundle((PemSslStoreDetails) null, null)));
		Dpop dpop = dpop(definition("bound", server.url(), "dpop-key-bundle", bundle).build(), bundles);
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> dpop.make(URI.create("https://issuer.example/token")))
			.withMessageStartingWith("The key of DPoP cannot be used: ")
			.satisfies((ex) -> assertThat(ex.getNextStep())
				.startsWith("Set mcp.servers.bound.auth.oauth2.dpop-key-bundle"))
			.withNoCause();
		application.text("other_echo", Map.of());
	}

	private Dpop dpop(McpServerDefinition definition, @Nullable DefaultSslBundleRegistry bundles) {
		return new Dpop(new Failures(definition), bundles, this.threads);
	}

	@Test
	void nothingIsSignedOnAnEventLoop() {
		Dpop dpop = dpop(definition("bound", server.url()).build(), null);
		Map<String, String> authorization = Map.of("Authorization", "DPoP token");
		URI uri = URI.create("https://server.example/mcp");
		assertThat(dpop.make("GET", uri, authorization)
			.map((proof) -> Thread.currentThread().getName())
			.subscribeOn(Schedulers.parallel())
			.block(LIMIT)).startsWith("mcp-headers");
		assertThat(dpop.make("GET", uri, authorization).map((proof) -> Thread.currentThread()).block(LIMIT))
			.isEqualTo(Thread.currentThread());
		application.text("other_echo", Map.of());
	}

}
