package io.github.mcpclient.interoperability;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests that load balancers find the node of a session by their cookies, if that is
 * configured, and that nobody else gets them.
 */
class StickySessionTests extends AbstractInteroperabilityTests {

	/**
	 * Be two nodes behind a load balancer.
	 */
	private void twoNodes() {
		AtomicInteger requests = new AtomicInteger();
		AtomicReference<String> home = new AtomicReference<>();
		this.peer.protocolVersions("2025-11-25").on("POST", (request) -> {
			String cookie = request.header("Cookie");
			String node = (cookie != null) ? cookie.replaceFirst("AWSALB=", "") : "n" + requests.incrementAndGet() % 2;
			if (request.method().equals("initialize")) {
				home.set(node);
			}
			boolean known = request.sessionId() == null || node.equals(home.get());
			return (known ? McpTestReply.standard() : McpTestReply.status(404)).withHeader("Set-Cookie",
					"AWSALB=" + node + "; Expires=Fri, 01 Jan 2100 00:00:00 GMT; Path=/");
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "none", "bearer" })
	void sessionStaysOnItsNode(String auth) {
		twoNodes();
		McpServer server = connect((definition) -> definition.cookies(true)
			.auth(auth.equals("none") ? McpServerAuth.of("none") : McpServerAuth.bearer("t0ken-of-the-server")));
		assertReady(server);
		for (int i = 0; i < 5; i++) {
			assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		}
		assertThat(this.peer.requests("initialize")).hasSize(1);
	}

	@Test
	void failureHintsAtTheSetting() {
		twoNodes();
		McpServer server = connect((definition) -> definition.reconnect(OFF));
		assertThat(server.status().lastError()).contains("The server no longer knows the session (HTTP 404)",
				"if it keeps losing sessions, a load balancer may need them: set 'cookies' of its definition to true");
		assertThat(cookies()).containsOnlyNulls();
	}

	@Test
	void noHintWhereNoCookiesAreSet() {
		this.peer.onNext("notifications/initialized", McpTestReply.status(404));
		assertThat(connect((definition) -> definition.reconnect(OFF).protocol("legacy")).status().lastError())
			.contains("no longer knows the session")
			.doesNotContain("cookies");
	}

	@ParameterizedTest
	@CsvSource({ "a=1, a=1", "a=1; Path=/, a=1", "a=1; Path=/mcp, a=1", "a=1; Path=/mc,", "a=1; Path=/other,",
			"a=1; Domain=localhost, a=1", "a=1; Domain=evil.example,", "a=1; Domain=host,", "a=1; Secure,",
			"a=1; Max-Age=0,", "'a=1; Expires=Thu, 01 Jan 1970 00:00:00 GMT',", "a=1; Max-Age=9999999999, a=1",
			"a=1; HttpOnly; SameSite=None; Max-Age=3600, a=1", "nonsense,", "'a=\"x y\"', 'a=\"x y\"'" })
	void attributesAreHonored(String cookie, String sent) {
		this.peer.protocolVersions("2025-11-25")
			.onNext("initialize", McpTestReply.standard().withHeader("Set-Cookie", cookie));
		assertReady(connect((definition) -> definition.cookies(true)));
		assertThat(this.peer.awaitRequest("tools/list").header("Cookie")).isEqualTo(sent);
	}

	@Test
	void numberAndSizeAreLimited() {
		AtomicInteger next = new AtomicInteger();
		this.peer.protocolVersions("2025-11-25")
			.on("POST", (request) -> McpTestReply.standard()
				.withHeader("Set-Cookie", "c" + next.getAndIncrement() + "=" + "x".repeat(100)));
		McpServer server = connect((definition) -> definition.cookies(true));
		IntStream.range(0, 30).forEach((i) -> tool(server, "echo").call(Map.of()));
		this.peer.on("POST", McpTestReply.standard().withHeader("Set-Cookie", "long=" + "x".repeat(5000)));
		tool(server, "echo").call(Map.of());
		tool(server, "echo").call(Map.of());
		List<McpTestRequest> calls = this.peer.calls();
		String cookie = calls.get(calls.size() - 1).header("Cookie");
		assertThat(cookie).doesNotContain("long=");
		assertThat(cookie.split("; ")).hasSize(20);
	}

	@Test
	void newSessionBeginsWithoutAndConfiguredOnesComeFirst() {
		this.peer.protocolVersions("2025-11-25")
			.on("POST", McpTestReply.standard().withHeader("Set-Cookie", "node=n1"));
		McpServer server = connect((definition) -> definition.cookies(true).headers(Map.of("Cookie", "own=1")));
		tool(server, "echo").call(Map.of());
		this.peer.forgetSessions();
		tool(server, "echo").call(Map.of());
		assertThat(List.of(this.peer.requests().get(0), this.peer.requests("initialize").get(1)))
			.extracting((request) -> request.header("Cookie"))
			.containsOnly("own=1");
		assertThat(this.peer.calls()).extracting((request) -> request.header("Cookie")).containsOnly("own=1; node=n1");
	}

	@Test
	void cookiesOfOneCallerAreNotSentForAnother() {
		AtomicReference<String> user = new AtomicReference<>();
		McpHeadersProvider provider = (request) -> Mono
			.just(request.forCaller() ? Map.of("X-User", user.get()) : Map.of());
		this.peer.protocolVersions("2025-11-25")
			.on("initialize", McpTestReply.standard().withHeader("Set-Cookie", "node=n1"))
			.on("tools/call",
					(request) -> McpTestReply.standard().withHeader("Set-Cookie", "LOGIN=" + request.header("X-User")));
		try (StandaloneMcpClient client = StandaloneMcpClient.builder()
			.add(provider)
			.startupWait(Duration.ofSeconds(60))
			.server(McpServerDefinition.http(NAME, URI.create(this.peer.url())).cookies(true).build())
			.build()) {
			for (String name : List.of("alice", "bob", "alice")) {
				user.set(name);
				tool(client.registry().server(NAME), "echo").call(Map.of());
			}
		}
		assertThat(this.peer.calls()).hasSize(3).extracting((call) -> call.header("Cookie")).containsOnly("node=n1");
	}

	@Test
	void valuesAreMasked() {
		this.peer.protocolVersions("2025-11-25")
			.on("initialize", McpTestReply.standard().withHeader("Set-Cookie", "node=affinity-of-n1"))
			.tool("repeat", (request) -> McpTestReply.text(request.header("Cookie")))
			.tool("refuse", (request) -> McpTestReply.status(403).body("text/plain", request.header("Cookie")));
		McpServer server = connect((definition) -> definition.cookies(true));
		assertThat(tool(server, "repeat").call(Map.of()).text()).isEqualTo("node=******");
		assertThatExceptionOfType(McpException.class).isThrownBy(() -> tool(server, "refuse").call(Map.of()))
			.withMessageContaining("node=******");
	}

	private List<String> cookies() {
		return this.peer.requests().stream().map((request) -> request.header("Cookie")).toList();
	}

}
