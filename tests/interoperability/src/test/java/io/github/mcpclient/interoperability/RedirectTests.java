package io.github.mcpclient.interoperability;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpHttpClientCustomizer;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.Certificates;
import io.netty.handler.ssl.SslContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that redirects are followed where nobody else gets the credentials, and shown
 * where they are not.
 */
class RedirectTests extends AbstractInteroperabilityTests {

	private static final String TOKEN = "t0ken-of-the-server";

	private static final McpServerAuth BEARER = McpServerAuth.bearer(TOKEN);

	@ParameterizedTest
	@CsvSource({ "307, /mcp/, /mcp", "308, /v1/x, ../mcp", "307, /a, http://LOCALHOST:PORT/mcp", "308, /mcp, ?v=2" })
	void redirectWithinTheOriginKeepsCredentials(int status, String path, String location) {
		this.peer.on("POST", (request) -> request.uri().equals(path)
				? McpTestReply.status(status).withHeader("Location", location(location)) : McpTestReply.standard());
		McpServer server = connect(
				(definition) -> definition.url(at(path)).headers(Map.of("X-Api-Key", TOKEN)).auth(BEARER));
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertAuthorized();
		assertThat(this.peer.requests()).extracting((request) -> request.header("X-Api-Key")).containsOnly(TOKEN);
		// once found, it is used
		assertThat(this.peer.requests().stream().filter((request) -> request.uri().equals(path))).hasSize(1);
		assertThat(assertDeviation(server, Kind.REDIRECT).detail().toLowerCase())
			.isEqualTo("http " + status + " to http://localhost:" + this.peer.port() + "/mcp");
	}

	@ParameterizedTest
	@ValueSource(ints = { 307, 308 })
	void redirectOfEachMessageIsMetOnce(int status) {
		this.peer.deviates(McpTestDeviation.redirect(status));
		McpServer server = connect();
		tool(server, "echo").call(Map.of());
		assertThat(this.peer.requests().stream().filter((request) -> request.query() == null)).hasSize(1);
		assertThat(assertDeviation(server, Kind.REDIRECT).count()).isEqualTo(1);
	}

	@Test
	void severalRedirectsAreFollowed() {
		this.peer.on("POST", (request) -> switch (request.path()) {
			case "/a" -> McpTestReply.status(308).withHeader("Location", "/b");
			case "/b" -> McpTestReply.status(307).withHeader("Location", "/mcp");
			default -> McpTestReply.standard();
		});
		assertReady(connect((definition) -> definition.url(at("/a")).auth(BEARER)));
		assertAuthorized();
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303, 307, 308 })
	void streamIsFollowedWithCredentials(int status) {
		this.peer.on("GET", (request) -> request.path().equals("/old")
				? McpTestReply.status(status).withHeader("Location", "/sse") : McpTestReply.standard());
		McpServer server = connect(
				McpServerDefinition.of(NAME, McpServerDefinition.SSE).url(at("/old")).auth(BEARER).build());
		assertThat(this.peer.requests("GET")).extracting(McpTestRequest::path).startsWith("/old", "/sse");
		assertAuthorized();
		assertDeviation(server, Kind.REDIRECT);
	}

	@ParameterizedTest
	@ValueSource(ints = { 301, 302, 303 })
	void redirectThatWouldMakeAGetOfAPostIsShown(int status) {
		this.peer.on("POST", McpTestReply.status(status).withHeader("Location", "/login?next=s3cr3t"));
		McpServer server = connect((definition) -> definition.auth(BEARER));
		assertUnavailable(server, "The server redirects to http://localhost:" + this.peer.port() + "/login (HTTP "
				+ status + "), which is not followed");
		assertThat(this.peer.requests()).extracting(McpTestRequest::path).containsOnly("/mcp");
		assertNoDeviation(server);
	}

	@ParameterizedTest
	@CsvSource({ "307, http://localhost:OTHER/x/mcp", "308, //localhost:OTHER/x/mcp",
			"302, http://127.0.0.1:OTHER/x/mcp?k=s3cr3t", "308, http://who:s3cr3t@localhost:OTHER/x/mcp",
			"307, https://localhost:OTHER/x/mcp" })
	void otherOriginGetsNothing(int status, String location) {
		try (McpTestServer other = McpTestServer.create().start()) {
			String target = location.replace("OTHER", String.valueOf(other.port()));
			this.peer.on("POST", McpTestReply.status(status).withHeader("Location", target))
				.on("GET", McpTestReply.status(status).withHeader("Location", target));
			McpServer server = connect(
					(definition) -> definition.auth(BEARER).headers(Map.of("X-Api-Key", "s3cr3t-key")));
			assertUnavailable(server, "://", ":" + other.port() + "/x/mcp (HTTP " + status + "), which is not followed",
					"Set 'url' of its definition to it, if it is the MCP endpoint and you trust it.");
			assertThat(other.acceptedConnections()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "http://user:pw@localhost:PORT/mcp/", "https://localhost:PORT/mcp/",
			"ftp://localhost:PORT/mcp/", "http://localhost./mcp/", "http://[::1]:PORT/mcp/" })
	void whatIsNotTheSameOriginIsNotFollowed(String location) {
		this.peer.on("POST", (request) -> request.path().equals("/mcp")
				? McpTestReply.status(308).withHeader("Location", location(location)) : McpTestReply.standard());
		McpServer server = connect((definition) -> definition.auth(BEARER));
		assertUnavailable(server, "which is not followed");
		assertThat(this.peer.requests()).extracting(McpTestRequest::path).containsOnly("/mcp");
	}

	@ParameterizedTest
	@ValueSource(strings = { "/mcp", "/other" })
	void redirectsInACircleEnd(String location) {
		this.peer.on("POST", (request) -> McpTestReply.status(307)
			.withHeader("Location", request.path().equals(location) ? "/mcp" : location));
		McpServer server = connect((definition) -> definition.reconnect(OFF));
		assertUnavailable(server, "The server redirects repeatedly, to http://localhost:");
		assertThat(this.peer.requests("server/discover")).hasSizeLessThanOrEqualTo(4);
	}

	@Test
	void callThatIsRedirectedElsewhereFailsAlone() {
		McpServer server = connect((definition) -> definition.auth(BEARER));
		this.peer.onNext("tools/call",
				McpTestReply.status(307).withHeader("Location", "https://login.example/sso/start?state=s3cr3t"));
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool(server, "echo").call(Map.of()))
			.withMessageContaining("The server redirects to https://login.example/sso/start (HTTP 307)")
			.withMessageNotContaining("s3cr3t");
		assertReady(server);
	}

	@ParameterizedTest
	@CsvSource({ "http://localhost:PLAIN/mcp/, to https://localhost:TLS/mcp/",
			"http://localhost:PLAIN/mcp, It leads away from https",
			"http://other.example/x, It leads away from https" })
	void downgradeIsRefusedAndTheWayOutKeepsTls(String location, String advice, @TempDir Path directory)
			throws Exception {
		Certificates certificates = new Certificates(directory);
		certificates.create("localhost");
		certificates.trust("trusted", "localhost");
		SslContext tls = certificates.server("localhost");
		try (McpTestServer secure = McpTestServer.create((http) -> http.secure((spec) -> spec.sslContext(tls)))
			.start()) {
			UnaryOperator<String> ports = (text) -> text.replace("PLAIN", String.valueOf(this.peer.port()))
				.replace("TLS", String.valueOf(secure.port()));
			secure.on("POST", McpTestReply.status(307).withHeader("Location", ports.apply(location)));
			SslContext trusting = certificates.client("trusted");
			McpHttpClientCustomizer customizer = (name, client) -> client.secure((spec) -> spec.sslContext(trusting));
			try (StandaloneMcpClient client = StandaloneMcpClient.builder()
				.add(customizer)
				.startupWait(Duration.ofSeconds(60))
				.server(McpServerDefinition.http(NAME, URI.create(secure.url())).auth(BEARER).build())
				.build()) {
				assertUnavailable(client.registry().server(NAME), "The server redirects to " + ports.apply(location),
						ports.apply(advice));
			}
			assertThat(this.peer.acceptedConnections()).isZero();
		}
	}

	private void assertUnavailable(McpServer server, String... texts) {
		assertThat(server.status().state()).isNotEqualTo(McpServerState.READY);
		assertThat(server.status().lastError()).contains(texts).doesNotContain("s3cr3t", TOKEN, "user:pw");
	}

	private void assertAuthorized() {
		assertThat(this.peer.requests()).isNotEmpty()
			.allSatisfy((request) -> assertThat(request.header("Authorization")).isEqualTo("Bearer " + TOKEN));
	}

	private URI at(String path) {
		return URI.create(this.peer.url()).resolve(path);
	}

	private String location(String location) {
		return location.replace("PORT", String.valueOf(this.peer.port()));
	}

}
