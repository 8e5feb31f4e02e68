package io.github.mcpclient.faults;

import java.time.Duration;
import java.util.List;
import java.util.Random;

import io.github.mcpclient.faults.SoakServer.Kind;

/**
 * The faults of a run of {@link Soak}, in their order: without end, and the same for the
 * same seed.
 */
final class SoakPlan {

	private static final int SHORTEST = 300;

	private static final int LONGEST = 4000;

	private static final int LONGEST_GAP = 2000;

	private final Random random;

	private final List<Kind> servers;

	/**
	 * Make a plan.
	 * @param seed what it depends on
	 * @param servers the kinds of the servers
	 */
	SoakPlan(long seed, List<Kind> servers) {
		this.random = new Random(seed);
		this.servers = List.copyOf(servers);
	}

	Step next() {
		int server = this.random.nextInt(this.servers.size());
		List<SoakFault> faults = SoakFault.over(this.servers.get(server));
		SoakFault fault = faults.get(this.random.nextInt(faults.size()));
		return new Step(server, fault, Duration.ofMillis(this.random.nextInt(SHORTEST, LONGEST)),
				Duration.ofMillis(this.random.nextInt(LONGEST_GAP)));
	}

	/**
	 * A fault to come.
	 *
	 * @param server the number of the server that meets it
	 * @param fault what it meets
	 * @param duration how long it lasts, where it lasts
	 * @param gap the time before the fault begins, after the one before has begun
	 */
	record Step(int server, SoakFault fault, Duration duration, Duration gap) {

	}

}
