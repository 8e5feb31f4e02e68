package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.testsupport.AuthSettings;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link OAuth2Authorizer} where authorization servers of others do not answer:
 * a first token takes a small part of the time that those wait.
 */
class SilentAuthorizationServerTests {

	private static final Duration SILENCE = Duration.ofSeconds(30);

	private static final Duration LIMIT = SILENCE.dividedBy(4);

	private final ClientThreads threads = new ClientThreads();

	private final List<ServerSocket> silent = new ArrayList<>();

	private final List<Socket> waiting = new CopyOnWriteArrayList<>();

	private final OAuth2Authorizer authorizer = new OAuth2Authorizer(new ApplicationBeans(
			new AuthorizationClients(new McpHttpClients(McpHttpClientFactory.simple(), List.of()), null), (id) -> null,
			() -> null, null, null, (name) -> McpServerDefinition.http(name, URI.create("http://localhost")).build()),
			this.threads);

	private AuthorizationServerStub server;

	@BeforeEach
	void start() throws IOException {
		this.server = new AuthorizationServerStub();
		this.server.on("/token",
				(request) -> new Reply(200, "{\"access_token\": \"token\", \"token_type\": \"Bearer\"}"));
	}

	@AfterEach
	void stop() throws IOException {
		for (ServerSocket socket : this.silent) {
			socket.close();
		}
		for (Socket socket : this.waiting) {
			socket.close();
		}
	}

	@Test
	void theUsersOfEightServersHoldUpNoOther() throws IOException {
		for (int i = 0; i < 8; i++) {
			McpServerDefinition definition = definition("silent" + i,
					Map.of("grant-type", "token-exchange", "token-uri", silent() + "/token"));
			for (int user = 0; user < 40; user++) {
				request(new McpHeadersRequest(definition, "POST", true), "user" + user);
			}
		}
		assertThatOthersGetTheirTokens(8 * 25);
	}

	@Test
	void hundredsOfServersBehindOneHoldUpNoOther() throws IOException {
		String issuer = silent();
		for (int i = 0; i < 700; i++) {
			this.server.on("/.well-known/oauth-protected-resource/silent" + i, """
					{"resource": "%1$s/silent%2$d", "authorization_servers": ["%3$s"]}""".formatted(this.server.url(),
					i, issuer));
			McpHeadersRequest request = new McpHeadersRequest(definition("silent" + i, Map.of()), "POST", false);
			this.threads.headers()
				.schedule(() -> this.authorizer
					.reauthorize(request, new McpAuthorizationChallenge(401, List.of("Bearer"), Map.of(), 1))
					.onErrorComplete()
					.subscribe());
		}
		assertThatOthersGetTheirTokens(32);
	}

	private void request(McpHeadersRequest request, String user) {
		Object token = new OAuth2AccessToken(TokenType.BEARER, user, null, null);
		this.threads.headers()
			.schedule(() -> this.authorizer.authorize(request)
				.contextWrite(ReactiveSecurityContextHolder
					.withAuthentication(new TestingAuthenticationToken(token, "none", "ROLE_USER")))
				.onErrorComplete()
				.subscribe());
	}

	private void assertThatOthersGetTheirTokens(int waiting) {
		Awaitility.await().atMost(LIMIT).until(() -> this.waiting.size() >= waiting);
		assertThat(Flux.range(0, 30)
			.map((i) -> new McpHeadersRequest(
					definition("other" + i, Map.of("token-uri", this.server.url() + "/token")), "POST", false))
			.flatMap((request) -> Mono.defer(() -> this.authorizer.authorize(request))
				.subscribeOn(this.threads.headers()), 30)
			.collectList()
			.block(LIMIT)).hasSize(30).containsOnly(Map.of("Authorization", "Bearer token"));
	}

	private String silent() throws IOException {
		ServerSocket socket = new ServerSocket(0, 2000, InetAddress.getLoopbackAddress());
		this.silent.add(socket);
		Thread acceptor = new Thread(() -> {
			try {
				while (true) {
					this.waiting.add(socket.accept());
				}
			}
			catch (IOException ex) {
				// closed
			}
		});
		acceptor.setDaemon(true);
		acceptor.start();
		return "http://localhost:" + socket.getLocalPort();
	}

	private McpServerDefinition definition(String name, Map<String, String> settings) {
		Map<String, String> all = new HashMap<>(
				Map.of("type", "oauth2", "oauth2.client-id", "client", "oauth2.client-secret", "the-secret"));
		settings.forEach((key, value) -> all.put("oauth2." + key, value));
		return McpServerDefinition.http(name, URI.create(this.server.url() + "/" + name))
			.auth(AuthSettings.of(all))
			.connectTimeout(SILENCE)
			.build();
	}

}
