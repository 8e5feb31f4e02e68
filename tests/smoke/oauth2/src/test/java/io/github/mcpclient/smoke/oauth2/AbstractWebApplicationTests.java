package io.github.mcpclient.smoke.oauth2;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.Listing;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.smoke.oauth2.ProtectedServer.Call;
import io.github.mcpclient.smoke.oauth2.ProtectedServer.Request;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A web application whose users log in at the authorization server of an MCP server.
 */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
@TestInstance(Lifecycle.PER_CLASS)
abstract class AbstractWebApplicationTests {

	private static final int CALLERS = 32;

	private static final ProtectedServer server = ProtectedServer.shared();

	private static final AuthorizationServer authorizationServer = server.authorizationServer();

	private final ExecutorService callers = Executors.newFixedThreadPool(CALLERS);

	private OAuth2Application application;

	private Browser alice;

	private Browser bob;

	@BeforeAll
	void startApplication() {
		authorizationServer.reset();
		this.application = start(login(server, "management.endpoints.web.exposure.include=*"));
	}

	abstract OAuth2Application start(String... properties);

	@AfterAll
	void stop() {
		this.callers.shutdownNow();
		this.application.close();
	}

	@BeforeEach
	void reset() {
		authorizationServer.reset();
		server.clear();
		this.alice = new Browser("alice");
		this.bob = new Browser("bob");
	}

	/**
	 * What a web application configures.
	 */
	static String[] login(ProtectedServer server, String... more) {
		String client = "spring.security.oauth2.client.";
		return Stream
			.concat(Stream.of(client + "registration.mcp.client-id=" + AuthorizationServer.CLIENT_ID,
					client + "registration.mcp.client-secret=" + AuthorizationServer.CLIENT_SECRET,
					client + "registration.mcp.authorization-grant-type=authorization_code",
					client + "registration.mcp.redirect-uri={baseUrl}/login/oauth2/code/{registrationId}",
					client + "registration.mcp.scope=openid,mcp:read",
					client + "provider.mcp.issuer-uri=" + server.authorizationServer().issuer(),
					"mcp.servers.hosted.url=" + server.url(), "mcp.servers.hosted.auth.oauth2.registration-id=mcp",
					"mcp.servers.hosted.auth.oauth2.grant-type=authorization-code",
					"mcp.servers.hosted.auth.oauth2.listing=client-credentials"), Stream.of(more))
			.toArray(String[]::new);
	}

	@Test
	void eachCallHasTheTokenOfItsUser() throws Exception {
		assertThat(ask(this.alice)).isEqualTo("alice");
		assertThat(ask(this.bob)).isEqualTo("bob");
		List<Callable<String>> calls = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			String user = (i % 2 == 0) ? "alice" : "bob";
			Browser browser = (i % 2 == 0) ? this.alice : this.bob;
			calls.add(() -> {
				for (int j = 0; j < 2; j++) {
					assertThat(ask(browser)).isEqualTo(user);
				}
				return user;
			});
		}
		all(calls);
		assertThat(tokensByUser().get("alice")).hasSize(1);
		assertThat(tokensByUser().get("bob")).hasSize(1).isNotEqualTo(tokensByUser().get("alice"));
	}

	@Test
	void tokenOfAUserIsRenewedOnceUnderManyCallers() {
		authorizationServer.issueFor(Duration.ofSeconds(3));
		assertThat(ask(this.alice)).isEqualTo("alice");
		Awaitility.await().atMost(Duration.ofSeconds(60)).pollInterval(Duration.ofMillis(300)).until(() -> {
			all(Collections.nCopies(CALLERS, () -> assertThat(ask(this.alice)).isEqualTo("alice")));
			return refreshes() >= 2;
		});
		assertThat(tokensByUser().get("alice")).hasSize(3);
		assertThat(refreshes()).isEqualTo(2);
		assertThat(authorizationServer.tokenRequests()).filteredOn((request) -> request.succeeded())
			.extracting((request) -> request.parameters().get("refresh_token"))
			.filteredOn(Objects::nonNull)
			.as("rotated")
			.doesNotHaveDuplicates();
	}

	@Test
	void revokedGrantNeedsALogin() {
		assertThat(ask(this.alice)).isEqualTo("alice");
		assertThat(ask(this.bob)).isEqualTo("bob");
		String token = tokensByUser().get("alice").get(0);
		server.revoke(token);
		authorizationServer.revokeGrant(token);
		authorizationServer.tokenRequests().clear();
		assertThat(this.alice.status(this.application.origin() + "/ask")).isEqualTo(302);
		assertThat(authorizationServer.tokenRequests()).singleElement()
			.matches((request) -> request.grantType().equals("refresh_token") && !request.succeeded());
		assertThat(ask(this.bob)).isEqualTo("bob");
		assertThat(ask(this.alice)).isEqualTo("alice");
		assertThat(tokensByUser().get("alice")).hasSize(2);
		assertThat(tokensByUser().get("bob")).hasSize(1);
	}

	@Test
	void nothingThatIsLoggedOrShownHasAToken() {
		try (WholeLog log = new WholeLog()) {
			this.application.manager().server("hosted").reconnect();
			assertThat(ask(this.alice)).isEqualTo("alice");
			server.tokens().forEach(server::revoke);
			assertThat(ask(this.alice)).isEqualTo("alice");
			String shown = Stream.of("mcp", "mcp/hosted", "health", "info", "env", "configprops", "beans")
				.map((endpoint) -> this.alice.open(this.application.origin() + "/actuator/" + endpoint).body())
				.collect(Collectors.joining());
			for (Meter meter : this.application.context().getBean(MeterRegistry.class).getMeters()) {
				shown += meter.getId();
			}
			assertThat(shown).contains("READY", "mcp.servers.hosted.auth.oauth2.grant-type", "http.server.requests");
			assertThat(log.text()).contains("grant_type=******");
			List<String> tokens = new ArrayList<>(server.tokens());
			authorizationServer.tokenRequests()
				.forEach((request) -> request.parameters()
					.forEach((name, value) -> tokens.addAll(name.endsWith("token") ? List.of(value) : List.of())));
			assertThat(tokens).as("of the listing, before and after renewal, and to renew").hasSize(4);
			assertThat(log.text() + shown).doesNotContain(tokens).doesNotContain(AuthorizationServer.CLIENT_SECRET);
		}
	}

	@Test
	void logoutEndsIt() {
		assertThat(ask(this.alice)).isEqualTo("alice");
		assertThat(ask(this.bob)).isEqualTo("bob");
		this.alice.submit(this.alice.open(this.application.origin() + "/logout"), "");
		assertThat(this.alice.status(this.application.origin() + "/ask")).isEqualTo(302);
		assertThat(ask(this.bob)).isEqualTo("bob");
		assertThat(ask(this.alice)).isEqualTo("alice");
		assertThat(tokensByUser().get("alice")).hasSize(2);
		assertThat(tokensByUser().get("bob")).hasSize(1);
	}

	@Test
	void eachUserHasASessionAndAListing() throws Exception {
		McpServerDefinition listedForAll = this.application.registry().server("hosted").definition();
		replace(listedForAll.mutate()
			.auth((auth) -> auth.oauth2((oauth2) -> oauth2.registrationId("mcp")
				.grantType(GrantType.AUTHORIZATION_CODE)
				.listing(Listing.USER)))
			.build());
		try {
			assertThat(this.application.state("hosted")).isEqualTo(McpServerState.IDLE);
			assertThat(posts()).isEmpty();
			List<Callable<String>> uses = new ArrayList<>();
			for (Browser browser : List.of(this.alice, this.bob)) {
				assertThat(browser.open(this.application.origin() + "/tools").body()).contains("hosted_whoami");
				uses.addAll(Collections.nCopies(CALLERS / 2, () -> ask(browser)));
			}
			all(uses);
			assertThat(tokensByUser().get("alice")).hasSize(1);
			assertThat(tokensByUser().get("bob")).hasSize(1);
			Map<String, List<String>> tokensBySession = posts().filter((request) -> request.session() != null)
				.collect(Collectors.groupingBy(Request::session, Collectors.mapping(Request::token,
						Collectors.collectingAndThen(Collectors.toSet(), List::copyOf))));
			assertThat(tokensBySession.values()).containsExactlyInAnyOrder(tokensByUser().get("alice"),
					tokensByUser().get("bob"));
			assertThat(this.application.status("hosted").users()).isEqualTo(2);
		}
		finally {
			replace(listedForAll);
		}
	}

	private void replace(McpServerDefinition definition) {
		this.application.manager().remove(definition.name());
		this.application.manager().add(definition);
	}

	/**
	 * Without those that end the connection of all users.
	 */
	private static Stream<Request> posts() {
		return server.requests().stream().filter((request) -> request.method().equals("POST"));
	}

	private <T> void all(List<Callable<T>> calls) throws Exception {
		for (Future<?> call : this.callers.invokeAll(calls)) {
			call.get();
		}
	}

	private String ask(Browser browser) {
		return browser.open(this.application.origin() + "/ask").body();
	}

	private static long refreshes() {
		return authorizationServer.tokenRequests()
			.stream()
			.filter((request) -> "refresh_token".equals(request.grantType()) && request.succeeded())
			.count();
	}

	private static Map<String, List<String>> tokensByUser() {
		return server.calls()
			.stream()
			.distinct()
			.collect(Collectors.groupingBy(Call::user, Collectors.mapping(Call::token, Collectors.toList())));
	}

}
