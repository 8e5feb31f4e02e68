package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import io.github.mcpclient.benchmarks.client.StartClient;
import io.github.mcpclient.benchmarks.server.StubServer;

/**
 * The time and the work that an application takes to start, by the servers that it has.
 */
final class StartBenchmark {

	private static final Duration DELAY = Duration.ofMillis(200);

	// as many as only this client is measured with: the other one connects to one after
	// the other
	private static final int MANY = 1000;

	private final Settings settings;

	private final String rows;

	private final Map<Scenario, Map<Contestant, List<Result>>> results = new LinkedHashMap<>();

	/**
	 * Create an instance.
	 * @param rows what the title of a scenario has to contain
	 */
	StartBenchmark(Settings settings, String rows) {
		this.settings = settings;
		this.rows = rows;
	}

	void run() throws IOException {
		// Its backlog takes connections, but nobody ever reads from them
		try (Servers servers = Servers.start(10, DELAY, false);
				ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
			List<String> urls = servers.urls();
			List<Scenario> scenarios = List.of(new Scenario("no server", List.of(), 0),
					new Scenario("1 server", urls.subList(0, 1), 1), new Scenario("10 servers", urls, 10),
					new Scenario(Table.number(MANY, 0) + " servers", many(urls), 0),
					new Scenario("2 servers, one refuses", List.of(urls.get(0), url(unusedPort())), 1),
					new Scenario("2 servers, one hangs", List.of(urls.get(0), url(hanging.getLocalPort())), 1));
			for (int round = 1; round <= this.settings.starts(); round++) {
				for (Scenario scenario : scenarios) {
					if (!scenario.title().contains(this.rows)) {
						continue;
					}
					for (Contestant contestant : contestants(scenario)) {
						Progress
							.report("start-up: round " + round + ", " + scenario.title() + ", " + contestant.title());
						measure(scenario, contestant);
					}
				}
			}
		}
	}

	private static List<Contestant> contestants(Scenario scenario) {
		return switch (scenario.servers().size()) {
			case 0 -> List.of(Contestant.MCP_CLIENT, Contestant.SPRING_AI, Contestant.BOOT);
			case MANY -> List.of(Contestant.MCP_CLIENT);
			default -> List.of(Contestant.MCP_CLIENT, Contestant.SPRING_AI);
		};
	}

	private void measure(Scenario scenario, Contestant contestant) throws IOException {
		List<String> arguments = new ArrayList<>();
		arguments.add(String.valueOf(scenario.answering() * StubServer.TOOLS));
		arguments.addAll(scenario.servers());
		try (Jvm jvm = Jvm.start(contestant, StartClient.class, arguments)) {
			this.results.computeIfAbsent(scenario, (key) -> new LinkedHashMap<>())
				.computeIfAbsent(contestant, (key) -> new ArrayList<>())
				.add(jvm.next());
		}
	}

	void print() {
		Table times = new Table("Time to ready (with the tools)", Contestant.MCP_CLIENT.title(),
				Contestant.SPRING_AI.title());
		Table costs = new Table("CPU time (with the tools)", "main thread", "of Spring AI", "process", "of Spring AI",
				"classes");
		this.results.forEach((scenario, starts) -> {
			times.row(scenario.title(), cell(scenario, starts.getOrDefault(Contestant.MCP_CLIENT, List.of())),
					cell(scenario, starts.getOrDefault(Contestant.SPRING_AI, List.of())));
			if (starts.values().stream().flatMap(List::stream).noneMatch((result) -> result.has("failed"))) {
				starts.forEach((contestant, all) -> costs.row(scenario.title() + ", " + contestant.title(),
						seconds(Median.of(all, "mainCpu")), ofSpringAi(all, starts, "mainCpu"),
						seconds(Median.of(all, "cpu")), ofSpringAi(all, starts, "cpu"),
						Table.number(Median.of(all, "classes"), 0)));
			}
		});
		System.out.println("### Start-up, servers that take " + DELAY.toMillis() + " ms a response\n");
		System.out.println(times);
		System.out.println(costs);
	}

	private static String ofSpringAi(List<Result> results, Map<Contestant, List<Result>> all, String name) {
		List<Result> others = all.get(Contestant.SPRING_AI);
		return (others != null) ? Table.number(Median.of(results, name) / Median.of(others, name), 2) : "-";
	}

	private static String cell(Scenario scenario, List<Result> results) {
		if (results.isEmpty()) {
			return "-";
		}
		List<Result> failed = results.stream().filter((result) -> result.has("failed")).toList();
		if (!failed.isEmpty()) {
			return "does not start (" + seconds(Median.of(failed, "failed")) + ")";
		}
		String ready = seconds(Median.of(results, "ready"));
		if (scenario.answering() == 0) {
			return ready;
		}
		int expected = scenario.answering() * StubServer.TOOLS;
		boolean complete = results.stream().allMatch((result) -> result.number("tools") == expected);
		return ready + " (" + (complete ? seconds(Median.of(results, "toolsReady")) : "tools are missing") + ")";
	}

	private static String seconds(double millis) {
		return Table.number(millis / 1000, 2) + " s";
	}

	private static List<String> many(List<String> urls) {
		return IntStream.range(0, MANY).mapToObj((i) -> urls.get(i % urls.size())).toList();
	}

	private static String url(int port) {
		return "http://127.0.0.1:" + port + "/mcp";
	}

	private static int unusedPort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	private record Scenario(String title, List<String> servers, int answering) {

	}

}
