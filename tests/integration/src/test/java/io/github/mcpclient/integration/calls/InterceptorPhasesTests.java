package io.github.mcpclient.integration.calls;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Pattern;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolApproval.Decision;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolInterceptor.Phase;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.ProjectFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.context.annotation.Bean;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Interceptors in the phases of the chain, among the rules for single tools.
 */
class InterceptorPhasesTests {

	private static final Map<String, Object> HELLO = Map.of("message", "hello");

	private final McpTestServer server = McpTestServer.create().tools("echo").start();

	private final ClientApplication application = ClientApplication.start(Interceptors.class,
			"mcp.servers.a.url=" + this.server.url(), "mcp.servers.a.request-timeout=30s",
			"mcp.servers.a.tools.rules[0].tools=*", "mcp.servers.a.tools.rules[0].arguments.tenant=acme",
			"mcp.servers.a.tools.rules[0].approval=always", "mcp.servers.a.tools.rules[0].cache=1h",
			"mcp.servers.a.tools.rules[0].cache-regardless-of-hints=true",
			"mcp.servers.a.tools.rules[0].rate-per-caller=2/h", "mcp.servers.a.tools.rules[0].rate=3/h");

	private final Interceptors interceptors = this.application.context().getBean(Interceptors.class);

	private final McpTool echo = this.application.tools().get("a_echo");

	@AfterEach
	void signOut() {
		SecurityContextHolder.clearContext();
	}

	@Test
	void eachStandsWhereItSays() {
		List<String> expected = List.of("APPLICATION [message]", "ARGUMENTS [message]", "APPROVAL [message, tenant]",
				"approval {message=hello, tenant=acme}", "CACHE [message, tenant]", "RATE_PER_CALLER [message, tenant]",
				"RATE [message, tenant]", "CALL [message, tenant]");
		assertThat(this.echo.call(HELLO).text()).isEqualTo("echo hello");
		assertThat(this.interceptors.seen).isEqualTo(expected);
		assertThat(this.server.calls()).singleElement()
			.satisfies((call) -> assertThat(call.arguments()).isEqualTo(Map.of("message", "hello", "tenant", "acme")));
		this.interceptors.seen.clear();
		assertThat(this.echo.callAsync(HELLO).block(LIMIT).text()).isEqualTo("echo hello");
		assertThat(this.interceptors.seen).as("what is cached goes no further").isEqualTo(expected.subList(0, 5));
	}

	@Test
	void callsThatAreRefusedReachNothingBehind() {
		this.echo.call(HELLO);
		this.echo.call(Map.of("message", "2"));
		this.interceptors.seen.clear();
		assertThat(this.echo.call(Map.of("message", "3")).text()).contains("its limit of 2 calls");
		assertThat(this.interceptors.seen).last().isEqualTo("RATE_PER_CALLER [message, tenant]");
		signIn("ann");
		assertThat(this.echo.call(Map.of("message", "4")).isError()).as("another caller").isFalse();
		signIn("bob");
		assertThat(this.echo.call(Map.of("message", "5")).text()).contains("its limit of 3 calls");
		assertThat(this.interceptors.seen).last().isEqualTo("RATE [message, tenant]");
		this.interceptors.decision = Decision.deny("it is Sunday");
		this.interceptors.seen.clear();
		assertThat(this.echo.callAsync(Map.of("message", "6")).block(LIMIT).text()).contains("it is Sunday");
		assertThat(this.interceptors.seen).last().isEqualTo("approval {message=6, tenant=acme}");
	}

	@Test
	void anApprovalLosesNoCaller() {
		signIn("ann");
		this.echo.call(HELLO);
		this.echo.callAsync(Map.of("message", "2")).block(LIMIT);
		assertThat(this.server.calls()).extracting((call) -> call.header("X-User")).containsExactly("ann", "ann");
	}

	@Test
	void docsHaveTheSameTable() throws IOException {
		String page = Files.readString(ProjectFiles.of("docs/tool-rules.md"));
		List<String> documented = Pattern.compile("(?m)^\\| `([A-Z_]+)` \\|")
			.matcher(page)
			.results()
			.map((row) -> row.group(1))
			.toList();
		assertThat(documented).isEqualTo(Arrays.stream(Phase.values()).map(Phase::name).toList());
	}

	private static void signIn(String name) {
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken(name, "", "user"));
	}

	private static List<String> sorted(McpToolRequest request) {
		List<String> names = new ArrayList<>(request.arguments().keySet());
		names.sort(null);
		return names;
	}

	static class Interceptors {

		private final List<String> seen = new CopyOnWriteArrayList<>();

		private volatile Decision decision = Decision.approve();

		@Bean
		McpToolApproval approval() {
			return McpToolApproval.of((tool, request) -> {
				this.seen.add("approval " + request.arguments());
				return this.decision;
			});
		}

		@Bean
		McpHeadersProvider headers() {
			return McpHeadersProvider.of((request) -> {
				Authentication user = SecurityContextHolder.getContext().getAuthentication();
				return (user != null) ? Map.of("X-User", user.getName()) : Map.of();
			});
		}

		@Bean
		McpToolInterceptor call() {
			return new Blocking(Phase.CALL, this.seen);
		}

		@Bean
		McpToolInterceptor rate() {
			return new NonBlocking(Phase.RATE, this.seen);
		}

		@Bean
		McpToolInterceptor ratePerCaller() {
			return new Blocking(Phase.RATE_PER_CALLER, this.seen);
		}

		@Bean
		McpToolInterceptor cache() {
			return new NonBlocking(Phase.CACHE, this.seen);
		}

		@Bean
		McpToolInterceptor beforeApproval() {
			return new Blocking(Phase.APPROVAL, this.seen);
		}

		@Bean
		McpToolInterceptor arguments() {
			return new NonBlocking(Phase.ARGUMENTS, this.seen);
		}

		@Bean
		McpToolInterceptor application() {
			return new Blocking(Phase.APPLICATION, this.seen);
		}

	}

	private record Blocking(Phase phase, List<String> seen) implements McpToolInterceptor {

		@Override
		public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
			this.seen.add(this.phase + " " + sorted(request));
			return chain.proceed(request);
		}

	}

	private record NonBlocking(Phase phase, List<String> seen) implements McpToolInterceptor.Async {

		@Override
		public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
			this.seen.add(this.phase + " " + sorted(request));
			return chain.proceedAsync(request);
		}

	}

}
