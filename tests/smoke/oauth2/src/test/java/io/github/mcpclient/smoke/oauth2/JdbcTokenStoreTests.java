package io.github.mcpclient.smoke.oauth2;

import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.smoke.oauth2.ServletApplicationTests.Pages;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.postgresql.PostgreSQLContainer;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.JdbcOperations;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.init.ResourceDatabasePopulator;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.oauth2.client.JdbcOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Two replicas of a servlet application, whose users log in to it, share the tokens of
 * these users in a PostgreSQL database, which also has the audit of both.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class JdbcTokenStoreTests {

	private static final ExecutorService callers = Executors.newFixedThreadPool(2);

	private static PostgreSQLContainer database;

	private static JdbcTemplate jdbc;

	private static final ProtectedServer server = ProtectedServer.shared();

	private static OAuth2Application one;

	private static OAuth2Application two;

	private final Browser alice = new Browser("alice");

	@BeforeAll
	static void start() {
		boolean available = DockerClientFactory.instance().isDockerAvailable();
		if (!available && Boolean.parseBoolean(System.getenv("MCP_TESTS_REQUIRE_DOCKER"))) {
			throw new IllegalStateException("Docker is required here, and cannot be reached");
		}
		Assumptions.assumeTrue(available, "Docker cannot be reached: this test needs it");
		server.authorizationServer().reset();
		server.clear();
		database = new PostgreSQLContainer("postgres:15-alpine");
		database.start();
		DataSource dataSource = new DriverManagerDataSource(database.getJdbcUrl(), database.getUsername(),
				database.getPassword());
		jdbc = new JdbcTemplate(dataSource);
		new ResourceDatabasePopulator(
				new ClassPathResource("org/springframework/security/oauth2/client/oauth2-client-schema-postgres.sql"))
			.execute(dataSource);
		one = replica("ONE");
		two = replica("TWO");
	}

	@AfterAll
	static void stop() {
		callers.shutdownNow();
		Stream.of(one, two).filter(Objects::nonNull).forEach(OAuth2Application::close);
		if (database != null) {
			database.close();
		}
	}

	private static OAuth2Application replica(String name) {
		return OAuth2Application.start(WebApplicationType.SERVLET, new Class<?>[] { Pages.class, SharedTokens.class },
				AbstractWebApplicationTests.login(server,
						// none but that of the tests: there is a database
						"spring.autoconfigure.exclude=", "server.servlet.session.cookie.name=" + name,
						"spring.datasource.url=" + database.getJdbcUrl(),
						"spring.datasource.username=" + database.getUsername(),
						"spring.datasource.password=" + database.getPassword(), "mcp.audit.jdbc.enabled=true",
						// the second one finds the table of the first
						"mcp.audit.jdbc.initialize-schema=always"));
	}

	@BeforeEach
	void forgetCalls() {
		server.clear();
	}

	@Test
	void replicasShareTokensAndRenewThemAtOnce() {
		assertThat(ask(one)).isEqualTo("alice");
		assertThat(ask(two)).isEqualTo("alice");
		String first = server.calls().get(0).token();
		assertThat(server.calls()).hasSize(2).extracting(ProtectedServer.Call::token).containsOnly(first);
		server.revoke(first);
		AuthorizationServer authorizationServer = server.authorizationServer();
		CompletableFuture<Void> hold = authorizationServer.holdTokenRequests();
		List<Future<String>> calls = List.of(callers.submit(() -> ask(one)), callers.submit(() -> ask(two)));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> authorizationServer.waiting() == 2);
		hold.complete(null);
		assertThat(calls).allSatisfy((call) -> assertThat(call.get()).isEqualTo("alice"));
		assertThat(server.calls()).filteredOn((call) -> !call.token().equals(first)).hasSize(2);
	}

	@Test
	void callsAreRecordedAndOldRecordsDeleted() {
		ask(one);
		ask(two);
		two.context().getBean(McpServerManager.class).servers().get(0).refresh();
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> jdbc.queryForObject("SELECT COUNT(*) FROM MCP_AUDIT WHERE ACTION_NAME = 'refresh'",
					Integer.class) == 1);
		Awaitility.await()
			.atMost(Duration.ofSeconds(30))
			.until(() -> jdbc.queryForObject(
					"SELECT COUNT(*) FROM MCP_AUDIT WHERE ACTION_NAME = 'call' AND OUTCOME = 'SUCCESS'",
					Integer.class) >= 2);
		assertThat(jdbc.queryForList("SELECT * FROM MCP_AUDIT WHERE ACTION_NAME = 'call'")).allSatisfy((row) -> {
			assertThat(row).containsEntry("caller_name", "alice").doesNotContainEntry("server_name", null);
			assertThat((String) row.get("arguments_sha256")).hasSize(64);
			assertThat(((Timestamp) row.get("began_at")).toInstant()).isBetween(Instant.now().minusSeconds(600),
					Instant.now().plusSeconds(1));
		});
		jdbc.update("UPDATE MCP_AUDIT SET BEGAN_AT = BEGAN_AT - INTERVAL '91' DAY WHERE ACTION_NAME = 'refresh'");
		assertThat(jdbc.update("DELETE FROM MCP_AUDIT WHERE BEGAN_AT < CURRENT_TIMESTAMP - INTERVAL '90' DAY"))
			.isEqualTo(1);
	}

	private String ask(OAuth2Application replica) {
		return this.alice.open(replica.origin() + "/ask").body();
	}

	@Configuration(proxyBeanMethods = false)
	static class SharedTokens {

		@Bean
		OAuth2AuthorizedClientService authorizedClients(JdbcOperations jdbc,
				ClientRegistrationRepository registrations) {
			return new JdbcOAuth2AuthorizedClientService(jdbc, registrations);
		}

		@Bean
		UserDetailsService users() {
			return new InMemoryUserDetailsManager(
					User.withUsername("alice").password("{noop}" + AuthorizationServer.PASSWORD).roles("USER").build());
		}

		@Bean
		SecurityFilterChain security(HttpSecurity http) throws Exception {
			return http.authorizeHttpRequests((requests) -> requests.anyRequest().authenticated())
				.formLogin(Customizer.withDefaults())
				.oauth2Client(Customizer.withDefaults())
				.build();
		}

	}

}
