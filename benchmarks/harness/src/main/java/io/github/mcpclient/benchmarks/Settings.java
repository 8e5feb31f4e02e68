package io.github.mcpclient.benchmarks;

import java.time.Duration;

/**
 * How much to measure.
 *
 * @param warmUp how long a client calls, before it goes on with each number of callers
 * until its rate is steady
 * @param runs how often all clients are started and measured; the median counts
 * @param turns how often each client is measured in a run; the median counts
 * @param turn how long it is measured each time, with each number of callers
 * @param starts how often each application is started; the median counts
 * @param idle how long a client is left alone before its footprint is taken: longer than
 * pools keep idle threads
 * @param watch how long the CPU is watched that an idle client takes
 */
record Settings(Duration warmUp, int runs, int turns, Duration turn, int starts, Duration idle, Duration watch) {

	static final Settings DEFAULT = new Settings(Duration.ofSeconds(15), 3, 5, Duration.ofSeconds(2), 5,
			Duration.ofSeconds(15), Duration.ofSeconds(30));

	static final Settings QUICK = new Settings(Duration.ofSeconds(4), 1, 3, Duration.ofMillis(500), 1,
			Duration.ofSeconds(1), Duration.ofSeconds(10));

}
