package io.github.mcpclient.docs;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;
import org.springframework.security.authentication.TestingAuthenticationToken;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.ReactiveSecurityContextHolder;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The beans of {@code docs/calling-tools.md} that take part in calls.
 */
class DocumentedBeansTests {

	private final McpTestServer library = McpTestServer.create().tools("find").start();

	private final McpTestServer other = McpTestServer.create().tools("find").start();

	private ClientApplication application;

	@AfterEach
	void stop() {
		SecurityContextHolder.clearContext();
	}

	private McpTool start(Class<?> beans) {
		this.application = ClientApplication.start(WebApplicationType.NONE, new Class<?>[] { beans },
				"mcp.servers.library.url=" + this.library.url(), "mcp.servers.other.url=" + this.other.url());
		return this.application.tools().get("library_find");
	}

	private List<String> tokens(String method) {
		return this.library.requests(method).stream().map((request) -> request.header("Authorization")).toList();
	}

	@Test
	void theTokenOfTheUserOfAThread() {
		McpTool find = start(ThreadBoundUser.class);
		SecurityContextHolder.getContext().setAuthentication(new TestingAuthenticationToken("alice", "t0k3n"));
		find.call(Map.of());
		find.callAsync(Map.of()).block(LIMIT);
		this.application.tools().get("other_find").call(Map.of());
		assertThat(tokens("tools/call")).containsExactly("Bearer t0k3n", "Bearer t0k3n");
		assertThat(tokens("initialize")).allMatch(Objects::isNull);
		assertThat(this.other.requests("tools/call")).hasSize(1)
			.noneMatch((request) -> request.headers().containsKey("Authorization"));
	}

	@Test
	void theTokenOfTheUserOfAReactiveCaller() {
		McpTool find = start(ReactiveUser.class);
		Mono.defer(() -> find.callAsync(Map.of()))
			.subscribeOn(Schedulers.parallel())
			.contextWrite(
					ReactiveSecurityContextHolder.withAuthentication(new TestingAuthenticationToken("alice", "t0k3n")))
			.block(LIMIT);
		assertThat(tokens("tools/call")).containsExactly("Bearer t0k3n");
		assertThat(tokens("initialize")).allMatch(Objects::isNull);
	}

	@Test
	void anAuditAndAnApproval() {
		assertThat(start(Interceptors.class).call(Map.of()).isError()).isFalse();
		McpToolResult refused = this.application.tools().get("other_find").call(Map.of());
		assertThat(refused.isError()).isTrue();
		assertThat(refused.text()).isEqualTo("The user did not approve this call.");
		assertThat(this.other.calls()).isEmpty();
		assertThat(this.application.context().getBean(Interceptors.class).audited)
			.containsExactly(new ToolCalled("library_find", false), new ToolCalled("other_find", true));
	}

	@Test
	void anApprovalThatHoldsNoThreadAfterwards() {
		McpTool find = start(AsynchronousInterceptors.class);
		McpTool other = this.application.tools().get("other_find");
		assertThat(find.callAsync(Map.of()).block(LIMIT).isError()).isFalse();
		assertThat(find.call(Map.of()).isError()).isFalse();
		assertThat(other.callAsync(Map.of()).block(LIMIT).isError()).isTrue();
		assertThat(other.call(Map.of()).isError()).isTrue();
		assertThat(this.other.calls()).isEmpty();
	}

	record ToolCalled(String tool, boolean error) {

	}

	interface Approvals {

		boolean ask(String tool, Map<String, Object> arguments);

	}

	@Configuration(proxyBeanMethods = false)
	static class ThreadBoundUser {

		@Bean
		McpHeadersProvider userToken() {
			return McpHeadersProvider.forServer("library", McpHeadersProvider.of((request) -> {
				Authentication user = SecurityContextHolder.getContext().getAuthentication();
				return (user != null) ? Map.of("Authorization", "Bearer " + user.getCredentials()) : Map.of();
			}));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class ReactiveUser {

		@Bean
		McpHeadersProvider userToken() {
			return McpHeadersProvider.forServer("library",
					(request) -> ReactiveSecurityContextHolder.getContext()
						.map(SecurityContext::getAuthentication)
						.map((user) -> Map.of("Authorization", "Bearer " + user.getCredentials())));
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class Interceptors {

		private final List<ToolCalled> audited = new CopyOnWriteArrayList<>();

		@Bean
		Approvals approvals() {
			return (tool, arguments) -> tool.startsWith("library_");
		}

		@EventListener
		void on(ToolCalled event) {
			this.audited.add(event);
		}

		@Bean
		@Order(1)
		McpToolInterceptor audit(ApplicationEventPublisher events) {
			return (tool, request, chain) -> {
				McpToolResult result = chain.proceed(request);
				events.publishEvent(new ToolCalled(tool.name(), result.isError()));
				return result;
			};
		}

		@Bean
		@Order(2)
		McpToolInterceptor approval(Approvals approvals) {
			return (tool, request, chain) -> approvals.ask(tool.name(), request.arguments()) ? chain.proceed(request)
					: McpToolResult.error(tool.name(), "The user did not approve this call.");
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class AsynchronousInterceptors {

		@Bean
		McpToolInterceptor approval() {
			return new Approval((tool, arguments) -> tool.startsWith("library_"));
		}

	}

	static class Approval implements McpToolInterceptor {

		private final Approvals approvals;

		Approval(Approvals approvals) {
			this.approvals = approvals;
		}

		@Override
		public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
			return interceptAsync(tool, request, chain).block();
		}

		@Override
		public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
			return chain.blocking(() -> this.approvals.ask(tool.name(), request.arguments()))
				.flatMap((approved) -> approved ? chain.proceedAsync(request)
						: Mono.just(McpToolResult.error(tool.name(), "The user did not approve this call.")));
		}

	}

}
