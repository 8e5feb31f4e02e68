package io.github.mcpclient.smoke.oauth2;

import java.nio.file.Path;
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
import java.util.stream.Stream;

import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.smoke.oauth2.AuthorizationServer.TokenRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
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

	@BeforeAll
	static void start() {
		authorizationServer = new AuthorizationServer();
		otherAuthorizationServer = new AuthorizationServer();
		server = new ProtectedServer(authorizationServer);
		otherServer = new ProtectedServer(otherAuthorizationServer);
	}

	@AfterAll
	static void stop() {
		callers.shutdownNow();
		Stream.of(server, otherServer).forEach(ProtectedServer::close);
		Stream.of(authorizationServer, otherAuthorizationServer).forEach(AuthorizationServer::close);
	}

	@BeforeEach
	void reset() {
		Stream.of(authorizationServer, otherAuthorizationServer).forEach(AuthorizationServer::reset);
		Stream.of(server, otherServer).forEach(ProtectedServer::clear);
	}

	@Test
	void idAndSecretAreEnough(CapturedOutput output) {
		try (ClientApplication application = ClientApplication.start(properties())) {
			assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			assertThat(authorizationServer.tokenRequests()).singleElement().satisfies((request) -> {
				assertThat(request.succeeded()).isTrue();
				assertThat(request.resource()).isIn(server.url(), server.origin());
			});
		}
		assertThat(output).doesNotContain(AuthorizationServer.CLIENT_SECRET)
			.doesNotContain(server.tokens().iterator().next());
	}

	@ParameterizedTest
	@CsvSource({ "RSA, 2048, RS256, true", "EC, 256, ES256, false" })
	void keyInsteadOfASecret(String algorithm, String size, SignatureAlgorithm signature, boolean inBundle,
			@TempDir Path directory) throws Exception {
		Path file = directory.resolve("client.p12");
		Process keytool = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
				"-genkeypair", "-alias", "client", "-keyalg", algorithm, "-keysize", size, "-dname", "CN=client",
				"-storepass", "changeit", "-keystore", file.toString())
			.start();
		assertThat(keytool.waitFor()).isZero();
		KeyStore store = KeyStore.getInstance(file.toFile(), "changeit".toCharArray());
		PublicKey key = store.getCertificate("client").getPublicKey();
		authorizationServer.addClient(algorithm, (key instanceof RSAPublicKey rsa) ? new RSAKey.Builder(rsa).build()
				: new ECKey.Builder(Curve.P_256, (ECPublicKey) key).build(), signature);
		String pem = "-----BEGIN PRIVATE KEY-----\n"
				+ Base64.getMimeEncoder().encodeToString(store.getKey("client", "changeit".toCharArray()).getEncoded())
				+ "\n-----END PRIVATE KEY-----\n";
		String client = "mcp.servers.one.auth.oauth2.";
		try (ClientApplication application = ClientApplication.start("mcp.servers.one.url=" + server.url(),
				client + "client-id=" + algorithm,
				client + (inBundle ? "private-key-bundle=client" : "private-key=" + pem),
				"spring.ssl.bundle.jks.client.keystore.location=" + file.toUri(),
				"spring.ssl.bundle.jks.client.keystore.password=changeit")) {
			assertThat(application.call("one_whoami")).isEqualTo(algorithm);
		}
		TokenRequest request = authorizationServer.tokenRequests().get(0);
		assertThat(SignedJWT.parse(request.parameters().get("client_assertion")).getJWTClaimsSet().getAudience())
			.containsExactly(authorizationServer.issuer());
		assertThat(request.parameters()).doesNotContainKey("client_secret");
	}

	@Test
	void nothingThatIsLoggedOrThrownHasATokenOrASecret() {
		try (ClientApplication application = ClientApplication.start(properties());
				CapturedLog log = new CapturedLog()) {
			server.tokens().forEach(server::revoke);
			assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			authorizationServer.issueForAudience("https://elsewhere.example.com/mcp");
			server.tokens().forEach(server::revoke);
			Throwable failure = catchThrowable(() -> application.call("one_whoami"));
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
	@CsvSource({ "60s, 4", "0s, 2" })
	void shortTokensAreRenewedOnceEachTimeUnderManyCallers(String clockSkew, int life) throws Exception {
		authorizationServer.issueFor(Duration.ofSeconds(life));
		try (ClientApplication application = ClientApplication
			.start(properties("auth.oauth2.clock-skew=" + clockSkew))) {
			all(() -> {
				do {
					assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
				}
				while (authorizationServer.tokenRequests().size() < 4);
				return null;
			});
		}
		List<TokenRequest> requests = authorizationServer.tokenRequests();
		assertThat(requests).hasSize(4).allMatch(TokenRequest::succeeded);
		assertThat(server.tokens()).hasSize(4);
		for (int i = 1; i < requests.size(); i++) {
			assertThat(Duration.ofNanos(requests.get(i).nanos() - requests.get(i - 1).nanos()))
				.isGreaterThan(Duration.ofMillis(life * 500));
		}
	}

	@Test
	void revokedTokenIsReplacedAndTheCallsRepeated() throws Exception {
		try (ClientApplication application = ClientApplication.start(properties())) {
			server.revoke(server.tokens().iterator().next());
			all(() -> application.call("one_whoami"));
			assertThat(authorizationServer.tokenRequests()).hasSize(2);
			assertThat(server.tokens()).hasSize(2);
			assertThat(server.calls()).hasSize(CALLERS);
		}
	}

	@Test
	void newKeysAreFollowed() throws Exception {
		try (ClientApplication application = ClientApplication.start(properties())) {
			authorizationServer.rotateKeys();
			server.forgetKeys();
			all(() -> application.call("one_whoami"));
			assertThat(authorizationServer.tokenRequests()).hasSize(2);
		}
	}

	@Test
	void wrongSecretMakesItsServerUnavailable(CapturedOutput output) {
		try (ClientApplication application = ClientApplication
			.start(with(properties("auth.oauth2.client-secret=not-the-secret"), "other", otherServer))) {
			await(application, "one", McpServerState.UNAVAILABLE);
			assertThat(application.status("one").lastError()).contains("invalid_client")
				.contains("does not accept the client's credentials")
				.doesNotContain("not-the-secret");
			assertThat(application.call("other_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			assertThat(otherAuthorizationServer.tokenRequests()).hasSize(1);
		}
		assertThat(output).doesNotContain("not-the-secret");
	}

	@Test
	void tokenForAnotherAudienceIsRefused() {
		authorizationServer.issueForAudience("https://elsewhere.example.com/mcp");
		try (ClientApplication application = ClientApplication
			.start(with(properties("reconnect.initial-delay=100ms"), "other", otherServer))) {
			await(application, "one", McpServerState.UNAVAILABLE);
			assertThat(application.status("one").lastError()).contains("401").contains("invalid_token");
			assertThat(application.call("other_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			authorizationServer.issueForAudience(null);
			await(application, "one", McpServerState.READY);
			assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
	}

	@Test
	void authorizationServerIsDownAtTheStart() {
		authorizationServer.stop();
		try (ClientApplication application = ClientApplication
			.start(with(properties("reconnect.initial-delay=100ms"), "other", otherServer))) {
			await(application, "one", McpServerState.UNAVAILABLE);
			assertThat(application.status("one").lastError()).contains(authorizationServer.issuer());
			assertThat(application.call("other_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			authorizationServer.start();
			await(application, "one", McpServerState.READY);
			assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
	}

	@Test
	void authorizationServerIsDownDuringCalls() {
		try (ClientApplication application = ClientApplication.start(with(properties(), "other", otherServer))) {
			application.call("one_whoami");
			authorizationServer.stop();
			assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			server.revoke(server.tokens().iterator().next());
			assertThatExceptionOfType(McpConnectionException.class).isThrownBy(() -> application.call("one_whoami"))
				.withMessageContaining(authorizationServer.issuer());
			assertThat(application.call("other_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			authorizationServer.start();
			assertThat(application.call("one_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
	}

	@Test
	void authorizationServerIsSlow() {
		try (ClientApplication application = ClientApplication.start(with(properties(), "other", otherServer))) {
			CompletableFuture<Void> hold = authorizationServer.holdTokenRequests();
			server.revoke(server.tokens().iterator().next());
			List<Future<?>> waiting = new ArrayList<>();
			for (int i = 0; i < CALLERS; i++) {
				waiting.add(callers.submit(() -> application.call("one_whoami")));
			}
			assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> application.context()
				.getBean(McpToolCatalog.class)
				.get("one_whoami")
				.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(300))));
			assertThat(application.call("other_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
			hold.complete(null);
			assertThat(waiting).allSatisfy((call) -> assertThat(call.get()).isEqualTo(AuthorizationServer.CLIENT_ID));
			assertThat(authorizationServer.tokenRequests()).hasSize(2);
		}
	}

	@Test
	void noTokenCrosses() throws Exception {
		try (ClientApplication application = ClientApplication.start(with(properties(), "other", otherServer))) {
			all(() -> application.call("one_whoami") + application.call("other_whoami"));
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
	}

	private static String[] properties(String... more) {
		return ClientApplication.clientCredentials("one", server, more);
	}

	private static String[] with(String[] properties, String name, ProtectedServer server) {
		return Stream.of(properties, ClientApplication.clientCredentials(name, server))
			.flatMap(Stream::of)
			.toArray(String[]::new);
	}

	private static void await(ClientApplication application, String server, McpServerState state) {
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
