package io.github.mcpclient.audit;

import java.net.URI;
import java.security.Principal;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolApproval;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.actuate.McpEndpointWebExtension;
import io.github.mcpclient.agent.McpAgentsAutoConfiguration;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.audit.McpAuditRecord.Outcome;
import io.github.mcpclient.authorization.McpCallerIdentity;
import io.github.mcpclient.autoconfigure.McpClientAutoConfiguration;
import io.github.mcpclient.declared.McpDeclaredClientsAutoConfiguration;
import io.github.mcpclient.declared.McpToolCall;
import io.github.mcpclient.declared.McpToolClient;
import io.github.mcpclient.declared.McpToolClientFactory;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpReloadEvent;
import io.github.mcpclient.event.McpReloadFailedEvent;
import io.github.mcpclient.guard.McpGuardAutoConfiguration;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpReload;
import io.github.mcpclient.management.McpReloadFailure;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.reload.McpReloadAutoConfiguration;
import io.github.mcpclient.spi.McpToolPinStore;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests of what is recorded of an application.
 */
class AuditTests {

	private static final McpTestServer server = McpTestServer.create()
		.tools("echo", "denied", "hidden", "broken")
		.tool("fails", McpTestReply.toolError("no such file"))
		.tool("never", McpTestReply.never())
		.start();

	private static final BlockingQueue<McpAuditRecord> records = new LinkedBlockingQueue<>();

	private static final ThreadLocal<String> user = new ThreadLocal<>();

	private static ConfigurableApplicationContext application;

	private static McpServerRegistry registry;

	private static McpServerManager manager;

	@BeforeAll
	static void start() {
		application = new SpringApplicationBuilder(Application.class).run("--spring.main.web-application-type=none",
				"--spring.main.banner-mode=off", "--mcp.servers.a.url=" + server.url(), "--mcp.startup.wait=60s",
				"--mcp.servers.a.request-timeout=20s", "--mcp.servers.a.tools.filter=!hidden",
				"--mcp.servers.a.tools.rules[0].tools=denied", "--mcp.servers.a.tools.rules[0].approval=always",
				"--mcp.servers.gone.command=/no/such/command", "--mcp.servers.off.url=" + server.url(),
				"--mcp.servers.off.enabled=false", "--mcp.servers.pinned.url=" + server.url(),
				"--mcp.servers.pinned.tools.pinning=block");
		registry = application.getBean(McpServerRegistry.class);
		manager = application.getBean(McpServerManager.class);
	}

	@AfterAll
	static void stop() {
		application.close();
		server.close();
	}

	@BeforeEach
	void forget() {
		records.clear();
	}

	private static McpAuditRecord next() throws InterruptedException {
		McpAuditRecord next = records.poll(30, TimeUnit.SECONDS);
		assertThat(next).isNotNull();
		return next;
	}

	private static McpAuditRecord only() throws InterruptedException {
		McpAuditRecord only = next();
		// what comes after it would be here
		manager.disable("off");
		assertThat(next().action()).isEqualTo("disable");
		assertThat(records).isEmpty();
		return only;
	}

	private static void assertRecord(McpAuditRecord made, String server, String tool, Outcome outcome) {
		assertThat(made.action()).isEqualTo("call");
		assertThat(made.server()).isEqualTo(server);
		assertThat(made.tool()).isEqualTo(tool);
		assertThat(made.outcome()).isEqualTo(outcome);
		assertThat(made.duration()).isGreaterThanOrEqualTo(Duration.ZERO);
	}

	@Test
	void aCallIsRecorded() throws Exception {
		registry.callTool("a_echo", Map.of("text", "secret"));
		McpAuditRecord made = only();
		assertRecord(made, "a", "a_echo", Outcome.SUCCESS);
		assertThat(made.cause()).isNull();
		assertThat(made.caller()).isNull();
		assertThat(made.argumentsSha256()).hasSize(64);
		assertThat(made.toString()).doesNotContain("secret");
	}

	@Test
	void theCallerIsThatOfTheThreadOrOfTheReactorContext() throws Exception {
		user.set("alice");
		try {
			registry.callTool("a_echo", Map.of());
			assertThat(only().caller()).isEqualTo("alice");
		}
		finally {
			user.remove();
		}
		registry.tools()
			.get("a_echo")
			.callAsync(Map.of())
			.contextWrite(Context.of(Principal.class, (Principal) () -> "bob"))
			.block(Duration.ofSeconds(30));
		assertThat(only().caller()).isEqualTo("bob");
	}

	@Test
	void whatAToolReportsIsAnErrorOfIt() throws Exception {
		registry.callTool("a_fails", Map.of());
		assertRecord(only(), "a", "a_fails", Outcome.TOOL_ERROR);
	}

	@Test
	void whatARuleDeniesIsRefused() throws Exception {
		registry.callTool("a_denied", Map.of());
		McpAuditRecord made = only();
		assertRecord(made, "a", "a_denied", Outcome.REFUSED);
		assertThat(made.cause()).contains("since not today");
	}

	@Test
	void whatAnInterceptorThrowsFailsWithoutItsMessage() throws Exception {
		McpTool tool = registry.tools().get("a_broken");
		assertThatIllegalArgumentException().isThrownBy(() -> tool.call(Map.of()));
		McpAuditRecord made = only();
		assertRecord(made, "a", "a_broken", Outcome.FAILED);
		assertThat(made.cause()).isEqualTo("java.lang.NumberFormatException");
	}

	@Test
	void whatTakesTooLongIsATimeout() throws Exception {
		McpTool tool = registry.tools().get("a_never");
		McpToolRequest request = McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(50));
		assertThatExceptionOfType(McpRequestTimeoutException.class).isThrownBy(() -> tool.call(request));
		assertRecord(only(), "a", "a_never", Outcome.TIMEOUT);
	}

	@Test
	void whatIsCancelledIsRecorded() throws Exception {
		Disposable call = registry.tools().get("a_never").callAsync(Map.of()).subscribe();
		server.awaitCall("never");
		call.dispose();
		assertRecord(only(), "a", "a_never", Outcome.CANCELLED);
	}

	@Test
	void whatIsWithheldIsRefusedWithItsReasonHoweverItIsCalled() throws Exception {
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> registry.callTool("a_hidden", Map.of("x", 1)));
		McpAuditRecord made = only();
		assertRecord(made, "a", "a_hidden", Outcome.REFUSED);
		assertThat(made.cause()).contains("it is excluded");
		assertThat(made.argumentsSha256()).hasSize(64);
		McpTool injected = application.getBean("injected", Injected.class).tool();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> injected.call(Map.of()));
		assertRecord(only(), "a", "a_hidden", Outcome.REFUSED);
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> injected.callAsync(Map.of())
			.contextWrite(Context.of(Principal.class, (Principal) () -> "bob"))
			.block(Duration.ofSeconds(30)));
		McpAuditRecord async = only();
		assertRecord(async, "a", "a_hidden", Outcome.REFUSED);
		assertThat(async.caller()).isEqualTo("bob");
	}

	@Test
	void whatAPinWithholdsIsRefusedWithItsReason() throws Exception {
		McpTool injected = application.getBean("pinned", Injected.class).tool();
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> injected.call(Map.of()));
		McpAuditRecord made = only();
		assertRecord(made, "pinned", "pinned_echo", Outcome.REFUSED);
		assertThat(made.cause()).contains("tools.pinning is block, and it was never approved");
		assertThatExceptionOfType(NoSuchMcpToolException.class)
			.isThrownBy(() -> registry.callTool("pinned_echo", Map.of()));
		assertThat(only().cause()).isEqualTo(made.cause());
	}

	@Test
	void whatAModelAsksForIsRecordedThoughItIsNotOffered() throws Exception {
		McpToolExecutor executor = application.getBean(McpToolExecutor.class);
		assertThat(executor.execute("a_hidden", Map.of("x", 1)).isError()).isTrue();
		McpAuditRecord made = only();
		assertRecord(made, "a", "a_hidden", Outcome.REFUSED);
		assertThat(executor.execute("a_made_up", Map.of()).isError()).isTrue();
		assertThat(only().tool()).isEqualTo("a_made_up");
	}

	@Test
	void aDeclaredClientIsRecordedOnce() throws Exception {
		Declared declared = application.getBean(McpToolClientFactory.class).create(Declared.class);
		declared.echo("hello");
		assertRecord(only(), "a", "a_echo", Outcome.SUCCESS);
		user.set("alice");
		try {
			assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> declared.hidden("x"));
			McpAuditRecord made = only();
			assertRecord(made, "a", "a_hidden", Outcome.REFUSED);
			assertThat(made.argumentsSha256()).isEqualTo(
					new AuditedArguments(McpAuditProperties.Arguments.HASHED, List.of()).hash(Map.of("text", "x")));
			assertThatExceptionOfType(NoSuchMcpToolException.class)
				.isThrownBy(() -> declared.hiddenAsync("x").block(Duration.ofSeconds(30)));
			assertThat(only().caller()).isEqualTo("alice");
		}
		finally {
			user.remove();
		}
	}

	@Test
	void anActOfActuatorHasItsUser() throws Exception {
		McpEndpointWebExtension actuator = new McpEndpointWebExtension(new McpEndpoint(manager, Schedulers.immediate(),
				true, List::of, List::of, () -> application.getBean(McpServerReloader.class)));
		actuator.act(new Operator(), "off", "disable", null, null);
		McpAuditRecord made = only();
		assertThat(made.action()).isEqualTo("disable");
		assertThat(made.server()).isEqualTo("off");
		assertThat(made.caller()).isEqualTo("operator");
		actuator.reload(new Operator(), "reload");
		McpAuditRecord reload = only();
		assertThat(reload.action()).isEqualTo("reload");
		assertThat(reload.caller()).isEqualTo("operator");
	}

	@Test
	void aCallOfAServerThatNeverWasThereFails() throws Exception {
		assertThatExceptionOfType(McpServerUnavailableException.class)
			.isThrownBy(() -> registry.callTool("gone_tool", Map.of()));
		McpAuditRecord made = only();
		assertRecord(made, "gone", "gone_tool", Outcome.FAILED);
		assertThat(made.cause()).contains("'gone'");
	}

	@Test
	void administrationIsRecorded() throws Exception {
		user.set("root");
		try {
			McpServerDefinition added = McpServerDefinition.http("b", URI.create(server.url())).build();
			manager.add(added);
			manager.replace(added);
			manager.disable("b");
			manager.enableAsync("b").block(Duration.ofSeconds(30));
			ManagedMcpServer managed = manager.server("b");
			assertThat(managed).isEqualTo(manager.find("b").orElseThrow())
				.isNotEqualTo(manager.server("a"))
				.isIn(manager.servers());
			managed.refresh();
			managed.reconnectAsync().block(Duration.ofSeconds(30));
			manager.remove("b");
		}
		finally {
			user.remove();
		}
		for (String action : List.of("add", "replace", "disable", "enable", "refresh", "reconnect", "remove")) {
			McpAuditRecord made = next();
			assertThat(made.action()).isEqualTo(action);
			assertThat(made.server()).isEqualTo("b");
			assertThat(made.caller()).isEqualTo("root");
			assertThat(made.outcome()).isEqualTo(Outcome.SUCCESS);
		}
		assertThat(records).isEmpty();
	}

	@Test
	void administrationThatFailsIsRecorded() throws Exception {
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> manager.enable("nobody"));
		McpAuditRecord made = only();
		assertThat(made.action()).isEqualTo("enable");
		assertThat(made.server()).isEqualTo("nobody");
		assertThat(made.outcome()).isEqualTo(Outcome.FAILED);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> manager.server("a").approveToolsAsync(Map.of("echo", "123")).block());
		McpAuditRecord approval = only();
		assertThat(approval.action()).isEqualTo("approve");
		assertThat(approval.arguments()).isEqualTo("{\"echo\":\"123\"}");
		assertThat(approval.cause()).contains("'a'");
	}

	@Test
	void reloadsAreRecorded() throws Exception {
		user.set("root");
		try {
			McpServerReloader reloader = application.getBean(McpServerReloader.class);
			reloader.reload();
			reloader.reloadAsync().block(Duration.ofSeconds(30));
		}
		finally {
			user.remove();
		}
		for (int i = 0; i < 2; i++) {
			McpAuditRecord made = next();
			assertThat(made.action()).isEqualTo("reload");
			assertThat(made.caller()).isEqualTo("root");
		}
		assertThat(records).isEmpty();
		application.publishEvent(
				new McpReloadEvent(new McpReload(List.of("x"), List.of(), List.of(), List.of("y"), 3, List.of())));
		McpAuditRecord made = only();
		assertThat(made.action()).isEqualTo("reloaded");
		assertThat(made.arguments())
			.isEqualTo("{\"added\":[\"x\"],\"removed\":[\"y\"],\"replaced\":[],\"updated\":[]}");
		application.publishEvent(new McpReloadFailedEvent(new McpReloadFailure(Instant.EPOCH, "no file", List.of())));
		McpAuditRecord failed = only();
		assertThat(failed.outcome()).isEqualTo(Outcome.FAILED);
		assertThat(failed.cause()).isEqualTo("no file");
	}

	@McpToolClient("a")
	interface Declared {

		String echo(String text);

		String hidden(String text);

		@McpToolCall("hidden")
		Mono<String> hiddenAsync(String text);

	}

	private static final class Operator implements SecurityContext {

		@Override
		public Principal getPrincipal() {
			return () -> "operator";
		}

		@Override
		public boolean isUserInRole(String role) {
			return true;
		}

	}

	record Injected(McpTool tool) {
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ McpAgentsAutoConfiguration.class, McpDeclaredClientsAutoConfiguration.class,
			McpAuditAutoConfiguration.class, McpGuardAutoConfiguration.class, McpClientAutoConfiguration.class,
			McpReloadAutoConfiguration.class, SslAutoConfiguration.class })
	static class Application {

		@Bean
		McpAuditSink sink() {
			return records::addAll;
		}

		@Bean
		McpAuditSink broken() {
			return (records) -> {
				throw new IllegalStateException("broken");
			};
		}

		@Bean
		McpCallerIdentity callers() {
			return () -> Mono.fromSupplier(user::get);
		}

		@Bean
		McpToolApproval approval() {
			return McpToolApproval.of((tool, request) -> McpToolApproval.Decision.deny("not today"));
		}

		@Bean
		McpToolInterceptor interceptor() {
			return (tool, request, chain) -> {
				if (tool.name().equals("a_broken")) {
					throw new NumberFormatException("For input string: \"DE89 3704\"");
				}
				return chain.proceed(request);
			};
		}

		@Bean
		Injected injected(@Qualifier("a_hidden") McpTool tool) {
			return new Injected(tool);
		}

		@Bean
		Injected pinned(@Qualifier("pinned_echo") McpTool tool) {
			return new Injected(tool);
		}

		@Bean
		McpToolPinStore pins() {
			return new McpToolPinStore() {

				@Override
				public List<ApprovedTool> approved(String serverName) {
					return List.of();
				}

				@Override
				public void approve(String serverName, Collection<ApprovedTool> tools) {
				}

			};
		}

	}

}
