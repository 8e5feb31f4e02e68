package io.github.mcpclient.auth.oauth2;

import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.actuate.McpHealthContributor;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.declared.McpToolCall;
import io.github.mcpclient.declared.McpToolClient;
import io.github.mcpclient.declared.McpToolClientFactory;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.event.McpResourceUpdatedEvent;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.management.McpToolPin.State;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.AuthSettings;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import io.micrometer.context.ContextRegistry;
import io.micrometer.context.ThreadLocalAccessor;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.config.AutowireCapableBeanFactory;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;
import org.springframework.security.oauth2.client.InMemoryOAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClientService;
import org.springframework.security.oauth2.client.registration.ClientRegistration;
import org.springframework.security.oauth2.core.AuthorizationGrantType;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.awaitility.Awaitility.await;

/**
 * A server that lists its tools for each user alone, beside one that lists them for all.
 */
class UserListingTests {

	private static final int CALLERS = 32;

	private static final McpTestServer open = McpTestServer.create().tool("echo", McpTestReply.text("open")).start();

	private static final McpTestServer server = McpTestServer.create().start();

	@TempDir
	private static Path folder;

	private static ClientApplication application;

	// users whose tokens the server refuses
	private final Set<String> revoked = ConcurrentHashMap.newKeySet();

	@BeforeAll
	static void startApplication() {
		String prefix = "mcp.servers.hosted.";
		application = ClientApplication.start(Logins.class, "mcp.servers.open.url=" + open.url(),
				"mcp.tools.pins=file:" + folder.resolve("mcp-tools.lock"), prefix + "url=" + server.url(),
				prefix + "required=true", prefix + "auth.oauth2.grant-type=authorization-code",
				prefix + "auth.oauth2.client-id=client", prefix + "auth.oauth2.client-secret=secret",
				prefix + "auth.oauth2.token-uri=http://localhost:1/token",
				prefix + "auth.oauth2.authorization-uri=http://localhost:1/authorize");
	}

	@AfterAll
	static void stopAll() {
		application.close();
		open.close();
		server.close();
	}

	@BeforeEach
	void serve() {
		server.reset().forgetRequests();
		for (String method : List.of("initialize", "notifications/initialized", "GET")) {
			server.on(method, (request) -> (user(request) != null) ? McpTestReply.standard() : refused());
		}
		server.on("tools/list",
				(request) -> (user(request) != null) ? McpTestReply.result(Map.of("tools",
						Stream.of("whoami", "of_" + user(request))
							.map((name) -> Map.of("name", name, "inputSchema", Map.of("type", "object")))
							.toList()))
						: refused());
		server.on("tools/call", (request) -> (user(request) != null) ? McpTestReply.text(user(request)) : refused());
	}

	private static McpTestReply refused() {
		return McpTestReply.status(401).withHeader("WWW-Authenticate", "Bearer");
	}

	private String user(McpTestRequest request) {
		String header = request.header("Authorization");
		String user = (header != null) ? header.replace("Bearer token-of-", "") : null;
		return (user == null || this.revoked.contains(user)) ? null : user;
	}

	@AfterEach
	void signOut() {
		SecurityContextHolder.clearContext();
	}

	private static McpToolCatalog tools() {
		return application.tools().forCaller();
	}

	private static List<String> names(McpToolCatalog catalog) {
		return catalog.all().stream().map(McpTool::name).toList();
	}

	private static <T> T as(String user, Callable<T> action) throws Exception {
		SecurityContextHolder.getContext().setAuthentication(authentication(user));
		try {
			return action.call();
		}
		finally {
			SecurityContextHolder.clearContext();
		}
	}

	private static Authentication authentication(String user) {
		return new TestingAuthenticationToken(user, "x", "USER");
	}

	private static void login(String user) {
		login("hosted", user);
	}

	private static void login(String server, String user) {
		OAuth2AccessToken token = new OAuth2AccessToken(TokenType.BEARER, "token-of-" + user, Instant.now(),
				Instant.now().plusSeconds(3600));
		String id = new UserLogins(application.context().getBean(OAuth2Authorizer.class)).find("mcp-" + server)
			.getRegistrationId();
		application.context()
			.getBean(OAuth2AuthorizedClientService.class)
			.saveAuthorizedClient(new OAuth2AuthorizedClient(Logins.registration(id), user, token),
					authentication(user));
	}

	@Test
	void nobodyConnectsWithoutAUser() {
		McpServerStatus status = application.registry().server("hosted").status();
		assertThat(status.state()).isEqualTo(McpServerState.IDLE);
		assertThat(status.lastError()).contains("requires a user to log in",
				"Each user is connected at the first use. Set mcp.servers.hosted.auth.oauth2.listing=");
		assertThat(status.nextRetry()).isNull();
		assertThat(names(application.tools())).containsExactly("open_echo");
		assertThat(names(tools())).containsExactly("open_echo");
		assertThat(application.text("open_echo", Map.of())).isEqualTo("open");
		assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
			.isThrownBy(() -> application.text("hosted_whoami", Map.of()));
		waysTo("hosted_whoami")
			.forEach((way, call) -> assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class).as(way)
				.isThrownBy(call::get));
		asyncWaysTo("hosted_whoami").forEach((way,
				call) -> assertThatExceptionOfType(way.startsWith("get of") ? NoSuchMcpToolException.class
						: AuthenticationCredentialsNotFoundException.class)
					.as(way)
					.isThrownBy(() -> call.block(LIMIT))
					.withMessageContaining(
							way.startsWith("get of") ? "requires a user to log in" : "no user is signed in"));
		application.manager().server("hosted").reconnect();
		assertThat(
				((HealthIndicator) new McpHealthContributor(application.registry()).getContributor("hosted")).health()
					.getStatus())
			.isEqualTo(Status.UNKNOWN);
		assertAllRequestsAreOfOtherThan("nobody");
	}

	@Test
	void userLogsInFirst() throws Exception {
		List<Callable<?>> uses = List.of(() -> tools().all(), () -> tools().get("hosted_whoami"),
				() -> application.text("hosted_whoami", Map.of()),
				() -> application.registry().server("hosted").prompts(),
				() -> application.context()
					.getBean(McpToolExecutor.class)
					.execute("hosted_whoami", McpToolRequest.of(Map.of())),
				() -> application.context().getBean(McpToolCallbackProvider.class).getToolCallbacks());
		for (Callable<?> use : uses) {
			assertThatExceptionOfType(ClientAuthorizationRequiredException.class).isThrownBy(() -> as("stranger", use))
				.satisfies((ex) -> assertThat(ex.getClientRegistrationId()).isEqualTo("mcp-hosted"));
		}
		assertThat(as("stranger", () -> application.text("open_echo", Map.of()))).isEqualTo("open");
		assertAllRequestsAreOfOtherThan("stranger");
		login("stranger");
		assertThat(as("stranger", () -> application.text("hosted_whoami", Map.of()))).isEqualTo("stranger");
	}

	/**
	 * Return all ways to find and call a tool for the user of a thread, but that of
	 * models, who get errors as results.
	 */
	private static Map<String, Supplier<String>> waysTo(String name) {
		McpToolCatalog tools = application.tools();
		McpTool bean = injected(name);
		Map<String, Supplier<String>> ways = new LinkedHashMap<>();
		ways.put("get", () -> tools.get(name).call(Map.of()).text());
		ways.put("get of a selection", () -> tools.select("hosted_*").get(name).call(Map.of()).text());
		ways.put("get of the caller", () -> tools.forCaller().get(name).call(Map.of()).text());
		ways.put("getAsync", () -> present(tools.getAsync(name)).call(Map.of()).text());
		ways.put("getAsync of a selection",
				() -> present(tools.select("hosted_*").getAsync(name)).call(Map.of()).text());
		ways.put("getAsync of the caller", () -> present(tools.forCaller().getAsync(name)).call(Map.of()).text());
		ways.put("callTool", () -> application.registry().callTool(name, Map.of()).text());
		ways.put("bean", () -> bean.call(Map.of()).text());
		ways.put("callAsync of a bean", () -> present(bean.callAsync(Map.of())).text());
		return ways;
	}

	/**
	 * Return all ways for the user of a Reactor context, on a thread that must not block.
	 */
	private static Map<String, Mono<String>> asyncWaysTo(String name) {
		McpToolCatalog tools = application.tools();
		Map<String, Mono<McpToolResult>> ways = new LinkedHashMap<>();
		ways.put("getAsync", tools.getAsync(name).flatMap((tool) -> tool.callAsync(Map.of())));
		ways.put("getAsync of a selection",
				tools.select("hosted_*").getAsync(name).flatMap((tool) -> tool.callAsync(Map.of())));
		ways.put("getAsync of the caller",
				tools.forCaller().getAsync(name).flatMap((tool) -> tool.callAsync(Map.of())));
		ways.put("get of forCallerAsync",
				tools.forCallerAsync().flatMap((ofCaller) -> ofCaller.get(name).callAsync(Map.of())));
		ways.put("callAsync of a bean", injected(name).callAsync(Map.of()));
		Map<String, Mono<String>> texts = new LinkedHashMap<>();
		ways.forEach((way, call) -> texts.put(way, call.map(McpToolResult::text).subscribeOn(Schedulers.parallel())));
		return texts;
	}

	private static <T> T present(Mono<T> value) {
		return Objects.requireNonNull(value.block(LIMIT));
	}

	private static McpTool injected(String name) {
		AutowireCapableBeanFactory beans = application.context().getAutowireCapableBeanFactory();
		return name.equals("hosted_whoami") ? beans.createBean(Whoami.class).tool()
				: beans.createBean(OfGina.class).tool();
	}

	private static String inContext(String user, Mono<String> call) {
		return present(call.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication(user))));
	}

	@Test
	void eachWayFindsTheToolOfTheCaller() throws Exception {
		for (String user : List.of("gina", "hans")) {
			login(user);
			waysTo("hosted_whoami").forEach((way, call) -> assertThatNoException().as(way)
				.isThrownBy(() -> assertThat(as(user, call::get)).isEqualTo(user)));
			asyncWaysTo("hosted_whoami")
				.forEach((way, call) -> assertThat(inContext(user, call)).as(way).isEqualTo(user));
		}
		waysTo("hosted_of_gina").forEach((way, call) -> {
			assertThatNoException().as(way).isThrownBy(() -> assertThat(as("gina", call::get)).isEqualTo("gina"));
			assertThatExceptionOfType(NoSuchMcpToolException.class).as(way)
				.isThrownBy(() -> as("hans", call::get))
				.withMessage("No MCP tool 'hosted_of_gina'. Did you mean hosted_of_hans?");
			assertThatExceptionOfType(ClientAuthorizationRequiredException.class).as(way)
				.isThrownBy(() -> as("stranger-to-all", call::get));
		});
		asyncWaysTo("hosted_of_gina").forEach((way, call) -> {
			assertThat(inContext("gina", call)).as(way).isEqualTo("gina");
			assertThatExceptionOfType(NoSuchMcpToolException.class).as(way)
				.isThrownBy(() -> inContext("hans", call))
				.withMessage("No MCP tool 'hosted_of_gina'. Did you mean hosted_of_hans?");
			assertThatExceptionOfType(ClientAuthorizationRequiredException.class).as(way)
				.isThrownBy(() -> inContext("stranger-to-all", call));
		});
		McpToolResult answer = as("hans",
				() -> application.context().getBean(McpToolExecutor.class).execute("hosted_of_gina", Map.of()));
		assertThat(answer.isError()).isTrue();
		assertThat(answer.text()).startsWith("No MCP tool 'hosted_of_gina'.");
		assertThat(as("gina", () -> application.tools().find("hosted_of_gina"))).isPresent();
		assertThat(as("hans", () -> application.tools().find("hosted_of_gina"))).isEmpty();
		assertThat(names(application.tools())).containsExactly("open_echo");
		assertThat(application.tools().asMap()).containsOnlyKeys("open_echo");
		assertThat(application.tools().select("hosted_*").all()).isEmpty();
	}

	@Test
	void aBeanShowsTheToolOfTheCaller() throws Exception {
		McpTool ofGina = injected("hosted_of_gina");
		login("gina");
		login("hans");
		assertThat(as("gina", ofGina::available)).isTrue();
		assertThat(as("gina", ofGina::originalName)).isEqualTo("of_gina");
		assertThat(as("gina", ofGina::inputSchema)).containsEntry("type", "object");
		assertThat(as("hans", ofGina::available)).isFalse();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> as("hans", ofGina::inputSchema));
		assertThat(ofGina.available()).as("nobody").isFalse();
		assertThat(as("stranger-to-all", ofGina::available)).isFalse();
		assertThat(as("gina", ofGina::available)).isTrue();
	}

	@Test
	void aBeanFollowsItsServerToUsers() throws Exception {
		application.manager()
			.add(McpServerDefinition.http("turned", URI.create(server.url()))
				.headers(Map.of("Authorization", "Bearer token-of-application"))
				.build());
		try {
			McpTool tool = application.tools().get("turned_whoami");
			assertThat(tool.call(Map.of()).text()).isEqualTo("application");
			application.manager().replace(definition("turned", server.url(), McpToolPinning.OFF));
			await().untilAsserted(() -> assertThat(names(application.tools())).containsExactly("open_echo"));
			login("turned", "ines");
			assertThat(as("ines", () -> tool.call(Map.of()).text())).isEqualTo("ines");
			assertThat(as("ines", () -> Objects.requireNonNull(tool.callAsync(Map.of()).block(LIMIT)).text()))
				.isEqualTo("ines");
			assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
				.isThrownBy(() -> tool.call(Map.of()));
		}
		finally {
			application.manager().remove("turned");
		}
	}

	private static void add(String name, String url) {
		add(name, url, McpToolPinning.OFF);
	}

	private static void add(String name, String url, McpToolPinning pinning) {
		application.manager().add(definition(name, url, pinning));
	}

	private static McpServerDefinition definition(String name, String url, McpToolPinning pinning) {
		return McpServerDefinition.of(name, url.startsWith("ws") ? "websocket" : "streamable-http")
			.url(URI.create(url))
			.toolPinning(pinning)
			.auth(AuthSettings.of(Map.of("oauth2.grant-type", "authorization-code", "oauth2.client-id", "client",
					"oauth2.token-uri", "http://localhost:1/token", "oauth2.authorization-uri", "http://localhost:1")))
			.build();
	}

	@Test
	void aServerThatIsReplacedListsForUsersOnly() throws Exception {
		McpServerDefinition forUsers = definition("moved", server.url(), McpToolPinning.OFF).mutate()
			.toolFilter(List.of("whoami"))
			.build();
		application.manager()
			.add(McpServerDefinition.http("moved", URI.create(server.url()))
				.headers(Map.of("Authorization", "Bearer token-of-application"))
				.build());
		try (CapturedLog log = new CapturedLog("io.github.mcpclient").open()) {
			assertThat(names(application.tools())).contains("moved_whoami");
			application.manager().replace(forUsers);
			await().untilAsserted(() -> assertThat(names(application.tools())).containsExactly("open_echo"));
			assertThat(application.manager().server("moved").excludedTools()).isEmpty();
			assertThat(log.lines()).noneMatch((line) -> line.contains("whoami"));
			login("moved", "anne");
			assertThat(as("anne", () -> application.text("moved_whoami", Map.of()))).isEqualTo("anne");
		}
		finally {
			application.manager().remove("moved");
		}
	}

	/**
	 * A user of another test may be connected again.
	 */
	private static void assertAllRequestsAreOfOtherThan(String user) {
		assertThat(server.requests()).extracting((request) -> request.header("Authorization"))
			.doesNotContainNull()
			.noneMatch((authorization) -> authorization.endsWith(user));
	}

	@Test
	void eachUserSeesAndCallsTheirOwn() throws Exception {
		callAsBoth("hosted", "anne", "ben");
		assertThat(application.registry().server("hosted").status().users()).isGreaterThanOrEqualTo(2);
		assertThat(names(application.tools())).containsExactly("open_echo");
	}

	private void callAsBoth(String name, String one, String other) throws Exception {
		List<Callable<Object>> uses = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			String user = (i % 2 == 0) ? one : other;
			String own = name + "_of_" + user;
			String whoami = name + "_whoami";
			uses.add(() -> as(user, () -> {
				assertThat(names(tools())).contains(own, whoami, "open_echo")
					.doesNotContain(name + "_of_" + (user.equals(one) ? other : one));
				assertThat(names(tools().select(name + "_of_*"))).containsExactly(own);
				assertThat(names(application.tools().select(name + "_of_*").forCaller())).containsExactly(own);
				assertThat(tools().asMap()).containsKey(own);
				assertThat(application.text(whoami, Map.of())).isEqualTo(user);
				assertThat(application.context()
					.getBean(McpToolExecutor.class)
					.execute(own, McpToolRequest.of(Map.of()))
					.text()).isEqualTo(user);
				return null;
			}));
		}
		for (String listed : List.of(name, "hosted")) {
			login(listed, one);
			login(listed, other);
		}
		ExecutorService callers = Executors.newFixedThreadPool(CALLERS);
		try {
			for (Future<?> use : callers.invokeAll(uses)) {
				use.get();
			}
		}
		finally {
			callers.shutdownNow();
		}
		Predicate<McpTestRequest> ofServer = (request) -> (request.header("Upgrade") != null) == name.equals("socket");
		for (String method : List.of("initialize", "tools/list")) {
			assertThat(server.requests(method)).filteredOn(ofServer)
				.extracting(this::user)
				.containsExactlyInAnyOrder(one, other);
		}
		Map<String, String> sessions = new ConcurrentHashMap<>();
		server.calls()
			.forEach((call) -> assertThat(sessions.computeIfAbsent(user(call), (key) -> call.sessionId()))
				.isEqualTo(call.sessionId()));
		assertThat(sessions.get(one)).isNotEqualTo(sessions.get(other));
	}

	@Test
	void whatAServerListsForOneUserIsPinned() throws Exception {
		server
			.on("tools/list",
					(request) -> (user(request) != null)
							? McpTestReply.result(Map.of("tools",
									List.of(Map.of("name", "whoami", "inputSchema", Map.of("type", "object"),
											"description", user(request).equals("victim") ? "Steals" : "Tells"))))
							: refused());
		add("pinned", server.url(), McpToolPinning.BLOCK);
		for (String user : List.of("one", "two", "victim")) {
			login("pinned", user);
			login("hosted", user);
			assertThat(as(user, () -> names(tools()))).doesNotContain("pinned_whoami").contains("hosted_whoami");
		}
		ManagedMcpServer pinned = application.manager().server("pinned");
		assertThat(pinned.toolPins()).hasSize(2).extracting(McpToolPin::state).containsOnly(State.NEW);
		// the form that the victim sees was listed last
		String hash = pinned.toolPins().get(1).hash();
		pinned.approveTools(Map.of("whoami", hash));
		assertThat(pinned.toolPins()).extracting(McpToolPin::state).containsExactly(State.CHANGED, State.APPROVED);
		for (String user : List.of("one", "two")) {
			assertThat(as(user, () -> names(tools()))).contains("pinned_whoami");
			assertThat(as(user, () -> application.text("pinned_whoami", Map.of()))).isEqualTo(user);
		}
		assertThat(as("victim", () -> names(tools()))).doesNotContain("pinned_whoami");
		server.forgetRequests();
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> as("victim", () -> application.text("pinned_whoami", Map.of())));
		assertThat(server.calls()).isEmpty();
		application.manager().remove("pinned");
	}

	@Test
	void aToolOfOneUserIsNoneOfAnother() throws Exception {
		login("carl");
		login("dora");
		McpTool tool = as("carl", () -> tools().get("hosted_whoami"));
		assertThat(as("carl", () -> tool.call(Map.of()).text())).isEqualTo("carl");
		assertThatIllegalStateException().isThrownBy(() -> as("dora", () -> tool.call(Map.of())))
			.withMessageContaining("for another");
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> as("dora", () -> tools().get("hosted_of_carl")));
		assertThat(as("dora", () -> tools().get("hosted_whoami"))).isNotEqualTo(tool);
		assertThat(server.calls()).hasSize(1);
	}

	@Test
	void reactiveCallersNeverBlock() {
		login("eve");
		Mono<McpToolCatalog> catalog = application.tools().forCallerAsync();
		List<String> names = catalog.map(UserListingTests::names)
			.subscribeOn(Schedulers.parallel())
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("eve")))
			.block(LIMIT);
		assertThat(names).containsExactly("hosted_of_eve", "hosted_whoami", "open_echo");
		String text = catalog.flatMap((tools) -> tools.select("hosted_*").get("hosted_whoami").callAsync(Map.of()))
			.map(McpToolResult::text)
			.subscribeOn(Schedulers.parallel())
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("eve")))
			.block(LIMIT);
		assertThat(text).isEqualTo("eve");
		assertThatIllegalStateException()
			.isThrownBy(() -> Mono.fromCallable(() -> tools().get("hosted_whoami"))
				.subscribeOn(Schedulers.parallel())
				.block(LIMIT))
			.withMessageContaining("getAsync");
		assertThatIllegalStateException()
			.isThrownBy(() -> Mono.fromCallable(() -> injected("hosted_whoami").call(Map.of()))
				.subscribeOn(Schedulers.parallel())
				.block(LIMIT))
			.withMessageContaining("callAsync");
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class).isThrownBy(
				() -> catalog.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("unknown")))
					.block(LIMIT));
		assertThat(application.context()
			.getBean(McpToolExecutor.class)
			.execute("hosted_whoami",
					McpToolRequest.of(Map.of())
						.withContext(ReactiveSecurityContextHolder.withAuthentication(authentication("eve"))))
			.text()).isEqualTo("eve");
	}

	@Test
	void aDeclaredClientFindsTheToolsOfItsCaller() throws Exception {
		login("kim");
		login("lee");
		Hosted hosted = new McpToolClientFactory(application.registry()).create(Hosted.class);
		assertThat(as("kim", hosted::whoami)).isEqualTo("kim");
		assertThat(as("lee", hosted::whoami)).isEqualTo("lee");
		assertThat(as("kim", hosted::ofKim)).as("in the spelling of the server").isEqualTo("kim");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> as("lee", hosted::ofKim));
		assertThat(as("kim", hosted::ofKim)).isEqualTo("kim");
		assertThat(Mono.defer(hosted::whoamiLater)
			.subscribeOn(Schedulers.parallel())
			.contextWrite(ReactiveSecurityContextHolder.withAuthentication(authentication("lee")))
			.block(LIMIT)).isEqualTo("lee");
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> as("newcomer", hosted::whoami));
	}

	@Test
	void aRevokedGrantEndsTheConnection() throws Exception {
		login("finn");
		assertThat(as("finn", () -> application.text("hosted_whoami", Map.of()))).isEqualTo("finn");
		int users = application.registry().server("hosted").status().users();
		String session = server.calls().get(0).sessionId();
		this.revoked.add("finn");
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> as("finn", () -> application.text("hosted_whoami", Map.of())));
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(application.registry().server("hosted").status().users()).isLessThan(users));
		assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
			.isThrownBy(() -> as("finn", () -> tools().all()));
		this.revoked.clear();
		login("finn");
		assertThat(as("finn", () -> application.text("hosted_whoami", Map.of()))).isEqualTo("finn");
		assertThat(server.calls().get(server.calls().size() - 1).sessionId()).isNotEqualTo(session);
	}

	@Test
	void aTokenThatTheServerRefusesAtOnceNeedsAnotherLogin() {
		add("strict", server.url());
		login("strict", "gwen");
		this.revoked.add("gwen");
		try (CapturedLog log = new CapturedLog("io.github.mcpclient").open()) {
			assertThatExceptionOfType(ClientAuthorizationRequiredException.class)
				.isThrownBy(() -> as("gwen", () -> application.text("strict_whoami", Map.of())));
			assertThat(Stream.of(Level.WARN, Level.INFO).map(log::lines).flatMap(List::stream))
				.as("to log in is no failure")
				.noneMatch((line) -> line.contains("'strict'"));
		}
		finally {
			application.manager().remove("strict");
		}
		assertThat(server.requests("initialize"))
			.filteredOn((request) -> request.header("Authorization").endsWith("gwen"))
			.hasSize(1);
	}

	@Test
	void aServerThatIsDownCostsItsOwnToolsOnly() throws Exception {
		login("hugo");
		server.on("initialize", McpTestReply.status(503));
		assertThat(as("hugo", () -> names(tools()))).containsExactly("open_echo");
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> as("hugo", () -> application.text("hosted_whoami", Map.of())))
			.withMessageContaining("503");
	}

	@Test
	void aUserIsKnownOnOtherThreadsWithoutContextPropagation() throws Exception {
		ContextRegistry registry = ContextRegistry.getInstance();
		ThreadLocalAccessor<?> security = registry.getThreadLocalAccessors()
			.stream()
			.filter((accessor) -> accessor.key().equals(SecurityContext.class.getName()))
			.findFirst()
			.orElseThrow();
		registry.removeThreadLocalAccessor(SecurityContext.class.getName());
		server.capability("resources", Map.of())
			.on("resources/read", (request) -> McpTestReply
				.result(Map.of("contents", List.of(Map.of("uri", "test://me", "text", user(request))))));
		add("moving", server.url());
		try {
			login("moving", "jane");
			assertThat(as("jane", () -> application.registry().server("moving").readResource("test://me")).contents())
				.singleElement()
				.extracting("text")
				.isEqualTo("jane");
			assertThat(as("jane", () -> application.text("moving_whoami", Map.of()))).isEqualTo("jane");
			// through an interceptor, which has another thread
			Mono<McpToolResult> call = as("jane", () -> tools().get("moving_whoami")).callAsync(Map.of());
			assertThat(as("jane", () -> call.block(LIMIT)).text()).isEqualTo("jane");
			assertThatExceptionOfType(AuthenticationCredentialsNotFoundException.class)
				.isThrownBy(() -> application.text("moving_whoami", Map.of()));
		}
		finally {
			registry.registerThreadLocalAccessor(security);
			application.manager().remove("moving");
		}
	}

	@Test
	void eachUserHasAWebSocket() throws Exception {
		add("socket", server.webSocketUrl());
		afterTest(() -> application.manager().remove("socket"));
		callAsBoth("socket", "mia", "noah");
		assertThat(server.calls()).allMatch((call) -> call.header("Upgrade") != null);
		McpTool tool = as("mia", () -> tools().get("socket_whoami"));
		assertThatIllegalStateException().isThrownBy(() -> as("noah", () -> tool.call(Map.of())))
			.withMessageContaining("for another");
	}

	@Test
	void aUserSubscribesToResourcesOnTheirOwnConnection() throws Exception {
		BlockingQueue<String> updated = new LinkedBlockingQueue<>();
		ApplicationListener<?> listener = ApplicationListener
			.<McpResourceUpdatedEvent>forPayload((event) -> updated.add(event.uri()));
		application.context().addApplicationListener(listener);
		server.capability("resources", Map.of("subscribe", true)).on("resources/subscribe", (request) -> {
			request.notify("notifications/resources/updated", Map.of("uri", "test://" + user(request)));
			return McpTestReply.result(Map.of());
		}).on("resources/unsubscribe", McpTestReply.result(Map.of()));
		McpServer hosted = application.registry().server("hosted");
		for (String user : List.of("kim", "leo")) {
			login(user);
			as(user, () -> {
				hosted.subscribe("test://" + user);
				return null;
			});
			assertThat(updated.poll(30, TimeUnit.SECONDS)).isEqualTo("test://" + user);
		}
		as("kim", () -> {
			hosted.unsubscribe("test://kim");
			return null;
		});
		assertThat(server.requests("resources/unsubscribe")).extracting(this::user).containsExactly("kim");
		application.context().removeApplicationListener(listener);
	}

	@ParameterizedTest
	@ValueSource(strings = { "leaving", "disabled" })
	void closesTheConnectionsOfUsersWithTheServer(String name) throws Exception {
		add(name, server.url());
		login(name, "ida");
		server.on("tools/call", McpTestReply.never());
		CompletableFuture<Object> pending = CompletableFuture.supplyAsync(() -> {
			try {
				return as("ida", () -> application.text(name + "_whoami", Map.of()));
			}
			catch (Exception ex) {
				return ex;
			}
		});
		server.awaitCall("whoami");
		Mono<?> closed = name.equals("disabled") ? application.manager().disableAsync(name)
				: application.manager().removeAsync(name);
		closed.block(LIMIT);
		assertThat(pending.get()).isInstanceOf(McpServerUnavailableException.class);
		assertThat(server.awaitRequest("DELETE").header("Authorization")).isEqualTo("Bearer token-of-ida");
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> as("ida", () -> application.text(name + "_whoami", Map.of())));
	}

	@McpToolClient("hosted")
	interface Hosted {

		String whoami();

		@McpToolCall("whoami")
		Mono<String> whoamiLater();

		String ofKim();

	}

	record Whoami(@Qualifier("hosted_whoami") McpTool tool) {

	}

	record OfGina(@Qualifier("hosted_of_gina") McpTool tool) {

	}

	static class Logins {

		@Bean
		McpToolInterceptor interceptor() {
			return (tool, request, chain) -> chain.proceed(request);
		}

		@Bean
		OAuth2AuthorizedClientService logins() {
			return new InMemoryOAuth2AuthorizedClientService(Logins::registration);
		}

		static ClientRegistration registration(String id) {
			return ClientRegistration.withRegistrationId(id)
				.clientId("client")
				.authorizationGrantType(AuthorizationGrantType.AUTHORIZATION_CODE)
				.tokenUri("http://localhost:1/token")
				.authorizationUri("http://localhost:1/authorize")
				.redirectUri("http://localhost:1")
				.build();
		}

	}

}
