package io.github.mcpclient.docs;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.spi.McpToolListingCustomizer;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

import org.springframework.boot.WebApplicationType;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.Order;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * The beans of {@code docs/calling-tools.md} that take part in calls.
 */
class DocumentedBeansTests {

	private final McpTestServer library = McpTestServer.create().tools("find").start();

	private final McpTestServer other = McpTestServer.create().tools("find").start();

	private ClientApplication application;

	private McpTool start(Class<?> beans) {
		this.application = ClientApplication.start(WebApplicationType.NONE, new Class<?>[] { beans },
				"mcp.servers.library.url=" + this.library.url(), "mcp.servers.other.url=" + this.other.url());
		return this.application.tools().get("library_find");
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

	@Test
	void toolsThatAreLeftOutOrShownOtherwise() {
		this.library.tools("find", "internal_reset");
		McpTool find = start(Customizers.class);
		assertThat(find.description()).endsWith(" (of server library)");
		assertThat(this.application.manager().server("library").excludedTools())
			.containsExactly(new ExcludedTool("internal_reset", "it is for the server itself"));
	}

	record ToolCalled(String tool, boolean error) {

	}

	interface Approvals {

		boolean ask(String tool, Map<String, Object> arguments);

	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		McpToolListingCustomizer listing() {
			return (tool) -> {
				if (tool.tool().name().startsWith("internal_")) {
					tool.exclude("it is for the server itself");
					return;
				}
				Tool shown = tool.shown();
				tool.show(Tool.builder(shown.name(), shown.inputSchema())
					.title(shown.title())
					.description(shown.description() + " (of server " + tool.listing().definition().name() + ")")
					.outputSchema(shown.outputSchema())
					.annotations(shown.annotations())
					.build());
			};
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

	static class Approval implements McpToolInterceptor.Async {

		private final Approvals approvals;

		Approval(Approvals approvals) {
			this.approvals = approvals;
		}

		@Override
		public Phase phase() {
			return Phase.APPROVAL;
		}

		@Override
		public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
			return chain.blocking(() -> this.approvals.ask(tool.name(), request.arguments()))
				.flatMap((approved) -> approved ? chain.proceedAsync(request)
						: Mono.just(McpToolResult.error(tool.name(), "The user did not approve this call.")));
		}

	}

}
