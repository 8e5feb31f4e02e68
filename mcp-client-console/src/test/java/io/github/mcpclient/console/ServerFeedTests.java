package io.github.mcpclient.console;

import java.lang.ref.WeakReference;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerFeed}.
 */
class ServerFeedTests {

	private static final int COUNT = 50;

	private static final ClientApplication application = ClientApplication.startShared(IntStream.range(0, COUNT)
		.boxed()
		.flatMap((i) -> List
			.of("mcp.servers.s" + i + ".url=http://localhost:1/mcp", "mcp.servers.s" + i + ".enabled=false")
			.stream())
		.toArray(String[]::new));

	private final VirtualScheduler time = new VirtualScheduler();

	private Map<String, ?> figures = Map.of();

	private String reloadFailure;

	private final ServerFeed feed = new ServerFeed(application.manager(), this.time, () -> this.figures,
			() -> this.reloadFailure, this.time);

	private boolean writable = true;

	@BeforeEach
	void start() {
		this.feed.start();
	}

	@Test
	void tellsOfAllAndThenOfWhatChanges() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		JsonNode all = viewer.next();
		assertThat(all.path("full").asBoolean()).isTrue();
		assertThat(all.path("servers")).hasSize(COUNT);
		add("late");
		changed();
		JsonNode added = viewer.next();
		assertThat(added.has("full")).isFalse();
		assertThat(added.path("servers")).hasSize(1);
		assertThat(added.at("/servers/0/position").asInt()).isEqualTo(COUNT);
		remove("late");
		changed();
		JsonNode removed = viewer.next();
		assertThat(removed.path("servers")).isEmpty();
		assertThat(removed.at("/removed/0").asString()).isEqualTo("late");
		viewer.cancel();
	}

	@Test
	void tellsOfAMistakeUntilItIsMended() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		assertThat(viewer.next().has("reloadFailure")).isFalse();
		this.reloadFailure = "invalid";
		changed();
		assertThat(viewer.next().path("reloadFailure").asString()).isEqualTo("invalid");
		add("late");
		changed();
		assertThat(viewer.next().path("reloadFailure").asString()).isEqualTo("invalid");
		remove("late");
		this.reloadFailure = null;
		changed();
		assertThat(viewer.next().has("reloadFailure")).isFalse();
		viewer.cancel();
	}

	@Test
	void tellsOfFigures() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		assertThat(viewer.next().at("/servers/3").has("metrics")).isFalse();
		this.figures = Map.of("s3", Map.of("pending", 7));
		this.time.advance(Duration.ofSeconds(2));
		JsonNode change = viewer.next();
		assertThat(change.path("servers")).hasSize(1);
		assertThat(change.at("/servers/0/metrics/pending").asInt()).isEqualTo(7);
		viewer.cancel();
	}

	@Test
	void seesWhatNoEventTellsOf() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		viewer.next();
		add("quiet");
		try {
			this.time.advance(Duration.ofSeconds(2));
			assertThat(viewer.next().at("/servers/0/name").asString()).isEqualTo("quiet");
		}
		finally {
			remove("quiet");
			viewer.cancel();
		}
	}

	@Test
	void whoIsSlowGetsTheLatestAndHoldsUpNobody() {
		Viewer fast = watch();
		fast.request(Long.MAX_VALUE);
		Viewer slow = watch();
		slow.request(1);
		assertThat(slow.next().path("servers")).hasSize(COUNT);
		fast.next();
		for (int i = 0; i < 20; i++) {
			add("new" + i);
			changed();
			assertThat(fast.next().path("servers")).hasSize(1);
		}
		for (int i = 0; i < 20; i++) {
			remove("new" + i);
			changed();
			assertThat(fast.next().path("removed")).hasSize(1);
		}
		add("last");
		try {
			changed();
			assertThat(slow.events).isEmpty();
			slow.request(10);
			JsonNode latest = slow.next();
			assertThat(latest.path("servers")).hasSize(1);
			assertThat(latest.path("removed")).isEmpty();
			assertThat(slow.events).isEmpty();
		}
		finally {
			remove("last");
			fast.cancel();
			slow.cancel();
		}
	}

	@Test
	void writesNothingToWhoTakesNothing() {
		Viewer viewer = watch();
		this.writable = false;
		viewer.request(Long.MAX_VALUE);
		this.time.advance(Duration.ofMinutes(1));
		assertThat(viewer.events).isEmpty();
		this.writable = true;
		this.time.advance(Duration.ofSeconds(2));
		assertThat(viewer.next().path("servers")).hasSize(COUNT);
		viewer.cancel();
	}

	@Test
	void forgetsWhatWasBefore() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		Map<String, Integer> first = new HashMap<>(Map.of("pending", 7));
		WeakReference<Object> forgotten = new WeakReference<>(first);
		this.figures = Map.of("s3", first);
		this.time.advance(Duration.ofSeconds(2));
		first = Map.of("pending", 8);
		this.figures = Map.of("s3", first);
		this.time.advance(Duration.ofSeconds(4));
		Awaitility.await().until(() -> {
			System.gc();
			return forgotten.refersTo(null);
		});
		viewer.cancel();
	}

	@Test
	void givesASignOfLifeWhereNothingHappens() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		viewer.next();
		this.time.advance(Duration.ofSeconds(10));
		assertThat(viewer.events).containsExactly(":\n\n");
		viewer.cancel();
	}

	@Test
	void makesAtMostFourSnapshotsASecond() {
		Viewer viewer = watch();
		viewer.request(Long.MAX_VALUE);
		viewer.next();
		add("busy");
		try {
			for (int i = 0; i < 100; i++) {
				this.feed.changed();
			}
			assertThat(this.time.pending()).as("the next snapshot, and the tick").isEqualTo(2);
		}
		finally {
			remove("busy");
			viewer.cancel();
		}
	}

	@Test
	void doesNothingWhileNobodyWatches() {
		assertThat(this.time.pending()).isZero();
		this.feed.changed();
		assertThat(this.time.pending()).isZero();
		Viewer viewer = watch();
		assertThat(this.time.pending()).isPositive();
		viewer.cancel();
		this.time.advance(Duration.ofSeconds(2));
		assertThat(this.time.pending()).isZero();
		Viewer next = watch();
		next.request(1);
		assertThat(next.next().path("full").asBoolean()).isTrue();
		next.cancel();
	}

	@Test
	void endsWithTheApplicationAndBeginsAnew() {
		Viewer viewer = watch();
		viewer.request(1);
		viewer.next();
		this.feed.stop();
		assertThat(viewer.isDisposed()).isTrue();
		assertThat(watch().isDisposed()).isTrue();
		this.feed.start();
		Viewer next = watch();
		assertThat(next.isDisposed()).isFalse();
		next.cancel();
	}

	private Viewer watch() {
		Viewer viewer = new Viewer();
		this.feed.watch(() -> this.writable).subscribe(viewer);
		this.time.advance(Duration.ofMillis(250));
		return viewer;
	}

	private void add(String name) {
		application.manager()
			.add(McpServerDefinition.http(name, URI.create("http://localhost:1/mcp")).enabled(false).build());
	}

	private void remove(String name) {
		application.manager().remove(name);
	}

	private void changed() {
		this.feed.changed();
		this.time.advance(Duration.ofMillis(250));
	}

	private static final class Viewer extends BaseSubscriber<Mono<byte[]>> {

		private final List<String> events = new ArrayList<>();

		@Override
		protected void hookOnSubscribe(Subscription subscription) {
		}

		@Override
		protected void hookOnNext(Mono<byte[]> value) {
			byte[] event = value.block();
			if (event != null) {
				this.events.add(new String(event, StandardCharsets.UTF_8));
			}
		}

		JsonNode next() {
			assertThat(this.events).isNotEmpty();
			String event = this.events.remove(0);
			assertThat(event).startsWith("event:servers\ndata:").endsWith("\n\n");
			return ConsoleJson.MAPPER.readTree(event.substring(event.indexOf('{')));
		}

	}

}
