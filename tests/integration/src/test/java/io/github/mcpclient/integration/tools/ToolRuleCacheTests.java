package io.github.mcpclient.integration.tools;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Results that rules keep, over HTTP and of a child process that nobody here wrote.
 */
class ToolRuleCacheTests {

	private static final Map<String, Object> CACHED = Map.of("readOnlyHint", true, "idempotentHint", true);

	private static final McpTestServer server = McpTestServer.create();

	private static ClientApplication application;

	@BeforeAll
	static void start() {
		list(Map.of("readOnlyHint", true));
		server.start();
		application = ClientApplication.start(Headers.class, "mcp.servers.a.url=" + server.url(),
				"mcp.servers.a.request-timeout=20s", "mcp.startup.wait=60s", "mcp.servers.every.command=node",
				"mcp.servers.every.args=" + Peers.script("server-everything") + ",stdio",
				"mcp.servers.every.tools.rules[0].tools=echo", "mcp.servers.every.tools.rules[0].cache=1h",
				"mcp.servers.every.tools.rules[0].cache-regardless-of-hints=true",
				"mcp.servers.a.tools.rules[0].tools=!write", "mcp.servers.a.tools.rules[0].cache=1h",
				"mcp.servers.a.tools.rules[1].tools=flips",
				"mcp.servers.a.tools.rules[1].annotations.idempotent-hint=true",
				"mcp.servers.a.tools.rules[2].tools=denied",
				"mcp.servers.a.tools.rules[2].annotations.idempotent-hint=false",
				"mcp.servers.a.tools.rules[3].tools=brief", "mcp.servers.a.tools.rules[3].cache=1ms");
	}

	private static void list(Map<String, Object> flipping) {
		server.tools(List.of(tool("read", CACHED), tool("denied", CACHED), tool("brief", CACHED),
				tool("flips", flipping), tool("write", Map.of())));
	}

	private static Map<String, Object> tool(String name, Map<String, Object> annotations) {
		return Map.of("name", name, "inputSchema", Map.of("type", "object"), "annotations", annotations);
	}

	@AfterAll
	static void stop() {
		server.close();
		if (application != null) {
			application.close();
		}
	}

	@AfterEach
	void reset() {
		SecurityContextHolder.clearContext();
		Headers.tenant = "one";
		call("write", Map.of());
		server.forgetRequests();
	}

	@Test
	void aCallIsMadeOnceWhicheverWay() {
		Map<String, Object> arguments = new LinkedHashMap<>();
		arguments.put("message", "x");
		arguments.put("n", Map.of("a", 1, "b", 2));
		McpTool read = application.tools().get("a_read");
		assertThat(read.call(arguments).text()).isEqualTo("read x");
		assertThat(read.call("{\"n\": {\"b\": 2, \"a\": 1}, \"message\": \"x\"}").text()).isEqualTo("read x");
		assertThat(read.callAsync(arguments).map(McpToolResult::text).block(LIMIT)).isEqualTo("read x");
		assertThat(application.context().getBean(McpToolExecutor.class).execute("a_read", arguments).text())
			.isEqualTo("read x");
		assertThat(server.calls("read")).hasSize(1);
		assertThat(call("read", Map.of("message", "y"))).isEqualTo("read y");
		assertThat(server.calls("read")).hasSize(2);
	}

	@Test
	void neitherUsersNorHeadersShare() {
		int asked = Headers.asked.get();
		for (String user : List.of("ann", "bob", "ann")) {
			SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(user, "", "user"));
			call("read", Map.of());
		}
		assertThat(server.calls("read")).hasSize(2);
		Headers.tenant = "two";
		call("read", Map.of());
		assertThat(server.calls("read")).hasSize(3);
		assertThat(server.calls("read")).extracting((call) -> call.header("X-Tenant"))
			.containsExactly("one", "one", "two");
		assertThat(Headers.asked.get() - asked).as("once for each call").isEqualTo(4);
	}

	@Test
	void errorsAreNotKept() {
		server.onNext("tools/call", McpTestReply.toolError("no"));
		assertThat(application.tools().get("a_read").call(Map.of()).isError()).isTrue();
		assertThat(call("read", Map.of("message", ""))).isEqualTo("read ");
		assertThat(application.tools().get("a_read").call(Map.of()).isError()).isFalse();
	}

	@Test
	void toolsThatMayWriteDropResults() throws Exception {
		call("read", Map.of());
		call("flips", Map.of());
		call("read", Map.of());
		assertThat(server.calls("read")).as("a tool that reads drops nothing").hasSize(1);
		call("write", Map.of());
		call("read", Map.of());
		assertThat(server.calls("read")).hasSize(2);
		// as does one that comes in between a call and its result
		CountDownLatch answer = new CountDownLatch(1);
		server.onNext("tools/call", (request) -> {
			answer.await();
			return McpTestReply.text("old");
		});
		CompletableFuture<String> old = CompletableFuture.supplyAsync(() -> call("read", Map.of("message", "z")));
		await().until(() -> server.calls("read").size() == 3);
		call("write", Map.of());
		answer.countDown();
		assertThat(old.get()).isEqualTo("old");
		assertThat(call("read", Map.of("message", "z"))).isEqualTo("read z");
	}

	@Test
	void onlyWhatTheServerSaysMakesAToolOneThatIsKept() {
		for (String tool : List.of("flips", "denied", "flips", "denied")) {
			call(tool, Map.of());
		}
		assertThat(server.calls("flips")).hasSize(2);
		assertThat(server.calls("denied")).hasSize(2);
		call("read", Map.of());
		server.awaitListeners(1);
		list(CACHED);
		// no more than what nobody needs is forgotten
		System.gc();
		server.notifyToolsListChanged();
		await().until(() -> isKept("flips"));
		call("read", Map.of());
		assertThat(server.calls("read")).as("another list drops all").hasSize(2);
		list(Map.of("readOnlyHint", true));
		server.notifyToolsListChanged();
		await().until(() -> !isKept("flips"));
	}

	private static boolean isKept(String tool) {
		call(tool, Map.of());
		int before = server.calls(tool).size();
		call(tool, Map.of());
		return server.calls(tool).size() == before;
	}

	@Test
	void resultsAreKeptForTheTimeOfTheRule() {
		call("brief", Map.of());
		await().until(() -> {
			call("brief", Map.of());
			return server.calls("brief").size() > 1;
		});
	}

	@Test
	void childProcessesAreAskedOnce() {
		McpTool echo = application.tools().get("every_echo");
		String first = echo.call(Map.of("message", "x")).text();
		assertThat(echo.call(Map.of("message", "x")).text()).isEqualTo(first).contains("x");
		assertThat(application.manager().server("every").recentCalls()).hasSize(1);
	}

	private static String call(String tool, Map<String, Object> arguments) {
		return application.tools().get("a_" + tool).call(arguments).orThrow().text();
	}

	static class Headers {

		private static final AtomicInteger asked = new AtomicInteger();

		private static volatile String tenant = "one";

		@Bean
		McpHeadersProvider headers() {
			return McpHeadersProvider.of((request) -> {
				asked.addAndGet(request.forCaller() ? 1 : 0);
				return Map.of("X-Tenant", tenant);
			});
		}

	}

}
