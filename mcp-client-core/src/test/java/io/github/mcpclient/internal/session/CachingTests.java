package io.github.mcpclient.internal.session;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.authorization.McpHeadersProvider;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import io.modelcontextprotocol.spec.McpSchema.TextResourceContents;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of results that servers of revision 2026-07-28 let be used again.
 */
@Execution(ExecutionMode.CONCURRENT)
class CachingTests {

	private static final Duration SOON = Duration.ofSeconds(30);

	private static final String NOTE = "note://1";

	private static final String USER = "user";

	private final McpTestServer server = McpTestServer.create()
		.protocolVersions("2026-07-28")
		.capability("tools", Map.of())
		.capability("resources", Map.of("subscribe", true))
		.tools("a", "b", "c")
		.resource(Map.of("uri", NOTE, "name", "note"), (request) -> note(request.header(USER)))
		.caching(Duration.ofHours(1), "private");

	@AfterEach
	void stop() {
		this.server.close();
	}

	private static McpTestReply note(Object text) {
		return McpTestReply.result(Map.of("contents", List.of(Map.of("uri", NOTE, "text", String.valueOf(text)))));
	}

	@Test
	void aConnectionThatIsMadeAgainListsNothingThatIsFresh() {
		this.server.pageSize(2);
		try (StandaloneMcpClient client = stdio()) {
			restart(client);
			assertThat(client.tools().all()).hasSize(3);
		}
		assertThat(this.server.requests("tools/list")).hasSize(2);
	}

	@Test
	void whatIsNotFreshIsListedAgain() {
		this.server.caching(Duration.ZERO, "public");
		try (StandaloneMcpClient client = stdio()) {
			restart(client);
		}
		assertThat(this.server.requests("tools/list")).hasSize(2);
	}

	@Test
	void whatTheServerCouldNotAnnounceMeanwhileIsListedAgain() {
		this.server.capability("tools", Map.of("listChanged", true));
		try (StandaloneMcpClient client = stdio()) {
			this.server.removeTools("c");
			restart(client);
			assertThat(client.tools().all()).hasSize(2);
		}
	}

	@Test
	void anUnknownCursorBeginsTheListAnew() {
		McpTestServer server = this.server.on("tools/list",
				(request) -> request.params().containsKey("cursor") ? page("b", null, 0) : page("a", "old", 60_000));
		try (StandaloneMcpClient client = stdio()) {
			server.on("tools/list", (request) -> switch (String.valueOf(request.params().get("cursor"))) {
				case "old" -> McpTestReply.error(-32602, "Unknown cursor");
				case "new" -> page("d", null, 0);
				default -> page("c", "new", 0);
			});
			restart(client);
			assertThat(client.tools().all()).extracting(McpTool::originalName).containsExactly("c", "d");
		}
		assertThat(server.requests("tools/list")).extracting((request) -> request.params().get("cursor"))
			.containsExactly(null, "old", "old", null, "new");
	}

	private static McpTestReply page(String tool, String cursor, int ttl) {
		return McpTestReply.result("{\"tools\": [{\"name\": \"" + tool + "\", \"inputSchema\": {}}], \"ttlMs\": " + ttl
				+ ((cursor != null) ? ", \"nextCursor\": \"" + cursor + "\"" : "") + "}");
	}

	@Test
	void aChangeIsListedAtOnce() {
		this.server.capability("tools", Map.of("listChanged", true));
		try (StandaloneMcpClient client = http()) {
			this.server.awaitListeners(1);
			this.server.tools("d").notifyToolsListChanged();
			await().until(() -> client.tools().find("x_d").isPresent());
			this.server.cutSubscriptions();
			this.server.tools("e");
			await().atMost(SOON).until(() -> client.tools().find("x_e").isPresent());
		}
	}

	@Test
	void askedForByHandTheServerIsAsked() {
		try (StandaloneMcpClient client = http()) {
			this.server.tools("d");
			server(client).refresh();
			assertThat(client.tools().find("x_d")).isPresent();
			this.server.tools("e");
			server(client).reconnect();
			assertThat(client.tools().find("x_e")).isPresent();
		}
	}

	@Test
	void aResourceIsReadAgainOnceItIsUpdated() {
		try (StandaloneMcpClient client = http()) {
			server(client).subscribe(NOTE);
			read(client, "anne");
			read(client, "anne");
			assertThat(this.server.requests("resources/read")).hasSize(1);
			this.server.notifyClients("notifications/resources/updated", Map.of("uri", NOTE));
			await().untilAsserted(() -> {
				read(client, "anne");
				assertThat(this.server.requests("resources/read")).hasSize(2);
			});
			this.server.cutSubscriptions();
			await().atMost(SOON).untilAsserted(() -> {
				read(client, "anne");
				assertThat(this.server.requests("resources/read")).hasSizeGreaterThan(2);
			});
		}
	}

	@Test
	void whatDependsOnAnswersOfTheUserIsNotKept() {
		this.server.resource(Map.of("uri", NOTE, "name", "note"),
				(request) -> request.inputResponses().isEmpty()
						? McpTestReply.inputRequired()
							.withInputRequest("sure", "elicitation/create", Map.of("mode", "form", "message", "Sure?",
									"requestedSchema", Map.of("type", "object", "properties", Map.of())))
						: note("secret"));
		McpElicitationHandler handler = (question,
				context) -> ElicitResult.builder(Action.ACCEPT).content(Map.of()).build();
		try (StandaloneMcpClient client = http((definition) -> definition, (builder) -> builder.add(handler))) {
			assertThat(read(client, "anne")).isEqualTo("secret");
			assertThat(read(client, "anne")).isEqualTo("secret");
		}
		assertThat(this.server.requests("resources/read")).hasSize(4);
	}

	@Test
	void whatIsPrivateIsOnlyForCallersWithTheSameHeaders() {
		McpHeadersProvider headers = (request) -> header();
		try (StandaloneMcpClient client = http((definition) -> definition, (builder) -> builder.add(headers))) {
			for (String user : List.of("anne", "ben", "anne", "ben")) {
				assertThat(read(client, user)).isEqualTo(user);
			}
			assertThat(users("resources/read")).containsExactly("anne", "ben");
			this.server.caching(Duration.ofHours(1), "public");
			assertThat(read(client, "carl")).isEqualTo("carl");
			assertThat(read(client, "dora")).isEqualTo("carl");
		}
		assertThat(users("resources/read")).containsExactly("anne", "ben", "carl");
	}

	@Test
	void whatIsPrivateIsOnlyForTheConnectionOfItsUser() {
		try (StandaloneMcpClient client = ofUsers()) {
			for (String user : List.of("anne", "ben", "anne", "ben")) {
				assertThat(read(client, user)).isEqualTo(user);
			}
		}
		assertThat(users("resources/read")).containsExactly("anne", "ben");
		assertThat(users("tools/list")).containsExactly("anne", "ben");
	}

	@Test
	void whatIsPublicIsForTheConnectionsOfAllUsers() {
		this.server.caching(Duration.ofHours(1), "public");
		try (StandaloneMcpClient client = ofUsers()) {
			read(client, "anne");
			read(client, "ben");
		}
		assertThat(users("resources/read")).containsExactly("anne");
		assertThat(users("tools/list")).containsExactly("anne");
		assertThat(users("server/discover")).containsExactly("anne", "ben");
	}

	@Test
	void anOlderServerIsAskedOnceWhichRevisionItSpeaks() {
		this.server.protocolVersions("2025-11-25");
		try (StandaloneMcpClient client = ofUsers()) {
			assertThat(read(client, "anne")).isEqualTo("anne");
			assertThat(read(client, "ben")).isEqualTo("ben");
		}
		assertThat(users("server/discover")).containsExactly("anne");
		assertThat(users("initialize")).containsExactly("anne", "ben");
	}

	private static Mono<Map<String, String>> header() {
		return Mono.deferContextual(
				(context) -> Mono.justOrEmpty(context.<String>getOrEmpty(USER)).map((user) -> Map.of(USER, user)));
	}

	private List<String> users(String method) {
		return this.server.requests(method).stream().map((request) -> request.header(USER)).toList();
	}

	private static String read(StandaloneMcpClient client, String user) {
		return ((TextResourceContents) server(client).readResourceAsync(NOTE)
			.contextWrite(Context.of(USER, user))
			.block(SOON)
			.contents()
			.get(0)).text();
	}

	private static ManagedMcpServer server(StandaloneMcpClient client) {
		return client.manager().server("x");
	}

	// by its own process: a connection that somebody makes again is no accident
	private void restart(StandaloneMcpClient client) {
		this.server.awaitProcess().exit(1);
		await().atMost(SOON)
			.until(() -> this.server.requests("server/discover").size() == 2
					&& server(client).status().state() == McpServerState.READY);
	}

	private StandaloneMcpClient stdio() {
		List<String> command = this.server.start().stdioCommand();
		return connected(McpServerDefinition.stdio("x", command.get(0)).args(command.subList(1, command.size())),
				(builder) -> builder);
	}

	private StandaloneMcpClient http() {
		return http((definition) -> definition, (builder) -> builder);
	}

	private StandaloneMcpClient http(UnaryOperator<McpServerDefinitionBuilder> more,
			UnaryOperator<StandaloneMcpClient.Builder> added) {
		return connected(more.apply(McpServerDefinition.http("x", URI.create(this.server.start().url()))), added);
	}

	private static StandaloneMcpClient connected(McpServerDefinitionBuilder definition,
			UnaryOperator<StandaloneMcpClient.Builder> added) {
		StandaloneMcpClient client = added.apply(StandaloneMcpClient.builder().server(definition.build())).build();
		assertThat(server(client).status().state()).isEqualTo(McpServerState.READY);
		return client;
	}

	private StandaloneMcpClient ofUsers() {
		McpServerDefinition definition = McpServerDefinition.http("x", URI.create(this.server.start().url()))
			.auth(McpServerAuth.clientCredentials("client", "secret"))
			.build();
		return StandaloneMcpClient.builder().server(definition).add("mcpOAuth2Authorizer", new Users()).build();
	}

	/**
	 * Authorizes requests by the name of the user.
	 */
	private static final class Users implements UserAuthorizer {

		@Override
		public Mono<User> user(McpServerDefinition server) {
			return Mono.deferContextual((context) -> {
				String name = context.get(USER);
				return Mono.just(new User(name, Context.of(USER, name)));
			});
		}

		@Override
		public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
			return header().switchIfEmpty(Mono.error(() -> new LoginRequiredException("It needs a login", "Log in.")));
		}

	}

}
