package io.github.mcpclient.auth.oauth2;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.auth.oauth2.AuthorizationServerStub.Reply;
import io.github.mcpclient.event.McpServerExceptionEvent;
import io.github.mcpclient.springai.McpToolCallbackProvider;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.event.EventListener;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.core.OAuth2AccessToken;
import org.springframework.security.oauth2.core.OAuth2AccessToken.TokenType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * How long users wait for the list of their tools, and what is told of it, where one
 * server cannot be used.
 */
class UserListingTimesTests {

	// more than connections are opened at a time
	private static final int USERS = 140;

	// for which a request to the silent authorization server waits
	private static final Duration SILENCE = Duration.ofSeconds(30);

	private static final String[] NAMES = { "echo", "good_echo" };

	private static final McpTestServer server = McpTestServer.create().tools("echo").start();

	private static final CapturedLog log = new CapturedLog("io.github.mcpclient.connection.McpConnection");

	private static ServerSocket silent;

	private static AuthorizationServerStub authorization;

	private static ClientApplication application;

	@BeforeAll
	static void start() throws IOException {
		silent = new ServerSocket(0, 2 * USERS, InetAddress.getLoopbackAddress());
		authorization = new AuthorizationServerStub();
		authorization.on("/token",
				(request) -> new Reply(200, "{\"access_token\": \"token\", \"token_type\": \"Bearer\"}"));
		application = ClientApplication.start(Failures.class,
				Stream
					.of(List.of("mcp.servers.open.url=" + server.url(), "mcp.servers.open.tools.prefix=",
							"mcp.startup.wait=1s"), exchanged("good", authorization.url() + "/token"),
							exchanged("silent", "http://localhost:" + silent.getLocalPort()),
							List.of("mcp.servers.mistyped.url=" + server.url(),
									"mcp.servers.mistyped.auth.oauth2.grant-type=jwt-bearer",
									"mcp.servers.mistyped.auth.oauth2.client-id=client",
									"mcp.servers.mistyped.auth.oauth2.client-secret=secret",
									"mcp.servers.mistyped.auth.oauth2.token-uri=" + authorization.url() + "/token",
									"mcp.servers.mistyped.auth.oauth2.identity-provider=mistyped"))
					.flatMap(List::stream)
					.toArray(String[]::new));
		log.open();
	}

	private static List<String> exchanged(String name, String tokenUri) {
		return Stream
			.of("url=" + server.url(), "connect-timeout=" + SILENCE.toSeconds() + "s",
					"auth.oauth2.grant-type=token-exchange", "auth.oauth2.client-id=client",
					"auth.oauth2.client-secret=secret", "auth.oauth2.token-uri=" + tokenUri)
			.map((property) -> "mcp.servers." + name + "." + property)
			.toList();
	}

	@Test
	void oneSilentAuthorizationServerCostsItsOwnToolsOnly() throws Exception {
		McpToolCatalog tools = application.tools();
		Callable<List<String>> list = () -> tools.forCaller().all().stream().map(McpTool::name).toList();
		Awaitility.await()
			.atMost(SILENCE.multipliedBy(2))
			.pollInterval(Duration.ofSeconds(1))
			.until(() -> list(list).stream().allMatch(List.of(NAMES)::equals));
		assertThat(list(() -> tools.forCallerAsync()
			.map((own) -> own.all().stream().map(McpTool::name).toList())
			.contextWrite(ReactiveSecurityContextHolder
				.withAuthentication(SecurityContextHolder.getContext().getAuthentication()))
			.block())).allMatch(List.of(NAMES)::equals);
		assertThat(list(() -> Stream.of(bean(McpToolCallbackProvider.class).getToolCallbacks())
			.map((callback) -> callback.getToolDefinition().name())
			.toList())).allMatch(List.of(NAMES)::equals);
		assertThat(list(
				() -> bean(ToolProvider.class).provideTools(new ToolProviderRequest("memory", UserMessage.from("x")))
					.aiServiceTools()
					.stream()
					.map((tool) -> tool.toolSpecification().name())
					.toList()))
			.allMatch(List.of(NAMES)::equals);
	}

	/**
	 * List for all users at once, which takes a part of the time of one request to the
	 * silent authorization server.
	 */
	private List<List<String>> list(Callable<List<String>> listing) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(USERS);
		try {
			List<List<String>> listed = new ArrayList<>();
			long begin = System.nanoTime();
			for (Future<List<String>> names : threads
				.invokeAll(IntStream.range(0, USERS).mapToObj((user) -> as("user" + user, listing)).toList())) {
				listed.add(names.get());
			}
			assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SILENCE.dividedBy(2));
			assertThat(listed).allMatch((names) -> names.contains("echo"));
			return listed;
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static <T> Callable<T> as(String user, Callable<T> action) {
		return () -> {
			Object token = new OAuth2AccessToken(TokenType.BEARER, user, null, null);
			SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(token, "x", "USER"));
			try {
				return action.call();
			}
			finally {
				SecurityContextHolder.clearContext();
			}
		};
	}

	@Test
	void whyAServerListsNothingIsToldOnce() throws Exception {
		for (int i = 0; i < 3; i++) {
			as("user" + i, () -> application.tools().forCaller().all()).call();
		}
		McpServerStatus status = application.registry().server("mistyped").status();
		assertThat(status.lastError()).startsWith("A user is not connected: ")
			.contains("mistyped")
			.contains("identity-provider");
		assertThat(log.lines(Level.WARN)).filteredOn((line) -> line.contains("mistyped"))
			.singleElement()
			.asString()
			.contains("'mistyped'", status.lastError());
		Failures failures = bean(Failures.class);
		Awaitility.await()
			.untilAsserted(() -> assertThat(failures.events)
				.anyMatch((event) -> event.exception().getMessage().contains("no client registration")));
		assertThat(failures.events)
			.filteredOn((event) -> event.exception().getMessage().contains("no client registration"))
			.hasSize(1);
	}

	private static <T> T bean(Class<T> type) {
		return application.context().getBean(type);
	}

	static class Failures {

		private final List<McpServerExceptionEvent> events = new CopyOnWriteArrayList<>();

		@EventListener
		void on(McpServerExceptionEvent event) {
			this.events.add(event);
		}

	}

}
