package io.github.mcpclient.connection;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

import io.github.mcpclient.McpHeadersRequest;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerAuth;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.connection.FakeSessions.Link;
import io.github.mcpclient.session.Call;
import io.github.mcpclient.transport.LoginRequiredException;
import io.github.mcpclient.transport.UserAuthorizer;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UserConnections}.
 */
class UserConnectionsTests {

	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

	@RegisterExtension
	private final ConnectionHarness harness = new ConnectionHarness();

	private McpConnection connection;

	@BeforeEach
	void needLogin() {
		this.harness.authorizeBy(new Users());
		this.connection = this.harness.create(McpServerDefinition.http("x", URI.create("http://localhost/mcp")),
				(builder) -> builder.auth(McpServerAuth.clientCredentials("client", "secret"))
					.requestTimeout(REQUEST_TIMEOUT));
		this.connection.start();
		this.harness.server.last().refuse(new LoginRequiredException("It needs a login", "Log in."));
		assertThat(this.harness.state()).isEqualTo(McpServerState.IDLE);
		assertThat(this.harness.events.take()).containsExactly("IDLE->CONNECTING", "CONNECTING->IDLE");
	}

	private Use use(String user) {
		return new Use(this.connection.forCaller(Mono::just).contextWrite(Context.of("user", user)));
	}

	private McpConnection ready(String user, String... tools) {
		Use use = use(user);
		this.harness.server.last().ready(tools);
		return use.connection();
	}

	private int users() {
		return this.connection.status().users();
	}

	@Test
	void usersHaveOneConnectionEach() {
		List<Use> uses = List.of(use("anne"), use("anne"));
		assertThat(this.harness.server.attempts()).isEqualTo(2);
		this.harness.server.last().ready("a");
		McpConnection anne = uses.get(0).connection();
		assertThat(uses.get(1).connection()).isSameAs(anne).isSameAs(use("anne").connection());
		McpConnection ben = ready("ben", "b");
		assertThat(anne.tools()).extracting("name").containsExactly("a");
		assertThat(ben.tools()).extracting("name").containsExactly("b");
		assertThat(this.connection.tools()).isEmpty();
		assertThat(users()).isEqualTo(2);
		assertThat(this.harness.events.take()).as("those of the server").isEmpty();
	}

	@Test
	void theServerItselfIsNotTriedAgain() {
		this.connection.start();
		this.connection.reconnect().subscribe();
		this.harness.time.advance(Duration.ofHours(1));
		assertThat(this.harness.server.attempts()).isEqualTo(1);
		assertThat(this.harness.status().lastError()).contains("needs a login");
		assertThat(this.harness.status().nextRetry()).isNull();
	}

	@Test
	void aConnectionIsOfNoUseToAnotherUser() {
		McpConnection anne = ready("anne");
		Mono<?> call = anne.call(Call.tool(new CallToolRequest("a", null, null), REQUEST_TIMEOUT, null, null, false,
				() -> null, Duration.ZERO));
		AtomicReference<Throwable> failure = new AtomicReference<>();
		call.contextWrite(Context.of("user", "ben")).subscribe(null, failure::set);
		assertThat(failure.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("for another");
		assertThat(this.harness.server.last().calls).isEmpty();
	}

	@Test
	void isClosedAfterATimeWithoutUse() {
		ready("anne");
		this.harness.time.advance(UserConnections.MAX_IDLE.minusSeconds(1));
		use("anne");
		this.harness.time.advance(UserConnections.MAX_IDLE.minusSeconds(1));
		assertThat(users()).isEqualTo(1);
		this.harness.time.advance(Duration.ofSeconds(1));
		assertThat(users()).isZero();
		assertThat(this.harness.server.last().closes).hasValue(1);
		ready("anne");
		assertThat(users()).isEqualTo(1);
	}

	@Test
	void theUserWhoWasAwayLongestMakesRoom() {
		this.harness.server.script = (link) -> link.initialize();
		for (int i = 0; i < UserConnections.MAX_USERS; i++) {
			use("user" + i);
			this.harness.server.last().list();
		}
		use("user0").connection();
		int attempts = this.harness.server.attempts();
		use("another");
		assertThat(users()).isEqualTo(UserConnections.MAX_USERS);
		use("user0").connection();
		assertThat(this.harness.server.attempts()).isEqualTo(attempts + 1);
		use("user1");
		assertThat(this.harness.server.attempts()).isEqualTo(attempts + 2);
	}

	@Test
	void aLostConnectionIsMadeAgainForAUserWhoIsThere() {
		ready("anne");
		this.harness.server.last().die("lost");
		this.harness.time.advance(Duration.ofSeconds(1));
		assertThat(this.harness.server.attempts()).isEqualTo(3);
		this.harness.server.last().ready();
		this.harness.time.advance(UserConnections.MAX_IDLE_WHILE_LOST);
		this.harness.server.last().die("lost");
		this.harness.time.advance(Duration.ofHours(1));
		assertThat(this.harness.server.attempts()).isEqualTo(3);
		assertThat(users()).isZero();
	}

	@Test
	void theFirstUseEndsWithTheRequestTimeoutOrTheServer() {
		Use slow = use("anne");
		Link link = this.harness.server.last();
		this.connection.close("It was removed.");
		assertThat(slow.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessageContaining("It was removed.");
		assertThat(link.closes).hasValue(1);
		assertThat(use("anne").connection()).isSameAs(this.connection);
	}

	@Test
	void theFirstUseIsLimitedInTime() {
		this.harness.server.script = (link) -> link.initialize();
		Use slow = new Use(this.connection.forCaller(Mono::just).contextWrite(Context.of("user", "anne")));
		this.harness.time.advance(REQUEST_TIMEOUT);
		assertThat(slow.failure).isInstanceOfAny(McpRequestTimeoutException.class, McpServerUnavailableException.class);
	}

	/**
	 * What became of a use.
	 */
	private static final class Use {

		private McpConnection connection;

		private Throwable failure;

		private Use(Mono<McpConnection> use) {
			use.subscribe((value) -> this.connection = value, (ex) -> this.failure = ex);
		}

		private McpConnection connection() {
			assertThat(this.failure).isNull();
			assertThat(this.connection).isNotNull();
			return this.connection;
		}

	}

	/**
	 * Finds the user in the Reactor context.
	 */
	private static final class Users implements UserAuthorizer {

		@Override
		public Mono<User> user(McpServerDefinition server) {
			return Mono.deferContextual((context) -> {
				String name = context.get("user");
				return Mono.just(new User(name, Context.of("user", name)));
			});
		}

		@Override
		public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
			return Mono.empty();
		}

	}

}
