package io.github.mcpclient.smoke.oauth2;

import java.net.URI;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PublicKey;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuthBuilder.OAuth2;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.smoke.oauth2.AuthorizationServer.TokenRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.LoggerFactory;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

/**
 * An application with credentials of its own, beside two servers that trust an
 * authorization server each.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@ExtendWith(OutputCaptureExtension.class)
class ClientCredentialsTests {

	private static final int CALLERS = 32;

	private static final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);

	private static AuthorizationServer authorizationServer;

	private static AuthorizationServer otherAuthorizationServer;

	private static ProtectedServer server;

	private static ProtectedServer otherServer;

	@TempDir
	private static Path directory;

	private static PublicKey key;

	private static OAuth2Application application;

	private static final AtomicInteger added = new AtomicInteger();

	// those of a test, none of which is known from another
	private final List<String> names = new ArrayList<>();

	@BeforeAll
	static void start() throws Exception {
		authorizationServer = ProtectedServer.shared().authorizationServer();
		otherAuthorizationServer = new AuthorizationServer();
		server = ProtectedServer.shared();
		otherServer = new ProtectedServer(otherAuthorizationServer);
		Path file = directory.resolve("client.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-J-XX:TieredStopAtLevel=1", "-genkeypair", "-alias", "client", "-keyalg", "RSA", "-dname", "CN=client",
				"-storepass", "changeit", "-keystore", file.toString())
			.start();
		assertThat(keytool.waitFor()).isZero();
		key = KeyStore.getInstance(file.toFile(), "changeit".toCharArray()).getCertificate("client").getPublicKey();
		application = OAuth2Application.start("spring.ssl.bundle.jks.client.keystore.location=" + file.toUri(),
				"spring.ssl.bundle.jks.client.keystore.password=changeit");
	}

	@AfterAll
	static void stop() {
		callers.shutdownNow();
		application.close();
		otherServer.close();
		otherAuthorizationServer.close();
	}

	@BeforeEach
	void reset() {
		Stream.of(authorizationServer, otherAuthorizationServer).forEach(AuthorizationServer::reset);
		Stream.of(server, otherServer).forEach(ProtectedServer::clear);
	}

	@AfterEach
	void remove() {
		this.names.forEach((name) -> application.manager().remove(name));
	}

	@Test
	void idAndSecretAreEnough(CapturedOutput output) {
		assertThat(call(add(server))).isEqualTo(AuthorizationServer.CLIENT_ID);
		assertThat(authorizationServer.tokenRequests()).singleElement().satisfies((request) -> {
			assertThat(request.succeeded()).isTrue();
			assertThat(request.resource()).isIn(server.url(), server.origin());
		});
		assertThat(output).doesNotContain(AuthorizationServer.CLIENT_SECRET)
			.doesNotContain(server.tokens().iterator().next());
	}

	@Test
	void keyInABundleInsteadOfASecret() throws Exception {
		callWithKey("RSA", new RSAKey.Builder((RSAPublicKey) key).build(), SignatureAlgorithm.RS256,
				(oauth2) -> oauth2.privateKeyBundle("client"));
	}

	@Test
	void keyInsteadOfASecret() throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
		generator.initialize(256);
		KeyPair pair = generator.generateKeyPair();
		callWithKey("EC", new ECKey.Builder(Curve.P_256, (ECPublicKey) pair.getPublic()).build(),
				SignatureAlgorithm.ES256,
				(oauth2) -> oauth2.privateKey("-----BEGIN PRIVATE KEY-----\n"
						+ Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
						+ "\n-----END PRIVATE KEY-----\n"));
	}

	private void callWithKey(String id, JWK key, SignatureAlgorithm algorithm, Consumer<OAuth2> settings)
			throws Exception {
		authorizationServer.addClient(id, key, algorithm);
		McpServerAuth auth = McpServerAuth.builder().oauth2((oauth2) -> settings.accept(oauth2.clientId(id))).build();
		assertThat(call(add(server, auth))).isEqualTo(id);
		TokenRequest request = authorizationServer.tokenRequests().get(0);
		assertThat(SignedJWT.parse(request.parameters().get("client_assertion")).getJWTClaimsSet().getAudience())
			.containsExactly(authorizationServer.issuer());
		assertThat(request.parameters()).doesNotContainKey("client_secret");
	}

	@Test
	void nothingThatIsLoggedOrThrownHasATokenOrASecret() {
		String name = add(server);
		try (WholeLog log = new WholeLog()) {
			server.tokens().forEach(server::revoke);
			assertThat(call(name)).isEqualTo(AuthorizationServer.CLIENT_ID);
			authorizationServer.issueForAudience("https://elsewhere.example.com/mcp");
			server.tokens().forEach(server::revoke);
			Throwable failure = catchThrowable(() -> call(name));
			LoggerFactory.getLogger(getClass()).info("Thrown", failure);
			assertThat(server.tokens()).hasSize(3);
			assertThat(log.text()).contains("McpConnectionException")
				.contains("grant_type=******")
				.doesNotContain(AuthorizationServer.CLIENT_SECRET)
				.doesNotContain(server.tokens());
		}
	}

	/**
	 * Once with tokens that are renewed before they expire, and once with tokens that the
	 * server refuses before the client thinks so: it takes no time off, and an expiry is
	 * a full second.
	 */
	@ParameterizedTest
	@CsvSource({ "60, 4", "0, 2" })
	void shortTokensAreRenewedOnceEachTimeUnderManyCallers(int clockSkew, int life) {
		authorizationServer.issueFor(Duration.ofSeconds(life));
		String name = add(server,
				McpServerAuth.builder()
					.oauth2((oauth2) -> oauth2.clientId(AuthorizationServer.CLIENT_ID)
						.clientSecret(AuthorizationServer.CLIENT_SECRET)
						.clockSkew(Duration.ofSeconds(clockSkew)))
					.build());
		Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(300)).until(() -> {
			all(() -> assertThat(call(name)).isEqualTo(AuthorizationServer.CLIENT_ID));
			return authorizationServer.tokenRequests().size() >= 3;
		});
		List<TokenRequest> requests = authorizationServer.tokenRequests();
		assertThat(requests).hasSize(3).allMatch(TokenRequest::succeeded);
		assertThat(server.tokens()).hasSize(3);
		for (int i = 1; i < requests.size(); i++) {
			assertThat(Duration.ofNanos(requests.get(i).nanos() - requests.get(i - 1).nanos()))
				.isGreaterThan(Duration.ofMillis(life * 500));
		}
	}

	@Test
	void revokedTokenIsReplacedAndTheCallsRepeated() throws Exception {
		String name = add(server);
		server.revoke(server.tokens().iterator().next());
		all(() -> call(name));
		assertThat(authorizationServer.tokenRequests()).hasSize(2);
		assertThat(server.tokens()).hasSize(2);
		assertThat(server.calls()).hasSize(CALLERS);
	}

	@Test
	void newKeysAreFollowed() throws Exception {
		String name = add(server);
		authorizationServer.rotateKeys();
		server.forgetKeys();
		all(() -> call(name));
		assertThat(authorizationServer.tokenRequests()).hasSize(2);
	}

	@Test
	void wrongSecretMakesItsServerUnavailable(CapturedOutput output) {
		String name = add(server, McpServerAuth.clientCredentials(AuthorizationServer.CLIENT_ID, "not-the-secret"));
		String other = add(otherServer);
		await(name, McpServerState.UNAVAILABLE);
		assertThat(application.status(name).lastError()).contains("invalid_client")
			.contains("does not accept the client's credentials")
			.doesNotContain("not-the-secret");
		assertThat(call(other)).isEqualTo(AuthorizationServer.CLIENT_ID);
		assertThat(otherAuthorizationServer.tokenRequests()).hasSize(1);
		assertThat(output).doesNotContain("not-the-secret");
	}

	@Test
	void tokenForAnotherAudienceIsRefused() {
		authorizationServer.issueForAudience("https://elsewhere.example.com/mcp");
		String name = add(server);
		String other = add(otherServer);
		await(name, McpServerState.UNAVAILABLE);
		assertThat(application.status(name).lastError()).contains("401").contains("invalid_token");
		assertThat(call(other)).isEqualTo(AuthorizationServer.CLIENT_ID);
		authorizationServer.issueForAudience(null);
		await(name, McpServerState.READY);
		assertThat(call(name)).isEqualTo(AuthorizationServer.CLIENT_ID);
	}

	@Test
	void authorizationServerIsDownAtTheStart() {
		authorizationServer.stop();
		String name = add(server);
		String other = add(otherServer);
		await(name, McpServerState.UNAVAILABLE);
		assertThat(application.status(name).lastError()).contains(authorizationServer.issuer());
		assertThat(call(other)).isEqualTo(AuthorizationServer.CLIENT_ID);
		authorizationServer.start();
		await(name, McpServerState.READY);
		assertThat(call(name)).isEqualTo(AuthorizationServer.CLIENT_ID);
	}

	@Test
	void authorizationServerIsDownDuringCalls() {
		String name = add(server);
		String other = add(otherServer);
		call(name);
		authorizationServer.stop();
		assertThat(call(name)).isEqualTo(AuthorizationServer.CLIENT_ID);
		server.revoke(server.tokens().iterator().next());
		assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> call(name))
			.withMessageContaining(authorizationServer.issuer());
		assertThat(call(other)).isEqualTo(AuthorizationServer.CLIENT_ID);
		authorizationServer.start();
		assertThat(call(name)).isEqualTo(AuthorizationServer.CLIENT_ID);
	}

	@Test
	void authorizationServerIsSlow() {
		String name = add(server);
		String other = add(otherServer);
		CompletableFuture<Void> hold = authorizationServer.holdTokenRequests();
		server.revoke(server.tokens().iterator().next());
		List<Future<?>> waiting = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			waiting.add(callers.submit(() -> call(name)));
		}
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> application.context()
			.getBean(McpToolCatalog.class)
			.get(name + "_whoami")
			.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(300))));
		assertThat(call(other)).isEqualTo(AuthorizationServer.CLIENT_ID);
		hold.complete(null);
		assertThat(waiting).allSatisfy((call) -> assertThat(call.get()).isEqualTo(AuthorizationServer.CLIENT_ID));
		assertThat(authorizationServer.tokenRequests()).hasSize(2);
	}

	@Test
	void noTokenCrosses() throws Exception {
		String name = add(server);
		String other = add(otherServer);
		all(() -> call(name) + call(other));
		assertThat(server.calls()).hasSize(CALLERS);
		assertThat(otherServer.calls()).hasSize(CALLERS);
		assertThat(server.tokens()).hasSize(1).doesNotContainAnyElementsOf(otherServer.tokens());
		assertThat(otherServer.tokens()).hasSize(1);
		assertThat(authorizationServer.tokenRequests()).extracting(TokenRequest::resource)
			.containsAnyOf(server.url(), server.origin())
			.hasSize(1);
		assertThat(otherAuthorizationServer.tokenRequests()).extracting(TokenRequest::resource)
			.containsAnyOf(otherServer.url(), otherServer.origin())
			.hasSize(1);
	}

	private String add(ProtectedServer server) {
		return add(server,
				McpServerAuth.clientCredentials(AuthorizationServer.CLIENT_ID, AuthorizationServer.CLIENT_SECRET));
	}

	private String add(ProtectedServer server, McpServerAuth auth) {
		String name = "server" + added.incrementAndGet();
		this.names.add(name);
		application.manager()
			.add(McpServerDefinition.http(name, URI.create(server.url()))
				.auth(auth)
				.initializationTimeout(Duration.ofSeconds(60))
				.connectTimeout(Duration.ofSeconds(30))
				.reconnect(new Reconnect(true, Duration.ofMillis(100), 2, Duration.ofSeconds(30), 1))
				.build());
		return name;
	}

	private static String call(String name) {
		return application.call(name + "_whoami");
	}

	private static void await(String server, McpServerState state) {
		Awaitility.await().atMost(Duration.ofSeconds(60)).until(() -> application.state(server) == state);
	}

	/**
	 * Run by all callers at once; none fails.
	 */
	private static void all(Callable<?> call) throws Exception {
		for (Future<?> future : callers.invokeAll(Collections.nCopies(CALLERS, call))) {
			future.get();
		}
	}

}
