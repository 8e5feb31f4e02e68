package io.github.mcpclient.internal.transport.http;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import io.github.mcpclient.internal.support.VirtualScheduler;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Sweep}.
 */
class SweepTests {

	private final VirtualScheduler time = new VirtualScheduler();

	private final Sweep sweep = new Sweep(this.time);

	private final AtomicInteger runs = new AtomicInteger();

	@Test
	void manyPoolsAreOneTimer() {
		for (int i = 0; i < 1000; i++) {
			evictInBackground();
		}
		assertThat(this.time.pending()).isEqualTo(1);
		for (int i = 1; i <= 3; i++) {
			this.time.advance(McpHttpClients.EVICTION_INTERVAL);
			assertThat(this.runs).hasValue(i * 1000);
			assertThat(this.time.pending()).isEqualTo(1);
		}
	}

	@Test
	void poolThatFailsOrIsGoneHoldsUpNoOther() {
		schedule(() -> {
			throw new IllegalStateException("on purpose");
		});
		Disposable gone = schedule(this.runs::incrementAndGet);
		evictInBackground();
		gone.dispose();
		this.time.advance(McpHttpClients.EVICTION_INTERVAL);
		assertThat(this.runs).hasValue(1);
		this.time.advance(McpHttpClients.EVICTION_INTERVAL);
		assertThat(this.runs).hasValue(2);
	}

	@Test
	void nothingTicksWhereThereIsNoPool() {
		schedule(this.runs::incrementAndGet);
		this.time.advance(McpHttpClients.EVICTION_INTERVAL);
		assertThat(this.time.pending()).isZero();
	}

	// as a pool does
	private void evictInBackground() {
		schedule(() -> {
			this.runs.incrementAndGet();
			evictInBackground();
		});
	}

	private Disposable schedule(Runnable task) {
		return this.sweep.schedule(task, McpHttpClients.EVICTION_INTERVAL.toNanos(), TimeUnit.NANOSECONDS);
	}

}
