package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import io.github.mcpclient.benchmarks.client.LargeClient;
import io.github.mcpclient.benchmarks.client.ScaleClient;
import io.github.mcpclient.benchmarks.client.SearchClient;
import io.github.mcpclient.benchmarks.server.StdioServer;
import io.github.mcpclient.benchmarks.server.StubServer;
import org.jspecify.annotations.Nullable;

/**
 * What one of many servers takes to start and to keep, and what all of them take while
 * nobody uses them. A JVM for each row; the servers are in another one.
 */
final class ScaleBenchmark {

	private static final List<Integer> NUMBERS = List.of(10, 100, 1000, 3000);

	private static final int STDIO = 50;

	// of seven tools each: ten thousand
	private static final int SEARCHED = 1430;

	private static final int LARGE = 5_000_000;

	// until the delay between attempts is the longest, and the JIT compiler is done
	private static final Duration BACKOFF = Duration.ofMinutes(6);

	// what a figure may be beyond its aim before the benchmark fails
	private static final double TOLERANCE = 1.1;

	private final Settings settings;

	private final Map<String, Row> rows = new LinkedHashMap<>();

	private final Map<String, Double> large = new LinkedHashMap<>();

	private @Nullable Result search;

	ScaleBenchmark(Settings settings) {
		this.settings = settings;
	}

	void run() throws IOException {
		Row none = measure("no server", Contestant.MCP_CLIENT, List.of(), 0, this.settings.idle(), null);
		try (Servers servers = Servers.start(Collections.max(NUMBERS), Duration.ZERO, true)) {
			Row one = serving(Contestant.MCP_CLIENT, servers, 1, none);
			for (int number : NUMBERS) {
				serving(Contestant.MCP_CLIENT, servers, number, one);
			}
			serving(Contestant.NOT_OBSERVED, servers, 1000, serving(Contestant.NOT_OBSERVED, servers, 1, null));
			serving(Contestant.SPRING_AI, servers, 1000, serving(Contestant.SPRING_AI, servers, 1, null));
			search(servers.urls().subList(0, SEARCHED));
			large(Contestant.MCP_CLIENT, servers.urls().get(0));
			large(Contestant.SPRING_AI, servers.urls().get(0));
		}
		measure("1,000 dead servers", Contestant.MCP_CLIENT, unused(1000), 0, BACKOFF, none);
		String script = Path.of("src", "echo-server.sh").toAbsolutePath().toString();
		Row stdio = measure("1 stdio server", Contestant.MCP_CLIENT, List.of(script), 1, this.settings.idle(), null);
		measure(STDIO + " stdio servers", Contestant.MCP_CLIENT, Collections.nCopies(STDIO, script), STDIO,
				this.settings.idle(), stdio);
		String server = Jvm.script(StdioServer.class).toString();
		large(Contestant.STDIO, server);
		large(Contestant.SPRING_AI_STDIO, server);
	}

	private void search(List<String> servers) throws IOException {
		Progress.report("scale: search");
		List<String> arguments = new ArrayList<>(List.of(String.valueOf(SEARCHED * StubServer.TOOLS)));
		arguments.addAll(servers);
		try (Jvm jvm = Jvm.start(Contestant.MCP_CLIENT, SearchClient.class, arguments)) {
			this.search = jvm.next();
		}
	}

	private void large(Contestant contestant, String server) throws IOException {
		Progress.report("scale: large results, " + contestant.title());
		try (Jvm jvm = Jvm.start(contestant, LargeClient.class, List.of(String.valueOf(LARGE), server))) {
			this.large.put(contestant.title(), jvm.next().number("allocated"));
		}
		catch (IllegalStateException ex) {
			Progress.report(String.valueOf(ex.getMessage()));
			this.large.put(contestant.title(), Double.NaN);
		}
	}

	private Row serving(Contestant contestant, Servers servers, int number, @Nullable Row base) throws IOException {
		return measure(title(number), contestant, servers.urls().subList(0, number), number * StubServer.TOOLS,
				this.settings.idle(), base);
	}

	private static String title(int number) {
		return Table.number(number, 0) + ((number == 1) ? " server" : " servers");
	}

	private Row measure(String scenario, Contestant contestant, List<String> servers, int tools, Duration settling,
			@Nullable Row base) throws IOException {
		String title = scenario + ", " + contestant.title();
		Progress.report("scale: " + title);
		List<String> arguments = new ArrayList<>(List.of(String.valueOf(tools), String.valueOf(settling.toMillis()),
				String.valueOf(this.settings.watch().toMillis())));
		arguments.addAll(servers);
		try (Jvm jvm = Jvm.start(contestant, ScaleClient.class, arguments)) {
			Row row = new Row(jvm.next(), servers.size(), base);
			this.rows.put(title, row);
			return row;
		}
	}

	// nobody listens there, unless another process does by chance
	private static List<String> unused(int number) throws IOException {
		List<ServerSocket> sockets = new ArrayList<>();
		try {
			for (int i = 0; i < number; i++) {
				sockets.add(new ServerSocket(0));
			}
			return sockets.stream().map((socket) -> "http://127.0.0.1:" + socket.getLocalPort() + "/mcp").toList();
		}
		finally {
			for (ServerSocket socket : sockets) {
				socket.close();
			}
		}
	}

	/**
	 * Print what was measured.
	 * @return whether no aim is missed by more than a tenth
	 */
	boolean print() {
		Table table = new Table("Each further server", "CPU to start", "allocated to start", "heap after GC", "threads",
				"sockets", "CPU of all, idle");
		this.rows.forEach((title, row) -> table.row(title, row.each("start", 1, " ms"), row.each("allocated", 0, " kB"),
				row.each("heap", 1, " kB"), row.each("threads", 1, ""), row.each("sockets", 1, ""),
				Table.number(row.result().number("idle"), 2) + " %"));
		System.out.println("### Scale\n");
		System.out.println(table);
		Table results = new Table("A result of 5 MB", "allocated");
		this.large.forEach((title, allocated) -> results.row(title,
				Double.isNaN(allocated) ? "fails" : Table.number(allocated, 1) + " MB"));
		System.out.println(results);
		return printAims();
	}

	private boolean printAims() {
		Row most = row(title(3000));
		Row many = row(title(1000));
		Row dead = row("1,000 dead servers");
		Row stdio = row(STDIO + " stdio servers");
		Result search = Objects.requireNonNull(this.search);
		List<Aim> aims = List.of(new Aim("heap of one of 1,000, kB", many.each("heap"), 30),
				new Aim("heap of one of 3,000, kB", most.each("heap"), 30),
				new Aim("CPU to start one of 1,000, ms", many.each("start"), 10),
				new Aim("CPU to start one of 3,000, of one of 100", most.each("start") / row(title(100)).each("start"),
						1.3),
				new Aim("allocated to start one of 3,000, of one of 100",
						most.each("allocated") / row(title(100)).each("allocated"), 1.3),
				new Aim("CPU of 1,000 idle, % of a core", many.result().number("idle"), 0.5),
				new Aim("CPU of 1,000 dead, % of a core", dead.result().number("idle"), 3),
				new Aim("CPU of 50 stdio, idle, % of a core", stdio.result().number("idle"), 0.2),
				new Aim("threads of one stdio server, with the JDK's", stdio.each("threads"), 3),
				new Aim("CPU of a search of 10,010 tools, ms", search.number("search"), 1),
				new Aim("CPU of the first search of 10,010 tools, ms", search.number("first"), 1000),
				new Aim("index of a tool, bytes", search.number("index"), 1024),
				new Aim("CPU of an unknown name among 10,010 tools, us", search.number("refusal") * 1000, 50),
				new Aim("allocated for a result of 5 MB, HTTP, MB", large(Contestant.MCP_CLIENT), 25),
				new Aim("allocated for a result of 5 MB, stdio, MB", large(Contestant.STDIO), 25));
		Table table = new Table("This client", "aim", "measured");
		aims.forEach((aim) -> table.row(aim.title(), "at most " + Table.number(aim.most(), 1),
				Table.number(aim.measured(), 2)));
		System.out.println(table);
		return aims.stream().allMatch((aim) -> aim.measured() <= aim.most() * TOLERANCE);
	}

	private double large(Contestant contestant) {
		return Objects.requireNonNull(this.large.get(contestant.title()));
	}

	private Row row(String scenario) {
		return Objects.requireNonNull(this.rows.get(scenario + ", " + Contestant.MCP_CLIENT.title()));
	}

	private record Aim(String title, double measured, double most) {

	}

	/**
	 * What was measured with a number of servers.
	 *
	 * @param base the same with fewer, which one of the others is compared with
	 */
	private record Row(Result result, int servers, @Nullable Row base) {

		double each(String name) {
			return (this.base != null)
					? (this.result.number(name) - this.base.result.number(name)) / (this.servers - this.base.servers)
					: Double.NaN;
		}

		String each(String name, int decimals, String unit) {
			return (this.base != null) ? Table.number(each(name), decimals) + unit : "";
		}

	}

}
