package io.github.mcpclient.integration.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import javax.net.ssl.SSLPeerUnverifiedException;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.Certificates;
import io.github.mcpclient.testsupport.ClientApplication;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A server that asks for certificates, and bundles of the application.
 */
class MutualTlsTests {

	private static final Duration LIMIT = Duration.ofSeconds(60);

	private static final String MUTUAL = "spring.ssl.bundle.jks.mutual.";

	@TempDir
	static Path directory;

	private static Certificates certificates;

	// the names in the certificates of clients that connected
	private final Set<String> clients = ConcurrentHashMap.newKeySet();

	@BeforeAll
	static void createCertificates() throws Exception {
		certificates = new Certificates(directory);
		certificates.create("server");
		certificates.create("client");
		certificates.create("next-client");
		certificates.trust("clients", "client", "next-client");
		certificates.trust("servers", "server");
	}

	@Test
	void aBundleHasTheKeyOfTheApplicationAndTheTrust() throws Exception {
		ClientApplication application = start(closing(server()), keys("client"));
		assertThat(application.state("secure")).isEqualTo(McpServerState.READY);
		assertThat(application.text("secure_echo", Map.of("message", "hidden"))).isEqualTo("echo hidden");
		assertThat(this.clients).containsExactly("CN=client");
	}

	@Test
	void theBundleOfAllHttpClientsAppliesToo() throws Exception {
		McpTestServer server = closing(server());
		ClientApplication application = ClientApplication.start(
				Stream
					.concat(Stream.of("mcp.servers.secure.url=" + server.url(),
							"spring.http.clients.ssl.bundle=mutual"), Stream.concat(trust(), Stream.of(keys("client"))))
					.toArray(String[]::new));
		assertThat(application.state("secure")).isEqualTo(McpServerState.READY);
		assertThat(this.clients).containsExactly("CN=client");
	}

	@Test
	void aServerThatMissesACertificateSaysSo() throws Exception {
		McpTestServer server = closing(server());
		ClientApplication application = start(server);
		Awaitility.await().until(() -> application.state("secure"), McpServerState.UNAVAILABLE::equals);
		assertThat(application.registry().server("secure").status().lastError())
			.startsWith("TLS handshake failed: Received fatal alert: ")
			.endsWith("The server requires a client certificate: set mcp.servers.secure.ssl.bundle to a bundle with a"
					+ " key that it accepts.");
		assertThat(this.clients).isEmpty();
	}

	@Test
	@DisplayName("A bundle that is reloaded is used by the next connection, and calls under way go on")
	void aReloadedBundleIsUsedByTheNextConnectionAndCallsGoOn() throws Exception {
		certificates.replace("current", "client");
		McpTestServer server = closing(server());
		ClientApplication application = start(server,
				Stream
					.concat(Stream.of(keys("current")),
							Stream.of(MUTUAL + "reload-on-update=true",
									"spring.ssl.bundle.watch.file.quiet-period=50ms"))
					.toArray(String[]::new));
		CompletableFuture<?> go = new CompletableFuture<>();
		server.on("tools/call", McpTestReply.standard().after(go));
		List<CompletableFuture<McpToolResult>> calls = new ArrayList<>();
		calls.add(call(application));
		server.awaitPending("tools/call", 1);
		certificates.replace("current", "next-client");
		// calls that are held keep their connections: the next one needs a new one
		Awaitility.await().atMost(LIMIT).pollInterval(Duration.ofMillis(200)).until(() -> {
			calls.add(call(application));
			return this.clients.contains("CN=next-client");
		});
		go.complete(null);
		assertThat(calls).allSatisfy(
				(call) -> assertThat(call).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("echo "));
		assertThat(server.requests("initialize")).hasSize(1);
		assertThat(application.state("secure")).isEqualTo(McpServerState.READY);
	}

	private static CompletableFuture<McpToolResult> call(ClientApplication application) {
		return application.tools().get("secure_echo").callAsync(Map.of()).toFuture();
	}

	private McpTestServer server() throws Exception {
		SslContext tls = certificates.mutual("server", "clients");
		return McpTestServer
			.create((http) -> http.secure((spec) -> spec.sslContext(tls)).doOnConnection((connection) -> {
				try {
					SslHandler handler = connection.channel().pipeline().get(SslHandler.class);
					this.clients.add(handler.engine().getSession().getPeerPrincipal().getName());
				}
				catch (SSLPeerUnverifiedException ex) {
					// it has no certificate
				}
			}))
			.tools("echo")
			.start();
	}

	private static String[] keys(String name) {
		return new String[] { MUTUAL + "keystore.location=file:" + directory.resolve(name + ".p12"),
				MUTUAL + "keystore.password=" + Certificates.PASSWORD };
	}

	private static Stream<String> trust() {
		return Stream.of(MUTUAL + "truststore.location=file:" + directory.resolve("servers.p12"),
				MUTUAL + "truststore.password=" + Certificates.PASSWORD);
	}

	private static ClientApplication start(McpTestServer server, String... properties) {
		return ClientApplication.start(Stream
			.concat(Stream.of("mcp.servers.secure.url=" + server.url(), "mcp.servers.secure.ssl.bundle=mutual",
					"mcp.servers.secure.request-timeout=120s"), Stream.concat(trust(), Stream.of(properties)))
			.toArray(String[]::new));
	}

}
