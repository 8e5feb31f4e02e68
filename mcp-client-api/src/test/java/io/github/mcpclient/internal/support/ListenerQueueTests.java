package io.github.mcpclient.internal.support;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

import io.github.mcpclient.internal.support.MemoryBudget.Heap;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the memory that a {@link ListenerQueue} takes.
 */
class ListenerQueueTests {

	private final MemoryBudget memory = new MemoryBudget(new Heap(200));

	private final Queue<Runnable> turns = new ArrayDeque<>();

	private final List<Integer> delivered = new ArrayList<>();

	private int dropped;

	private Error failure;

	private final ListenerQueue<Integer> queue = new ListenerQueue<>(this::execute, 10, 1000, this.memory) {

		@Override
		protected void deliver(Integer item) {
			ListenerQueueTests.this.delivered.add(item);
			// it is in the hands of the listener
			assertThat(ListenerQueueTests.this.memory.take(101 - item)).isFalse();
		}

		@Override
		protected long sizeOf(Integer item) {
			return item;
		}

		@Override
		protected void dropped(int count) {
			ListenerQueueTests.this.dropped += count;
		}

	};

	@Test
	void whatTheShareDoesNotHoldIsDropped() {
		this.queue.add(60);
		this.queue.add(41);
		this.queue.add(40);
		assertThat(this.dropped).isOne();
		this.turns.remove().run();
		assertThat(this.delivered).containsExactly(60, 40);
		assertThat(this.memory.take(100)).isTrue();
	}

	private void execute(Runnable turn) {
		if (this.failure != null) {
			throw this.failure;
		}
		this.turns.add(turn);
	}

	@Test
	void whatGetsNoThreadIsGivenBack() {
		this.failure = new OutOfMemoryError("unable to create native thread");
		this.queue.add(60);
		assertThat(this.memory.take(100)).isTrue();
		this.memory.give(100);
		this.failure = null;
		this.queue.add(40);
		this.turns.remove().run();
		assertThat(this.delivered).containsExactly(40);
	}

	@Test
	void whatIsForgottenIsGivenBack() {
		this.queue.add(60);
		this.queue.add(40);
		this.queue.clear();
		assertThat(this.memory.take(100)).isTrue();
	}

}
