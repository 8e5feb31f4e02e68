package io.github.mcpclient.internal.support;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.stream.Stream;

import io.github.mcpclient.internal.support.MemoryBudget.Heap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link MemoryBudget}.
 */
class MemoryBudgetTests {

	private final Heap heap = new Heap(1000);

	private final MemoryBudget budget = new MemoryBudget(this.heap);

	private final MemoryBudget other = new MemoryBudget(this.heap);

	@Test
	void oneServerMayHaveWhatItLeavesToOthers() {
		assertThat(this.budget.take(501)).isFalse();
		assertThat(this.budget.take(500)).isTrue();
		assertThat(this.budget.take(1)).isFalse();
		assertThat(this.other.take(250)).isTrue();
		this.budget.give(500);
		assertThat(this.budget.take(375)).isTrue();
	}

	@Test
	void serversThatTakeAllTheyCanLeaveSomethingForTheNext() {
		List<MemoryBudget> floods = Stream.generate(() -> new MemoryBudget(this.heap)).limit(9).toList();
		for (int round = 0; round < 1000; round++) {
			floods.forEach((flood) -> flood.take(1));
		}
		assertThat(this.budget.take(50)).isTrue();
	}

	@Test
	void leaseGivesBackAllThatItHolds() {
		try (MemoryBudget.Lease lease = this.budget.lease()) {
			assertThat(lease.take(300)).isTrue();
			assertThat(lease.take(200)).isTrue();
			assertThat(lease.take(1)).isFalse();
			assertThat(lease.held()).isEqualTo(500);
		}
		assertThat(this.budget.take(500)).isTrue();
	}

	@Test
	void whatIsUsedIsNotForgotten() {
		MemoryBudget used = MemoryBudget.of("used");
		WeakReference<MemoryBudget> unused = new WeakReference<>(MemoryBudget.of("unused"));
		await().until(() -> {
			System.gc();
			return unused.refersTo(null);
		});
		assertThat(MemoryBudget.of("used")).isSameAs(used);
	}

	@Test
	void whatIsForgottenGivesBackWhatItHeld() {
		WeakReference<MemoryBudget> unused = taken("unused");
		assertThat(this.budget.take(400)).isFalse();
		await().until(() -> {
			System.gc();
			return unused.refersTo(null);
		});
		await().until(() -> {
			this.heap.budget("next");
			return this.budget.take(400);
		});
	}

	private WeakReference<MemoryBudget> taken(String name) {
		MemoryBudget budget = this.heap.budget(name);
		assertThat(budget.take(500)).isTrue();
		return new WeakReference<>(budget);
	}

	@Test
	void whatIsKeptIsNotInTheWayOfWhatIsRead() {
		MemoryBudget kept = MemoryBudget.ofCache();
		assertThat(kept).isNotSameAs(MemoryBudget.ofCache());
		long most = Runtime.getRuntime().maxMemory() / 32;
		assertThat(kept.take(most + 1)).isFalse();
		assertThat(kept.take(most - 1_000_000)).isTrue();
		long read = Runtime.getRuntime().maxMemory() / 8 - 1_000_000;
		assertThat(MemoryBudget.of("a").take(read)).isTrue();
		MemoryBudget.of("a").give(read);
		kept.give(most - 1_000_000);
	}

	@Test
	void serversAreToldApartByName() {
		assertThat(MemoryBudget.of("a")).isSameAs(MemoryBudget.of("a")).isNotSameAs(MemoryBudget.of("b"));
	}

}
