package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.LoginPages;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.WebApplicationType;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * The pages at which users log in for a server whose authorization server is not known
 * yet.
 */
class LoginPageTests {

	private static final int THREADS = 20;

	private final HttpClient visitor = HttpClient.newHttpClient();

	private final CountDownLatch over = new CountDownLatch(1);

	private AuthorizationServerStub server;

	@BeforeEach
	void start() throws Exception {
		this.server = new AuthorizationServerStub();
	}

	@AfterEach
	void stop() {
		this.over.countDown();
	}

	@ParameterizedTest
	@EnumSource(names = { "SERVLET", "REACTIVE" })
	void slowMetadataHoldUpNoOtherPage(WebApplicationType type) {
		this.server.on("/.well-known/oauth-protected-resource/mcp", (request) -> {
			Unchecked.run(() -> this.over.await(1, TimeUnit.MINUTES));
			return new Reply(200, """
					{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"]}""".formatted(this.server.url()));
		}).on("/.well-known/oauth-authorization-server", """
				{"issuer": "%1$s", "token_endpoint": "%1$s/token", "authorization_endpoint": "%1$s/authorize",
				"code_challenge_methods_supported": ["S256"]}""".formatted(this.server.url()));
		ClientApplication application = start(type);
		List<CompletableFuture<HttpResponse<String>>> logins = Collections.nCopies(2 * THREADS, "")
			.stream()
			.map((any) -> open(application, "/oauth2/authorization/mcp-slow"))
			.toList();
		CompletableFuture<HttpResponse<String>> page = open(application, "/public");
		assertThat(Stream.concat(Stream.of(page), logins.stream()).toList())
			.allSatisfy((answer) -> assertThat(answer).succeedsWithin(LIMIT));
		assertThat(logins).extracting((login) -> login.join().statusCode()).containsOnly(503);
		assertThat(logins).extracting((login) -> login.join().headers().map())
			.allSatisfy((headers) -> assertThat(headers).containsKeys("retry-after", "refresh"));
		this.over.countDown();
		// of the reactive application, which has no filters of Spring Security, no
		// page
		await().atMost(LIMIT)
			.untilAsserted(() -> assertThat(open(application, "/oauth2/authorization/mcp-slow").join().statusCode())
				.isEqualTo((type == WebApplicationType.SERVLET) ? 302 : 404));
	}

	@Test
	void failureIsRememberedAndLoggedOnce() {
		ClientApplication application = start(WebApplicationType.SERVLET);
		CapturedLog security = closing(new CapturedLog("org.springframework.security").open());
		CapturedLog log = closing(new CapturedLog(LoginReadiness.class).open());
		for (int visits = 0; visits < 5; visits++) {
			assertThat(open(application, "/oauth2/authorization/mcp-slow").join().statusCode()).isEqualTo(503);
		}
		assertThat(security.lines(Level.ERROR)).isEmpty();
		assertThat(log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("Users cannot log in for MCP server 'slow': The server requires authorization, but");
		assertThat(this.server.requests("/mcp")).hasSize(1);
	}

	private ClientApplication start(WebApplicationType type) {
		Class<?>[] sources = (type == WebApplicationType.SERVLET) ? new Class<?>[] { LoginPages.class }
				: new Class<?>[0];
		return ClientApplication.start(type, sources, "server.tomcat.threads.max=" + THREADS,
				"mcp.servers.slow.url=" + this.server.url() + "/mcp", "mcp.servers.slow.connect-timeout=30s",
				"mcp.servers.slow.auth.oauth2.grant-type=authorization-code",
				"mcp.servers.slow.auth.oauth2.client-id=client", "mcp.servers.slow.auth.oauth2.client-secret=secret");
	}

	private CompletableFuture<HttpResponse<String>> open(ClientApplication application, String path) {
		String port = application.context().getEnvironment().getRequiredProperty("local.server.port");
		return this.visitor.sendAsync(HttpRequest.newBuilder(URI.create("http://localhost:" + port + path)).build(),
				BodyHandlers.ofString());
	}

}
