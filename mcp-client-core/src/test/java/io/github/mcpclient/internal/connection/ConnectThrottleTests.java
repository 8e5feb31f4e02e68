package io.github.mcpclient.internal.connection;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ConnectThrottle}.
 */
class ConnectThrottleTests {

	private static final Duration TURN = Duration.ofMillis(ConnectThrottle.TURN_MILLIS);

	private final VirtualScheduler time = new VirtualScheduler();

	private final ConnectThrottle throttle = new ConnectThrottle(this.time);

	private final Deque<Disposable> begun = new ArrayDeque<>();

	@Test
	void attemptsBeginAFewAtATimeAsOthersEnd() {
		begin(100);
		assertThat(this.begun).hasSize(ConnectThrottle.TURNS);
		for (int i = 1; i <= 100 - ConnectThrottle.TURNS; i++) {
			this.begun.remove().dispose();
			assertThat(this.begun).hasSize(ConnectThrottle.TURNS);
		}
		this.begun.forEach(Disposable::dispose);
		this.time.advance(TURN);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void thoseThatAreNotAnsweredHoldUpTheOthersForAMomentOnly() {
		int silent = 100 * ConnectThrottle.TURNS;
		begin(silent);
		AtomicInteger good = new AtomicInteger();
		this.throttle.begin(false, (turn) -> good.incrementAndGet());
		this.time.advance(TURN.multipliedBy(99));
		assertThat(good).hasValue(0);
		this.time.advance(TURN);
		assertThat(good).hasValue(1);
		this.time.advance(TURN);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void noTimerRunsWhereNobodyWaits() {
		begin(ConnectThrottle.TURNS);
		assertThat(this.time.pending()).isZero();
	}

	@Test
	void someGoAhead() {
		begin(2 * ConnectThrottle.TURNS);
		List<String> order = new ArrayList<>();
		this.throttle.begin(false, (turn) -> order.add("other"));
		this.throttle.begin(true, (turn) -> order.add("required"));
		this.begun.remove().dispose();
		assertThat(order).containsExactly("required");
	}

	@Test
	void thoseAheadDoNotHoldUpTheOthersForEver() {
		begin(ConnectThrottle.TURNS);
		List<String> order = new ArrayList<>();
		this.throttle.begin(false, (turn) -> order.add("other"));
		for (int i = 0; i < 10; i++) {
			this.throttle.begin(true, (turn) -> {
				order.add("user");
				this.begun.add(turn);
			});
		}
		for (int i = 0; i < 5; i++) {
			this.begun.remove().dispose();
		}
		assertThat(order).hasSize(5).containsOnlyOnce("other").startsWith("user", "user");
	}

	@Test
	void turnEndsOnce() {
		begin(3 * ConnectThrottle.TURNS);
		this.time.advance(TURN);
		assertThat(this.begun).hasSize(2 * ConnectThrottle.TURNS);
		// these are over
		for (int i = 0; i < ConnectThrottle.TURNS; i++) {
			this.begun.remove().dispose();
		}
		assertThat(this.begun).hasSize(ConnectThrottle.TURNS);
		Disposable one = this.begun.remove();
		one.dispose();
		one.dispose();
		assertThat(this.begun).hasSize(ConnectThrottle.TURNS);
	}

	@Test
	@Timeout(60)
	void noAttemptIsLostAmongThoseThatComeAndGo() throws InterruptedException {
		ClientScheduler real = ClientScheduler.create();
		ConnectThrottle throttle = new ConnectThrottle(real);
		ExecutorService threads = Executors.newFixedThreadPool(4);
		CountDownLatch all = new CountDownLatch(4 * 5000);
		for (int i = 0; i < 4; i++) {
			threads.execute(() -> {
				for (int j = 0; j < 5000; j++) {
					throttle.begin(j % 3 == 0, (turn) -> {
						all.countDown();
						// the last ones are never told of
						if (all.getCount() > ConnectThrottle.TURNS) {
							real.schedule(turn::dispose);
						}
					});
				}
			});
		}
		all.await();
		threads.shutdown();
		real.dispose();
	}

	@Test
	void serversShareIt() {
		FakeSessions server = new FakeSessions();
		McpConnectionFactory factory = new McpConnectionFactory(server, this.time, this.time, this.time,
				Implementation.builder("test", "1.0").build(), HeaderSources.NONE);
		List<McpConnection> connections = new ArrayList<>();
		List<String> opened = new ArrayList<>();
		for (int i = 0; i <= 2 * ConnectThrottle.TURNS; i++) {
			McpServerDefinition definition = McpServerDefinition.stdio("s" + i, "server")
				.required(i == 2 * ConnectThrottle.TURNS)
				.build();
			McpConnection connection = factory.create(definition, true, () -> {
				opened.add(definition.name());
				return server.transport();
			}, new FakeSessions.Events(), ServerRequests.NONE, List.of());
			connections.add(connection);
			connection.start();
		}
		assertThat(opened).hasSize(ConnectThrottle.TURNS);
		// one that waits, and one that does not
		connections.get(ConnectThrottle.TURNS).close();
		connections.get(0).close();
		assertThat(opened).hasSize(ConnectThrottle.TURNS + 1).endsWith("s" + 2 * ConnectThrottle.TURNS);
		server.last().ready();
		assertThat(opened).hasSize(ConnectThrottle.TURNS + 2).endsWith("s" + (ConnectThrottle.TURNS + 1));
		server.last().refuse(new TransportException("No", null, null));
		assertThat(opened).hasSize(ConnectThrottle.TURNS + 3);
		connections.forEach(McpConnection::close);
		this.time.advance(TURN);
	}

	@Test
	void fewServersThatAreAwayForLongKeepTheirDelays() {
		Duration delay = Duration.ofSeconds(2);
		for (int i = 0; i < 30; i++) {
			assertThat(this.throttle.paced(delay)).isEqualTo(delay);
		}
		for (int i = 0; i < 100; i++) {
			this.time.advance(Duration.ofMillis(500));
			assertThat(this.throttle.paced(Duration.ofMillis(1))).isLessThan(delay);
		}
		this.time.advance(delay);
		assertThat(this.throttle.paced(Duration.ofMillis(1))).isEqualTo(Duration.ofMillis(1));
	}

	// how many attempts each has in ten minutes, where each fails at once
	@ParameterizedTest
	@CsvSource({ "1000, 20", "3000, 55", "10000, 182" })
	void manyServersThatAreAwayForLongShareAPace(int servers, int perSecond) {
		Random random = new Random(42);
		PriorityQueue<Duration> attempts = new PriorityQueue<>();
		for (int i = 0; i < servers; i++) {
			attempts.add(Duration.ofMillis(random.nextInt(60_000)));
		}
		Duration now = Duration.ZERO;
		int count = 0;
		while (now.compareTo(Duration.ofMinutes(10)) < 0) {
			Duration next = attempts.remove();
			this.time.advance(next.minus(now));
			now = next;
			Duration delay = this.throttle.paced(Duration.ofMillis(random.nextInt(30_000)));
			assertThat(delay).isLessThanOrEqualTo(Duration.ofSeconds(55));
			attempts.add(now.plus(delay));
			count += (now.compareTo(Duration.ofMinutes(2)) > 0) ? 1 : 0;
		}
		assertThat(count / 480).isLessThanOrEqualTo(perSecond);
	}

	@Test
	void thousandServersCostFewAttemptsAndAreBackWithinAMinute() {
		FakeSessions server = new FakeSessions();
		AtomicInteger required = new AtomicInteger();
		TransportException refused = new TransportException("Connection refused", null, null);
		server.script = (link) -> link.refuse(refused);
		McpConnectionFactory factory = new McpConnectionFactory(server, this.time, this.time, this.time,
				Implementation.builder("test", "1.0").build(), HeaderSources.NONE);
		List<McpConnection> connections = new ArrayList<>();
		for (int i = 0; i < 1000; i++) {
			McpServerDefinition definition = McpServerDefinition.http("s" + i, URI.create("http://localhost/mcp"))
				.required(i == 0)
				.build();
			McpConnection connection = factory.create(definition, true, () -> {
				required.addAndGet(definition.required() ? 1 : 0);
				return server.transport();
			}, new FakeSessions.Events(), ServerRequests.NONE, List.of());
			connections.add(connection);
			connection.start();
		}
		assertThat(server.attempts()).isEqualTo(1000);
		this.time.advance(Duration.ofMinutes(3));
		server.links.clear();
		required.set(0);
		this.time.advance(Duration.ofMinutes(2));
		assertThat(server.attempts() / 120).isBetween(16, 19);
		assertThat(required).hasValueGreaterThanOrEqualTo(4);
		int attempts = server.attempts();
		connections.get(1).reconnect();
		assertThat(server.attempts()).isEqualTo(attempts + 1);
		server.script = (link) -> {
			link.tools = List.of();
			link.initialize();
		};
		this.time.advance(Duration.ofMinutes(1));
		assertThat(connections).allMatch(McpConnection::isReady);
		connections.forEach(McpConnection::close);
	}

	private void begin(int number) {
		for (int i = 0; i < number; i++) {
			this.throttle.begin(false, this.begun::add);
		}
	}

}
