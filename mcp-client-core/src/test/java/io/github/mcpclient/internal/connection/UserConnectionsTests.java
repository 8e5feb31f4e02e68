package io.github.mcpclient.internal.connection;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.authorization.McpHeadersRequest;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.Call;
import io.github.mcpclient.internal.transport.HeaderSources.UserAuthorizer;
import io.github.mcpclient.spi.LoginRequiredException;
import io.modelcontextprotocol.spec.McpSchema.CallToolRequest;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

import org.springframework.security.authentication.AuthenticationCredentialsNotFoundException;
import org.springframework.security.oauth2.client.ClientAuthorizationRequiredException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UserConnections}.
 */
class UserConnectionsTests extends ConnectionHarness {

	private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(60);

	private static final Duration WAIT = Duration.ofSeconds(5);

	private static final String URL = "http://localhost/mcp";

	private final Users users = new Users();

	private McpConnection connection;

	@BeforeEach
	void needLogin() {
		authorizeBy(this.users);
		this.connection = of(URL);
		this.connection.start();
		this.server.last().refuse(new LoginRequiredException("It needs a login", "Log in."));
		assertThat(state()).isEqualTo(McpServerState.IDLE);
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING", "CONNECTING->IDLE", "withdrawn");
		this.events.failures.clear();
	}

	private McpConnection of(String url) {
		return create(McpServerDefinition.http("x", URI.create(url)),
				(builder) -> builder.auth(McpServerAuth.clientCredentials("client", "secret"))
					.maxConcurrentCalls(1)
					.requestTimeout(REQUEST_TIMEOUT));
	}

	private McpConnection replace(String url) {
		McpConnection next = of(url);
		next.follow(this.connection);
		this.connection.drain("It was replaced.", next).subscribe();
		next.start();
		this.server.last().refuse(new LoginRequiredException("It needs a login", "Log in."));
		return next;
	}

	private static Answer call(McpConnection connection, String user) {
		return new Answer(connection
			.call(Call.tool(new CallToolRequest("a", null, null), Call.Options.of(REQUEST_TIMEOUT, false)))
			.contextWrite(Context.of("user", user)));
	}

	private Use use(String user) {
		return new Use(this.connection.forCaller().contextWrite(Context.of("user", user)));
	}

	private McpConnection userReady(String user, String... tools) {
		Use use = use(user);
		this.server.last().ready(tools);
		return use.connection();
	}

	private int users() {
		return this.connection.status().users();
	}

	@Test
	void usersHaveOneConnectionEach() {
		List<Use> uses = List.of(use("anne"), use("anne"));
		assertThat(this.server.attempts()).isEqualTo(2);
		this.server.last().ready("a");
		McpConnection anne = uses.get(0).connection();
		assertThat(uses.get(1).connection()).isSameAs(anne).isSameAs(use("anne").connection());
		McpConnection ben = userReady("ben", "b");
		assertThat(anne.tools()).extracting("name").containsExactly("a");
		assertThat(ben.tools()).extracting("name").containsExactly("b");
		assertThat(this.connection.tools()).isEmpty();
		assertThat(users()).isEqualTo(2);
		assertThat(this.events.take()).as("those of the server").isEmpty();
	}

	@Test
	void theServerItselfIsNotTriedAgain() {
		this.connection.start();
		this.connection.reconnect().subscribe();
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).isEqualTo(1);
		assertThat(status().lastError()).contains("needs a login");
		assertThat(status().nextRetry()).isNull();
	}

	@Test
	void aConnectionIsOfNoUseToAnotherUser() {
		McpConnection anne = userReady("anne");
		Mono<?> call = anne
			.call(Call.tool(new CallToolRequest("a", null, null), Call.Options.of(REQUEST_TIMEOUT, false)));
		AtomicReference<Throwable> failure = new AtomicReference<>();
		call.contextWrite(Context.of("user", "ben")).subscribe(null, failure::set);
		assertThat(failure.get()).isInstanceOf(IllegalStateException.class).hasMessageContaining("for another");
		assertThat(this.server.last().calls).isEmpty();
	}

	@Test
	void aConnectionThatDrainsEndsWithTheCallsOfItsUser() {
		McpConnection anne = userReady("anne");
		Link link = this.server.last();
		Answer pending = call(anne, "anne");
		McpConnection next = replace(URL);
		assertThat(pending.isOpen()).isTrue();
		assertThat(link.closes).hasValue(0);
		Answer late = call(anne, "anne");
		assertThat(next.status().users()).isOne();
		link.calls.get(0).tryEmitValue(FakeSessions.result("old"));
		assertThat(pending.text()).isEqualTo("old");
		assertThat(link.closes).hasValue(1);
		this.server.last().ready();
		this.server.last().calls.get(0).tryEmitValue(FakeSessions.result("new"));
		assertThat(late.text()).isEqualTo("new");
	}

	@Test
	void isClosedAfterATimeWithoutUse() {
		userReady("anne");
		this.time.advance(UserConnections.MAX_IDLE.minusSeconds(1));
		use("anne");
		this.time.advance(UserConnections.MAX_IDLE.minusSeconds(1));
		assertThat(users()).isEqualTo(1);
		this.time.advance(Duration.ofSeconds(1));
		assertThat(users()).isZero();
		assertThat(this.server.last().closes).hasValue(1);
		userReady("anne");
		assertThat(users()).isEqualTo(1);
	}

	@Test
	void leavesNoTimerWhereTheServerIsReplaced() {
		userReady("anne");
		this.connection.drain("It was replaced.", null);
		assertThat(this.server.last().closes).hasValue(1);
		this.time.advance(Generation.CLOSE_TIMEOUT);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void theUserWhoWasAwayLongestMakesRoom() {
		this.server.script = (link) -> link.initialize();
		for (int i = 0; i < UserConnections.MAX_USERS; i++) {
			use("user" + i);
			this.server.last().list();
		}
		use("user0").connection();
		int attempts = this.server.attempts();
		use("another");
		assertThat(users()).isEqualTo(UserConnections.MAX_USERS);
		use("user0").connection();
		assertThat(this.server.attempts()).isEqualTo(attempts + 1);
		use("user1");
		assertThat(this.server.attempts()).isEqualTo(attempts + 2);
	}

	@Test
	void aLostConnectionIsMadeAgainForAUserWhoIsThere() {
		userReady("anne");
		this.server.last().die("lost");
		this.time.advance(Duration.ofSeconds(1));
		assertThat(this.server.attempts()).isEqualTo(3);
		this.server.last().ready();
		this.time.advance(UserConnections.MAX_IDLE_WHILE_LOST);
		this.server.last().die("lost");
		this.time.advance(Duration.ofHours(1));
		assertThat(this.server.attempts()).isEqualTo(3);
		assertThat(users()).isZero();
	}

	@Test
	void theFirstUseEndsWithTheRequestTimeoutOrTheServer() {
		Use slow = use("anne");
		Link link = this.server.last();
		this.connection.close("It was removed.");
		assertThat(slow.failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessageContaining("It was removed.");
		assertThat(link.closes).hasValue(1);
		assertThat(use("anne").connection()).isSameAs(this.connection);
	}

	@Test
	void theFirstUseIsLimitedInTime() {
		this.server.script = (link) -> link.initialize();
		Use slow = new Use(this.connection.forCaller().contextWrite(Context.of("user", "anne")));
		this.time.advance(REQUEST_TIMEOUT);
		assertThat(slow.failure).isInstanceOfAny(McpRequestTimeoutException.class, McpServerUnavailableException.class);
	}

	@Test
	void aCallUnderWayIsNotEndedForAnotherUser() {
		this.server.script = (link) -> link.initialize();
		List<McpConnection> busy = new ArrayList<>();
		for (int i = 0; i < UserConnections.MAX_USERS; i++) {
			Use use = use("user" + i);
			this.server.last().list();
			busy.add(use.connection());
		}
		List<Throwable> failures = new ArrayList<>();
		List<Disposable> calls = new ArrayList<>();
		busy.forEach((connection) -> calls.add(connection
			.call(Call.tool(new CallToolRequest("a", null, null), Call.Options.of(REQUEST_TIMEOUT, false)))
			.contextWrite(Context.of("user", "user" + calls.size()))
			.subscribe(null, failures::add)));
		Use refused = use("another");
		assertThat(refused.failure).isInstanceOf(McpConnectionException.class)
			.hasMessageContaining("All 1000 connections of users are busy");
		assertThat(((McpConnectionException) refused.failure).isOutcomeKnown()).isTrue();
		assertThat(failures).isEmpty();
		calls.get(7).dispose();
		Use another = use("another");
		this.server.last().list();
		another.connection();
		assertThat(failures).isEmpty();
		assertThat(users()).isEqualTo(UserConnections.MAX_USERS);
		assertThat(busy.get(7).state()).isEqualTo(McpServerState.CLOSED);
	}

	private Use list(String user) {
		return new Use(this.connection.forListing(WAIT).contextWrite(Context.of("user", user)));
	}

	@Test
	void listingWaitsForAWhileOnceAndTheAttemptGoesOn() {
		Use first = list("anne");
		Link link = this.server.last();
		this.time.advance(WAIT.minusMillis(1));
		Use second = list("anne");
		assertThat(first.ended || second.ended).isFalse();
		this.time.advance(Duration.ofMillis(1));
		assertThat(first.ended && second.ended && list("anne").ended).isTrue();
		assertThat(first.connection).isNull();
		assertThat(this.server.attempts()).isEqualTo(2);
		link.ready("a");
		assertThat(list("anne").connection().tools()).hasSize(1);
		Use ben = list("ben");
		this.server.last().ready("b");
		assertThat(ben.connection().tools()).hasSize(1);
	}

	@Test
	void aFailureToConnectAUserIsRememberedAndToldOnce() {
		AtomicInteger attempts = new AtomicInteger();
		this.users.login = () -> {
			attempts.incrementAndGet();
			throw new IllegalArgumentException("identity-provider names no registration");
		};
		for (int i = 0; i < 3; i++) {
			assertThat(list("anne").ended).isTrue();
		}
		assertThat(attempts).hasValue(1);
		assertThat(list("ben").ended).isTrue();
		assertThat(attempts).hasValue(2);
		assertThat(status().lastError()).contains("A user is not connected")
			.contains("identity-provider names no registration")
			.contains("Check mcp.servers.x.auth.");
		assertThat(this.events.failures).singleElement().asString().contains("identity-provider names no");
		this.time.advance(UserConnections.REMEMBERED);
		list("anne");
		assertThat(attempts).hasValue(3);
		assertThat(this.events.failures).hasSize(1);
		this.users.login = Map::of;
		userReady("ben");
		assertThat(status().lastError()).contains("needs a login").doesNotContain("identity-provider");
	}

	@Test
	void theNewsOfALoginThatEndedIsNoneOfTheNextOne() {
		this.users.login = () -> {
			throw new ClientAuthorizationRequiredException("x");
		};
		AtomicReference<McpConnection> next = new AtomicReference<>();
		this.connection.forCaller().contextWrite(Context.of("user", "anne")).subscribe(null, (failure) -> {
			this.users.login = Map::of;
			next.set(userReady("anne"));
		});
		assertThat(next.get().state()).isEqualTo(McpServerState.READY);
		assertThat(users()).isEqualTo(1);
	}

	@Test
	void aLoginIsNoFailure() {
		this.users.login = () -> {
			throw new ClientAuthorizationRequiredException("x");
		};
		assertThat(list("anne").failure).isInstanceOf(ClientAuthorizationRequiredException.class);
		this.users.login = () -> {
			throw new AuthenticationCredentialsNotFoundException("nobody");
		};
		assertThat(list("ben").ended).isTrue();
		assertThat(this.events.failures).isEmpty();
		assertThat(status().lastError()).contains("needs a login");
		this.users.login = Map::of;
		Use anne = list("anne");
		this.server.last().ready();
		anne.connection();
	}

	@Test
	void whatHasListedIsForgottenOnceItIsClosed() {
		WeakReference<McpConnection> connection = listed("anne");
		this.time.advance(UserConnections.MAX_IDLE);
		assertThat(users()).isZero();
		this.server.links.clear();
		Awaitility.await().until(() -> {
			System.gc();
			return connection.refersTo(null);
		});
	}

	private WeakReference<McpConnection> listed(String user) {
		Use use = list(user);
		this.server.last().ready("a");
		return new WeakReference<>(use.connection());
	}

	/**
	 * What became of a use.
	 */
	private static final class Use {

		private McpConnection connection;

		private Throwable failure;

		private boolean ended;

		private Use(Mono<McpConnection> use) {
			use.doOnTerminate(() -> this.ended = true)
				.subscribe((value) -> this.connection = value, (ex) -> this.failure = ex);
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

		private Supplier<Map<String, String>> login = Map::of;

		@Override
		public Mono<User> user(McpServerDefinition server) {
			return Mono.deferContextual((context) -> {
				String name = context.get("user");
				return Mono.just(new User(name, Context.of("user", name)));
			});
		}

		@Override
		public Mono<Map<String, String>> authorize(McpHeadersRequest request) {
			return Mono.fromSupplier(() -> this.login.get());
		}

	}

}
