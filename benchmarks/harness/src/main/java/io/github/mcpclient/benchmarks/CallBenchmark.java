package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.stream.IntStream;

import io.github.mcpclient.benchmarks.client.CallClient;
import io.github.mcpclient.benchmarks.server.StdioServer;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a tool call. Each client has a JVM of its own, and all take turns for a
 * short time each, so that the quiet and the busy moments of the machine come to all of
 * them.
 */
final class CallBenchmark {

	private static final List<Integer> CALLERS = List.of(1, 32, 256);

	// after so many calls the JVM has compiled what there is to compile
	private static final int ENOUGH_CALLS = 50_000;

	private static final int MAX_WARM_UPS = 5;

	// what a client that is asked for some seconds of calls may take beyond that
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Settings settings;

	// which rows to measure: those with this in their title
	private final String rows;

	private final Map<Contestant, Jvm> clients = new EnumMap<>(Contestant.class);

	// without the numbers of callers with which a client has failed
	private final Map<Contestant, Map<Integer, List<Result>>> results = new EnumMap<>(Contestant.class);

	CallBenchmark(Settings settings, String rows) {
		this.settings = settings;
		this.rows = rows.toLowerCase(Locale.ROOT);
	}

	void run() throws IOException {
		Path script = Jvm.script(StdioServer.class);
		try (Servers servers = Servers.startSecure()) {
			for (Contestant contestant : Contestant.values()) {
				if (contestant != Contestant.BOOT && contestant.isPossible()
						&& contestant.title().toLowerCase(Locale.ROOT).contains(this.rows)) {
					Progress.report("calls: warming up " + contestant.title());
					Map<Integer, List<Result>> results = new TreeMap<>();
					CALLERS.forEach((callers) -> results.put(callers, new ArrayList<>()));
					this.results.put(contestant, results);
					warmUp(contestant, contestant.server(servers, script));
				}
			}
			List<Contestant> order = new ArrayList<>(this.clients.keySet());
			for (int turn = 1; turn <= this.settings.turns(); turn++) {
				Progress.report("calls: turn " + turn + " of " + this.settings.turns());
				for (Contestant contestant : order) {
					measure(contestant, contestant.server(servers, script));
				}
				// Who comes after whom changes, too
				Collections.shuffle(order, new Random(turn));
			}
		}
		finally {
			this.clients.values().forEach(Jvm::close);
		}
	}

	private void warmUp(Contestant contestant, String server) throws IOException {
		Jvm client = Jvm.start(contestant, CallClient.class,
				List.of(server, String.valueOf(contestant == Contestant.VIRTUAL_THREADS)));
		this.clients.put(contestant, client);
		for (int callers : callers(contestant)) {
			double calls = 0;
			for (int i = 0; calls < ENOUGH_CALLS && i < MAX_WARM_UPS; i++) {
				Result result = ask(contestant, callers, this.settings.warmUp());
				if (result == null) {
					warmUp(contestant, server);
					return;
				}
				calls += result.number("calls");
			}
		}
	}

	private void measure(Contestant contestant, String server) throws IOException {
		for (int callers : callers(contestant)) {
			Result result = ask(contestant, callers, this.settings.turn());
			if (result != null) {
				results(contestant, callers).add(result);
			}
			else {
				warmUp(contestant, server);
			}
		}
	}

	private List<Integer> callers(Contestant contestant) {
		return List.copyOf(Objects.requireNonNull(this.results.get(contestant)).keySet());
	}

	/**
	 * Have a client call for a while. One that fails is not asked for so many callers
	 * again.
	 * @return the result, or {@code null} if the client failed, and has to be started
	 * again
	 */
	private @Nullable Result ask(Contestant contestant, int callers, Duration time) throws IOException {
		Jvm client = Objects.requireNonNull(this.clients.get(contestant));
		try {
			return client.ask(callers + " " + time.toMillis(), time.plus(PATIENCE));
		}
		catch (IllegalStateException ex) {
			Progress.report("calls: left out with " + callers + " callers: " + ex.getMessage());
			client.close();
			Objects.requireNonNull(this.results.get(contestant)).remove(callers);
			return null;
		}
	}

	void print() {
		for (int callers : CALLERS) {
			System.out.println("### Calls, " + callers + ((callers != 1) ? " callers" : " caller") + "\n");
			System.out.println(table(callers));
		}
		System.out
			.println("The ratios, and the cost of observation, are medians too, of the ratio or difference in each"
					+ " turn. A client with \"-\" fails with so many callers.\n");
		System.out.println("### The aim\n");
		System.out.println(aims());
	}

	private Table table(int callers) {
		Table table = new Table("", "calls/s", "of the POST that is read", "of Spring AI", "p50 us", "p99 us",
				"CPU us/call", "kB/call");
		for (Contestant contestant : this.clients.keySet()) {
			if (contestant != Contestant.OBSERVATION) {
				boolean stdio = contestant == Contestant.STDIO || contestant == Contestant.SPRING_AI_STDIO;
				table.row(contestant.title(), Table.number(median(contestant, callers, "rate"), 0),
						stdio ? "" : Table.number(ratio(contestant, floor(contestant), callers, "rate"), 2),
						Table.number(ratio(contestant, stdio ? Contestant.SPRING_AI_STDIO : Contestant.SPRING_AI,
								callers, "rate"), 2),
						Table.number(median(contestant, callers, "p50"), 0),
						Table.number(median(contestant, callers, "p99"), 0),
						Table.number(median(contestant, callers, "cpu"), 0),
						Table.number(median(contestant, callers, "allocated"), 1));
			}
		}
		return table;
	}

	private static Contestant floor(Contestant contestant) {
		return switch (contestant) {
			case HTTP_2, HTTP_2_READING -> Contestant.HTTP_2_READING;
			default -> Contestant.READING;
		};
	}

	private Table aims() {
		Table table = new Table("This client", "aim", "measured", "gap");
		for (int callers : CALLERS) {
			String at = " at " + callers;
			aim(table, "calls/s of the POST that is read, not observed," + at, 0.95,
					ratio(Contestant.NOT_OBSERVED, Contestant.READING, callers, "rate"), 1);
			aim(table, "calls/s of the POST that is read" + at, 0.88,
					ratio(Contestant.MCP_CLIENT, Contestant.READING, callers, "rate"), 1);
			aim(table, "calls/s of Spring AI" + at, 2,
					ratio(Contestant.MCP_CLIENT, Contestant.SPRING_AI, callers, "rate"), 1);
			aim(table, "kB/call, not observed," + at, 12, median(Contestant.NOT_OBSERVED, callers, "allocated"), -1);
		}
		for (int callers : CALLERS) {
			aim(table, "CPU us/call of observation alone at " + callers, 10,
					median(Contestant.OBSERVATION, callers, "cpu"), -1);
			aim(table, "CPU us/call that observation adds at " + callers, 10,
					turns(Contestant.MCP_CLIENT, Contestant.NOT_OBSERVED, callers, "cpu", (one, other) -> one - other),
					-1);
		}
		return table;
	}

	private static void aim(Table table, String name, double aim, double measured, int sign) {
		double gap = sign * (aim - measured);
		table.row(name, ((sign > 0) ? ">= " : "<= ") + Table.number(aim, 2), Table.number(measured, 2),
				(gap <= 0.005) ? "none" : Table.number(gap, 2));
	}

	private double ratio(Contestant of, Contestant to, int callers, String name) {
		return turns(of, to, callers, name, (one, other) -> one / other);
	}

	/**
	 * The median of what the turns compare: two clients that take their turns one after
	 * the other meet the same machine, more or less.
	 */
	private double turns(Contestant one, Contestant other, int callers, String name, DoubleBinaryOperator comparison) {
		List<Result> ones = results(one, callers);
		List<Result> others = results(other, callers);
		return Median.of(IntStream.range(0, Math.min(ones.size(), others.size()))
			.mapToDouble(
					(turn) -> comparison.applyAsDouble(ones.get(turn).number(name), others.get(turn).number(name))));
	}

	private double median(Contestant contestant, int callers, String name) {
		return Median.of(results(contestant, callers), name);
	}

	private List<Result> results(Contestant contestant, int callers) {
		return this.results.getOrDefault(contestant, Map.of()).getOrDefault(callers, List.of());
	}

}
