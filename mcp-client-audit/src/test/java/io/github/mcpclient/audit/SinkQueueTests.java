package io.github.mcpclient.audit;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.testsupport.CapturedLog;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SinkQueue} and {@link LostRecords}.
 */
class SinkQueueTests {

	private static final long LONG = Duration.ofSeconds(30).toMillis();

	@RegisterExtension
	final CapturedLog log = new CapturedLog("io.github.mcpclient.lost-audit");

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicInteger lost = new AtomicInteger();

	private SinkQueue queue(McpAuditSink sink) {
		return new SinkQueue(sink, new LostRecords("mine", this.nanos::get, this.lost::addAndGet));
	}

	@Test
	void whatWaitsIsWrittenBeforeTheEnd() {
		List<McpAuditRecord> written = new CopyOnWriteArrayList<>();
		SinkQueue queue = queue(written::addAll);
		for (int i = 0; i < 250; i++) {
			queue.add(FairQueueTests.record("a"));
		}
		queue.close();
		queue.await(LONG);
		assertThat(written).hasSize(250);
		assertThat(this.lost).hasValue(0);
		queue.add(FairQueueTests.record("a"));
		assertThat(this.lost).hasValue(1);
	}

	@Test
	void aSinkThatFailsLosesWhatItFailsForAndNothingElse() {
		List<McpAuditRecord> written = new ArrayList<>();
		AtomicInteger calls = new AtomicInteger();
		SinkQueue queue = queue((records) -> {
			if (calls.incrementAndGet() == 1) {
				throw new LinkageError("no driver");
			}
			written.addAll(records);
		});
		queue.add(FairQueueTests.record("a"));
		Awaitility.await().until(() -> this.lost.get() == 1);
		queue.add(FairQueueTests.record("b"));
		queue.close();
		queue.await(LONG);
		assertThat(written).extracting(McpAuditRecord::server).containsExactly("b");
		assertThat(this.log.lines()).containsExactly("1 records of the audit of MCP servers are lost, since 'mine' "
				+ "did not accept them: java.lang.LinkageError: no driver");
	}

	@Test
	void aSinkThatHangsBlocksNobodyAndIsInterruptedAtTheEnd() throws Exception {
		CountDownLatch hanging = new CountDownLatch(1);
		CountDownLatch interrupted = new CountDownLatch(1);
		SinkQueue queue = queue((records) -> {
			hanging.countDown();
			try {
				new CountDownLatch(1).await();
			}
			finally {
				interrupted.countDown();
			}
		});
		queue.add(FairQueueTests.record("a"));
		assertThat(hanging.await(LONG, TimeUnit.MILLISECONDS)).isTrue();
		for (int i = 0; i < FairQueue.SHARE + 2; i++) {
			queue.add(FairQueueTests.record("a"));
		}
		queue.add(FairQueueTests.record("b"));
		assertThat(this.lost).hasValue(2);
		queue.close();
		queue.await(1);
		assertThat(interrupted.await(LONG, TimeUnit.MILLISECONDS)).isTrue();
		// what it was writing, too
		Awaitility.await().until(() -> this.lost.get() == 2 + FairQueue.SHARE + 1 + 1);
	}

	@Test
	void recordsAreWrittenOnceThereAreThreadsAgain() {
		List<McpAuditRecord> written = new CopyOnWriteArrayList<>();
		AtomicBoolean none = new AtomicBoolean(true);
		SinkQueue queue = new SinkQueue(written::addAll, new LostRecords("mine", this.nanos::get, this.lost::addAndGet),
				(task) -> new Thread(task) {

					@Override
					public void start() {
						if (none.getAndSet(false)) {
							throw new OutOfMemoryError("unable to create native thread");
						}
						super.start();
					}

				});
		queue.add(FairQueueTests.record("a"));
		queue.add(FairQueueTests.record("b"));
		Awaitility.await().until(() -> written.size() == 2);
		assertThat(this.lost).hasValue(0);
		queue.close();
		queue.await(LONG);
	}

	@Test
	void aSinkThatInterruptsItsThreadGetsWhatFollows() {
		List<McpAuditRecord> written = new CopyOnWriteArrayList<>();
		SinkQueue queue = queue((records) -> {
			written.addAll(records);
			Thread.currentThread().interrupt();
		});
		for (int i = 1; i <= 3; i++) {
			int number = i;
			Awaitility.await().until(() -> {
				// one that comes as the thread ends waits for the next
				queue.add(FairQueueTests.record("a"));
				return written.size() >= number;
			});
		}
		queue.close();
		queue.await(LONG);
		assertThat(this.lost).hasValue(0);
	}

	@Test
	void aMeterThatFailsFailsNothing() {
		AtomicInteger calls = new AtomicInteger();
		SinkQueue queue = new SinkQueue((records) -> {
			calls.incrementAndGet();
			throw new IllegalStateException("broken");
		}, new LostRecords("mine", this.nanos::get, (count) -> {
			throw new IllegalStateException("no meter");
		}));
		queue.add(FairQueueTests.record("a"));
		Awaitility.await().until(() -> {
			queue.add(FairQueueTests.record("a"));
			return calls.get() > 1;
		});
		queue.close();
		queue.add(FairQueueTests.record("a"));
	}

	@Test
	void losesAreWarnedOfOnceAMinute() {
		LostRecords lost = new LostRecords("mine", this.nanos::get, this.lost::addAndGet);
		lost.add(1, "first");
		lost.add(2, "second");
		lost.add(3, "third");
		this.nanos.addAndGet(Duration.ofSeconds(59).toNanos());
		lost.report();
		assertThat(this.log.lines(Level.WARN)).hasSize(1);
		this.nanos.addAndGet(Duration.ofSeconds(1).toNanos());
		lost.report();
		lost.report();
		assertThat(this.log.lines(Level.WARN)).hasSize(2)
			.last()
			.asString()
			.isEqualTo("5 records of the audit of MCP servers are lost, since 'mine' did not accept them: third");
		assertThat(this.lost).hasValue(6);
	}

}
