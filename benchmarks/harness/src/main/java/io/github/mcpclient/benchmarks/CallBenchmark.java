package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.DoubleBinaryOperator;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import io.github.mcpclient.benchmarks.client.CallClient;
import io.github.mcpclient.benchmarks.server.StdioServer;
import org.jspecify.annotations.Nullable;

/**
 * The cost of a tool call. Each client has a JVM of its own, and all take turns for a
 * short time each, so that the quiet and the busy moments of the machine come to all of
 * them. All of that is done several times with new JVMs, since what the compiler makes of
 * the same code differs from one to the next. A figure is the median of these runs.
 */
final class CallBenchmark {

	private static final List<Integer> CALLERS = List.of(1, 32, 256, 1000);

	// with which a client is warmed up first, and longest
	private static final int FIRST_CALLERS = 32;

	// a client is warm when its rate changes by no more than this share
	private static final double STEADY = 0.05;

	private static final int MAX_WARM_UPS = 6;

	// what a client that is asked for some seconds of calls may take beyond that
	private static final Duration PATIENCE = Duration.ofMinutes(2);

	private final Settings settings;

	// which rows to measure: those with one of these in their title, or as their title
	private final List<String> rows;

	private final Map<Contestant, Jvm> clients = new EnumMap<>(Contestant.class);

	// the turns of each run
	private final List<Map<Contestant, Map<Integer, List<Result>>>> runs = new ArrayList<>();

	// those of this run, without the numbers of callers with which a client has failed
	private Map<Contestant, Map<Integer, List<Result>>> results = Map.of();

	CallBenchmark(Settings settings, String rows) {
		this.settings = settings;
		this.rows = List.of(rows.toLowerCase(Locale.ROOT).split(","));
	}

	void run() throws IOException {
		for (int run = 1; run <= this.settings.runs(); run++) {
			Progress.report("calls: run " + run + " of " + this.settings.runs());
			this.results = new EnumMap<>(Contestant.class);
			this.runs.add(this.results);
			runOnce();
		}
	}

	private boolean isWanted(Contestant contestant) {
		String title = contestant.title().toLowerCase(Locale.ROOT);
		return contestant != Contestant.BOOT && contestant.isPossible()
				&& this.rows.stream().anyMatch((row) -> isTitle(row) ? title.equals(row) : title.contains(row));
	}

	private static boolean isTitle(String row) {
		return Arrays.stream(Contestant.values()).anyMatch((contestant) -> contestant.title().equalsIgnoreCase(row));
	}

	private void runOnce() throws IOException {
		Path script = Jvm.script(StdioServer.class);
		try (Servers servers = Servers.startSecure()) {
			for (Contestant contestant : Contestant.values()) {
				if (isWanted(contestant)) {
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
			this.clients.clear();
		}
	}

	private void warmUp(Contestant contestant, String server) throws IOException {
		Jvm client = Jvm.start(contestant, CallClient.class,
				List.of(server, String.valueOf(contestant == Contestant.VIRTUAL_THREADS)));
		this.clients.put(contestant, client);
		List<Integer> callers = new ArrayList<>(callers(contestant));
		boolean warm = !callers.contains(FIRST_CALLERS)
				|| ask(contestant, FIRST_CALLERS, this.settings.warmUp()) != null;
		for (int i = 0; warm && i < callers.size(); i++) {
			warm = isWarm(contestant, callers.get(i));
		}
		if (!warm) {
			warmUp(contestant, server);
		}
	}

	private boolean isWarm(Contestant contestant, int callers) throws IOException {
		double last = 0;
		for (int i = 0; i < MAX_WARM_UPS; i++) {
			Result result = ask(contestant, callers, this.settings.turn());
			if (result == null) {
				return false;
			}
			double rate = result.number("rate");
			if (Math.abs(rate - last) <= STEADY * rate) {
				return true;
			}
			last = rate;
		}
		return true;
	}

	private void measure(Contestant contestant, String server) throws IOException {
		for (int callers : callers(contestant)) {
			Result result = ask(contestant, callers, this.settings.turn());
			if (result != null) {
				results(this.results, contestant, callers).add(result);
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
					+ " turn, and those of " + this.settings.runs()
					+ " runs. A client with \"-\" fails with so many callers.\n");
		System.out.println("### The aim\n");
		System.out.println(aims());
	}

	private Table table(int callers) {
		Table table = new Table("", "calls/s", "of the POST that is read", "of Spring AI", "p50 us", "p99 us",
				"CPU us/call", "kB/call");
		for (Contestant contestant : this.results.keySet()) {
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
		Table table = new Table("This client", "aim", "1", "32", "256", "1,000");
		aim(table, "calls/s of the POST that is read, not observed", 0.95, 1,
				(callers) -> ratio(Contestant.NOT_OBSERVED, Contestant.READING, callers, "rate"));
		aim(table, "calls/s of the POST that is read", 0.88, 1,
				(callers) -> ratio(Contestant.MCP_CLIENT, Contestant.READING, callers, "rate"));
		aim(table, "calls/s of Spring AI", 2, 1,
				(callers) -> ratio(Contestant.MCP_CLIENT, Contestant.SPRING_AI, callers, "rate"));
		aim(table, "CPU of the POST that is read, not observed", 1.1, -1,
				(callers) -> ratio(Contestant.NOT_OBSERVED, Contestant.READING, callers, "cpu"));
		aim(table, "kB/call, not observed", 12, -1, (callers) -> median(Contestant.NOT_OBSERVED, callers, "allocated"));
		aim(table, "calls/s of 2026-07-28 of those in a session", 0.95, 1,
				(callers) -> ratio(Contestant.STATELESS, Contestant.MCP_CLIENT, callers, "rate"));
		aim(table, "CPU of 2026-07-28 of those in a session", 1.05, -1,
				(callers) -> ratio(Contestant.STATELESS, Contestant.MCP_CLIENT, callers, "cpu"));
		aim(table, "kB/call of 2026-07-28 of those in a session", 1.05, -1,
				(callers) -> ratio(Contestant.STATELESS, Contestant.MCP_CLIENT, callers, "allocated"));
		aim(table, "CPU us/call of observation alone", 10, -1,
				(callers) -> median(Contestant.OBSERVATION, callers, "cpu"));
		aim(table, "CPU us/call that observation adds", 10, -1, (callers) -> turns(Contestant.MCP_CLIENT,
				Contestant.NOT_OBSERVED, callers, "cpu", (one, other) -> one - other));
		return table;
	}

	// with each number of callers; bold if the aim is missed
	private static void aim(Table table, String name, double aim, int sign, IntToDoubleFunction measured) {
		List<String> cells = new ArrayList<>(List.of(name, ((sign > 0) ? ">= " : "<= ") + Table.number(aim, 2)));
		for (int callers : CALLERS) {
			double figure = measured.applyAsDouble(callers);
			String text = Table.number(figure, 2);
			cells.add((sign * (aim - figure) > 0.005) ? "**" + text + "**" : text);
		}
		table.row(cells.toArray(String[]::new));
	}

	private double ratio(Contestant of, Contestant to, int callers, String name) {
		return turns(of, to, callers, name, (one, other) -> one / other);
	}

	/**
	 * The median of what the turns compare: two clients that take their turns one after
	 * the other meet the same machine, more or less.
	 */
	private double turns(Contestant one, Contestant other, int callers, String name, DoubleBinaryOperator comparison) {
		return Median.of(this.runs.stream().mapToDouble((run) -> {
			List<Result> ones = results(run, one, callers);
			List<Result> others = results(run, other, callers);
			return Median.of(IntStream.range(0, Math.min(ones.size(), others.size()))
				.mapToDouble((turn) -> comparison.applyAsDouble(ones.get(turn).number(name),
						others.get(turn).number(name))));
		}));
	}

	private double median(Contestant contestant, int callers, String name) {
		return Median.of(this.runs.stream().mapToDouble((run) -> Median.of(results(run, contestant, callers), name)));
	}

	private static List<Result> results(Map<Contestant, Map<Integer, List<Result>>> run, Contestant contestant,
			int callers) {
		return run.getOrDefault(contestant, Map.of()).getOrDefault(callers, List.of());
	}

}
