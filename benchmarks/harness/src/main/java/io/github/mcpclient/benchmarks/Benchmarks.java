package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Runs the benchmarks: all of them, or those that the arguments name.
 */
public final class Benchmarks {

	private static final String ROWS = "--rows=";

	private static final List<String> ALL = List.of("calls", "start-up", "aot", "footprint", "scale");

	private Benchmarks() {
	}

	/**
	 * Run the benchmarks, in the directory of their modules.
	 * @param args any of {@code calls}, {@code start-up}, {@code aot}, {@code footprint}
	 * and {@code scale}, {@code --quick} for figures that are rough but soon there, and
	 * {@code --rows=stdio,socket} for the calls of those whose title has one of these in
	 * it, and the starts of such a title
	 * @throws IOException if a JVM cannot be started
	 */
	public static void main(String[] args) throws IOException {
		List<String> wanted = new ArrayList<>(List.of(args));
		Settings settings = wanted.remove("--quick") ? Settings.QUICK : Settings.DEFAULT;
		String rows = wanted.stream()
			.filter((arg) -> arg.startsWith(ROWS))
			.map((arg) -> arg.substring(ROWS.length()))
			.findFirst()
			.orElse("");
		wanted.removeIf((arg) -> arg.startsWith(ROWS));
		if (!ALL.containsAll(wanted)) {
			System.err.println("Usage: run [--quick] [--rows=<text>] [" + String.join("] [", ALL) + "]");
			System.exit(2);
		}
		if (wanted.isEmpty()) {
			wanted = ALL;
		}
		System.out.printf("%d processors, %s, Java %s; medians of %d runs of %d turns, and of %d starts%n%n",
				Runtime.getRuntime().availableProcessors(), System.getProperty("os.arch"),
				System.getProperty("java.version"), settings.runs(), settings.turns(), settings.starts());
		if (wanted.contains("calls")) {
			CallBenchmark calls = new CallBenchmark(settings, rows);
			calls.run();
			calls.print();
		}
		if (wanted.contains("start-up")) {
			StartBenchmark starts = new StartBenchmark(settings, rows);
			starts.run();
			starts.print();
		}
		if (wanted.contains("aot") && !AotBenchmark.isPossible()) {
			System.err.println("aot: NOT MEASURED, set JAVA_HOME_25 to the directory of a JDK 25");
		}
		else if (wanted.contains("aot")) {
			AotBenchmark aot = new AotBenchmark(settings);
			aot.run();
			aot.print();
		}
		if (wanted.contains("footprint")) {
			FootprintBenchmark footprint = new FootprintBenchmark(settings);
			footprint.run();
			footprint.print();
		}
		if (wanted.contains("scale")) {
			ScaleBenchmark scale = new ScaleBenchmark(settings);
			scale.run();
			if (!scale.print()) {
				System.exit(1);
			}
		}
	}

}
