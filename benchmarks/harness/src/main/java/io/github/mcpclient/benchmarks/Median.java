package io.github.mcpclient.benchmarks;

import java.util.Collection;
import java.util.stream.DoubleStream;

/**
 * The median of some values; no number where there are none.
 */
final class Median {

	private Median() {
	}

	static double of(Collection<Result> results, String name) {
		return of(results.stream().mapToDouble((result) -> result.number(name)));
	}

	static double of(DoubleStream values) {
		double[] sorted = values.filter((value) -> !Double.isNaN(value)).sorted().toArray();
		if (sorted.length == 0) {
			return Double.NaN;
		}
		int middle = sorted.length / 2;
		return (sorted.length % 2 != 0) ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
	}

}
