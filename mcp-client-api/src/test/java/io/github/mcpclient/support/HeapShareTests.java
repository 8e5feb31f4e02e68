package io.github.mcpclient.support;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.support.HeapShare.Heap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link HeapShare}.
 */
class HeapShareTests {

	private final Heap heap = new Heap(1000);

	private final HeapShare share = new HeapShare(this.heap);

	private final HeapShare other = new HeapShare(this.heap);

	@Test
	void oneServerMayHaveWhatItLeavesToOthers() {
		assertThat(this.share.take(501)).isFalse();
		assertThat(this.share.take(500)).isTrue();
		assertThat(this.share.take(1)).isFalse();
		assertThat(this.other.take(250)).isTrue();
		this.share.give(500);
		assertThat(this.share.take(375)).isTrue();
	}

	@Test
	void serversThatTakeAllTheyCanLeaveSomethingForTheNext() {
		List<HeapShare> floods = Stream.generate(() -> new HeapShare(this.heap)).limit(9).toList();
		for (int round = 0; round < 1000; round++) {
			floods.forEach((flood) -> flood.take(1));
		}
		assertThat(this.share.take(50)).isTrue();
	}

	@Test
	void leaseGivesBackAllThatItHolds() {
		try (HeapShare.Lease lease = this.share.lease()) {
			assertThat(lease.take(300)).isTrue();
			assertThat(lease.take(200)).isTrue();
			assertThat(lease.take(1)).isFalse();
			assertThat(lease.held()).isEqualTo(500);
		}
		assertThat(this.share.take(500)).isTrue();
	}

	@Test
	void whatIsUsedIsNotForgotten() {
		HeapShare used = HeapShare.of("used");
		WeakReference<HeapShare> unused = new WeakReference<>(HeapShare.of("unused"));
		await().until(() -> {
			System.gc();
			return unused.refersTo(null);
		});
		assertThat(HeapShare.of("used")).isSameAs(used);
	}

	@Test
	void whatIsForgottenGivesBackWhatItHeld() {
		WeakReference<HeapShare> unused = taken("unused");
		assertThat(this.share.take(400)).isFalse();
		await().until(() -> {
			System.gc();
			return unused.refersTo(null);
		});
		await().until(() -> {
			this.heap.share("next");
			return this.share.take(400);
		});
	}

	private WeakReference<HeapShare> taken(String name) {
		HeapShare share = this.heap.share(name);
		assertThat(share.take(500)).isTrue();
		return new WeakReference<>(share);
	}

	@Test
	void whatIsKeptIsNotInTheWayOfWhatIsRead() {
		HeapShare kept = HeapShare.ofCache();
		assertThat(kept).isNotSameAs(HeapShare.ofCache());
		long most = Runtime.getRuntime().maxMemory() / 32;
		assertThat(kept.take(most + 1)).isFalse();
		assertThat(kept.take(most - 1_000_000)).isTrue();
		long read = Runtime.getRuntime().maxMemory() / 8 - 1_000_000;
		assertThat(HeapShare.of("a").take(read)).isTrue();
		HeapShare.of("a").give(read);
		kept.give(most - 1_000_000);
	}

	@Test
	void serversAreToldApartByName() {
		assertThat(HeapShare.of("a")).isSameAs(HeapShare.of("a")).isNotSameAs(HeapShare.of("b"));
	}

}
