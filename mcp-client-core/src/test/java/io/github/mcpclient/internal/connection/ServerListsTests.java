package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpUnsupportedException;
import io.github.mcpclient.definition.McpServerDefinition.Feature;
import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.connection.FakeSessions.Request;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.SessionProtocolException;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest;
import io.modelcontextprotocol.spec.McpSchema.CompleteRequest.CompleteArgument;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult;
import io.modelcontextprotocol.spec.McpSchema.CompleteResult.CompleteCompletion;
import io.modelcontextprotocol.spec.McpSchema.GetPromptRequest;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.PromptReference;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceRequest;
import io.modelcontextprotocol.spec.McpSchema.ReadResourceResult;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceReference;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ServerCapabilities;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerLists}, and for what is read of the server.
 */
class ServerListsTests extends ConnectionHarness {

	private static final ServerCapabilities ALL = ServerCapabilities.builder()
		.tools(true)
		.prompts(true)
		.resources(false, true)
		.completions()
		.build();

	private static final CompleteRequest COMPLETE = CompleteRequest
		.builder(PromptReference.builder("p").build(), new CompleteArgument("a", "v"))
		.build();

	private McpConnection connection;

	@Test
	void readyDoesNotWaitForWhatIsListedAfterIt() {
		ready();
		assertThat(this.connection.isReady()).isTrue();
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING", "tools [a]", "CONNECTING->READY");
		assertThat(link().asked("prompts/list")).hasSize(1);
		assertThat(link().asked("resources/list")).hasSize(1);
		assertThat(link().asked("resources/templates/list")).hasSize(1);
		assertThat(this.connection.contents().prompts()).isEmpty();
		listPrompts("p", "q");
		listResources("x:1");
		link().asked("resources/templates/list")
			.get(0)
			.tryEmitValue(List.of(ResourceTemplate.builder("x:{id}", "t").build()));
		assertThat(this.connection.contents().prompts()).extracting(Prompt::name).containsExactly("p", "q");
		assertThat(this.connection.status().prompts()).isEqualTo(2);
		assertThat(this.connection.status().resources()).isEqualTo(1);
		assertThat(this.connection.status().resourceTemplates()).isEqualTo(1);
		assertThat(this.events.take()).containsExactly("prompts", "resources", "resources");
	}

	@Test
	void readyDoesNotFailWithThem() {
		ready();
		link().asked("prompts/list").get(0).tryEmitError(new SessionProtocolException("The server lists without end"));
		link().asked("resources/list")
			.get(0)
			.tryEmitError(new SessionTimeoutException("resources/list", Duration.ofDays(1)));
		assertThat(this.connection.isReady()).isTrue();
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING", "tools [a]", "CONNECTING->READY");
		assertThat(log(Level.WARN)).hasSize(2)
			.anySatisfy((line) -> assertThat(line)
				.startsWith("MCP server 'x' (server): its prompts could not be listed: The server lists without end."))
			.anySatisfy((line) -> assertThat(line).startsWith("MCP server 'x' (server): its resources could not be"));
	}

	@Test
	void whatCannotBeUsedStaysKnownWhileTheConnectionIsLost() {
		ready();
		Link first = link();
		ExcludedItem prompt = new ExcludedItem("prompt", "p", "listed twice");
		ExcludedItem tool = new ExcludedItem("tool", "t", "not well-formed");
		first.listener.excluded("tool", List.of(tool));
		first.listener.excluded("prompt", List.of(prompt));
		assertThat(this.connection.contents().excluded()).containsExactly(prompt, tool);
		first.die(sessionLost());
		assertThat(this.connection.contents().excluded()).containsExactly(prompt, tool);
		link().initialize("2025-11-25", ALL).list("a");
		first.listener.excluded("prompt", List.of());
		link().listener.excluded("tool", List.of());
		assertThat(this.connection.contents().excluded()).containsExactly(prompt);
	}

	@Test
	void failureThatRepeatsItselfIsLoggedOnce() {
		ready();
		link().asked("prompts/list").get(0).tryEmitError(new SessionProtocolException("no"));
		link().die(sessionLost());
		link().initialize("2025-11-25", ALL).list("a");
		link().asked("prompts/list").get(0).tryEmitError(new SessionProtocolException("no"));
		assertThat(log(Level.WARN).stream().filter((line) -> line.contains("prompts"))).hasSize(1);
	}

	@Test
	void serverWithoutTheCapabilityIsNotAsked() {
		this.connection = ready("a");
		assertThat(link().asked("prompts/list")).isEmpty();
		assertThat(link().asked("resources/list")).isEmpty();
		assertThat(link().asked("resources/templates/list")).isEmpty();
		assertThat(result(this.connection.prompts()).value).isEmpty();
		assertThat(result(this.connection.resources()).value).isEmpty();
		assertThat(result(this.connection.resourceTemplates()).value).isEmpty();
		assertUnsupported(this.connection.getPrompt(new GetPromptRequest("p", Map.of(), null)), "prompts/get",
				"it does not declare the capability 'prompts'");
		assertUnsupported(this.connection.readResource(new ReadResourceRequest("x:1", null)), "resources/read",
				"it does not declare the capability 'resources'");
		assertUnsupported(this.connection.complete(COMPLETE), "completion/complete",
				"it does not declare the capability 'completions'");
		assertThat(link().asked("prompts/get")).isEmpty();
	}

	@Test
	void firstRevisionCompletesWithoutSayingSo() {
		this.connection = start();
		link().initialize("2024-11-05", ServerCapabilities.builder().build()).list();
		Result<CompleteResult> result = result(this.connection.complete(COMPLETE));
		link().asked("completion/complete")
			.get(0)
			.tryEmitValue(new CompleteResult(new CompleteCompletion(List.of("x"), 1, false)));
		assertThat(result.value.completion().values()).containsExactly("x");
	}

	@Test
	void whatIsSwitchedOffIsNotAskedFor() {
		this.connection = start(
				(builder) -> builder.prompts(new Feature(false, 10)).resources(new Resources(false, 10, false)));
		link().initialize("2025-11-25", ALL).list("a");
		assertThat(link().asked("prompts/list")).isEmpty();
		assertThat(link().asked("resources/list")).isEmpty();
		assertThat(link().asked("resources/templates/list")).isEmpty();
		assertThat(result(this.connection.prompts()).value).isEmpty();
		assertUnsupported(this.connection.getPrompt(new GetPromptRequest("p", Map.of(), null)), "prompts/get",
				"mcp.servers.x.prompts.enabled is false");
		assertUnsupported(this.connection.readResource(new ReadResourceRequest("x:1", null)), "resources/read",
				"mcp.servers.x.resources.enabled is false");
		assertUnsupported(this.connection.complete(COMPLETE), "completion/complete",
				"mcp.servers.x.prompts.enabled is false");
		assertUnsupported(this.connection.complete(
				CompleteRequest.builder(new ResourceReference("x:{id}"), new CompleteArgument("id", "1")).build()),
				"completion/complete", "mcp.servers.x.resources.enabled is false");
		link().listener.listChanged(ItemKind.PROMPTS);
		assertThat(link().asked("prompts/list")).isEmpty();
	}

	@Test
	void readerOfAListWaitsForTheOneUnderWay() {
		ready();
		Result<List<Prompt>> result = result(this.connection.prompts());
		assertThat(result.isOpen()).isTrue();
		listPrompts("p");
		assertThat(result.value).extracting(Prompt::name).containsExactly("p");
		assertThat(link().asked("prompts/list")).hasSize(1);
	}

	@Test
	void readerOfAListConnectsAServerThatWasNotUsed() {
		this.connection = create();
		Result<List<Prompt>> result = result(this.connection.prompts());
		assertThat(state()).isEqualTo(McpServerState.CONNECTING);
		link().initialize("2025-11-25", ALL).list("a");
		listPrompts("p");
		assertThat(result.value).hasSize(1);
	}

	@Test
	void listThatFailedIsListedAnewByItsReader() {
		ready();
		Result<List<Prompt>> failed = result(this.connection.prompts());
		link().asked("prompts/list")
			.get(0)
			.tryEmitError(new McpError(new JSONRPCError(-32603, "The database is down", null)));
		assertThat(failed.failure).isInstanceOf(McpProtocolException.class)
			.hasMessage("MCP server 'x' returned error -32603 for prompts/list: The database is down");
		Result<List<Prompt>> again = result(this.connection.prompts());
		assertThat(link().asked("prompts/list")).hasSize(2);
		link().asked("prompts/list").get(1).tryEmitValue(List.of(prompt("p")));
		assertThat(again.value).hasSize(1);
	}

	@Test
	void whatIsKnownStaysWhileTheServerIsUnavailable() {
		ready();
		listPrompts("p");
		link().die("The process exited with code 1");
		assertThat(state()).isEqualTo(McpServerState.UNAVAILABLE);
		assertThat(result(this.connection.prompts()).value).hasSize(1);
		assertThat(this.connection.status().prompts()).isEqualTo(1);
		// never listed
		assertThat(result(this.connection.resources()).failure).isInstanceOf(McpServerUnavailableException.class);
		Result<ReadResourceResult> read = result(this.connection.readResource(new ReadResourceRequest("x:1", null)));
		assertThat(read.failure).isInstanceOf(McpServerUnavailableException.class);
	}

	@Test
	void nextConnectionListsAnew() {
		ready();
		listPrompts("p");
		this.events.take();
		link().die(sessionLost());
		link().initialize("2025-11-25", ALL).list("a");
		listPrompts("p");
		assertThat(this.events.take()).containsExactly("READY->UNAVAILABLE", "UNAVAILABLE->CONNECTING",
				"CONNECTING->READY");
		link().die(sessionLost());
		advanceToRetry();
		link().initialize("2025-11-25", ServerCapabilities.builder().tools(true).build()).list("a");
		assertThat(this.connection.contents().prompts()).isEmpty();
		assertThat(this.events.take()).containsExactly("READY->UNAVAILABLE", "UNAVAILABLE->CONNECTING",
				"CONNECTING->READY", "prompts");
	}

	@Test
	void readerWhoseConnectionIsLostGetsTheListOfTheNextOne() {
		ready();
		Result<List<Prompt>> result = result(this.connection.prompts());
		link().die(sessionLost());
		link().initialize("2025-11-25", ALL).list("a");
		assertThat(result.isOpen()).isTrue();
		listPrompts("p");
		assertThat(result.value).hasSize(1);
	}

	@Test
	void announcedChangesAreListedAtIntervals() {
		ready();
		listPrompts("p");
		listResources("x:1");
		link().asked("resources/templates/list").get(0).tryEmitValue(List.of());
		this.events.take();
		for (int i = 0; i < 1000; i++) {
			link().listener.listChanged(ItemKind.PROMPTS);
		}
		this.time.advance(ServerList.DISTANCE);
		assertThat(link().asked("prompts/list")).hasSize(2);
		assertThat(link().asked("resources/list")).hasSize(1);
		link().asked("prompts/list").get(1).tryEmitValue(List.of(prompt("q")));
		assertThat(this.events.take()).containsExactly("prompts");
		link().listener.listChanged(ItemKind.RESOURCES);
		assertThat(link().asked("resources/list")).hasSize(2);
		assertThat(link().asked("resources/templates/list")).hasSize(2);
		link().asked("resources/list").get(1).tryEmitValue(List.of(resource("x:1")));
		link().asked("resources/templates/list").get(1).tryEmitError(new SessionProtocolException("no"));
		assertThat(this.events.take()).isEmpty();
		assertThat(link().listings).as("tools").hasSize(1);
	}

	@Test
	void listingThatFailsIsRepeated() {
		ready();
		listPrompts("p");
		listResources("x:1");
		link().asked("resources/templates/list").get(0).tryEmitValue(List.of());
		this.time.advance(ServerList.DISTANCE);
		link().listener.listChanged(ItemKind.PROMPTS);
		link().listener.listChanged(ItemKind.RESOURCES);
		link().asked("prompts/list").get(1).tryEmitError(new SessionProtocolException("no"));
		link().asked("resources/list").get(1).tryEmitError(new SessionProtocolException("no"));
		link().asked("resources/templates/list").get(1).tryEmitError(new SessionProtocolException("no"));
		this.time.advance(Duration.ofSeconds(2));
		link().asked("prompts/list").get(2).tryEmitValue(List.of(prompt("q")));
		link().asked("resources/list").get(2).tryEmitValue(List.of(resource("x:2")));
		link().asked("resources/templates/list")
			.get(2)
			.tryEmitValue(List.of(ResourceTemplate.builder("x:{id}", "t").build()));
		assertThat(this.connection.contents().prompts()).extracting(Prompt::name).containsExactly("q");
		assertThat(this.connection.contents().resources()).extracting(Resource::uri).containsExactly("x:2");
		assertThat(this.connection.contents().resourceTemplates()).hasSize(1);
	}

	@Test
	void contentsAreListedAfterAGap() {
		ready();
		listPrompts("p");
		listResources("x:1");
		link().asked("resources/templates/list").get(0).tryEmitValue(List.of());
		link().gap.run();
		this.time.advance(ServerList.GAP_DISTANCE.multipliedBy(2));
		assertThat(link().asked("prompts/list")).hasSize(2);
		assertThat(link().asked("resources/list")).hasSize(2);
		assertThat(link().asked("resources/templates/list")).hasSize(2);
	}

	@Test
	void firstListingThatFailsIsRepeated() {
		ready();
		link().asked("prompts/list").get(0).tryEmitError(new SessionProtocolException("no"));
		this.time.advance(Duration.ofSeconds(2));
		link().asked("prompts/list").get(1).tryEmitValue(List.of(prompt("p")));
		assertThat(this.connection.contents().prompts()).hasSize(1);
	}

	@Test
	void refreshListsAll() {
		ready();
		listPrompts("p");
		listResources("x:1");
		link().asked("resources/templates/list").get(0).tryEmitValue(List.of());
		Result<?> refresh = result(this.connection.refresh());
		link().asked("prompts/list").get(1).tryEmitValue(List.of(prompt("q")));
		link().asked("resources/templates/list").get(1).tryEmitValue(List.of());
		link().list("b");
		assertThat(refresh.isOpen()).isTrue();
		link().asked("resources/list").get(1).tryEmitError(new SessionProtocolException("no"));
		assertThat(refresh.value).isNotNull();
		assertThat(this.connection.contents().prompts()).extracting(Prompt::name).containsExactly("q");
		assertThat(this.connection.contents().resources()).extracting(Resource::uri).containsExactly("x:1");
	}

	@Test
	void readsGoToTheSession() {
		ready();
		Result<GetPromptResult> prompt = result(this.connection.getPrompt(new GetPromptRequest("p", Map.of(), null)));
		Result<ReadResourceResult> resource = result(
				this.connection.readResource(new ReadResourceRequest("x:1", null)));
		Result<CompleteResult> completion = result(this.connection.complete(COMPLETE));
		link().asked("prompts/get").get(0).tryEmitValue(new GetPromptResult("d", List.of(), null));
		link().asked("resources/read").get(0).tryEmitValue(new ReadResourceResult(List.of(), null));
		link().asked("completion/complete")
			.get(0)
			.tryEmitValue(new CompleteResult(new CompleteCompletion(List.of(), 0, false)));
		assertThat(prompt.value.description()).isEqualTo("d");
		assertThat(resource.value.contents()).isEmpty();
		assertThat(completion.value.completion().values()).isEmpty();
		assertThat(link().requests).extracting(Request::timeout).containsOnly(Duration.ofSeconds(60)).hasSize(3);
	}

	@Test
	void readsFailAsCallsDo() {
		ready();
		Result<ReadResourceResult> late = result(this.connection.readResource(new ReadResourceRequest("x:1", null)));
		link().asked("resources/read")
			.get(0)
			.tryEmitError(new SessionTimeoutException("resources/read", Duration.ofSeconds(60)));
		assertThat(late.failure).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessageStartingWith("MCP server 'x' did not respond to resources/read x:1 within 60000 ms.");
		Result<ReadResourceResult> unknown = result(this.connection.readResource(new ReadResourceRequest("x:2", null)));
		link().asked("resources/read")
			.get(1)
			.tryEmitError(new McpError(new JSONRPCError(-32002, "Resource not found", null)));
		assertThat(unknown.failure).isInstanceOf(McpProtocolException.class)
			.hasMessage("MCP server 'x' returned error -32002 for resources/read x:2: Resource not found");
		Result<ReadResourceResult> cancelled = result(
				this.connection.readResource(new ReadResourceRequest("x:3", null)));
		cancelled.subscription.dispose();
		assertThat(link().cancelled).hasValue(1);
	}

	@Test
	void readIsRepeatedWhereTheConnectionBreaks() {
		ready();
		Result<ReadResourceResult> read = result(this.connection.readResource(new ReadResourceRequest("x:1", null)));
		link().die("The connection was reset");
		advanceToRetry();
		link().initialize("2025-11-25", ALL).list("a");
		link().asked("resources/read").get(0).tryEmitValue(new ReadResourceResult(List.of(), null));
		assertThat(read.value).isNotNull();
		assertThat(this.server.links).hasSize(2);
	}

	@Test
	void readIsNotRepeatedTwice() {
		ready();
		Result<ReadResourceResult> read = result(this.connection.readResource(new ReadResourceRequest("x:1", null)));
		link().die(sessionLost());
		link().initialize("2025-11-25", ALL).list("a");
		link().die("The connection was reset");
		assertThat(read.failure).isInstanceOf(McpConnectionException.class);
	}

	@Test
	void readIsNotSentToAServerThatHasLostTheCapability() {
		ready();
		Result<ReadResourceResult> read = result(this.connection.readResource(new ReadResourceRequest("x:1", null)));
		link().die(sessionLost());
		link().initialize("2025-11-25", ServerCapabilities.builder().tools(true).build()).list();
		assertThat(read.failure).isInstanceOf(McpUnsupportedException.class);
		assertThat(link().asked("resources/read")).isEmpty();
	}

	@Test
	void readsWaitForTheirTurnAndListsDoNot() {
		this.connection = start((builder) -> builder.maxConcurrentCalls(1));
		link().initialize("2025-11-25", ALL).list("a");
		result(this.connection.readResource(new ReadResourceRequest("x:1", null)));
		Result<ReadResourceResult> second = result(this.connection.readResource(new ReadResourceRequest("x:2", null)));
		Result<List<Prompt>> prompts = result(this.connection.prompts());
		assertThat(link().asked("resources/read")).hasSize(1);
		listPrompts("p");
		assertThat(prompts.value).hasSize(1);
		link().asked("resources/read").get(0).tryEmitValue(new ReadResourceResult(List.of(), null));
		link().asked("resources/read").get(1).tryEmitValue(new ReadResourceResult(List.of(), null));
		assertThat(second.value).isNotNull();
	}

	private void ready() {
		this.connection = start();
		link().initialize("2025-11-25", ALL).list("a");
	}

	private Link link() {
		return this.server.last();
	}

	private void listPrompts(String... names) {
		link().asked("prompts/list")
			.get(0)
			.tryEmitValue(List.of(names).stream().map(ServerListsTests::prompt).toList());
	}

	private void listResources(String uri) {
		link().asked("resources/list").get(0).tryEmitValue(List.of(resource(uri)));
	}

	private static Prompt prompt(String name) {
		return Prompt.builder(name).build();
	}

	private static Resource resource(String uri) {
		return Resource.builder(uri, uri).build();
	}

	private static TransportException sessionLost() {
		return HttpStatusException.sessionLost(404, "The server no longer knows the session", "", null, false, null);
	}

	private static void assertUnsupported(Mono<?> read, String request, String reason) {
		assertThat(result(read).failure).isInstanceOf(McpUnsupportedException.class)
			.hasMessage("MCP server 'x' cannot be sent " + request + ": " + reason + ".");
	}

	private static <T> Result<T> result(Mono<T> mono) {
		return new Result<>(mono);
	}

	/**
	 * What became of a request.
	 */
	private static final class Result<T> {

		private final Disposable subscription;

		private volatile @Nullable T value;

		private volatile @Nullable Throwable failure;

		private Result(Mono<T> mono) {
			this.subscription = mono.subscribe((result) -> this.value = result, (ex) -> this.failure = ex);
		}

		private boolean isOpen() {
			return this.value == null && this.failure == null;
		}

	}

}
