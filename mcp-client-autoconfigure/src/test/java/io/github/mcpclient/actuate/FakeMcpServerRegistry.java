package io.github.mcpclient.actuate;

import java.lang.reflect.Modifier;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerFeatures;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.authorization.McpAuthorizationStatus;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerSetting;
import io.github.mcpclient.management.McpToolPin;
import io.github.mcpclient.testsupport.TestServerStatus;
import io.modelcontextprotocol.spec.McpSchema.Prompt;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.ResourceTemplate;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.mockito.invocation.InvocationOnMock;
import reactor.core.publisher.Mono;

import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * A registry whose servers are what a test says they are. Actions are recorded in
 * {@link #contacts}; all else that would contact a server fails.
 */
public class FakeMcpServerRegistry implements McpServerRegistry {

	/**
	 * The time at which every status was entered.
	 */
	public static final Instant SINCE = Instant.parse("2026-11-21T10:00:00.000999999Z");

	/**
	 * The time of the next attempt of every server that is unavailable.
	 */
	public static final Instant NEXT_RETRY = Instant.parse("2026-11-21T10:00:08.123456789Z");

	/**
	 * What no answer may have.
	 */
	static final String SECRET = "hunter2-of-a-test";

	final List<String> contacts = new ArrayList<>();

	private final Map<String, FakeServer> servers = new LinkedHashMap<>();

	public static FakeMcpServerRegistry of(McpServerStatus... statuses) {
		FakeMcpServerRegistry registry = new FakeMcpServerRegistry();
		registry.reset(statuses);
		return registry;
	}

	/**
	 * A status as the state brings it along.
	 */
	public static McpServerStatus status(String name, McpServerState state, boolean required) {
		boolean unavailable = state == McpServerState.UNAVAILABLE;
		return new TestServerStatus(name, state, "streamable-http", "http://localhost:9999/mcp", required, null, null,
				0, 0, 0, 0, SINCE, 4, null, unavailable ? "Connection refused: localhost:9999" : null,
				unavailable ? NEXT_RETRY : null, List.of());
	}

	FakeServer set(McpServerStatus status) {
		FakeServer server = this.servers.computeIfAbsent(status.name(), (name) -> mock(FakeServer.class,
				withSettings().stubOnly().useConstructor(this.contacts).defaultAnswer(FakeMcpServerRegistry::answer)));
		server.status = status;
		return server;
	}

	private static Object answer(InvocationOnMock invocation) throws Throwable {
		if (Modifier.isAbstract(invocation.getMethod().getModifiers())) {
			throw new AssertionError("The server is not to be contacted");
		}
		return invocation.callRealMethod();
	}

	void reset(McpServerStatus... statuses) {
		this.contacts.clear();
		this.servers.clear();
		for (McpServerStatus status : statuses) {
			set(status);
		}
	}

	void forget(String name) {
		this.servers.remove(name);
	}

	@Override
	public List<McpServer> servers() {
		return List.copyOf(this.servers.values());
	}

	@Override
	public McpServer server(String name) {
		return find(name).orElseThrow(() -> new NoSuchMcpServerException(name, this.servers.keySet()));
	}

	@Override
	public Optional<McpServer> find(String name) {
		return Optional.ofNullable(this.servers.get(name));
	}

	@Override
	public McpToolCatalog tools() {
		throw new AssertionError("Reading the catalog is a first use");
	}

	@Override
	public McpToolResult callTool(String toolName, Map<String, ?> arguments) {
		throw new AssertionError("No tool is to be called");
	}

	/**
	 * Return what manages these servers.
	 */
	public McpServerManager manager() {
		return new FakeManager();
	}

	abstract static class FakeServer implements ManagedMcpServer {

		private final List<String> contacts;

		private McpServerStatus status;

		private List<McpTool> tools;

		private List<ExcludedTool> excludedTools = List.of();

		private List<RecentCall> recentCalls = List.of();

		private McpDiagnosis diagnosis;

		private Supplier<Mono<McpServerStatus>> action = () -> Mono.just(this.status);

		FakeServer(List<String> contacts) {
			this.contacts = contacts;
		}

		@Override
		public String instructions() {
			return null;
		}

		FakeServer tools(McpTool... tools) {
			this.tools = List.of(tools);
			return this;
		}

		FakeServer excludedTools(ExcludedTool... tools) {
			this.excludedTools = List.of(tools);
			return this;
		}

		FakeServer recentCalls(RecentCall... calls) {
			this.recentCalls = List.of(calls);
			return this;
		}

		@Override
		public List<RecentCall> recentCalls() {
			return this.recentCalls;
		}

		@Override
		public List<StateChange> recentStates() {
			return this.recentCalls.isEmpty() ? List.of()
					: List.of(new StateChange(this.status.state(), this.status.since(), this.status.lastError()));
		}

		void diagnosis(McpDiagnosis diagnosis) {
			this.diagnosis = diagnosis;
		}

		@Override
		public Mono<McpDiagnosis> diagnoseAsync() {
			return Mono.just(this.diagnosis);
		}

		void onAction(Supplier<Mono<McpServerStatus>> action) {
			this.action = action;
		}

		@Override
		public String name() {
			return this.status.name();
		}

		@Override
		public McpServerDefinition definition() {
			McpServerDefinitionBuilder definition = McpServerDefinition.of(name(), this.status.type());
			return McpServerDefinition.STDIO.equals(this.status.type())
					? definition.command("node").args(List.of("--token", SECRET)).env(Map.of("KEY", SECRET)).build()
					: definition.url(URI.create("http://user:" + SECRET + "@localhost:9999/mcp?key=" + SECRET))
						.headers(Map.of("X-Key", SECRET))
						.auth(McpServerAuth.bearer(SECRET))
						.proxy(new McpServerDefinition.Proxy("proxy", 3128, "user", SECRET))
						.roots(new McpServerDefinition.Roots(true, List.of("/data/" + SECRET)))
						.build();
		}

		@Override
		public List<McpServerSetting> settings() {
			return List.of();
		}

		@Override
		public McpAuthorizationStatus authorization() {
			return null;
		}

		@Override
		public List<McpToolPin> toolPins() {
			return List.of();
		}

		@Override
		public List<RecentMessage> recentMessages(long after) {
			return List.of();
		}

		@Override
		public McpServerOrigin origin() {
			return new McpServerOrigin(McpServerOrigin.Kind.IMPORTED, "mcp.json:3:5");
		}

		@Override
		public McpServerStatus status() {
			return this.status;
		}

		@Override
		public List<McpTool> tools() {
			return (this.tools != null) ? this.tools : Collections.nCopies(this.status.tools(),
					new FakeTool(name(), "tool", null, null, Map.of(), null, null, true, null));
		}

		@Override
		public List<ExcludedTool> excludedTools() {
			return this.excludedTools;
		}

		@Override
		public McpServerFeatures features() {
			return new NoFeatures(List.of(), List.of(), List.of(), List.of());
		}

		@Override
		public Mono<McpServerStatus> reconnectAsync() {
			this.contacts.add("reconnect " + name());
			return this.action.get();
		}

		@Override
		public Mono<McpServerStatus> refreshAsync() {
			this.contacts.add("refresh " + name());
			return this.action.get();
		}

	}

	private final class FakeManager implements McpServerManager {

		@Override
		public List<ManagedMcpServer> servers() {
			return List.copyOf(FakeMcpServerRegistry.this.servers.values());
		}

		@Override
		public ManagedMcpServer server(String name) {
			return find(name)
				.orElseThrow(() -> new NoSuchMcpServerException(name, FakeMcpServerRegistry.this.servers.keySet()));
		}

		@Override
		public Optional<ManagedMcpServer> find(String name) {
			return Optional.ofNullable(FakeMcpServerRegistry.this.servers.get(name));
		}

		@Override
		public McpServerStatus add(McpServerDefinition definition) {
			throw new AssertionError("Nobody is to wait");
		}

		@Override
		public Mono<McpServerStatus> addAsync(McpServerDefinition definition) {
			throw new AssertionError("No server is to be added");
		}

		@Override
		public McpServerStatus replace(McpServerDefinition definition) {
			throw new AssertionError("Nobody is to wait");
		}

		@Override
		public Mono<McpServerStatus> replaceAsync(McpServerDefinition definition) {
			throw new AssertionError("No server is to be replaced");
		}

		@Override
		public void remove(String name) {
			throw new AssertionError("Nobody is to wait");
		}

		@Override
		public Mono<Void> removeAsync(String name) {
			throw new AssertionError("No server is to be removed");
		}

		@Override
		public McpServerStatus enable(String name) {
			throw new AssertionError("Nobody is to wait");
		}

		@Override
		public Mono<McpServerStatus> enableAsync(String name) {
			return act("enable", name);
		}

		@Override
		public McpServerStatus disable(String name) {
			throw new AssertionError("Nobody is to wait");
		}

		@Override
		public Mono<McpServerStatus> disableAsync(String name) {
			return act("disable", name);
		}

		private Mono<McpServerStatus> act(String action, String name) {
			FakeMcpServerRegistry.this.contacts.add(action + " " + name);
			return FakeMcpServerRegistry.this.servers.get(name).action.get();
		}

	}

	record FakeTool(String serverName, String originalName, String title, String description,
			Map<String, Object> inputSchema, Map<String, Object> outputSchema, ToolAnnotations annotations,
			boolean available, Instant changedAt) implements McpTool {

		@Override
		public String name() {
			return this.serverName + "_" + this.originalName;
		}

		@Override
		public McpToolRule rule() {
			return null;
		}

		@Override
		public boolean hidden() {
			return false;
		}

		@Override
		public String instructions() {
			return null;
		}

		@Override
		public McpToolRequest request(Object arguments) {
			throw new AssertionError("No tool is to be called");
		}

		@Override
		public McpToolResult call(McpToolRequest request) {
			throw new AssertionError("No tool is to be called");
		}

		@Override
		public Mono<McpToolResult> callAsync(McpToolRequest request) {
			throw new AssertionError("No tool is to be called");
		}

	}

	private record NoFeatures(List<Prompt> prompts, List<Resource> resources, List<ResourceTemplate> resourceTemplates,
			List<McpServerFeatures.ExcludedItem> excluded) implements McpServerFeatures {
	}

}
