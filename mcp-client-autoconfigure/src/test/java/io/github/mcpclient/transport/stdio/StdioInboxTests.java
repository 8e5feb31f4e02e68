package io.github.mcpclient.transport.stdio;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import io.github.mcpclient.support.ClientScheduler;
import io.github.mcpclient.support.TestSchedulers;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.Disposables;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link StdioInbox}.
 */
@Timeout(180)
class StdioInboxTests {

	private final ManualScheduler scheduler = new ManualScheduler();

	private final List<String> events = new ArrayList<>();

	@Test
	void deliversInOrderAndThenTheEnd() {
		StdioInbox inbox = inbox(this::add);
		for (int i = 0; i < 200; i++) {
			inbox.put(new JSONRPCNotification("m" + i), 1);
		}
		inbox.finish(false, () -> this.events.add("end"));
		this.scheduler.runAll();
		assertThat(this.events).hasSize(201).startsWith("m0", "m1").endsWith("m198", "m199", "end");
	}

	@Test
	void dropsWhatComesAfterTheEnd() {
		StdioInbox inbox = inbox(this::add);
		inbox.finish(false, () -> this.events.add("end"));
		inbox.put(new JSONRPCNotification("late"), 1);
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("end");
	}

	@Test
	void dropsWhatWaitsWhereAskedTo() {
		StdioInbox inbox = inbox(this::add);
		inbox.put(new JSONRPCNotification("m"), 1);
		inbox.finish(true, () -> this.events.add("end"));
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("end");
	}

	@Test
	void failureCostsOneMessage() {
		StdioInbox inbox = inbox((message) -> {
			add(message);
			if (this.events.size() == 1) {
				throw new StackOverflowError();
			}
		});
		inbox.put(new JSONRPCNotification("m1"), 1);
		inbox.put(new JSONRPCNotification("m2"), 1);
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m1", "m2");
	}

	@Test
	void makesTheReaderWait() throws Exception {
		StdioInbox inbox = inbox(this::add);
		inbox.put(new JSONRPCNotification("m1"), 600);
		CountDownLatch put = new CountDownLatch(1);
		Thread reader = new Thread(() -> {
			inbox.put(new JSONRPCNotification("m2"), 600);
			put.countDown();
		});
		reader.start();
		Awaitility.await().until(() -> reader.getState() == Thread.State.WAITING);
		this.scheduler.runAll();
		assertThat(put.await(30, TimeUnit.SECONDS)).isTrue();
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m1", "m2");
	}

	@Test
	void messageLargerThanAllTheRoomPasses() {
		StdioInbox inbox = inbox(this::add);
		inbox.put(new JSONRPCNotification("m1"), 100_000);
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m1");
	}

	@Test
	void endFreesTheReader() throws Exception {
		StdioInbox inbox = inbox(this::add);
		inbox.put(new JSONRPCNotification("m1"), 1000);
		Thread reader = new Thread(() -> inbox.put(new JSONRPCNotification("m2"), 1000));
		reader.start();
		Awaitility.await().until(() -> reader.getState() == Thread.State.WAITING);
		inbox.finish(false, () -> this.events.add("end"));
		reader.join();
		this.scheduler.runAll();
		assertThat(this.events).containsExactly("m1", "end");
	}

	@Test
	void stuckMessageHoldsUpTheEndForLimitedTime() throws Exception {
		ClientScheduler threads = TestSchedulers.elastic();
		CountDownLatch stuck = new CountDownLatch(1);
		CountDownLatch go = new CountDownLatch(1);
		CountDownLatch end = new CountDownLatch(1);
		StdioInbox inbox = new StdioInbox(threads, 1000, (message) -> {
			add(message);
			stuck.countDown();
			try {
				go.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		});
		inbox.put(new JSONRPCNotification("m1"), 1);
		inbox.put(new JSONRPCNotification("m2"), 1);
		assertThat(stuck.await(30, TimeUnit.SECONDS)).isTrue();
		inbox.finish(false, end::countDown);
		assertThat(end.await(30, TimeUnit.SECONDS)).isTrue();
		go.countDown();
		Awaitility.await().during(Duration.ofMillis(100)).until(() -> this.events.equals(List.of("m1")));
		threads.dispose();
	}

	private StdioInbox inbox(Consumer<JSONRPCMessage> handler) {
		return new StdioInbox(this.scheduler, 1000, handler);
	}

	private void add(JSONRPCMessage message) {
		this.events.add(((JSONRPCNotification) message).method());
	}

	/**
	 * Runs tasks when told to, those with a delay last.
	 */
	private static final class ManualScheduler implements ClientScheduler {

		private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

		private final Queue<Runnable> delayed = new ConcurrentLinkedQueue<>();

		@Override
		public Disposable schedule(Runnable task) {
			this.tasks.add(task);
			return Disposables.disposed();
		}

		@Override
		public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
			this.delayed.add(task);
			return Disposables.disposed();
		}

		@Override
		public long now(TimeUnit unit) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Instant instant() {
			throw new UnsupportedOperationException();
		}

		@Override
		public Worker createWorker() {
			throw new UnsupportedOperationException();
		}

		void runAll() {
			for (Queue<Runnable> queue : List.of(this.tasks, this.delayed)) {
				for (Runnable task = queue.poll(); task != null; task = queue.poll()) {
					task.run();
				}
			}
		}

	}

}
