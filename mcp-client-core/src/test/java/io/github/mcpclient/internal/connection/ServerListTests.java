package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.internal.connection.FakeSessions.Link;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerList}.
 */
class ServerListTests extends ConnectionHarness {

	private static final Duration NANO = Duration.ofNanos(1);

	@Test
	void announcedChangeIsListedAtOnce() {
		McpConnection connection = readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().list("a", "b");
		assertThat(this.events.take()).containsExactly("tools [a, b]");
		assertThat(connection.tools()).hasSize(2);
		assertThat(connection.status().tools()).isEqualTo(2);
	}

	@Test
	void sameToolsAreNoChange() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().list("a");
		assertThat(this.events.take()).isEmpty();
	}

	@Test
	void stormIsTwoListingsASecond() {
		readyAndListed("a");
		this.server.last().tools = List.of(FakeSessions.tool("b"));
		for (int i = 0; i < 999; i++) {
			for (int j = 0; j < 10; j++) {
				link().listener.listChanged(ItemKind.TOOLS);
			}
			this.time.advance(Duration.ofMillis(1));
		}
		// The first of all was the one of the handshake
		assertThat(link().listings).hasSize(1 + 2);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(link().listings).hasSize(1 + 3);
		assertThat(this.events.take()).containsExactly("tools [b]");
	}

	@Test
	void nextListingBeginsWhenTheDistanceIsOver() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		this.time.advance(Duration.ofSeconds(3));
		link().list("b");
		link().listener.listChanged(ItemKind.TOOLS);
		this.time.advance(ServerList.DISTANCE.minus(NANO));
		assertThat(link().listings).hasSize(2);
		this.time.advance(NANO);
		assertThat(link().listings).hasSize(3);
	}

	@Test
	void changesAnnouncedWhileListingAreOneMoreListing() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().listener.listChanged(ItemKind.TOOLS);
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(link().listings).hasSize(2);
		link().list("b");
		this.time.advance(Duration.ofSeconds(5));
		assertThat(link().listings).hasSize(3);
		link().list("c");
		this.time.advance(Duration.ofSeconds(5));
		assertThat(link().listings).hasSize(3);
		assertThat(this.events.take()).containsExactly("tools [b]", "tools [c]");
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void changeOrGapDuringTheHandshakeIsNotMissed(boolean gap) {
		start();
		link().initialize();
		if (gap) {
			link().gap.run();
		}
		else {
			link().listener.listChanged(ItemKind.TOOLS);
		}
		link().list("a");
		assertThat(link().listings).hasSize(2);
		link().list("b");
		assertThat(this.events.take()).containsExactly("IDLE->CONNECTING", "tools [a]", "CONNECTING->READY",
				"tools [b]");
	}

	@Test
	void failedListingKeepsTheToolsAndIsLoggedOnce() {
		McpConnection connection = readyAndListed("a");
		for (int i = 0; i < 3; i++) {
			link().listener.listChanged(ItemKind.TOOLS);
			link().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
			this.time.advance(Duration.ofSeconds(1));
		}
		assertThat(link().listings).hasSize(1 + 3);
		assertThat(connection.isReady()).isTrue();
		assertThat(connection.tools()).hasSize(1);
		assertThat(this.events.take()).isEmpty();
		assertThat(log(Level.WARN)).containsExactly(
				"MCP server 'x' (server): its tools could not be listed: The server refused tools/list with error -32603:"
						+ " oops. Check the server's log. It keeps 1 tool until a listing succeeds");
		link().listener.listChanged(ItemKind.TOOLS);
		link().list("b");
		assertThat(connection.tools()).extracting("name").containsExactly("b");
		this.time.advance(Duration.ofSeconds(1));
		link().listener.listChanged(ItemKind.TOOLS);
		link().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
		assertThat(log(Level.WARN)).hasSize(2);
	}

	@Test
	void listingThatFailsIsRepeatedUntilItSucceeds() {
		McpConnection connection = readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		int failures = 0;
		for (int second = 0; second < 600; second++) {
			if (link().listings.size() > 1 + failures) {
				link().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
				failures++;
			}
			this.time.advance(Duration.ofSeconds(1));
		}
		assertThat(failures).isBetween(10, 20);
		this.time.advance(Duration.ofMinutes(1));
		link().list("b");
		assertThat(connection.tools()).extracting("name").containsExactly("b");
		this.time.advance(Duration.ofHours(1));
		assertThat(link().listings).hasSize(1 + failures + 1);
	}

	@Test
	void listingThatFailsOnceIsRepeatedSoon() {
		McpConnection connection = readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().failListing(new SessionTimeoutException("tools/list", Duration.ofSeconds(60)));
		this.time.advance(Duration.ofSeconds(2));
		link().list("b");
		assertThat(connection.tools()).extracting("name").containsExactly("b");
	}

	@Test
	void refreshThatFailsIsNotRepeated() {
		new Outcome(readyAndListed("a").refresh());
		link().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
		this.time.advance(Duration.ofHours(1));
		assertThat(link().listings).hasSize(2);
	}

	@Test
	void serverThatAnnouncesAChangeWithEachListingIsListedLessAndLess() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(listingsWithin(Duration.ofMinutes(10), (listing) -> "a")).isBetween(10, 20);
		assertThat(listingsWithin(Duration.ofMinutes(10), (listing) -> "a")).isBetween(5, 10);
		// it has another one at last
		this.time.advance(Duration.ofMinutes(1));
		link().list("b");
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(listingsWithin(Duration.ofSeconds(3), (listing) -> "b")).isGreaterThan(1);
	}

	@Test
	void serverThatHasOtherToolsWithEachListingIsNotListedFastForEver() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(listingsWithin(Duration.ofHours(1), (listing) -> (listing % 2 == 0) ? "a" : "b")).isLessThan(250);
	}

	@Test
	void toolsAreListedOnceAfterAGap() {
		readyAndListed("a");
		link().gap.run();
		link().gap.run();
		this.time.advance(ServerList.GAP_DISTANCE);
		assertThat(link().listings).hasSize(2);
		link().list("b");
		assertThat(this.events.take()).containsExactly("tools [b]");
		this.time.advance(Duration.ofHours(1));
		assertThat(link().listings).hasSize(2);
	}

	@Test
	void changeThatIsAnnouncedAfterAGapIsListedAtOnceAndCoversIt() {
		readyAndListed("a");
		link().gap.run();
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(link().listings).hasSize(2);
		link().list("b");
		this.time.advance(Duration.ofHours(1));
		assertThat(link().listings).hasSize(2);
	}

	@Test
	void gapDuringAListingIsAnotherOne() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().gap.run();
		link().list("a");
		this.time.advance(ServerList.GAP_DISTANCE);
		assertThat(link().listings).hasSize(3);
	}

	@Test
	void gapsWithoutEndAreListedLessAndLessAndDelayNoAnnouncement() {
		readyAndListed("a");
		int answered = link().listings.size();
		for (int second = 0; second < 7200; second++) {
			if (second % 60 == 0) {
				link().gap.run();
			}
			this.time.advance(Duration.ofSeconds(1));
			if (link().listings.size() > answered) {
				answered = link().listings.size();
				link().list("a");
			}
		}
		assertThat(answered).isBetween(20, 30);
		this.time.advance(Duration.ofSeconds(1));
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(link().listings).hasSize(answered + 1);
	}

	@Test
	void listingAfterAGapThatFailsIsRepeated() {
		McpConnection connection = readyAndListed("a");
		link().gap.run();
		this.time.advance(ServerList.GAP_DISTANCE);
		link().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
		this.time.advance(Duration.ofSeconds(1));
		link().list("b");
		assertThat(connection.tools()).extracting("name").containsExactly("b");
	}

	@Test
	void refreshIsNeverHeldBack() {
		McpConnection connection = readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		listingsWithin(Duration.ofMinutes(10), (listing) -> "a");
		link().list("a");
		Outcome refresh = new Outcome(connection.refresh());
		link().list("b");
		assertThat(refresh.status).isNotNull();
	}

	/**
	 * Answer each listing with one tool, after another change was announced.
	 */
	private int listingsWithin(Duration duration, IntFunction<String> tools) {
		int before = link().listings.size();
		int answered = before - 1;
		for (long step = 0; step < duration.toMillis() / 100; step++) {
			if (link().listings.size() > answered) {
				answered = link().listings.size();
				link().listener.listChanged(ItemKind.TOOLS);
				link().list(tools.apply(answered));
			}
			this.time.advance(Duration.ofMillis(100));
		}
		return link().listings.size() - before;
	}

	@Test
	void refreshIsHot() {
		readyAndListed("a").refresh();
		link().list("b");
		assertThat(this.events.take()).containsExactly("tools [b]");
	}

	@Test
	void refreshDoesNotWaitForTheDistance() {
		McpConnection connection = readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().list("a");
		Outcome refresh = new Outcome(connection.refresh());
		assertThat(link().listings).hasSize(3);
		link().list("a", "b");
		assertThat(refresh.status.tools()).isEqualTo(2);
	}

	@Test
	void refreshDuringAListingIsServedByTheNextOne() {
		McpConnection connection = readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		Outcome first = new Outcome(connection.refresh());
		Outcome second = new Outcome(connection.refresh());
		link().list("a");
		assertThat(first.status).isNull();
		assertThat(link().listings).hasSize(3);
		link().list("b");
		assertThat(first.status.tools()).isEqualTo(1);
		assertThat(second.status).isNotNull();
		assertThat(link().listings).hasSize(3);
	}

	@Test
	void refreshOfAnUnavailableServerFails() {
		McpConnection connection = readyAndListed("a");
		link().die("gone");
		assertThat(new Outcome(connection.refresh()).failure).isInstanceOf(McpServerUnavailableException.class)
			.hasMessageContaining("is UNAVAILABLE: gone. ");
	}

	@Test
	void failuresOfARefreshAreTold() {
		McpConnection connection = readyAndListed("a");
		Outcome refused = new Outcome(connection.refresh());
		link().failListing(new McpError(new JSONRPCError(-32603, "oops", null)));
		assertThat(refused.failure).isInstanceOf(McpProtocolException.class)
			.hasMessage("MCP server 'x' returned error -32603 for tools/list: oops");
		Outcome timedOut = new Outcome(connection.refresh());
		link().failListing(new SessionTimeoutException("tools/list", Duration.ofSeconds(60)));
		assertThat(timedOut.failure).isInstanceOf(McpRequestTimeoutException.class)
			.hasMessageStartingWith("MCP server 'x' did not respond to tools/list within 60000 ms. ");
		assertThat(connection.tools()).hasSize(1);
	}

	@Test
	void refreshEndsWithTheConnection() {
		McpConnection connection = readyAndListed("a");
		Outcome running = new Outcome(connection.refresh());
		Outcome waiting = new Outcome(connection.refresh());
		link().die("gone");
		assertThat(running.failure).isInstanceOf(McpConnectionException.class).hasMessageContaining(": gone. ");
		assertThat(waiting.failure).isInstanceOf(McpConnectionException.class);
		// One line, that of the loss
		assertThat(log(Level.WARN)).hasSize(1);
		assertThat(this.time.pending()).isEqualTo(1);
	}

	@Test
	void refreshEndsWithClose() {
		McpConnection connection = readyAndListed("a");
		Outcome running = new Outcome(connection.refresh());
		connection.close();
		assertThat(running.failure).isInstanceOf(McpServerUnavailableException.class);
	}

	@Test
	void plannedListingEndsWithTheConnection() {
		readyAndListed("a");
		link().listener.listChanged(ItemKind.TOOLS);
		link().list("b");
		link().listener.listChanged(ItemKind.TOOLS);
		assertThat(this.time.pending()).isEqualTo(1);
		Link lost = link();
		lost.die("gone");
		// That of the next attempt
		assertThat(this.time.pending()).isEqualTo(1);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(lost.listings).hasSize(2);
	}

	private McpConnection readyAndListed(String... tools) {
		McpConnection connection = ready(tools);
		this.events.take();
		return connection;
	}

	private Link link() {
		return this.server.last();
	}

	private static final class Outcome {

		private McpServerStatus status;

		private Throwable failure;

		private Outcome(Mono<McpServerStatus> refresh) {
			refresh.subscribe((value) -> this.status = value, (ex) -> this.failure = ex);
		}

	}

}
