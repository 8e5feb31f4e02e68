package io.github.mcpclient.integration.servers;

import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolNamingStrategy;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.event.McpServerStateChangedEvent;
import io.github.mcpclient.event.McpToolsChangedEvent;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.ManagedMcpServer.ExcludedTool;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

/**
 * Servers that are added, replaced and removed while the application runs.
 */
class ServersAtRuntimeTests {

	private final McpTestServer one = McpTestServer.create().tools("hello").start();

	private final McpTestServer two = McpTestServer.create().tools("hello", "world").start();

	@Test
	void anAddedServerIsLikeAConfiguredOne() {
		ClientApplication application = start(WebApplicationType.SERVLET);
		McpServerRegistry registry = application.registry();
		McpServerStatus status = application.manager().add(server("added", this.two));
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
		assertThat(names(registry)).containsExactly("one", "added");
		assertThat(registry.server("added").tools()).extracting(McpTool::name)
			.containsExactly("added_hello", "added_world");
		assertThat(application.text("added_world", Map.of("message", "1"))).isEqualTo("world 1");
		assertThat(application.get("/actuator/mcp").path("servers").propertyNames()).containsExactly("one", "added");
		assertThat(application.get("/actuator/mcp/added").path("tools")).hasSize(2);
		assertThat(application.get("/actuator/health/mcp/added").path("status").asString()).isEqualTo("UP");
		assertThat(application.get("/actuator/info").path("mcp").path("servers").path("added").path("tools").asInt())
			.isEqualTo(2);
		await().until(() -> beans(application).contains("added_world"));
		assertThat(application.context().getBean("added_world", McpTool.class).call(Map.of("message", "2")).text())
			.isEqualTo("world 2");
		Events events = application.context().getBean(Events.class);
		await().until(() -> events.of("added").size() == 3);
		assertThat(events.of("added")).containsExactly("IDLE -> CONNECTING", "+[added_hello, added_world]",
				"CONNECTING -> READY");
	}

	@Test
	void nothingOfARemovedServerIsLeft() {
		ClientApplication application = start(WebApplicationType.SERVLET, "mcp.servers.other.url=" + two());
		McpServerRegistry registry = application.registry();
		ManagedMcpServer handle = application.manager().server("other");
		McpTool tool = registry.tools().get("other_world");
		Events events = application.context().getBean(Events.class);
		events.takeUntilReady("one", "other");
		application.manager().remove("other");
		assertThat(names(registry)).containsExactly("one");
		assertThat(registry.tools().find("other_world")).isEmpty();
		await().until(() -> this.two.sessions().isEmpty() && this.two.listeners() == 0);
		assertThat(handle.status().state()).isEqualTo(McpServerState.CLOSED);
		assertThat(handle.status().lastError()).isEqualTo("It was removed.");
		assertThat(handle.tools()).isEmpty();
		assertThat(handle.excludedTools()).isEmpty();
		assertThat(handle.reconnect()).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.CLOSED);
		assertThatExceptionOfType(McpServerUnavailableException.class).isThrownBy(() -> handle.refresh())
			.withMessage("MCP server 'other' (" + two() + ") is CLOSED: It was removed.");
		assertThat(tool.available()).isFalse();
		assertThat(tool.description()).isEqualTo("The tool world");
		assertThatExceptionOfType(NoSuchMcpToolException.class).isThrownBy(() -> tool.call(Map.of()));
		assertThat(application.exchange("/actuator/mcp/other").statusCode()).isEqualTo(404);
		assertThat(application.exchange("/actuator/health/mcp/other").statusCode()).isEqualTo(404);
		assertThat(application.get("/actuator/info").path("mcp").path("servers").propertyNames())
			.containsExactly("one");
		await().until(() -> events.of("other").size() == 2);
		assertThat(events.of("other")).containsExactly("-[other_hello, other_world]", "READY -> CLOSED");
		await().until(() -> !beans(application).contains("other_world"));
		// the others are untouched
		assertThat(events.of("one")).isEmpty();
		assertThat(this.one.requests("initialize")).hasSize(1);
		assertThat(application.text("one_hello", Map.of("message", "1"))).isEqualTo("hello 1");
		// the name is free, and beans that were kept are of use again
		application.manager().add(server("other", this.two));
		assertThat(tool.call(Map.of("message", "3")).text()).isEqualTo("world 3");
		assertThat(handle.tools()).isEmpty();
		await().until(() -> beans(application).contains("other_world"));
	}

	@Test
	void aReplacedServerKeepsItsPlaceAndItsHandles() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		application.manager().add(server("last", this.one));
		ManagedMcpServer handle = application.manager().server("one");
		McpTool tool = registry.tools().get("one_hello");
		Events events = application.context().getBean(Events.class);
		events.takeUntilReady("one", "last");
		McpServerStatus status = application.manager().replace(server("one", this.two));
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
		assertThat(names(registry)).containsExactly("one", "last");
		assertThat(registry.server("one")).isSameAs(handle);
		assertThat(handle.status().target()).isEqualTo(two());
		await().untilAsserted(() -> assertThat(this.one.sessions()).as("only that of 'last'").hasSize(1));
		assertThat(tool.call(Map.of("message", "1")).text()).isEqualTo("hello 1");
		assertThat(this.two.calls()).extracting(McpTestRequest::name).containsExactly("hello");
		assertThat(registry.tools().find("one_world")).isPresent();
		await().until(() -> events.of("one").size() == 4);
		assertThat(events.of("one")).containsExactlyInAnyOrder("READY -> CLOSED", "IDLE -> CONNECTING", "+[one_world]",
				"CONNECTING -> READY");
		assertThat(events.of("last")).isEmpty();
	}

	@Test
	void otherRulesForItsToolsCostAServerNoSession() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		McpServerDefinition definition = server("other", this.two);
		application.manager().add(definition);
		McpTool tool = registry.tools().get("other_hello");
		Events events = application.context().getBean(Events.class);
		events.takeUntilReady("one", "other");
		McpServerDefinition filtered = definition.mutate().toolFilter(List.of("!world")).build();
		assertThat(application.manager().replace(filtered)).isNotNull()
			.extracting(McpServerStatus::state)
			.isEqualTo(McpServerState.READY);
		assertThat(registry.server("other").tools()).containsExactly(tool);
		assertThat(application.manager().server("other").excludedTools())
			.containsExactly(new ExcludedTool("world", "mcp.servers.other.tools.filter denies it: !world"));
		await().atMost(LIMIT).until(() -> events.of("other").size() == 1);
		assertThat(events.of("other")).containsExactly("-[other_world]");
		application.manager().replace(definition.mutate().toolPrefix("p").build());
		assertThat(application.text("p_world", Map.of("message", "1"))).isEqualTo("world 1");
		assertThat(this.two.requests("initialize")).hasSize(1);
		assertThat(registry.server("other").definition().tools().prefix()).isEqualTo("p");
		// and after a restart
		application.context().stop();
		application.context().start();
		assertThat(registry.server("other").tools()).extracting(McpTool::name).containsExactly("p_hello", "p_world");
		assertThat(this.two.requests("initialize")).hasSize(2);
		// to replace a definition by the same one is to connect anew
		application.manager().replace(definition.mutate().toolPrefix("p").build());
		assertThat(this.two.requests("initialize")).hasSize(3);
	}

	@Test
	void noSettingOfItsToolsCostsAServerItsSession(@TempDir Path folder) {
		ClientApplication application = start(WebApplicationType.NONE,
				"mcp.tools.pins=" + folder.resolve("lock").toUri());
		McpServerDefinition definition = server("other", this.two);
		application.manager().add(definition);
		ManagedMcpServer server = application.manager().server("other");
		for (RecordComponent setting : Tools.class.getRecordComponents()) {
			McpServerDefinition other = otherTools(definition.mutate(), setting.getName()).build();
			assertThat(other.tools()).isNotEqualTo(definition.tools());
			application.manager().replace(other);
			assertThat(server.definition().tools()).isEqualTo(other.tools());
			assertThat(this.two.requests("initialize")).as(setting.getName()).hasSize(1);
			if (setting.getName().equals("pinning")) {
				assertThat(server.tools()).isEmpty();
				await().untilAsserted(() -> assertThat(server.excludedTools()).extracting(ExcludedTool::reason)
					.containsOnly("tools.pinning is block, and it was never approved"));
			}
		}
	}

	private static McpServerDefinitionBuilder otherTools(McpServerDefinitionBuilder builder, String setting) {
		McpToolRule rule = McpToolRule.builder("hello").timeout(Duration.ofSeconds(5)).title("Hello").build();
		return switch (setting) {
			case "enabled" -> builder.toolsEnabled(false);
			case "prefix" -> builder.toolPrefix("p");
			case "filter" -> builder.toolFilter(List.of("!world"));
			case "policy" -> builder.toolPolicy(new McpToolPolicy(McpToolAccess.READ_ONLY, true, true));
			case "validateArguments" -> builder.validateArguments(true);
			case "validateResults" -> builder.validateResults(false);
			case "hideWhenUnavailable" -> builder.hideWhenUnavailable(Duration.ofMinutes(1));
			case "maxText" -> builder.maxText(1000);
			case "keepResults" -> builder.keepResults(Duration.ofMinutes(1));
			case "pinning" -> builder.toolPinning(McpToolPinning.BLOCK);
			case "defaultRules" -> builder.defaultToolRules(List.of(rule));
			case "rules" -> builder.toolRules(List.of(rule));
			default -> throw new AssertionError("Set another value of " + setting);
		};
	}

	@Test
	void whatRulesFixIsMaskedFromTheBeginningOfASession() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerDefinition definition = server("other", this.two);
		McpServerDefinition fixed = definition.mutate()
			.toolRule("hello", (rule) -> rule.argument("message", "s3cr3t-text"))
			.build();
		application.manager().add(definition);
		application.manager().replace(fixed);
		assertThat(this.two.requests("initialize")).hasSize(2);
		assertThat(application.registry().tools().get("other_hello").call(Map.of()).text())
			.isEqualTo("hello s3cr3t-text");
		application.manager().replace(definition);
		application.manager().replace(fixed);
		assertThat(this.two.requests("initialize")).as("it is masked already").hasSize(2);
	}

	@Test
	void callsMadeDuringAReplacementWaitForTheNewConnection() {
		CompletableFuture<Void> go = new CompletableFuture<>();
		McpTestServer slow = closing(
				McpTestServer.create().tools("hello").on("POST", McpTestReply.standard().after(go)).start());
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		application.manager().replaceAsync(server("one", slow)).subscribe();
		assertThat(registry.tools()).extracting(McpTool::name).containsExactly("one_hello");
		assertThat(registry.tools().get("one_hello").available()).isFalse();
		CompletableFuture<McpToolResult> call = registry.tools()
			.get("one_hello")
			.callAsync(Map.of("message", "1"))
			.toFuture();
		assertThat(call).isNotDone();
		go.complete(null);
		assertThat(call).succeedsWithin(LIMIT).extracting(McpToolResult::text).isEqualTo("hello 1");
		assertThat(slow.calls()).extracting(McpTestRequest::name).containsExactly("hello");
	}

	@Test
	void theRulesOfTheNewDefinitionHoldAtOnce() throws Exception {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		URI down = URI.create("http://localhost:" + Peers.freePort() + "/mcp");
		McpServerStatus status = application.manager()
			.replace(McpServerDefinition.http("one", down).toolPrefix("other").build());
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(registry.tools()).extracting(McpTool::name).containsExactly("other_hello");
		application.manager().replace(McpServerDefinition.http("one", down).enabled(false).build());
		assertThat(application.state("one")).isEqualTo(McpServerState.DISABLED);
		assertThat(registry.tools()).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void callsUnderWayFailAtOnce(boolean remove) throws Exception {
		this.one.on("tools/call", McpTestReply.never());
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		CompletableFuture<McpToolResult> call = registry.tools().get("one_hello").callAsync(Map.of()).toFuture();
		this.one.awaitRequest("tools/call");
		Mono<?> change = remove ? application.manager().removeAsync("one")
				: application.manager().replaceAsync(server("one", this.two));
		CompletableFuture<?> ended = change.toFuture();
		assertThat(call).failsWithin(LIMIT)
			.withThrowableThat()
			.havingRootCause()
			.isInstanceOf(McpServerUnavailableException.class)
			.withMessage("MCP server 'one' (" + this.one.url() + ") is CLOSED: It was "
					+ (remove ? "removed." : "replaced."));
		assertThat(ended).succeedsWithin(LIMIT);
		this.one.awaitSessions(0);
	}

	@Test
	void removalEndsAnAttemptToConnect() {
		ClientApplication application = start(WebApplicationType.NONE);
		long before = children();
		CompletableFuture<McpServerStatus> added = application.manager()
			.addAsync(McpServerDefinition.stdio("silent", "/bin/sleep", "1000").build())
			.toFuture();
		await().until(() -> children() > before);
		application.manager().remove("silent");
		assertThat(added).succeedsWithin(LIMIT).extracting(McpServerStatus::state).isEqualTo(McpServerState.CLOSED);
		await().until(() -> children() == before);
	}

	@Test
	void aRemovedChildDoesNotOutliveTheContext(@TempDir Path directory) {
		Path ready = directory.resolve("ready");
		Set<ProcessHandle> before = ProcessHandle.current().children().collect(Collectors.toSet());
		List<ProcessHandle> added;
		try (ClientApplication application = start(WebApplicationType.NONE)) {
			application.manager()
				.addAsync(McpServerDefinition
					.stdio("stubborn", "/bin/sh", "-c",
							"trap '' TERM; echo > " + ready + "; while :; do sleep 0.05; done")
					.build())
				.subscribe();
			await().until(() -> Files.exists(ready));
			added = ProcessHandle.current().children().filter((child) -> !before.contains(child)).toList();
			application.manager().removeAsync("stubborn").subscribe();
		}
		assertThat(added).isNotEmpty().noneMatch(ProcessHandle::isAlive);
	}

	@Test
	void aNamingStrategyThatBlocksKeepsNobodyElseWaiting() throws Exception {
		SlowNaming.blocking = new CountDownLatch(1);
		SlowNaming.go = new CountDownLatch(1);
		CountDownLatch go = SlowNaming.go;
		afterTest(go::countDown);
		ClientApplication application = ClientApplication.start(SlowNaming.class,
				"mcp.servers.one.url=" + this.one.url(), "mcp.servers.two.url=" + this.two.url());
		McpServerRegistry registry = application.registry();
		McpServerDefinition slow = server("one", this.two).mutate().required(true).build();
		CompletableFuture<McpServerStatus> replaced = CompletableFuture
			.supplyAsync(() -> application.manager().replace(slow));
		SlowNaming.blocking.await();
		CompletableFuture<Void> others = CompletableFuture.runAsync(() -> {
			application.manager().remove("two");
			application.context().stop();
		});
		assertThat(others).succeedsWithin(LIMIT);
		assertThat(replaced).isNotDone();
		go.countDown();
		assertThat(replaced).succeedsWithin(LIMIT);
		assertThat(names(registry)).containsExactly("one");
		assertThat(registry.tools()).extracting(McpTool::serverName).containsOnly("one");
	}

	@Test
	void ofTwoToolsOfOneNameThatOfTheServerThatCameFirstIsListed() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		application.manager()
			.add(McpServerDefinition.http("two", URI.create(this.two.url())).toolPrefix("one").build());
		assertThat(registry.tools().get("one_hello").serverName()).isEqualTo("one");
		assertThat(application.manager().server("two").excludedTools()).hasSize(1);
		await().until(() -> application.context().containsBean("one_hello"));
		assertThat(application.context().getBean("one_hello", McpTool.class).serverName()).isEqualTo("one");
		Events events = application.context().getBean(Events.class);
		events.takeUntilReady("one", "two");
		application.manager().removeAsync("one").subscribe();
		assertThat(registry.tools().get("one_hello").serverName()).isEqualTo("two");
		// a bean that was injected does not turn into the tool of another server
		assertThat(application.manager().server("two").excludedTools()).containsExactly(new ExcludedTool("hello",
				"not a bean, though in the catalog: the bean of that name stays that of server 'one'"));
		await().until(() -> events.of("two").size() == 1 && events.of("one").size() == 2);
		assertThat(events.all).startsWith("one: -[one_hello]", "two: +[one_hello]");
	}

	@Test
	void mistakesAreThoseOfTheConfiguration() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		McpServerDefinition wrong = McpServerDefinition.http("wrong", URI.create("ftp://user:s3cr3t@host/?s3cr3t"))
			.headers(Map.of("X Y", "s3cr3t"))
			.requestTimeout(Duration.ZERO)
			.initializationTimeout(LIMIT)
			.connectTimeout(LIMIT)
			.build();
		assertThatIllegalArgumentException().isThrownBy(() -> application.manager().add(wrong))
			.withMessage("Invalid definition of MCP server 'wrong':\n"
					+ "- url: The URL must begin with http:// or https://.\n"
					+ "- request-timeout: The duration must be longer than zero.\n"
					+ "- headers[X Y]: This is not a valid name for a header: use letters, digits and "
					+ "!#$%&'*+-.^_`|~ only.");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> application.manager().replace(McpServerDefinition.of("one", "htp").build()))
			.withMessage("Invalid definition of MCP server 'one':\n- type: There is no such transport type. "
					+ "Did you mean streamable-http? The types are sse, stdio, streamable-http, websocket.");
		assertThatIllegalArgumentException().isThrownBy(
				() -> application.manager().replace(server("one", this.two).mutate().toolFilter(List.of(" ")).build()))
			.withMessageStartingWith("Invalid definition of MCP server 'one':\n- tools.filter");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> application.manager()
				.add(McpServerDefinition.http("tls", URI.create("https://localhost:9/mcp")).sslBundle("none").build()))
			.withMessage("Invalid definition of MCP server 'tls':\n- ssl.bundle: There is no SSL bundle of that name."
					+ " No bundles exist: define it below spring.ssl.bundle.");
		assertThatIllegalArgumentException().isThrownBy(() -> application.manager().add(server("ONE", this.two)))
			.withMessage("MCP server 'ONE' cannot be added. There is also 'one', which is the same name: case, "
					+ "'-', '_' and '.' do not count. Rename one of them.");
		assertThatIllegalArgumentException().isThrownBy(() -> application.manager().add(server("one", this.two)))
			.withMessage("MCP server 'one' cannot be added. A server of that name exists: use "
					+ "McpServerManager.replace to change its definition.");
		assertThatIllegalArgumentException().isThrownBy(() -> application.manager().add(server("a/b", this.two)))
			.withMessageStartingWith("MCP server 'a/b' cannot be added. This is not a valid name for a server");
		assertThatExceptionOfType(NoSuchMcpServerException.class)
			.isThrownBy(() -> application.manager().replace(server("ONE", this.two)))
			.withMessage("No MCP server 'ONE'. Did you mean one?");
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> application.manager().remove("none"))
			.withMessage("No MCP server 'none'. Did you mean one?");
		assertThat(names(registry)).containsExactly("one");
		assertThat(application.state("one")).isEqualTo(McpServerState.READY);
		assertThat(this.one.requests("initialize")).hasSize(1);
	}

	@Test
	void customizersSeeServersThatComeLater() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		application.manager().add(server("customized", this.two));
		assertThat(application.tools().find("by-customizer_hello")).isPresent();
		application.manager().replace(server("customized", this.one));
		assertThat(application.tools().find("by-customizer_hello")).isPresent();
		assertThatIllegalStateException().isThrownBy(() -> application.manager().add(server("refused", this.two)))
			.withMessage("not this one");
		assertThat(names(registry)).containsExactly("one", "customized");
	}

	@Test
	void threadsThatMustNotBlockMayAddAndRemove() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerStatus status = Mono.defer(() -> application.manager().addAsync(server("two", this.two)))
			.flatMap((added) -> application.manager().replaceAsync(server("two", this.two)))
			.flatMap((replaced) -> application.manager().removeAsync("two").thenReturn(replaced))
			.subscribeOn(Schedulers.parallel())
			.block(LIMIT);
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
		assertThat(this.two.requests("initialize")).hasSize(2);
		this.two.awaitSessions(0);
	}

	@Test
	void listenersMayAddAndRemove() {
		ClientApplication application = start(WebApplicationType.NONE);
		Events events = application.context().getBean(Events.class);
		events.onTools = (event) -> {
			if (event.serverName().equals("two") && !event.added().isEmpty()) {
				application.manager().remove("one");
			}
		};
		application.manager().add(server("two", this.two));
		await().until(() -> names(application.registry()).equals(List.of("two")));
		await().until(() -> !beans(application).contains("one_hello"));
	}

	@Test
	void serversThatComeBeforeTheStartStartWithIt() {
		Early.server = server("early", this.two);
		ClientApplication application = ClientApplication.start(Early.class, "mcp.servers.one.url=" + this.one.url());
		assertThat(names(application.registry())).containsExactly("early");
		assertThat(Early.state).isEqualTo(McpServerState.IDLE);
		assertThat(application.state("early")).isEqualTo(McpServerState.READY);
		assertThat(application.context().getBean("early_hello")).isInstanceOf(McpTool.class);
		assertThat(this.one.requests("initialize")).isEmpty();
	}

	@Test
	void changesDuringAPauseHoldAfterIt() {
		ClientApplication application = start(WebApplicationType.NONE);
		McpServerRegistry registry = application.registry();
		McpServerManager manager = application.manager();
		try (application) {
			application.context().stop();
			McpServerStatus status = manager.add(server("paused", this.two));
			assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.CLOSED);
			manager.replace(server("one", this.two));
			assertThat(manager.server("paused").reconnect()).isNotNull()
				.extracting(McpServerStatus::state)
				.isEqualTo(McpServerState.CLOSED);
			assertThat(this.two.requests("initialize")).isEmpty();
			application.context().start();
			assertThat(application.text("paused_world", Map.of("message", "1"))).isEqualTo("world 1");
			assertThat(application.text("one_world", Map.of("message", "2"))).isEqualTo("world 2");
			application.context().stop();
			manager.remove("paused");
			application.context().start();
			assertThat(names(registry)).containsExactly("one");
			await().until(() -> this.two.sessions().size() == 1);
		}
		assertThatIllegalStateException().isThrownBy(() -> manager.add(server("late", this.two)))
			.withMessage("The registry of MCP servers is closed: the application has stopped");
		assertThatIllegalStateException().isThrownBy(() -> manager.replace(server("one", this.two)));
		this.two.awaitSessions(0);
	}

	@Test
	void lazyServersConnectAtTheirFirstUse() {
		ClientApplication application = start(WebApplicationType.NONE, "mcp.startup.mode=lazy");
		McpServerRegistry registry = application.registry();
		McpServerStatus status = application.manager().add(server("two", this.two));
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.IDLE);
		assertThat(application.text("two_hello", Map.of("message", "1"))).isEqualTo("hello 1");
		status = application.manager().add(server("three", this.two));
		assertThat(status).isNotNull().extracting(McpServerStatus::state).isEqualTo(McpServerState.READY);
		// and once more after a pause
		application.context().stop();
		application.context().start();
		assertThat(application.state("two")).isEqualTo(McpServerState.IDLE);
		assertThat(application.tools().get("one_hello").available()).isTrue();
		await().until(() -> application.state("three") == McpServerState.READY);
	}

	private ClientApplication start(WebApplicationType type, String... properties) {
		String[] all = Stream
			.concat(Stream.of("mcp.servers.one.url=" + this.one.url(), "management.endpoints.web.exposure.include=*",
					"management.endpoint.health.show-components=always"), Stream.of(properties))
			.toArray(String[]::new);
		return ClientApplication.start(type, new Class<?>[] { Events.class, Customizing.class }, all);
	}

	private String two() {
		return this.two.url();
	}

	private static McpServerDefinition server(String name, McpTestServer server) {
		return McpServerDefinition.http(name, URI.create(server.url())).build();
	}

	private static List<String> names(McpServerRegistry registry) {
		return registry.servers().stream().map(McpServer::name).toList();
	}

	private static List<String> beans(ClientApplication application) {
		return List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(application.context(), McpTool.class));
	}

	private static long children() {
		return ProcessHandle.current().children().filter(ProcessHandle::isAlive).count();
	}

	/**
	 * What is told, in its order.
	 */
	static class Events {

		private final List<String> all = new CopyOnWriteArrayList<>();

		private volatile Consumer<McpToolsChangedEvent> onTools = (event) -> {
		};

		@EventListener
		void stateChanged(McpServerStateChangedEvent event) {
			this.all.add(event.status().name() + ": " + event.previousState() + " -> " + event.status().state());
		}

		@EventListener
		void toolsChanged(McpToolsChangedEvent event) {
			String text = (event.added().isEmpty() ? "" : "+" + event.added().stream().sorted().toList())
					+ (event.removed().isEmpty() ? "" : "-" + event.removed().stream().sorted().toList());
			this.all.add(event.serverName() + ": " + text);
			this.onTools.accept(event);
		}

		private List<String> of(String server) {
			return this.all.stream()
				.filter((event) -> event.startsWith(server + ": "))
				.map((event) -> event.substring(server.length() + 2))
				.toList();
		}

		/**
		 * Wait for the last of what is told at the start, and forget it all.
		 */
		private void takeUntilReady(String... servers) {
			await().untilAsserted(() -> assertThat(servers)
				.allSatisfy((server) -> assertThat(of(server)).contains("CONNECTING -> READY")));
			this.all.clear();
		}

	}

	static class Customizing {

		@Bean
		McpServerCustomizer customizer() {
			return (name, builder) -> {
				if (name.equals("customized")) {
					builder.toolPrefix("by-customizer");
				}
				if (name.equals("refused")) {
					throw new IllegalStateException("not this one");
				}
			};
		}

	}

	/**
	 * Changes the servers before they start.
	 */
	static class Early implements SmartInitializingSingleton {

		private static McpServerDefinition server;

		private static McpServerState state;

		private final McpServerManager manager;

		Early(McpServerManager manager) {
			this.manager = manager;
		}

		@Override
		public void afterSingletonsInstantiated() {
			McpServerStatus status = this.manager.add(server);
			state = (status != null) ? status.state() : null;
			this.manager.remove("one");
		}

	}

	/**
	 * Waits when it names the tools of a server that became required.
	 */
	static class SlowNaming {

		private static volatile CountDownLatch blocking;

		private static volatile CountDownLatch go;

		@Bean
		McpToolNamingStrategy naming() {
			return (server, tool) -> {
				if (server.required()) {
					blocking.countDown();
					Unchecked.run(() -> go.await());
				}
				return server.name() + "_" + tool.name();
			};
		}

	}

}
