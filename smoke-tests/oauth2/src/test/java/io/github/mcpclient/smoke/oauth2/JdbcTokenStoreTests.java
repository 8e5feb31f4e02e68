package io.github.mcpclient.smoke.oauth2;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.smoke.oauth2.ServletApplicationTests.Pages;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
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
 * these users in a PostgreSQL database.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class JdbcTokenStoreTests {

	private static final ExecutorService callers = Executors.newFixedThreadPool(2);

	private static PostgreSQLContainer database;

	private static AuthorizationServer authorizationServer;

	private static ProtectedServer server;

	private final Browser alice = new Browser("alice");

	private ClientApplication one;

	private ClientApplication two;

	@BeforeAll
	static void startServers() {
		boolean available = DockerClientFactory.instance().isDockerAvailable();
		if (!available && Boolean.parseBoolean(System.getenv("MCP_TESTS_REQUIRE_DOCKER"))) {
			throw new IllegalStateException("Docker is required here, and cannot be reached");
		}
		Assumptions.assumeTrue(available, "Docker cannot be reached: this test needs it");
		database = new PostgreSQLContainer("postgres:15-alpine");
		database.start();
		new ResourceDatabasePopulator(
				new ClassPathResource("org/springframework/security/oauth2/client/oauth2-client-schema-postgres.sql"))
			.execute(
					new DriverManagerDataSource(database.getJdbcUrl(), database.getUsername(), database.getPassword()));
		authorizationServer = new AuthorizationServer();
		server = new ProtectedServer(authorizationServer);
	}

	@AfterAll
	static void stopServers() {
		callers.shutdownNow();
		Stream.of(server, authorizationServer, database).filter((one) -> one != null).forEach((one) -> {
			try {
				one.close();
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	@BeforeEach
	void startReplicas() {
		authorizationServer.reset();
		server.clear();
		this.one = replica("ONE");
		this.two = replica("TWO");
	}

	@AfterEach
	void stopReplicas() {
		this.one.close();
		this.two.close();
	}

	private static ClientApplication replica(String name) {
		return ClientApplication.start(WebApplicationType.SERVLET, new Class<?>[] { Pages.class, SharedTokens.class },
				AbstractWebApplicationTests.login(authorizationServer, server,
						// none but that of the tests: there is a database
						"spring.autoconfigure.exclude=", "server.servlet.session.cookie.name=" + name,
						"spring.datasource.url=" + database.getJdbcUrl(),
						"spring.datasource.username=" + database.getUsername(),
						"spring.datasource.password=" + database.getPassword()));
	}

	@Test
	void replicasShareTokens() {
		assertThat(ask(this.one)).isEqualTo("alice");
		assertThat(ask(this.two)).isEqualTo("alice");
		assertThat(server.calls()).hasSize(2).extracting(ProtectedServer.Call::token).containsOnly(token());
	}

	@Test
	void replicasRenewAtOnce() throws Exception {
		authorizationServer.issueFor(Duration.ofSeconds(2));
		assertThat(ask(this.one)).isEqualTo("alice");
		assertThat(ask(this.two)).isEqualTo("alice");
		String first = token();
		server.revoke(first);
		CompletableFuture<Void> hold = authorizationServer.holdTokenRequests();
		List<Future<String>> calls = List.of(callers.submit(() -> ask(this.one)), callers.submit(() -> ask(this.two)));
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> authorizationServer.waiting() == 2);
		hold.complete(null);
		assertThat(calls).allSatisfy((call) -> assertThat(call.get()).isEqualTo("alice"));
		assertThat(server.calls()).filteredOn((call) -> !call.token().equals(first)).hasSize(2);
	}

	private String token() {
		return server.calls().get(0).token();
	}

	private String ask(ClientApplication replica) {
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
