package io.github.mcpclient.benchmarks;

/**
 * Tells whoever waits what is going on, apart from the tables.
 */
final class Progress {

	private Progress() {
	}

	static void report(String step) {
		System.err.println(step);
	}

}
