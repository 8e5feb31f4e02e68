package io.github.mcpclient.integration.http;

import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.KeyManagerFactory;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.Certificates;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ForwardProxy;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.faults.Fault;
import io.github.mcpclient.testsupport.faults.FaultKind;
import io.github.mcpclient.testsupport.faults.Transport;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application with servers over WebSocket.
 */
class WebSocketTests {

	@Test
	void clientsOfOneGatewayGetTheirOwnAnswersToSixtyFourCallsAtOnce() {
		Peers.Running gateway = Peers.gateway(Peers.freePort());
		ClientApplication application = ClientApplication.start(
				"mcp.servers.one.url=ws://localhost:" + gateway.port() + "/message",
				"mcp.servers.two.url=ws://localhost:" + gateway.port() + "/message");
		Map<String, CompletableFuture<McpToolResult>> calls = new LinkedHashMap<>();
		for (int i = 0; i < 64; i++) {
			for (String server : List.of("one", "two")) {
				String message = server + " " + i;
				calls.put(message,
						application.tools().get(server + "_echo").callAsync(Map.of("message", message)).toFuture());
			}
		}
		calls.forEach((message, call) -> assertThat(call).succeedsWithin(LIMIT)
			.satisfies((result) -> assertThat(result.text()).isEqualTo("Echo: " + message)));
	}

	@Test
	void aGatewayThatIsKilledAndStartedAgain() {
		int port = Peers.freePort();
		List<CompletableFuture<McpToolResult>> calls = new ArrayList<>();
		ClientApplication application = ClientApplication.start("mcp.startup.wait=0s",
				"mcp.servers.every.url=ws://localhost:" + port + "/message",
				"mcp.servers.every.reconnect.initial-delay=50ms", "mcp.servers.every.reconnect.max-delay=500ms");
		try (Peers.Running gateway = Peers.gateway(port)) {
			assertThat(gateway.process().isAlive()).isTrue();
			awaitState(application, McpServerState.READY);
			// one of them comes with a change that it announces
			Awaitility.await().until(() -> status(application).tools() == 13);
			calls.add(application.tools()
				.get("every_trigger-long-running-operation")
				.callAsync(Map.of("duration", 60, "steps", 60))
				.toFuture());
			assertThat(application.text("every_echo", Map.of("message", "first"))).isEqualTo("Echo: first");
		}
		assertThat(calls.get(0)).failsWithin(LIMIT);
		awaitState(application, McpServerState.UNAVAILABLE);
		assertThat(status(application).lastError()).isNotNull();
		assertThat(Peers.gateway(port).process().isAlive()).isTrue();
		awaitState(application, McpServerState.READY);
		assertThat(application.text("every_echo", Map.of("message", "again"))).isEqualTo("Echo: again");
	}

	@Test
	void statusSaysWhyTheServerClosedTheConnection() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ClientApplication application = ClientApplication.start("mcp.servers.every.url=" + server.webSocketUrl(),
				"mcp.servers.every.reconnect.initial-delay=1h", "mcp.servers.every.reconnect.max-delay=1h");
		assertThat(application.text("every_hello", Map.of("message", "you"))).isEqualTo("hello you");
		assertThat(status(application).type()).isEqualTo("websocket");
		server.closeStreams();
		awaitState(application, McpServerState.UNAVAILABLE);
		assertThat(status(application).lastError()).contains("The server closed the connection: 1000 Normal closure");
	}

	@Test
	@Fault(value = FaultKind.TLS, over = Transport.WEBSOCKET)
	void overTlsWithTheBundleOfTheServer(@TempDir Path directory) throws Exception {
		Path file = new Certificates(directory).create("localhost");
		KeyStore keys = KeyStore.getInstance(file.toFile(), Certificates.PASSWORD.toCharArray());
		KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		factory.init(keys, Certificates.PASSWORD.toCharArray());
		SslContext tls = SslContextBuilder.forServer(factory).build();
		McpTestServer server = closing(
				McpTestServer.create((http) -> http.secure((spec) -> spec.sslContext(tls))).tools("hello").start());
		ClientApplication application = ClientApplication.start("mcp.servers.trusting.url=" + server.webSocketUrl(),
				"mcp.servers.trusting.ssl.bundle=trusting", "mcp.servers.every.url=" + server.webSocketUrl(),
				"spring.ssl.bundle.jks.trusting.truststore.location=file:" + file,
				"spring.ssl.bundle.jks.trusting.truststore.password=" + Certificates.PASSWORD);
		assertThat(server.webSocketUrl()).startsWith("wss:");
		assertThat(application.text("trusting_hello", Map.of("message", "you"))).isEqualTo("hello you");
		Awaitility.await().until(() -> status(application).state(), McpServerState.UNAVAILABLE::equals);
		assertThat(status(application).lastError()).startsWith("TLS handshake failed: ")
			.contains("mcp.servers.every.ssl.bundle");
	}

	@Test
	void findsTheAuthorizationServerByTheChallengeToItsHandshake() {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		String origin = server.url().replace("/mcp", "");
		server.on("GET", (request) -> switch (request.path()) {
			case "/.well-known/oauth-protected-resource/mcp" ->
				json("{\"resource\": \"%1$s/mcp\", \"authorization_servers\": [\"%1$s\"]}", origin);
			case "/.well-known/oauth-authorization-server" ->
				json("{\"issuer\": \"%1$s\", \"token_endpoint\": \"%1$s/token\"}", origin);
			default -> "Bearer t0ken".equals(request.header("Authorization")) ? McpTestReply.standard()
					: McpTestReply.status(401).withHeader("WWW-Authenticate", "Bearer");
		})
			.on("POST",
					(request) -> request.path().equals("/token")
							? json("{\"access_token\": \"t0ken\", \"token_type\": \"Bearer\"}", origin)
							: McpTestReply.standard());
		try (ClientApplication application = ClientApplication.start("mcp.servers.every.url=" + server.webSocketUrl(),
				"mcp.servers.every.auth.oauth2.client-id=client",
				"mcp.servers.every.auth.oauth2.client-secret=secret")) {
			assertThat(application.text("every_hello", Map.of("message", "you"))).isEqualTo("hello you");
		}
		assertThat(server.requests("POST").stream().filter((request) -> request.path().equals("/token")))
			.singleElement()
			.satisfies((request) -> assertThat(URLDecoder.decode(request.body(), StandardCharsets.UTF_8))
				.contains("resource=" + server.url()));
	}

	private static McpTestReply json(String text, String origin) {
		return McpTestReply.status(200).body("application/json", text.formatted(origin));
	}

	@Test
	void throughAProxy() throws IOException {
		McpTestServer server = closing(McpTestServer.create().tools("hello").start());
		ForwardProxy proxy = closing(ForwardProxy.start());
		ClientApplication application = ClientApplication.start("mcp.servers.every.url=" + server.webSocketUrl(),
				"mcp.servers.every.proxy.host=localhost", "mcp.servers.every.proxy.port=" + proxy.port());
		assertThat(application.text("every_hello", Map.of("message", "you"))).isEqualTo("hello you");
		assertThat(proxy.targets()).containsExactly("localhost:" + server.port());
	}

	private static void awaitState(ClientApplication application, McpServerState state) {
		Awaitility.await().until(() -> status(application).state() == state);
	}

	private static McpServerStatus status(ClientApplication application) {
		return application.registry().server("every").status();
	}

}
