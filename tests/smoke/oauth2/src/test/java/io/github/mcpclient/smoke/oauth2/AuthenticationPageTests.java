package io.github.mcpclient.smoke.oauth2;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import com.nimbusds.jwt.SignedJWT;
import io.github.mcpclient.authorization.McpLoginBrowser;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.test.util.TestSocketUtils;
import org.springframework.web.client.RestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Applications with the configuration in {@code docs/authentication.md}: nothing but the
 * placeholders and the urls of the servers is added.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class AuthenticationPageTests {

	private static final ProtectedServer server = ProtectedServer.shared();

	private static final AuthorizationServer authorizationServer = server.authorizationServer();

	@TempDir
	private Path directory;

	@BeforeEach
	void reset() {
		authorizationServer.reset();
		server.clear();
	}

	@Test
	void staticToken() throws IOException {
		String token = new Browser("alice").token(authorizationServer, server.url());
		try (OAuth2Application application = OAuth2Application.start(configuration("search"),
				"mcp.servers.search.url=" + server.url(), "SEARCH_TOKEN=" + token)) {
			assertThat(application.call("search_whoami")).isEqualTo("alice");
		}
	}

	@Test
	void clientCredentials() throws IOException {
		try (OAuth2Application application = OAuth2Application.start(configuration("tickets"),
				"mcp.servers.tickets.url=" + server.url(), "TICKETS_CLIENT_ID=" + AuthorizationServer.CLIENT_ID,
				"TICKETS_CLIENT_SECRET=" + AuthorizationServer.CLIENT_SECRET)) {
			assertThat(application.call("tickets_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
	}

	@Test
	void loginInAWebApplication() throws IOException {
		try (OAuth2Application application = OAuth2Application.start(WebApplicationType.SERVLET,
				new Class<?>[] { ServletApplicationTests.Pages.class }, configuration("registration:"),
				"mcp.servers.hosted.url=" + server.url(),
				"spring.security.oauth2.client.provider.hosted.issuer-uri=" + authorizationServer.issuer(),
				"HOSTED_CLIENT_ID=" + AuthorizationServer.CLIENT_ID,
				"HOSTED_CLIENT_SECRET=" + AuthorizationServer.CLIENT_SECRET)) {
			authorizationServer.allowRedirect("http://127.0.0.1/login/oauth2/code/hosted");
			assertThat(new Browser("alice").open(application.origin() + "/ask").body()).isEqualTo("alice");
		}
	}

	@Test
	void tokensThatAreBoundToAKey() throws Exception {
		try (OAuth2Application application = OAuth2Application.start(configuration("dpop"),
				"mcp.servers.hosted.url=" + server.url(), "HOSTED_CLIENT_ID=" + AuthorizationServer.CLIENT_ID,
				"HOSTED_CLIENT_SECRET=" + AuthorizationServer.CLIENT_SECRET)) {
			assertThat(application.call("hosted_whoami")).isEqualTo(AuthorizationServer.CLIENT_ID);
		}
		assertThat(server.tokens()).singleElement()
			.satisfies((token) -> assertThat(SignedJWT.parse(token).getJWTClaimsSet().getJSONObjectClaim("cnf"))
				.containsKey("jkt"));
	}

	@Test
	void tokenExchange() throws IOException {
		try (OAuth2Application application = OAuth2Application.start(WebApplicationType.SERVLET,
				new Class<?>[] { ServletApplicationTests.Pages.class }, configuration("token-exchange"),
				"mcp.servers.hosted.url=" + server.url(),
				"spring.security.oauth2.resourceserver.jwt.issuer-uri=" + authorizationServer.issuer(),
				"EXCHANGE_CLIENT_ID=" + AuthorizationServer.CLIENT_ID,
				"EXCHANGE_CLIENT_SECRET=" + AuthorizationServer.CLIENT_SECRET)) {
			RestClient rest = RestClient.create(application.origin());
			for (String user : List.of("alice", "bob", "alice")) {
				String incoming = new Browser(user).token(authorizationServer, "https://application.example.com");
				assertThat(rest.get()
					.uri("/ask")
					.headers((headers) -> headers.setBearerAuth(incoming))
					.retrieve()
					.body(String.class)).isEqualTo(user);
				assertThat(server.tokens()).doesNotContain(incoming);
			}
			assertThat(server.calls()).extracting(ProtectedServer.Call::token).doesNotHaveDuplicates();
			assertThat(new Browser("alice").status(application.origin() + "/ask")).isEqualTo(401);
		}
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void loginWithoutARegistration(boolean metadataDocuments) throws IOException {
		authorizationServer.acceptMetadataDocuments(metadataDocuments);
		String origin = "http://127.0.0.1:" + TestSocketUtils.findAvailableTcpPort();
		try (OAuth2Application application = OAuth2Application.start(WebApplicationType.SERVLET,
				new Class<?>[] { ServletApplicationTests.Pages.class, OwnUsers.class }, configuration("metadata-uri"),
				"server.port=" + URI.create(origin).getPort(), "mcp.servers.hosted.url=" + server.url(),
				"mcp.servers.hosted.auth.oauth2.client-metadata-uri=" + origin + "/mcp-client.json",
				"mcp.servers.hosted.auth.oauth2.redirect-uri=" + origin + "/authorize/oauth2/code/mcp-hosted")) {
			authorizationServer.tokenRequests().clear();
			for (String user : List.of("alice", "bob")) {
				assertThat(new Browser(user).open(application.origin() + "/ask").body()).isEqualTo(user);
			}
			assertThat(authorizationServer.tokenRequests())
				.allMatch((request) -> request.grantType().equals("authorization_code"))
				.allMatch((request) -> (origin + "/mcp-client.json")
					.equals(request.parameters().get("client_id")) == metadataDocuments);
		}
	}

	@Test
	void loginOnThisMachine() throws IOException {
		try (OAuth2Application application = OAuth2Application.start(WebApplicationType.NONE,
				new Class<?>[] { LoginBrowser.class }, configuration("interactive"),
				"mcp.servers.hosted.url=" + server.url())) {
			assertThat(application.call("hosted_whoami")).isEqualTo("alice");
		}
	}

	/**
	 * The configuration on the page that has that word.
	 */
	private String configuration(String word) throws IOException {
		String page = Files.readString(Path.of("../../../docs/authentication.md"));
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

	@Configuration(proxyBeanMethods = false)
	static class OwnUsers {

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(Stream.of("alice", "bob")
				.map((name) -> User.withUsername(name)
					.password("{noop}" + AuthorizationServer.PASSWORD)
					.roles("USER")
					.build())
				.toList());
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests(
					(requests) -> requests.requestMatchers("/mcp-client.json").permitAll().anyRequest().authenticated())
				.formLogin(Customizer.withDefaults())
				.oauth2Client(Customizer.withDefaults())
				.build();
		}

	}

	/**
	 * A user at this machine, who is there at once.
	 */
	static class LoginBrowser implements McpLoginBrowser {

		@Override
		public void open(String serverName, URI url) {
			CompletableFuture.runAsync(() -> new Browser("alice").open(url.toString()));
		}

	}

}
