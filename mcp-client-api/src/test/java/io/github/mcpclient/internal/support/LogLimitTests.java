package io.github.mcpclient.internal.support;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LogLimit}.
 */
class LogLimitTests {

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);

	private final LogLimit limit = new LogLimit(this.time::get);

	private final AtomicInteger lines = new AtomicInteger();

	private final List<String> notices = new CopyOnWriteArrayList<>();

	@Test
	void fewLinesPass() {
		for (int window = 0; window < 5; window++) {
			log(LogLimit.LINES);
			advance(LogLimit.WINDOW);
		}
		assertThat(this.lines).hasValue(5 * LogLimit.LINES);
		assertThat(this.notices).isEmpty();
	}

	@Test
	void manyLinesAreLeftOutAndTold() {
		log(LogLimit.LINES + 1);
		assertThat(this.lines).hasValue(LogLimit.LINES);
		assertThat(this.notices).containsExactly("More than 200 lines in 10 s: further lines are omitted");
		log(1_000_000);
		advance(LogLimit.WINDOW.minusNanos(1));
		log(1);
		assertThat(this.lines).hasValue(LogLimit.LINES);
		assertThat(this.notices).hasSize(1);
		advance(Duration.ofNanos(1));
		log(1);
		assertThat(this.lines).hasValue(LogLimit.LINES + 1);
		assertThat(this.notices).hasSize(2).last().isEqualTo("1000002 lines were omitted");
		log(LogLimit.LINES);
		assertThat(this.notices).hasSize(3);
	}

	@Test
	void clockThatIsSetBackSilencesNobody() {
		log(LogLimit.LINES + 1);
		advance(Duration.ofHours(-1));
		log(1);
		assertThat(this.lines).hasValue(LogLimit.LINES + 1);
	}

	@Test
	void neverMoreWhateverTheThreads() throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(4);
		for (int i = 0; i < 4; i++) {
			threads.submit(() -> log(10_000));
		}
		threads.shutdown();
		assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
		assertThat(this.lines).hasValue(LogLimit.LINES);
		assertThat(this.notices).hasSize(1);
		advance(LogLimit.WINDOW);
		log(1);
		assertThat(this.notices).last().isEqualTo((40_000 - LogLimit.LINES) + " lines were omitted");
	}

	private void log(int count) {
		for (int i = 0; i < count; i++) {
			this.limit.log(this.lines::incrementAndGet, this.notices::add);
		}
	}

	private void advance(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
