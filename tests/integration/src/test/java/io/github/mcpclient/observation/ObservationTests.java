package io.github.mcpclient.observation;

import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

import dev.langchain4j.agent.tool.ToolExecutionRequest;
import dev.langchain4j.data.message.UserMessage;
import dev.langchain4j.service.tool.ToolProvider;
import dev.langchain4j.service.tool.ToolProviderRequest;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.agent.McpToolExecutor;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.ConnectionObserver;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestRequest;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Unchecked;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.contextpropagation.ObservationThreadLocalAccessor;
import io.modelcontextprotocol.spec.McpError;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;

import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.ai.tool.observation.DefaultToolCallingObservationConvention;
import org.springframework.ai.tool.observation.ToolCallingObservationContext;
import org.springframework.ai.tool.observation.ToolCallingObservationDocumentation;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.afterTest;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

/**
 * What is observed of requests and connections, in an application.
 */
class ObservationTests {

	private static final String OPERATION = "mcp.client.operation.duration";

	private static final String HANDLED = "mcp.server.operation.duration";

	private static final String SECRET = "a-secret-of-mine";

	private static final McpTestServer server = McpTestServer.create();

	private static ClientApplication application;

	private static ObservedApplication observed;

	private static ObservationRegistry observations;

	private static MeterRegistry meters;

	private final McpTool echo = application.tools().get("a_echo");

	@BeforeAll
	static void start() {
		server.tools("echo", "one").prompt("greeting", "hello").resource("test://r", "text").start();
		application = ClientApplication.start(ObservedApplication.class, "mcp.servers.a.url=" + server.url(),
				"mcp.servers.a.max-concurrent-calls=1", "mcp.servers.a.headers.Authorization=Bearer " + SECRET,
				"mcp.observations.include-arguments=true", "mcp.observations.include-results=true",
				"mcp.observations.max-names=3", "mcp.servers.a.tools.rules[0].tools=one",
				"mcp.servers.a.tools.rules[0].arguments.tenant=acme");
		observed = bean(ObservedApplication.class);
		observations = bean(ObservationRegistry.class);
		meters = bean(MeterRegistry.class);
	}

	@BeforeEach
	void forget() {
		await().until(() -> application.state("a"), McpServerState.READY::equals);
		server.reset().tools("echo", "one").prompt("greeting", "hello").resource("test://r", "text");
		server.forgetRequests();
		observed.ended.clear();
		observed.handled.clear();
	}

	@Test
	void callerIsTheParentOnEachPath() throws Exception {
		Map<String, Object> hello = Map.of("message", "hello");
		McpServer a = application.registry().server("a");
		Map<String, Callable<?>> paths = new LinkedHashMap<>();
		paths.put("call", () -> this.echo.call(hello));
		paths.put("callAsync", () -> this.echo.callAsync(hello).block(LIMIT));
		paths.put("executor", () -> bean(McpToolExecutor.class).execute("a_echo", hello));
		paths.put("Spring AI",
				() -> List.of(bean(ToolCallbackProvider.class).getToolCallbacks())
					.stream()
					.filter((callback) -> callback.getToolDefinition().name().equals("a_echo"))
					.findFirst()
					.orElseThrow()
					.call("{\"message\": \"hello\"}"));
		paths.put("LangChain4j",
				() -> bean(ToolProvider.class).provideTools(new ToolProviderRequest("memory", UserMessage.from("x")))
					.aiServiceTools()
					.get(0)
					.toolExecutor()
					.execute(ToolExecutionRequest.builder().name("a_echo").arguments("{}").build(), "memory"));
		paths.put("prompt", () -> a.getPrompt("greeting", Map.of()));
		paths.put("resource", () -> a.readResourceAsync("test://r").block(LIMIT));
		paths.forEach((path, call) -> {
			assertThat(parent(within("caller", call))).as(path).isEqualTo("caller");
			assertThat(parent(call)).as(path + " without a caller").isEqualTo("none");
		});
		ExecutorService other = Executors.newSingleThreadExecutor();
		try {
			Observation caller = Observation.start("reactive", observations);
			assertThat(parent(() -> other
				.submit(() -> this.echo.callAsync(hello)
					.contextWrite((context) -> context.put(ObservationThreadLocalAccessor.KEY, caller))
					.block(LIMIT))
				.get())).isEqualTo("reactive");
		}
		finally {
			other.shutdown();
		}
		assertThat(parent(within("caller", () -> this.echo.call(Map.of("intercept", "yes"))))).isEqualTo("interceptor");
		assertThat(parent(within("caller", () -> this.echo.callAsync(Map.of("intercept", "yes")).block(LIMIT))))
			.isEqualTo("interceptor");
	}

	@Test
	void agentTracesItsTool() {
		ToolCallback echo = List.of(bean(ToolCallbackProvider.class).getToolCallbacks())
			.stream()
			.filter((callback) -> callback.getToolDefinition().name().equals("a_echo"))
			.findFirst()
			.orElseThrow();
		ToolCallingObservationContext execution = ToolCallingObservationContext.builder()
			.toolDefinition(echo.getToolDefinition())
			.toolMetadata(echo.getToolMetadata())
			.toolCallArguments("{}")
			.build();
		ToolCallingObservationDocumentation.TOOL_CALL
			.observation(null, new DefaultToolCallingObservationConvention(), () -> execution, observations)
			.observe(() -> {
				echo.call("{}");
				application.registry().callTool("a_one", Map.of());
			});
		assertThat(observed.ended).filteredOn((context) -> context.getRequest().method().equals("tools/call"))
			.extracting(McpClientObservationContext::isTracedByAgent)
			.containsExactly(true, false);
		this.echo.call(Map.of());
		assertThat(ended("tools/call").isTracedByAgent()).isFalse();
	}

	@Test
	void oneWhoWaitsForItsTurnKeepsItsParent() {
		server.tool("one", McpTestReply.never());
		Disposable first = application.tools().get("a_one").callAsync(Map.of()).subscribe();
		server.awaitCall("one");
		Observation.start("waiting", observations)
			.scoped(() -> this.echo.callAsync(Map.of("message", "hello")).subscribe());
		// which begins the next call on this thread
		Observation.start("other", observations).scoped(first::dispose);
		assertThat(traceparent(server.awaitCall("echo"))).isEqualTo("waiting");
		await().until(() -> observed.ended.size() == 2);
		assertThat(observed.ended.get(0).getOutcome().errorType()).isEqualTo("cancelled");
	}

	@Test
	void ownRequestsHaveNoParentAndRequestsKeepTheirMeta() {
		server.forgetSessions();
		this.echo.call(McpToolRequest.of(Map.of("message", "hello")).withMeta(Map.of("mine", "too")));
		Map<?, ?> meta = (Map<?, ?>) server.awaitCall("echo").params().get("_meta");
		assertThat(meta.get("mine")).isEqualTo("too");
		assertThat(traceparent(server.awaitRequest("initialize"))).isEqualTo("none");
		assertThat(server.awaitRequest("initialize").params()).containsKeys("protocolVersion", "clientInfo");
		assertThat(traceparent(server.awaitRequest("tools/list"))).isEqualTo("none");
		McpClientObservationContext initialize = ended("initialize");
		assertThat(initialize.getOutcome().protocolVersion()).isEqualTo("2025-11-25");
		assertThat(initialize.getContextualName()).isEqualTo("initialize");
	}

	@Test
	void argumentsThatRulesFixAreMasked() {
		application.tools().get("a_one").call(Map.of("message", "hello"));
		assertThat(ObservedApplication.tags(ended("tools/call").getHighCardinalityKeyValues()))
			.containsEntry("gen_ai.tool.call.arguments", "{\"message\":\"hello\",\"tenant\":\"******\"}");
	}

	@Test
	void namesAreThoseOfTheConvention() {
		this.echo.call(Map.of("message", "hello"));
		McpClientObservationContext call = ended("tools/call");
		assertThat(call.getName()).isEqualTo(OPERATION);
		assertThat(call.getContextualName()).isEqualTo("tools/call echo");
		assertThat(ObservedApplication.tags(call.getLowCardinalityKeyValues())).containsExactlyInAnyOrderEntriesOf(
				Map.of("mcp.server", "a", "mcp.method.name", "tools/call", "gen_ai.tool.name", "echo",
						"gen_ai.operation.name", "execute_tool", "mcp.protocol.version", "2025-11-25",
						"network.transport", "tcp", "network.protocol.name", "http", "network.protocol.version", "1.1",
						"server.address", "localhost", "server.port", String.valueOf(server.port())));
		assertThat(ObservedApplication.tags(call.getHighCardinalityKeyValues()))
			.containsKeys("jsonrpc.request.id", "gen_ai.tool.call.result")
			.containsEntry("gen_ai.tool.call.arguments", "{\"message\":\"hello\"}");
		Timer timer = meters.get(OPERATION).tag("gen_ai.tool.name", "echo").tag("error", "none").timer();
		assertThat(timer.takeSnapshot().histogramCounts()).extracting(CountAtBucket::bucket)
			.map((nanos) -> nanos / 1e9)
			.containsExactly(0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0);
		application.registry().server("a").readResource("test://r");
		McpClientObservationContext resource = ended("resources/read");
		assertThat(resource.getContextualName()).isEqualTo("resources/read");
		assertThat(ObservedApplication.tags(resource.getLowCardinalityKeyValues())).doesNotContainKeys(
				"mcp.resource.uri", "gen_ai.tool.name", "gen_ai.operation.name", "error.type",
				"rpc.response.status_code");
		assertThat(ObservedApplication.tags(resource.getHighCardinalityKeyValues())).containsEntry("mcp.resource.uri",
				"test://r");
	}

	@Test
	void requestsOfServersAreObserved() {
		Map<String, Object> meta = Map.of("traceparent", "00-1", "baggage", "user=alice");
		Map<String, String> tags = Map.of("mcp.server", "a", "mcp.method.name", "elicitation/create",
				"mcp.protocol.version", "2025-11-25", "network.transport", "tcp", "network.protocol.name", "http",
				"network.protocol.version", "1.1");
		McpHandlerObservationContext declined = asked("do not", meta);
		assertThat(declined.getName()).isEqualTo(HANDLED);
		assertThat(declined.getContextualName()).isEqualTo("elicitation/create");
		assertThat(ObservedApplication.tags(declined.getLowCardinalityKeyValues()))
			.containsExactlyInAnyOrderEntriesOf(tags);
		assertThat(ObservedApplication.tags(declined.getHighCardinalityKeyValues()))
			.containsOnlyKeys("jsonrpc.request.id");
		assertThat(declined.getCarrier()).containsOnly(Map.entry("traceparent", "00-1"));
		assertThat(declined.getParentObservation().getContextView().getName()).isEqualTo("caller");
		assertThat(observed.handledIn.get().getContext()).as("the handler's own").isSameAs(declined);
		McpHandlerObservationContext failed = asked("fail", Map.of());
		assertThat(ObservedApplication.tags(failed.getLowCardinalityKeyValues())).containsAllEntriesOf(tags)
			.containsEntry("error.type", "-32603")
			.containsEntry("rpc.response.status_code", "-32603");
		assertThat(failed.getError()).hasMessage("Internal error");
		McpHandlerObservationContext refused = asked("refuse", Map.of());
		assertThat(ObservedApplication.tags(refused.getLowCardinalityKeyValues()))
			.containsEntry("rpc.response.status_code", "-32602")
			.doesNotContainKey("error.type");
		assertThat(refused.getError()).as("a mistake of who asked").isNull();
		assertThat(meters.get(HANDLED).tag("error.type", "-32603").timer().takeSnapshot().histogramCounts())
			.hasSize(14);
		assertThat(asked("tasks/get", "do not", Map.of())).as("what no handler answers").isNull();
	}

	@Test
	void requestOfAServerThatIsNotAnsweredIsObserved() {
		server.tool("one", (request) -> {
			request.request("elicitation/create", form("wait", Map.of()));
			return McpTestReply.never();
		});
		Disposable call = application.tools().get("a_one").callAsync(Map.of()).subscribe();
		observed.handledIn.set(null);
		await().until(() -> observed.handledIn.get() != null);
		application.manager().server("a").reconnect();
		call.dispose();
		await().until(() -> !observed.handled.isEmpty());
		assertThat(observed.handled.get(0).getOutcome().errorType()).isEqualTo("cancelled");
	}

	private McpHandlerObservationContext asked(String message, Map<String, Object> meta) {
		return asked("elicitation/create", message, meta);
	}

	/**
	 * Let the server ask within a call, and return what is observed of that.
	 */
	private McpHandlerObservationContext asked(String method, String message, Map<String, Object> meta) {
		observed.handled.clear();
		server.tool("one",
				(request) -> McpTestReply.text("got " + request.request(method, form(message, meta))
					.handle((result, failure) -> (failure != null) ? failure : result)
					.join()));
		Observation.start("caller", observations)
			.observe(() -> application.registry().callTool("a_one", Map.of()).orThrow());
		return observed.handled.isEmpty() ? null : observed.handled.get(0);
	}

	private static Map<String, Object> form(String message, Map<String, Object> meta) {
		return Map.of("message", message, "requestedSchema", Map.of("type", "object", "properties", Map.of()), "_meta",
				meta);
	}

	@Test
	void variablesOfPromptsAreMasked() {
		application.registry().server("a").getPrompt("greeting", Map.of("who", "Ada", "key", SECRET));
		assertThat(ObservedApplication.tags(ended("prompts/get").getHighCardinalityKeyValues()))
			.containsEntry("gen_ai.prompt.variable.who", "Ada")
			.containsEntry("gen_ai.prompt.variable.key", "******");
	}

	@Test
	void failuresHaveATypeAndNoSecrets() {
		server.tool("echo", McpTestReply.toolError("no"));
		assertThat(this.echo.call(Map.of()).isError()).isTrue();
		assertThat(ObservedApplication.tags(ended("tools/call").getAllKeyValues()))
			.containsEntry("error.type", "tool_error")
			.doesNotContainKeys("rpc.response.status_code", "gen_ai.tool.call.result");
		server.onNext("tools/call", McpTestReply.error(-32602, "Bearer " + SECRET + " is wrong\u001b[0m"));
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> this.echo.call(Map.of()));
		assertThat(ObservedApplication.tags(ended("tools/call").getAllKeyValues()))
			.containsEntry("error.type", "-32602")
			.containsEntry("rpc.response.status_code", "-32602");
		assertThat(ended("tools/call").getError()).hasMessage("****** is wrong").hasNoCause();
		server.onNext("tools/call", McpTestReply.never());
		assertThatExceptionOfType(McpRequestTimeoutException.class)
			.isThrownBy(() -> this.echo.call(McpToolRequest.of(Map.of()).withTimeout(Duration.ofMillis(200))));
		assertThat(ObservedApplication.tags(ended("tools/call").getAllKeyValues())).containsEntry("error.type",
				"timeout");
		server.onNext("tools/call", McpTestReply.status(500));
		bean(McpToolExecutor.class).execute("a_echo", Map.of());
		assertThat(ended("tools/call").getOutcome().errorType()).isEqualTo("500");
		IntStream.range(0, 25).forEach((i) -> {
			server.onNext("tools/call", McpTestReply.error(1000 + i, "no"));
			bean(McpToolExecutor.class).execute("a_echo", Map.of());
		});
		assertThat(ended("tools/call").getOutcome().errorType()).isEqualTo("_OTHER");
		assertThat(ended("tools/call").getOutcome().statusCode()).isEqualTo("_OTHER");
	}

	@Test
	void argumentsAndResultsAreMaskedAndBounded() {
		server.tool("echo", McpTestReply.text(SECRET + "x".repeat(100_000)));
		this.echo.call(Map.of("message", SECRET + "y".repeat(100_000)));
		McpClientObservationContext call = ended("tools/call");
		for (String text : List.of(call.getRequest().arguments(), call.getOutcome().result())) {
			assertThat(text).hasSizeLessThan(McpClientObservations.MAX_CONTENT + 10)
				.contains("******")
				.doesNotContain(SECRET);
		}
		// what is written ends within a secret
		this.echo.call(Map.of("message", "12345678" + SECRET.repeat(2000)));
		assertThat(ended("tools/call").getRequest().arguments()).contains("******").doesNotContain("a-secret");
	}

	@Test
	void namesAreFewAndKnownToTheServer() {
		McpTestServer other = closing(
				McpTestServer.create().tools("1", "2", "3", "4").prompt("greeting", "hello").start());
		McpServer c = application.manager()
			.addAsync(McpServerDefinition.http("c", URI.create(other.url())).build())
			.map((status) -> application.registry().server("c"))
			.block(LIMIT);
		IntStream.rangeClosed(1, 4).forEach((i) -> application.registry().callTool("c_" + i, Map.of()));
		assertThat(observed.ended).filteredOn((context) -> context.getRequest().method().equals("tools/call"))
			.extracting(McpClientObservationContext::getContextualName)
			.containsExactly("tools/call 1", "tools/call 2", "tools/call 3", "tools/call other");
		assertThat(ObservedApplication.tags(ended("tools/call").getAllKeyValues())).containsEntry("gen_ai.tool.name",
				"4");
		c.getPrompt("greeting", Map.of());
		assertThat(ended("prompts/get").getOutcome().tag()).isEqualTo("greeting");
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> c.getPrompt("whatever", Map.of()));
		assertThat(ended("prompts/get").getOutcome().tag()).isEqualTo("other");
		application.manager().remove("c");
	}

	@Test
	void callsOfAToolHaveTheirOwnOutcomesAndIds() {
		this.echo.call(Map.of("message", "hello"));
		McpClientObservationContext first = ended("tools/call");
		server.tool("echo", McpTestReply.error(-32602, "no"));
		assertThatExceptionOfType(McpProtocolException.class).isThrownBy(() -> this.echo.call(Map.of()));
		McpClientObservationContext failed = ended("tools/call");
		server.tools("echo");
		this.echo.call(Map.of("message", "again"));
		McpClientObservationContext last = ended("tools/call");
		assertThat(ObservedApplication.tags(failed.getLowCardinalityKeyValues())).containsEntry("error.type", "-32602")
			.containsAllEntriesOf(ObservedApplication.tags(first.getLowCardinalityKeyValues()));
		assertThat(last.getLowCardinalityKeyValues()).isEqualTo(first.getLowCardinalityKeyValues());
		assertThat(List.of(first, failed, last))
			.map((call) -> ObservedApplication.tags(call.getHighCardinalityKeyValues()).get("jsonrpc.request.id"))
			.doesNotHaveDuplicates();
	}

	@Test
	void causesOfLossesAreFew() {
		MeterRegistry registry = new SimpleMeterRegistry();
		ConnectionObserver observer = new McpClientObservations(ObservationRegistry.NOOP,
				new DefaultMcpClientObservationConvention(), new McpClientMeters(registry),
				new McpClientObservations.Settings(false, false, 100))
			.of(McpServerDefinition.stdio("x", "server").build())
			.get(0);
		IntStream.range(0, 100)
			.forEach((i) -> observer.sessionEnded(Duration.ZERO, null, McpError.builder(i).message("no").build()));
		assertThat(registry.get("mcp.client.session.duration").timers()).hasSize(21);
	}

	@ParameterizedTest
	@ValueSource(strings = { "start", "stop" })
	void handlerThatThrowsHarmsNothing(String phase) {
		this.echo.call(Map.of("message", "first"));
		DistributionSummary sizes = meters.get("mcp.client.result.size").tag("mcp.server", "a").summary();
		long before = sizes.count();
		observed.failing.set(phase);
		afterTest(() -> observed.failing.set(null));
		assertThat(this.echo.call(Map.of("message", "hello")).text()).isEqualTo("echo hello");
		assertThat(sizes.count()).isEqualTo(before + 1);
	}

	@Test
	void metersComeAndGoWithTheirServers() {
		McpTestServer other = closing(McpTestServer.create()
			.tools("x", "y")
			.on("notifications/initialized", McpTestReply.status(500))
			.start());
		McpServerDefinition definition = definition(other);
		application.manager().add(definition);
		assertThat(gauge("mcp.client.servers", "state", "READY")).isOne();
		assertThat(gauge("mcp.client.servers", "state", "UNAVAILABLE")).isZero();
		assertThat(gauge("mcp.client.tools")).isEqualTo(2);
		assertThat(gauge("mcp.client.deviations")).isOne();
		assertThat(counter("mcp.client.attempts")).isOne();
		application.registry().callTool("b_x", Map.of("message", "h\u00e9llo"));
		assertThat(meters.get("mcp.client.result.size").tags("mcp.server", "b").summary().max())
			.isEqualTo("{\"content\":[{\"type\":\"text\",\"text\":\"x h\u00e9llo\"}]}".length() + 1);
		other.tool("y", McpTestReply.never());
		Disposable pending = application.tools().get("b_y").callAsync(Map.of()).subscribe();
		other.awaitCall("y");
		assertThat(gauge("mcp.client.pending")).isOne();
		pending.dispose();
		await().until(() -> gauge("mcp.client.pending") == 0);
		application.manager().replace(definition);
		assertThat(gauge("mcp.client.servers", "state", "READY")).isOne();
		assertThat(counter("mcp.client.attempts")).isEqualTo(2);
		other.forgetSessions();
		application.registry().callTool("b_x", Map.of());
		assertThat(counter("mcp.client.losses", "cause", "404")).isOne();
		assertThat(meters.get("mcp.client.session.duration")
			.tags("mcp.server", "b", "error.type", "404", "network.transport", "tcp")
			.timer()
			.count()).isOne();
		await().until(() -> gauge("mcp.client.servers", "state", "READY") == 1);
		application.manager().remove("b");
		await().untilAsserted(() -> assertThat(meters.getMeters()).map(Meter::getId)
			.filteredOn((id) -> id.getTags().contains(Tag.of("mcp.server", "b")))
			.isEmpty());
	}

	private static McpServerDefinition definition(McpTestServer other) {
		return McpServerDefinition.http("b", URI.create(other.url())).build();
	}

	private static double gauge(String name, String... tags) {
		return meters.get(name).tags("mcp.server", "b").tags(tags).gauge().value();
	}

	private static double counter(String name, String... tags) {
		return meters.get(name).tags("mcp.server", "b").tags(tags).counter().count();
	}

	private static <T> T bean(Class<T> type) {
		return application.context().getBean(type);
	}

	private static Callable<?> within(String name, Callable<?> call) {
		return () -> Observation.start(name, observations).observeChecked(call::call);
	}

	/**
	 * Return the parent that the server is told by the call.
	 */
	private static String parent(Callable<?> call) {
		server.forgetRequests();
		Unchecked.run(() -> call.call());
		List<McpTestRequest> requests = server.requests()
			.stream()
			.filter((request) -> List.of("tools/call", "prompts/get", "resources/read").contains(request.method()))
			.toList();
		assertThat(requests).hasSize(1);
		return traceparent(requests.get(0));
	}

	private static String traceparent(McpTestRequest request) {
		return String.valueOf(((Map<?, ?>) request.params().get("_meta")).get("traceparent"));
	}

	/**
	 * Return the latest request of a method.
	 */
	private static McpClientObservationContext ended(String method) {
		return observed.ended.stream()
			.filter((context) -> context.getRequest().method().equals(method))
			.reduce((first, second) -> second)
			.orElseThrow();
	}

}
