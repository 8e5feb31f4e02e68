package io.github.mcpclient.smoke.oauth2;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with the configuration in {@code docs/authentication.md}: nothing but the
 * placeholders and the urls of the servers is added.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class AuthenticationPageTests {

	private static AuthorizationServer authorizationServer;

	private static ProtectedServer server;

	@TempDir
	private Path directory;

	@BeforeAll
	static void start() {
		authorizationServer = new AuthorizationServer();
		server = new ProtectedServer(authorizationServer);
	}

	@AfterAll
	static void stop() {
		server.close();
		authorizationServer.close();
	}

	@Test
	void staticToken() throws IOException {
		String token;
		try (ClientApplication application = ClientApplication
			.start(ClientApplication.clientCredentials("any", server))) {
			application.call("any_whoami");
			token = server.tokens().iterator().next();
		}
		try (ClientApplication application = ClientApplication.start(configuration("search"),
				"mcp.servers.search.url=" + server.url(), "SEARCH_TOKEN=" + token)) {
			assertThat(application.call("search_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
	}

	@Test
	void clientCredentials() throws IOException {
		try (ClientApplication application = ClientApplication.start(configuration("tickets"),
				"mcp.servers.tickets.url=" + server.url(), "TICKETS_CLIENT_ID=" + AuthorizationServer.CLIENT_ID,
				"TICKETS_CLIENT_SECRET=" + AuthorizationServer.CLIENT_SECRET)) {
			assertThat(application.call("tickets_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
	}

	@Test
	void loginInAWebApplication() throws IOException {
		try (ClientApplication application = ClientApplication.start(WebApplicationType.SERVLET,
				new Class<?>[] { ServletApplicationTests.Pages.class }, configuration("registration:"),
				"mcp.servers.hosted.url=" + server.url(),
				"spring.security.oauth2.client.provider.hosted.issuer-uri=" + authorizationServer.issuer(),
				"HOSTED_CLIENT_ID=" + AuthorizationServer.CLIENT_ID,
				"HOSTED_CLIENT_SECRET=" + AuthorizationServer.CLIENT_SECRET)) {
			authorizationServer.allowRedirect("http://127.0.0.1/login/oauth2/code/hosted");
			assertThat(new Browser("alice").open(application.origin() + "/ask").body()).isEqualTo("alice");
		}
	}

	/**
	 * The configuration on the page that has that word.
	 */
	private String configuration(String word) throws IOException {
		String page = Files.readString(Path.of("../../docs/authentication.md"));
		String snippet = Pattern.compile("(?ms)^```yaml\\n(.*?)^```$")
			.matcher(page)
			.results()
			.map((result) -> result.group(1))
			.filter((yaml) -> yaml.contains(word))
			.findFirst()
			.orElseThrow();
		Path file = Files.writeString(this.directory.resolve("snippet.yaml"), snippet);
		return "spring.config.additional-location=" + file.toUri();
	}

}
