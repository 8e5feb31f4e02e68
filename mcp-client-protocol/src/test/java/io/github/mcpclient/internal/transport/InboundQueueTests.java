package io.github.mcpclient.internal.transport;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.TestSchedulers;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.VirtualTime;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link InboundQueue}.
 */
class InboundQueueTests {

	private final HeldTasks scheduler = new HeldTasks();

	private final Queue<Runnable> elsewhere = new ArrayDeque<>();

	private final List<String> events = new ArrayList<>();

	@Test
	void deliversInOrderAndThenTheEnd() {
		InboundQueue queue = queue();
		for (int i = 0; i < 200; i++) {
			assertThat(hasRoomAfter(queue, "m" + i, 1)).isTrue();
		}
		finish(queue, false);
		this.scheduler.runAll();
		assertThat(this.events).hasSize(201).startsWith("m0", "m1").endsWith("m198", "m199", "end");
	}

	@Test
	void dropsWhatComesAfterTheEnd() {
		InboundQueue queue = queue();
		finish(queue, false);
		assertThat(hasRoomAfter(queue, "late", 1)).isTrue();
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("end");
	}

	@Test
	void dropsWhatWaitsWhereAskedTo() {
		InboundQueue queue = queue();
		hasRoomAfter(queue, "m", 1);
		finish(queue, true);
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("end");
	}

	@Test
	void failureCostsOneMessage() {
		InboundQueue queue = queue();
		queue.add(1, () -> {
			throw new StackOverflowError();
		});
		hasRoomAfter(queue, "m2", 1);
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("room", "m2");
	}

	@Test
	void tellsWhenItIsFullAndOnceWhenThereIsRoomAgain() {
		InboundQueue queue = queue();
		assertThat(hasRoomAfter(queue, "m1", 600)).isTrue();
		assertThat(hasRoomAfter(queue, "m2", 600)).isFalse();
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m1", "room", "m2");
		this.events.clear();
		assertThat(hasRoomAfter(queue, "m3", 600)).isTrue();
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m3");
	}

	@Test
	void smallMessagesAreCountedToo() {
		InboundQueue queue = queue();
		int count = 1;
		while (hasRoomAfter(queue, "m", 1)) {
			count++;
		}
		assertThat(count).isBetween(256, 400);
	}

	@Test
	void messageLargerThanAllTheRoomPasses() {
		assertThat(hasRoomAfter(queue(), "m1", 10_000)).isFalse();
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m1", "room");
	}

	@Test
	void largeMessageIsDeliveredElsewhereAndHoldsUpWhatComesAfterIt() {
		InboundQueue queue = queue();
		hasRoomAfter(queue, "m1", 1);
		hasRoomAfter(queue, "large1", 100_000);
		hasRoomAfter(queue, "m2", 1);
		hasRoomAfter(queue, "large2", 100_000);
		hasRoomAfter(queue, "m3", 1);
		finish(queue, false);
		this.scheduler.runSoon();
		assertThat(this.events).containsExactly("room", "m1");
		this.events.clear();
		this.elsewhere.remove().run();
		assertThat(this.events).containsExactly("large1");
		this.scheduler.runSoon();
		assertThat(this.events).containsExactly("large1", "m2");
		assertThat(this.elsewhere).hasSize(1);
		this.elsewhere.remove().run();
		this.scheduler.runSoon();
		assertThat(this.events).containsExactly("large1", "m2", "large2", "m3", "end");
	}

	@Test
	void failureElsewhereOrBehindItCostsOneMessage() {
		InboundQueue queue = queue();
		for (int size : List.of(100_000, 1, 100_000)) {
			queue.add(size, () -> {
				throw new StackOverflowError();
			});
		}
		hasRoomAfter(queue, "m", 1);
		for (int i = 0; i < 2; i++) {
			this.scheduler.runSoon();
			assertThatExceptionOfType(StackOverflowError.class).isThrownBy(this.elsewhere.remove()::run);
		}
		this.scheduler.runSoon();
		assertThat(this.events).contains("m");
	}

	@Test
	void endFreesTheReader() {
		InboundQueue queue = queue();
		assertThat(hasRoomAfter(queue, "m1", 1000)).isFalse();
		finish(queue, false);
		assertThat(this.events).containsExactly("room");
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("room", "m1", "end");
	}

	@Test
	void stuckMessageHoldsUpTheEndForLimitedTime() throws Exception {
		ClientScheduler threads = TestSchedulers.elastic();
		CountDownLatch stuck = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		InboundQueue queue = new InboundQueue(threads, Runnable::run, 1000, () -> {
		});
		queue.add(1, () -> {
			stuck.countDown();
			Unchecked.run(() -> go.await());
		});
		hasRoomAfter(queue, "m2", 1);
		assertThat(stuck.await(30, TimeUnit.SECONDS)).isTrue();
		queue.finish(false, end::countDown);
		assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
		go.countDown();
		Awaitility.await().during(Duration.ofMillis(100)).until(this.events::isEmpty);
		threads.dispose();
	}

	private InboundQueue queue() {
		return new InboundQueue(this.scheduler, this.elsewhere::add, 1000, () -> this.events.add("room"));
	}

	private boolean hasRoomAfter(InboundQueue queue, String message, int size) {
		queue.add(size, () -> this.events.add(message));
		return this.events.remove("room");
	}

	private void finish(InboundQueue queue, boolean discard) {
		queue.finish(discard, () -> this.events.add("end"));
	}

	/**
	 * Runs tasks when told to, those with a delay last.
	 */
	private static final class HeldTasks extends VirtualTime implements ClientScheduler {

		private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

		@Override
		public Disposable schedule(Runnable task) {
			this.tasks.add(task);
			return Disposables.disposed();
		}

		void runAll() {
			runSoon();
			advance(Duration.ofHours(1));
			runSoon();
		}

		void runSoon() {
			for (Runnable task = this.tasks.poll(); task != null; task = this.tasks.poll()) {
				task.run();
			}
		}

	}

}
