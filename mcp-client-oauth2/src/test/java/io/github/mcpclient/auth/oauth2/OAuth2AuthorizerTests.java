package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.interfaces.ECPublicKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jwt.SignedJWT;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.authorization.McpAuthorizationChallenge;
import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.http.McpHttpClients;
import io.github.mcpclient.management.McpDiagnosis.Outcome;
import io.github.mcpclient.management.McpDiagnosis.Step;
import io.github.mcpclient.spi.McpHttpClientFactory;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Unchecked;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OAuth2Authorizer} with client credentials.
 */
class OAuth2AuthorizerTests {

	private final ClientThreads threads = new ClientThreads();

	private final AtomicInteger tokens = new AtomicInteger();

	private AuthorizationServerStub server;

	private final McpHttpClients clients = new McpHttpClients(McpHttpClientFactory.simple(), List.of());

	private ClientRegistration registration;

	private final OAuth2AuthorizedClientService logins = new InMemoryOAuth2AuthorizedClientService(
			(id) -> this.registration);

	private McpServerDefinition defined = McpServerDefinition.http("one", URI.create("http://localhost")).build();

	private final OAuth2Authorizer authorizer = new OAuth2Authorizer(new ApplicationBeans(
			new AuthorizationClients(this.clients, null), (id) -> id.equals("known") ? this.registration : null,
			() -> new BlockingLogins(this.logins), null, (name, url) -> {
			}, (name) -> this.defined), this.threads);

	@BeforeEach
	void start() throws IOException {
		this.server = new AuthorizationServerStub();
		metadata("/.well-known/oauth-authorization-server", "");
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"], "scopes_supported": ["known"]}"""
			.formatted(this.server.url()));
		this.server.on("/token", (request) -> token(3600));
	}

	@Test
	void discoversTheAuthorizationServerFromTheChallenge() {
		this.server.on("/elsewhere", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"]}""".formatted(this.server.url()));
		McpServerDefinition definition = discovered();
		assertThat(authorize(definition)).isNull();
		assertThat(this.server.requests).isEmpty();
		assertThat(this.authorizer.status(definition).issuer()).isNull();
		String challenge = "Bearer resource_metadata=\"" + this.server.url() + "/elsewhere\", scope=\"one two\"";
		assertThat(reauthorize(definition, 401, null, challenge)).isEqualTo(bearer(1));
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		assertThat(this.authorizer.status(definition)).satisfies((status) -> {
			assertThat(status.issuer()).isEqualTo(this.server.url());
			assertThat(status.scopes()).containsExactly("one", "two");
			assertThat(status.refreshable()).isFalse();
			assertThat(status.expires()).isAfter(Instant.now());
			assertThat(status.users()).isNull();
		});
		assertThat(this.server.paths()).containsExactly("/elsewhere", "/.well-known/oauth-authorization-server",
				"/token");
		AuthorizationServerStub.Request request = this.server.requests("/token").get(0);
		assertThat(request.form()).isEqualTo(
				Map.of("grant_type", "client_credentials", "scope", "one two", "resource", this.server.url() + "/mcp"));
		assertThat(request.authorization()).isEqualTo(
				"Basic " + Base64.getEncoder().encodeToString("client:the-secret".getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void aCheckGetsATokenWhereThereIsNoneAndReplacesNone() {
		List<Step> steps = new CopyOnWriteArrayList<>();
		McpAuthorizer check = this.authorizer.forCheck(steps::add);
		McpHeadersRequest request = request(discovered());
		assertThat(check.authorize(request).block(LIMIT)).isNull();
		assertThat(check.reauthorize(request, refusal(Map.of())).block(LIMIT)).isEqualTo(bearer(1));
		assertThat(steps).singleElement().extracting(Step::outcome).isEqualTo(Outcome.PASSED);
		assertThat(check.authorize(request).block(LIMIT)).isEqualTo(bearer(1));
		assertThat(check.reauthorize(request, refusal(bearer(1))).block(LIMIT)).isNull();
		// connections go on with the same
		assertThat(authorize(discovered())).isEqualTo(bearer(1));
		assertThat(this.server.requests("/token")).hasSize(1);
	}

	@Test
	void aCheckGetsATokenForAClientThatHasRegisteredItself() {
		this.server
			.on("/.well-known/oauth-authorization-server",
					"""
							{"issuer": "%1$s", "token_endpoint": "%1$s/token", "registration_endpoint": "%1$s/register"}"""
						.formatted(this.server.url()))
			.on("/register", "{\"client_id\": \"its-own\"}")
			.on("/token", (request) -> new Reply(503, ""));
		McpServerDefinition definition = McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
			.auth(AuthSettings.of(Map.of("type", "oauth2", "oauth2.grant-type", "client-credentials",
					"oauth2.redirect-uri", "https://app.example/code")))
			.build();
		McpAuthorizer check = this.authorizer.forCheck((step) -> {
		});
		assertThat(check.reauthorize(request(definition), refusal(Map.of())).block(LIMIT)).isNull();
		assertThat(this.server.requests("/register")).isEmpty();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, 401, null));
		this.server.on("/token", (request) -> token(3600));
		assertThat(check.authorize(request(definition)).block(LIMIT)).isEqualTo(bearer(1));
		assertThat(this.server.requests("/register")).hasSize(1);
	}

	@Test
	void aCheckTellsWhichMetadataAreMissing() {
		this.server.on("/.well-known/oauth-authorization-server", (request) -> new Reply(404, ""));
		List<Step> steps = new CopyOnWriteArrayList<>();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> this.authorizer.forCheck(steps::add)
			.reauthorize(request(discovered()), refusal(Map.of()))
			.block(LIMIT));
		assertThat(steps).singleElement().satisfies((step) -> {
			assertThat(step.outcome()).isEqualTo(Outcome.FAILED);
			assertThat(step.detail()).endsWith("has no metadata");
		});
	}

	private static McpAuthorizationChallenge refusal(Map<String, String> refused) {
		return new McpAuthorizationChallenge(401, List.of("Bearer"), refused, 1);
	}

	@Test
	void heedsAChallengeThatComesDuringDiscovery() {
		McpServerDefinition definition = discovered();
		String resource = """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s"]}""".formatted(this.server.url());
		String challenge = "Bearer resource_metadata=\"" + this.server.url() + "/%s\", scope=\"%1$s\"";
		this.server.on("/later", resource).on("/first", (request) -> {
			this.authorizer
				.reauthorize(request(definition),
						new McpAuthorizationChallenge(401, List.of(challenge.formatted("later")), Map.of(), 1))
				.subscribe();
			return new Reply(200, resource);
		});
		assertThat(reauthorize(definition, 401, null, challenge.formatted("first"))).isEqualTo(bearer(1));
		assertThat(this.server.requests("/token")).singleElement()
			.satisfies((request) -> assertThat(request.form()).containsEntry("scope", "later"));
	}

	@Test
	void discoversTheAuthorizationServerAtWellKnownLocations() {
		assertThat(reauthorize(discovered(), 401, null, "Bearer")).isEqualTo(bearer(1));
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("scope", "known");
	}

	@Test
	void fallsBackToTheMetadataOfTheOrigin() {
		this.server.on("/.well-known/oauth-protected-resource/mcp", (request) -> new Reply(404, ""));
		this.server.on("/.well-known/oauth-protected-resource", """
				{"resource": "%1$s", "authorization_servers": ["%1$s"]}""".formatted(this.server.url()));
		assertThat(reauthorize(discovered(), 401, null)).isEqualTo(bearer(1));
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("resource", this.server.url())
			.doesNotContainKey("scope");
	}

	@ParameterizedTest
	@CsvSource({ "/.well-known/oauth-authorization-server/t", "/.well-known/openid-configuration/t",
			"/t/.well-known/openid-configuration" })
	void findsTheMetadataOfATenant(String path) {
		metadata(path, "/t");
		assertThat(authorize(configured(Map.of("issuer-uri", this.server.url() + "/t")))).isEqualTo(bearer(1));
	}

	@Test
	void refusesAnotherIssuer() {
		metadata("/.well-known/oauth-authorization-server", "/other");
		assertFails(discovered(), "The metadata of the authorization server " + this.server.url()
				+ " names another issuer: " + this.server.url() + "/other");
		assertThat(this.server.requests("/token")).isEmpty();
	}

	@Test
	void refusesTheMetadataOfAnotherResource() {
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "https://other.example/mcp", "authorization_servers": ["%1$s"]}"""
			.formatted(this.server.url()));
		assertFails(discovered(),
				"The server's resource metadata describes a different resource: https://other.example/mcp");
	}

	@Test
	void givesTheCredentialsToTheFirstIssuerOnly() {
		McpServerDefinition definition = discovered();
		assertThat(reauthorize(definition, 401, null)).isEqualTo(bearer(1));
		metadata("/.well-known/oauth-authorization-server/evil", "/evil");
		this.server.on("/.well-known/oauth-protected-resource/mcp", """
				{"resource": "%1$s/mcp", "authorization_servers": ["%1$s/evil"]}""".formatted(this.server.url()));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, 401, bearer(1)))
			.withMessage("The server names another authorization server than the one that the client's credentials are "
					+ "for: " + this.server.url() + "/evil");
		assertThat(this.server.requests("/token")).hasSize(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "127.0.0.1", "[::ffff:127.0.0.1]" })
	void connectsToNoPrivateAddressThatAPublicServerNames(String host) {
		McpServerDefinition definition = definition("http://8.8.8.8/mcp", Map.of(), true);
		String challenge = "Bearer resource_metadata=\"" + this.server.url().replace("localhost", host)
				+ "/elsewhere\"";
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> reauthorize(definition, 401, null, challenge))
			.withMessageContaining("cannot be reached: Filtered host");
		assertThat(this.server.requests).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "8.8.8.8, localhost", "10.0.0.1, localhost", "127.0.0.1, 169.254.169.254", "10.0.0.1, 169.254.169.254",
			"10.0.0.1, [::ffff:169.254.169.254]", "10.0.0.1, [64:ff9b::a9fe:a9fe]", "8.8.8.8, 10.1.2.3" })
	void isLedNoFurtherThanFromWhereItWasChallenged(String challenged, String host) throws Exception {
		this.server.on("/.well-known/oauth-protected-resource/mcp", (request) -> new Reply(404, ""));
		McpServerDefinition definition = definition(this.server.url() + "/mcp", Map.of(), true);
		String challenge = "Bearer resource_metadata=\"" + this.server.url().replace("localhost", host)
				+ "/elsewhere\"";
		for (String address : List.of(challenged, "127.0.0.1")) {
			Mono<?> headers = this.authorizer.reauthorize(request(definition), new McpAuthorizationChallenge(401,
					List.of(challenge), Map.of(), 1, InetAddress.getByName(address)));
			assertThatExceptionOfType(TransportException.class).as("its name may have another address later")
				.isThrownBy(() -> headers.block(LIMIT))
				.withMessageContaining("cannot be reached: Filtered host")
				.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.one.auth.oauth2.issuer-uri"));
		}
		assertThat(this.server.paths()).allMatch((path) -> path.startsWith("/.well-known/oauth-protected-resource"));
	}

	@Test
	void sendsNoCredentialsWhereAChangedNameLeads() {
		McpServerDefinition definition = definition(this.server.url() + "/mcp", Map.of(), true);
		// at the origin of the server itself
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(
					() -> this.authorizer
						.reauthorize(request(definition),
								new McpAuthorizationChallenge(401, List.of("Bearer"), Map.of(), 1,
										InetAddress.getByName("8.8.8.8")))
						.block(LIMIT))
			.withMessageContaining("Filtered host");
		assertThat(this.server.requests).isEmpty();
	}

	@Test
	void saysWhichIssuerGetsTheCredentials() {
		CapturedLog log = closing(new CapturedLog(ClientResolver.class).open());
		McpServerDefinition definition = discovered();
		reauthorize(definition, 401, null);
		reauthorize(definition, 401, bearer(1));
		assertThat(log.lines(Level.WARN)).singleElement()
			.asString()
			.startsWith("MCP server 'one' names " + this.server.url() + " as its authorization server")
			.contains("mcp.servers.one.auth.oauth2.issuer-uri");
	}

	@ParameterizedTest
	@CsvSource({ "http://as.example", "ftp://localhost/x", "https://user@as.example", "nonsense", "'https://x y'" })
	void usesNoUrlThatIsNotSafe(String url) {
		this.server.on("/.well-known/oauth-authorization-server", (request) -> new Reply(404, ""));
		this.server.on("/.well-known/oauth-protected-resource/mcp", (request) -> new Reply(404, ""));
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> reauthorize(discovered(), 401, null, "Bearer resource_metadata=\"" + url + "\""))
			.withMessageStartingWith(
					"A URL of the authorization server is not used, since it does not begin with https");
		assertThat(this.server.paths()).containsExactly("/.well-known/oauth-protected-resource/mcp",
				"/.well-known/oauth-protected-resource", "/.well-known/oauth-authorization-server");
	}

	@Test
	void followsNoRedirect() {
		this.server.on("/token", (request) -> new Reply(307, "", Map.of("Location", this.server.url() + "/evil")));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()));
		assertThat(this.server.requests("/evil")).isEmpty();
	}

	@ParameterizedTest
	@CsvSource({ "X-Other, mcp-client/", "User-Agent, mine", "user-agent, mine" })
	void saysWhatItIsWithTheConfiguredUserAgentAndNoOtherHeader(String name, String expected) {
		McpServerDefinition definition = discovered().mutate()
			.headers(Map.of(name, "mine/1.0", "X-Api-Key", "s3cr3t"))
			.build();
		assertThat(reauthorize(definition, 401, null)).isEqualTo(bearer(1));
		assertThat(this.server.requests).hasSizeGreaterThanOrEqualTo(3).allSatisfy((request) -> {
			assertThat(request.headers().get("User-Agent")).singleElement().asString().startsWith(expected);
			assertThat(request.headers()).doesNotContainKeys("X-other", "X-api-key");
		});
	}

	@ParameterizedTest
	@CsvSource({ "/token, 403, Server, cloudflare", "/token, 503, cf-mitigated, challenge",
			"/token, 200, X-Any, captcha", "/.well-known/oauth-protected-resource, 403, cf-ray, 1",
			"/.well-known/oauth-authorization-server, 429, x-amz-cf-id, 1", "/register, 403, Server, AkamaiGHost" })
	void pageOfAGatewayIsNotBlamedOnTheCredentials(String path, int status, String header, String value) {
		Reply page = new Reply(status, "<html><title>Just a moment...</title><p>s3cr3t</html>",
				Map.of("Content-Type", "text/html", header, value));
		this.server.on(path, (request) -> page).on(path + "/mcp", (request) -> page);
		if (path.equals("/register")) {
			this.server.on("/.well-known/oauth-authorization-server", """
					{"issuer": "%1$s", "token_endpoint": "%1$s/token", "registration_endpoint": "%1$s/register"}"""
				.formatted(this.server.url()));
		}
		else if (path.endsWith("authorization-server")) {
			this.server.on("/.well-known/openid-configuration", (request) -> page);
		}
		McpServerDefinition definition = path.equals("/register")
				? McpServerDefinition.http("one", URI.create(this.server.url() + "/mcp"))
					.auth(AuthSettings.of(Map.of("type", "oauth2", "oauth2.grant-type", "client-credentials",
							"oauth2.redirect-uri", "https://app.example/code")))
					.build()
				: discovered();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, 401, null))
			.withMessageMatching(
					"A gateway in front of http://localhost:\\d+/\\S+( \\(\\w+\\))? refused the client: HTTP " + status
							+ ", \"Just a moment...\"")
			.satisfies((failure) -> assertThat(failure.getNextStep()).contains("mcp.servers.one.headers.User-Agent")
				.doesNotContainIgnoringCase("credentials"));
	}

	@Test
	void readsNoMoreThanItMust() {
		this.server.on("/token", (request) -> new Reply(200, " ".repeat(1024 * 1024 + 1)));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()))
			.withMessageContaining("the response is larger than 1 MB");
	}

	@Test
	void connectionThatEndsKeepsItsTokensAndTakesNoneOfTheNext() {
		McpServerDefinition before = tokenUri();
		McpServerDefinition now = before.mutate().headers(Map.of("X-Api-Key", "rotated")).build();
		this.defined = before;
		assertThat(authorize(before)).isEqualTo(bearer(1));
		this.defined = now;
		assertThat(authorize(now)).isEqualTo(bearer(2));
		assertThat(authorize(before)).isEqualTo(bearer(1));
		assertThat(authorize(now)).isEqualTo(bearer(2));
		assertThat(this.authorizer.status(now).expires()).isNotNull();
		this.defined = before;
		assertThat(authorize(before)).isEqualTo(bearer(1));
		assertThat(this.server.requests("/token")).hasSize(2);
	}

	@Test
	void changeOfWhatHasNothingToDoWithTokensKeepsThem() {
		McpServerDefinition definition = tokenUri();
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		McpServerDefinition other = definition.mutate().toolFilter(List.of("a*")).build();
		assertThat(this.authorizer.status(other).expires()).isNotNull();
		assertThat(authorize(other)).isEqualTo(bearer(1));
		// asked for its challenge in another way
		McpServerDefinition legacy = McpServerDefinition.of("one", McpServerDefinition.SSE)
			.url(URI.create(this.server.url() + "/mcp"))
			.auth(definition.auth())
			.connectTimeout(Duration.ofSeconds(2))
			.build();
		assertThat(legacy.http()).isEqualTo(definition.http());
		assertThat(legacy.timeouts()).isEqualTo(definition.timeouts());
		assertThat(authorize(legacy)).isEqualTo(bearer(2));
	}

	@Test
	void requestsOneTokenForAllCallers() throws Exception {
		CountDownLatch go = new CountDownLatch(1);
		this.server.on("/token", (request) -> {
			await(go);
			return token(3600);
		});
		McpServerDefinition definition = tokenUri();
		Disposable impatient = this.authorizer.authorize(request(definition)).subscribe();
		List<Map<String, String>> all = new ArrayList<>();
		Mono<List<Map<String, String>>> callers = Flux.range(0, 32)
			.flatMap((caller) -> this.authorizer.authorize(request(definition)), 32)
			.collectList();
		CountDownLatch done = new CountDownLatch(1);
		callers.subscribe((headers) -> {
			all.addAll(headers);
			done.countDown();
		});
		impatient.dispose();
		go.countDown();
		assertThat(done.await(20, TimeUnit.SECONDS)).isTrue();
		assertThat(all).hasSize(32).containsOnly(bearer(1));
		assertThat(this.server.requests("/token")).hasSize(1);
	}

	@Test
	void renewsATokenBeforeItExpires() {
		this.server.on("/token", (request) -> token(4));
		McpServerDefinition definition = tokenUri();
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> assertThat(authorize(definition)).isEqualTo(bearer(2)));
	}

	@Test
	void usesATokenUntilItExpiresWhereItCannotBeRenewed() {
		this.server.on("/token", (request) -> token(6));
		McpServerDefinition definition = tokenUri();
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		this.server.on("/token", (request) -> new Reply(500, ""));
		Awaitility.await().atMost(LIMIT).untilAsserted(() -> {
			assertThat(authorize(definition)).isEqualTo(bearer(1));
			assertThat(this.server.requests("/token")).hasSizeGreaterThan(1);
		});
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, 401, bearer(1)));
		assertThatExceptionOfType(TransportException.class).as("refused").isThrownBy(() -> authorize(definition));
	}

	@Test
	void anAuthorizationServerThatIsDownIsNotAskedForEachCall() {
		this.server.on("/token", (request) -> new Reply(500, ""));
		McpServerDefinition definition = tokenUri();
		for (int call = 0; call < 100; call++) {
			assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(definition))
				.withMessageEndingWith("refuses to issue a token: 500");
		}
		assertThat(this.server.requests("/token")).hasSizeBetween(2, 20);
	}

	@Test
	void tokensThatWereIssuedTogetherAreNotRenewedTogether() {
		Instant issuedAt = Instant.EPOCH;
		OAuth2AccessToken token = new OAuth2AccessToken(OAuth2AccessToken.TokenType.BEARER, "token", issuedAt,
				issuedAt.plusSeconds(3600));
		Random random = new Random(42);
		List<Long> seconds = Stream.generate(random::nextInt)
			.map((instance) -> Tokens.renewal(token, Duration.ofSeconds(60), instance))
			.limit(1000)
			.map(Instant::getEpochSecond)
			.toList();
		assertThat(seconds).allMatch((second) -> second >= 3600 - 60 - 360 && second <= 3600 - 60);
		assertThat(seconds).as("in the same second")
			.allSatisfy((second) -> assertThat(Collections.frequency(seconds, second)).isLessThan(20));
	}

	@Test
	void keepsATokenThatNamesNoEnd() {
		this.server.on("/token",
				(request) -> new Reply(200, "{\"access_token\": \"token-1\", \"token_type\": \"Bearer\"}"));
		McpServerDefinition definition = tokenUri();
		authorize(definition);
		authorize(definition);
		assertThat(this.server.requests("/token")).hasSize(1);
	}

	@Test
	void dropsTheTokenThatWasRefusedAndNoOther() {
		McpServerDefinition definition = tokenUri();
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		assertThat(reauthorize(definition, 401, bearer(1))).isEqualTo(bearer(2));
		assertThat(reauthorize(definition, 401, bearer(1))).isEqualTo(bearer(2));
		assertThat(this.server.requests("/token")).hasSize(2);
	}

	@Test
	void asksForMoreScopesWhereTheyDoNotSuffice() {
		McpServerDefinition definition = configured(Map.of("token-uri", this.server.url() + "/token", "scopes", "a"));
		authorize(definition);
		String challenge = "Bearer error=\"insufficient_scope\", scope=\"b c\"";
		assertThat(reauthorize(definition, 403, bearer(1), challenge)).isEqualTo(bearer(2));
		assertThat(this.server.requests("/token").get(1).form()).containsEntry("scope", "a b c");
		assertThat(reauthorize(definition, 403, bearer(1), challenge)).as("another call").isEqualTo(bearer(2));
		assertThat(reauthorize(definition, 403, bearer(2), challenge)).as("nothing new").isNull();
		assertThat(reauthorize(definition, 403, bearer(2), "Bearer")).as("no challenge of scopes").isNull();
		assertThat(this.server.requests("/token")).hasSize(2);
	}

	@ParameterizedTest
	@ValueSource(ints = { 401, 403 })
	void aServerThatRefusesEachCallCostsFewTokensAndDocuments(int status) {
		McpServerDefinition definition = discovered();
		Map<String, String> current = reauthorize(definition, 401, null);
		for (int call = 0; call < 100; call++) {
			for (int attempt = 0; attempt < 3; attempt++) {
				String challenge = (status == 401) ? "Bearer"
						: "Bearer error=\"insufficient_scope\", scope=\"s" + call + "-" + attempt + "\"";
				Map<String, String> other = reauthorize(definition, status, current, challenge);
				current = (other != null) ? other : authorize(definition);
			}
		}
		assertThat(this.server.requests("/token")).hasSizeBetween(2, 20);
		assertThat(this.server.requests).as("with documents").hasSizeLessThan(60);
	}

	@Test
	void callsThatAreRefusedTogetherCountAsOne() {
		McpServerDefinition definition = discovered();
		assertThat(reauthorize(definition, 401, null)).isEqualTo(bearer(1));
		for (int token = 1; token <= 3; token++) {
			McpAuthorizationChallenge refusal = new McpAuthorizationChallenge(401, List.of("Bearer"), bearer(token), 1);
			assertThat(Flux.range(0, 32)
				.flatMap((call) -> this.authorizer.reauthorize(request(definition), refusal)
					.subscribeOn(this.threads.headers()), 32)
				.collectList()
				.block(LIMIT)).hasSize(32).containsOnly(bearer(token + 1));
		}
		assertThat(this.server.requests("/token")).hasSize(4);
	}

	@Test
	void saysWhyThereIsNoOtherTokenToEachCallThatIsRefused() {
		McpServerDefinition definition = discovered();
		this.server.on("/token",
				"{\"access_token\": \"token-1\", \"token_type\": \"Bearer\", \"refresh_token\": \"next\"}");
		assertThat(reauthorize(definition, 401, null)).isEqualTo(bearer(1));
		this.server.on("/token", (request) -> new Reply(503, ""));
		for (int call = 0; call < 20; call++) {
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> reauthorize(definition, 401, bearer(1)))
				.withMessageEndingWith("refuses to issue a token: 503");
		}
		assertThat(this.server.requests("/token")).hasSizeLessThan(10);
	}

	@Test
	void anOutageUsesUpNoneOfTheRenewalsAfterIt() {
		McpServerDefinition definition = discovered();
		this.server.on("/token",
				"{\"access_token\": \"token-1\", \"token_type\": \"Bearer\", \"refresh_token\": \"next\"}");
		assertThat(reauthorize(definition, 401, null)).isEqualTo(bearer(1));
		this.server.on("/token", (request) -> new Reply(503, ""));
		for (int call = 0; call < 3; call++) {
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(() -> reauthorize(definition, 401, bearer(1)));
		}
		this.tokens.set(1);
		this.server.on("/token", (request) -> token(3600));
		for (int token = 1; token <= 5; token++) {
			assertThat(reauthorize(definition, 401, bearer(token))).isEqualTo(bearer(token + 1));
		}
		assertThat(reauthorize(definition, 401, bearer(6))).isNull();
	}

	@Test
	void leavesATokenEndpointAloneForAsLongAsItWants() {
		this.server.on("/token",
				(request) -> new Reply(429, "{\"error\": \"slow_down\"}", Map.of("Retry-After", "600")));
		McpServerDefinition definition = tokenUri();
		for (int i = 0; i < 10; i++) {
			assertThatExceptionOfType(HttpStatusException.class).isThrownBy(() -> authorize(definition))
				.withMessageStartingWith("The authorization server at " + this.server.url()
						+ "/token accepts no requests for now: HTTP 429, retry after ")
				.satisfies((ex) -> assertThat(ex.getRetryAfter()).isGreaterThan(Duration.ofMinutes(5)));
		}
		assertThat(this.server.requests("/token")).hasSize(1);
	}

	@Test
	void clientsOfABusyTokenEndpointDoNotReturnTogether() {
		this.server.on("/token", (request) -> new Reply(503, "", Map.of("Retry-After", "600")));
		Set<Duration> patience = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			McpServerDefinition definition = configured(
					Map.of("token-uri", this.server.url() + "/token", "scopes", "s" + i));
			assertThatExceptionOfType(HttpStatusException.class).isThrownBy(() -> authorize(definition))
				.satisfies((ex) -> patience.add(ex.getRetryAfter()));
		}
		assertThat(this.server.requests("/token")).hasSize(10);
		assertThat(patience).hasSizeGreaterThan(5)
			.allSatisfy((time) -> assertThat(time).isBetween(Duration.ofSeconds(600), Duration.ofSeconds(750)));
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '`',
			value = { "[]|it is not a JSON object", "{}|its access_token is missing",
					"{\"access_token\": \"\"}|its access_token is not a token",
					"{\"access_token\": \"a\\nb\", \"token_type\": \"Bearer\"}|its access_token is not a token",
					"{\"access_token\": \"a\", \"token_type\": \"mac\"}|its token_type is not Bearer",
					"{\"access_token\": \"a\", \"token_type\": \"DPoP\"}|its token_type is not Bearer",
					"{\"access_token\": \"a\", \"token_type\": \"Bearer\", \"expires_in\": 9223372036854775807}|"
							+ "its expires_in is not a number of seconds" })
	void saysWhatIsWrongWithAToken(String answer, String wrong) {
		this.server.on("/token", answer);
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()))
			.withMessage("The authorization server at " + this.server.url()
					+ "/token sent a response that is not a token: " + wrong)
			.withNoCause();
	}

	@Test
	void saysThatASecretIsMissingWhateverTheAnswer() {
		this.server.on("/token", (request) -> new Reply(200, "<html>Please log in</html>"))
			.on("/refuses", (request) -> new Reply(302, ""));
		for (String path : List.of("/token", "/refuses")) {
			assertThatExceptionOfType(TransportException.class)
				.isThrownBy(
						() -> authorize(configured(Map.of("client-secret", "", "token-uri", this.server.url() + path))))
				.satisfies((ex) -> assertThat(ex.getNextStep())
					.startsWith("Set mcp.servers.one.auth.oauth2.client-secret"));
		}
	}

	@Test
	void masksWhatTheRequestAuthenticatesWith() {
		this.server.on("/token", (request) -> new Reply(400,
				"{\"error\": \"odd\", \"error_description\": \"the-\\u0073ecret, " + request.authorization() + "\"}"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()))
			.withMessageEndingWith("odd (******, ******)");
	}

	@Test
	void usesTheRegistrationOfTheApplication() {
		this.registration = ClientRegistration.withRegistrationId("known")
			.clientId("registered")
			.clientSecret("s")
			.authorizationGrantType(AuthorizationGrantType.CLIENT_CREDENTIALS)
			.tokenUri(this.server.url() + "/token")
			.scope("x")
			.build();
		assertThat(authorize(configured(Map.of("registration-id", "known")))).isEqualTo(bearer(1));
		assertThat(this.server.requests("/token").get(0).form()).containsEntry("scope", "x");
		assertThatExceptionOfType(TransportException.class)
			.isThrownBy(() -> authorize(configured(Map.of("registration-id", "unknown"))))
			.withMessage("There is no client registration 'unknown'")
			.satisfies((ex) -> assertThat(ex.getNextStep())
				// which is not on the class path here
				.isEqualTo(
						"Add the dependency org.springframework.boot:spring-boot-starter-security-oauth2-client, which "
								+ "reads spring.security.oauth2.client.registration.unknown.*, or correct "
								+ "mcp.servers.one.auth.oauth2.registration-id."));
	}

	@Test
	void wordsTheRefusalOfItsCredentials() {
		this.server.on("/token", (request) -> new Reply(401,
				"{\"error\": \"invalid_client\", \"error_description\": \"the-secret is wrong\"}"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()))
			.withMessage("The authorization server at " + this.server.url()
					+ "/token does not accept the client's credentials: invalid_client (****** is wrong)")
			.withNoCause()
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.one.auth.oauth2.client-auth"));
		this.server.on("/token", (request) -> token(3600));
		assertThat(authorize(tokenUri())).as("tried again").isEqualTo(bearer(1));
	}

	@Test
	void wordsAnAuthorizationServerThatIsDownOrSlow() {
		this.server.on("/token", (request) -> {
			await(new CountDownLatch(1));
			return token(1);
		});
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()))
			.withMessage("The authorization server at " + this.server.url()
					+ "/token cannot be reached: no response within 2000 ms");
		this.server.close();
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(tokenUri()))
			.withMessageStartingWith("The authorization server at " + this.server.url() + "/token cannot be reached: ");
	}

	@Test
	void signsAnAssertionForTheIssuer() throws Exception {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
		generator.initialize(256);
		KeyPair pair = generator.generateKeyPair();
		String pem = "-----BEGIN PRIVATE KEY-----\n"
				+ Base64.getMimeEncoder().encodeToString(pair.getPrivate().getEncoded())
				+ "\n-----END PRIVATE KEY-----\n";
		authorize(configured(Map.of("issuer-uri", this.server.url(), "private-key", pem)));
		Map<String, String> form = this.server.requests("/token").get(0).form();
		SignedJWT assertion = SignedJWT.parse(form.get("client_assertion"));
		assertThat(assertion.verify(new ECDSAVerifier((ECPublicKey) pair.getPublic()))).isTrue();
		assertThat(assertion.getJWTClaimsSet().getAudience()).containsExactly(this.server.url());
		assertThat(assertion.getJWTClaimsSet().getSubject()).isEqualTo("client");
		assertThat(form).doesNotContainKey("client_secret");
	}

	@Test
	void sendsTheAssertionThatThePlatformKeepsInAFile(@TempDir Path directory) throws IOException {
		Path file = directory.resolve("token");
		McpServerDefinition definition = configured(Map.of("grant-type", "jwt-bearer", "assertion-file",
				file.toString(), "token-uri", this.server.url() + "/token", "client-authentication-method", "none"));
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> authorize(definition))
			.withMessage("There is no assertion in " + file + ": NoSuchFileException")
			.satisfies((ex) -> assertThat(ex.getNextStep()).contains("mcp.servers.one.auth.oauth2.assertion-file"));
		Files.writeString(file, "first\n");
		assertThat(authorize(definition)).isEqualTo(bearer(1));
		Files.writeString(file, "second\n");
		assertThat(reauthorize(definition, 401, bearer(1))).isEqualTo(bearer(2));
		assertThat(this.server.requests("/token")).extracting((request) -> request.form().get("assertion"))
			.containsExactly("first", "second");
		assertThat(this.server.requests("/token").get(0).form())
			.containsEntry("grant_type", "urn:ietf:params:oauth:grant-type:jwt-bearer")
			.containsEntry("client_id", "client")
			.containsEntry("resource", this.server.url() + "/mcp");
	}

	private void metadata(String path, String tenant) {
		this.server.on(path, """
				{"issuer": "%1$s%2$s", "token_endpoint": "%1$s/token"}""".formatted(this.server.url(), tenant));
	}

	private Reply token(int seconds) {
		return new Reply(200, "{\"access_token\": \"token-%d\", \"token_type\": \"Bearer\", \"expires_in\": %d}"
			.formatted(this.tokens.incrementAndGet(), seconds));
	}

	private static Map<String, String> bearer(int number) {
		return Map.of("Authorization", "Bearer token-" + number);
	}

	private McpServerDefinition discovered() {
		return configured(Map.of());
	}

	private McpServerDefinition tokenUri() {
		return configured(Map.of("token-uri", this.server.url() + "/token"));
	}

	private McpServerDefinition configured(Map<String, String> settings) {
		return definition(this.server.url() + "/mcp", settings, false);
	}

	private static McpServerDefinition definition(String url, Map<String, String> settings, boolean insecure) {
		Map<String, String> all = new HashMap<>(Map.of("type", "oauth2"));
		all.put("allow-insecure", String.valueOf(insecure));
		if (!settings.containsKey("registration-id")) {
			all.put("oauth2.client-id", "client");
			if (!settings.containsKey("private-key")) {
				all.put("oauth2.client-secret", "the-secret");
			}
		}
		settings.forEach((name, value) -> all.put("oauth2." + name, value));
		return McpServerDefinition.http("one", URI.create(url))
			.auth(AuthSettings.of(all))
			.connectTimeout(Duration.ofSeconds(2))
			.build();
	}

	private void assertFails(McpServerDefinition definition, String message) {
		assertThatExceptionOfType(TransportException.class).isThrownBy(() -> reauthorize(definition, 401, null))
			.withMessage(message);
	}

	private Map<String, String> authorize(McpServerDefinition definition) {
		return this.authorizer.authorize(request(definition)).block(LIMIT);
	}

	private Map<String, String> reauthorize(McpServerDefinition definition, int status, Map<String, String> refused,
			String... challenge) {
		return this.authorizer
			.reauthorize(request(definition),
					new McpAuthorizationChallenge(status, List.of(challenge), (refused != null) ? refused : Map.of(),
							1))
			.block(LIMIT);
	}

	private static McpHeadersRequest request(McpServerDefinition definition) {
		return new McpHeadersRequest(definition, "POST", false);
	}

	private static void await(CountDownLatch latch) {
		Unchecked.run(() -> latch.await(20, TimeUnit.SECONDS));
	}

}
