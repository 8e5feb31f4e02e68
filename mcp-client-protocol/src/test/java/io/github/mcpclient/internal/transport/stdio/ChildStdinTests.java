package io.github.mcpclient.internal.transport.stdio;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.github.mcpclient.spi.TransportException;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link ChildStdin}.
 */
class ChildStdinTests {

	private final ChildStdin stdin = new ChildStdin("writer", Duration.ofMillis(20), 1000, "Do something.",
			Schedulers.parallel());

	private final ByteArrayOutputStream out = new ByteArrayOutputStream();

	@Test
	void writesLinesInOrder() throws Exception {
		List<Mono<Void>> written = new ArrayList<>();
		for (int i = 0; i < 3; i++) {
			written.add(write("line" + i));
		}
		start(this.out);
		written.forEach((line) -> StepVerifier.create(line).expectComplete().verify(LIMIT));
		this.stdin.close();
		this.stdin.done().get(30, TimeUnit.SECONDS);
		assertThat(this.out.toString(StandardCharsets.UTF_8)).isEqualTo("line0\nline1\nline2\n");
		assertThat(this.stdin.done()).isDone();
	}

	@Test
	void refusesWhatExceedsTheBound() {
		write("x".repeat(700));
		StepVerifier.create(write("y".repeat(100))).expectErrorSatisfies((ex) -> {
			assertThat(ex).hasMessage("The process does not read its stdin: 1 message (956 bytes) waits to be written");
			assertThat(((TransportException) ex).isPossiblyProcessed()).isFalse();
			assertThat(((TransportException) ex).getNextStep()).isEqualTo("Do something.");
		}).verify(LIMIT);
	}

	@Test
	void boundCountsLinesAsWellAsBytes() {
		List<Mono<Void>> lines = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			lines.add(write(""));
		}
		StepVerifier.create(lines.get(99))
			.expectErrorSatisfies((ex) -> assertThat(ex).isInstanceOf(TransportException.class)
				.hasMessageEndingWith(": 3 messages (768 bytes) wait to be written"))
			.verify(LIMIT);
	}

	@Test
	void lineLargerThanTheBoundMayGoAlone() throws Exception {
		Mono<Void> large = write("x".repeat(5000));
		StepVerifier.create(write(""))
			.expectErrorSatisfies((ex) -> assertThat(ex).hasMessageContaining(": 1 message (5 KB) waits"))
			.verify(LIMIT);
		start(this.out);
		StepVerifier.create(large).expectComplete().verify(LIMIT);
		this.stdin.close();
	}

	@Test
	void cancelledLineIsNotWrittenAndMakesRoom() throws Exception {
		Disposable cancelled = Mono.<Void>create((sink) -> this.stdin.queue().add(bytes("x".repeat(700)), sink))
			.subscribe();
		cancelled.dispose();
		Mono<Void> next = write("y".repeat(100));
		start(this.out);
		StepVerifier.create(next).expectComplete().verify(LIMIT);
		this.stdin.close();
		this.stdin.done().get(30, TimeUnit.SECONDS);
		assertThat(this.out.toString(StandardCharsets.UTF_8)).isEqualTo("y".repeat(100) + "\n");
	}

	@Test
	void refusalFailsWhatWaitsAndWhatComes() {
		Mono<Void> waiting = write("a");
		TransportException reason = new TransportException("It ended", "Next.", null);
		this.stdin.queue().refuse(reason);
		this.stdin.queue().refuse(new TransportException("It ended again", null, null));
		for (Mono<Void> line : List.of(waiting, write("b"))) {
			StepVerifier.create(line).expectErrorSatisfies((ex) -> {
				assertThat(ex).hasMessage("It ended").hasCause(reason);
				assertThat(((TransportException) ex).getNextStep()).isEqualTo("Next.");
				assertThat(((TransportException) ex).isPossiblyProcessed()).isFalse();
			}).verify(LIMIT);
		}
	}

	@Test
	void brokenLineFailsOnceItIsKnownWhy() throws Exception {
		CountDownLatch told = new CountDownLatch(1);
		Mono<Void> line = write("a");
		this.stdin.start(new OutputStream() {

			@Override
			public void write(int b) throws IOException {
				throw new IOException("Broken pipe");
			}

		}, StandardCharsets.UTF_8, told::countDown);
		assertThat(told.await(30, TimeUnit.SECONDS)).isTrue();
		this.stdin.done().get(30, TimeUnit.SECONDS);
		assertThat(line.toFuture()).isNotDone();
		TransportException reason = new TransportException("It exited", null, null);
		this.stdin.queue().refuse(reason);
		StepVerifier.create(line).expectErrorSatisfies((ex) -> assertThat(ex).isSameAs(reason)).verify(LIMIT);
	}

	@Test
	void closeBeforeTheStartEndsTheWriterAtOnce() throws Exception {
		this.stdin.close();
		start(this.out);
		assertThat(this.stdin.done()).succeedsWithin(LIMIT);
	}

	@Test
	void theThreadEndsWhenThereIsNothingToWrite() {
		BlockingQueue<Thread> writers = new LinkedBlockingQueue<>();
		start(new OutputStream() {

			@Override
			public void write(int b) {
				writers.add(Thread.currentThread());
			}

		});
		for (int i = 0; i < 3; i++) {
			StepVerifier.create(write("")).expectComplete().verify(LIMIT);
			Thread writer = writers.remove();
			await().until(() -> !writer.isAlive());
		}
		this.stdin.close();
	}

	@Test
	void noLineIsOverlookedWhileTheThreadEnds() throws Exception {
		start(this.out);
		for (int i = 0; i < 2000; i++) {
			StepVerifier.create(write("a")).expectComplete().verify(LIMIT);
			// about as long as the thread waits
			LockSupport.parkNanos((i % 50 == 0) ? 20_000_000 : 0);
		}
		this.stdin.close();
		this.stdin.done().get(30, TimeUnit.SECONDS);
		assertThat(this.out.toString(StandardCharsets.UTF_8)).isEqualTo("a\n".repeat(2000));
	}

	private Mono<Void> write(String line) {
		Mono<Void> written = Mono.<Void>create((sink) -> this.stdin.queue().add(bytes(line), sink)).cache();
		written.onErrorComplete().subscribe();
		return written;
	}

	private void start(OutputStream target) {
		this.stdin.start(target, StandardCharsets.UTF_8, () -> {
		});
	}

	private static byte[] bytes(String line) {
		return line.getBytes(StandardCharsets.UTF_8);
	}

}
