package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.benchmarks.client.FootprintClient;
import io.github.mcpclient.benchmarks.server.StubServer;

/**
 * What connections that nobody uses take in memory and threads, and what it takes to
 * start them. The processes of stdio servers do not count.
 */
final class FootprintBenchmark {

	private static final List<Contestant> CONTESTANTS = List.of(Contestant.MCP_CLIENT, Contestant.SPRING_AI);

	private final Settings settings;

	private final Map<String, Map<Contestant, Result>> results = new LinkedHashMap<>();

	FootprintBenchmark(Settings settings) {
		this.settings = settings;
	}

	void run() throws IOException {
		measure("no server", List.of(), 0);
		try (Servers servers = Servers.start(200, Duration.ZERO, true)) {
			measure("20 streamable HTTP servers", servers.urls().subList(0, 20), 20 * StubServer.TOOLS);
			measure("200 streamable HTTP servers", servers.urls(), 200 * StubServer.TOOLS);
		}
		String script = Path.of("src", "echo-server.sh").toAbsolutePath().toString();
		measure("20 stdio servers", Collections.nCopies(20, script), 20);
	}

	private void measure(String scenario, List<String> servers, int tools) throws IOException {
		for (Contestant contestant : CONTESTANTS) {
			Progress.report("footprint: " + scenario + ", " + contestant.title());
			List<String> arguments = new ArrayList<>();
			arguments.add(String.valueOf(tools));
			arguments.add(String.valueOf(this.settings.idle().toMillis()));
			arguments.addAll(servers);
			try (Jvm jvm = Jvm.start(contestant, FootprintClient.class, arguments)) {
				this.results.computeIfAbsent(scenario, (key) -> new LinkedHashMap<>()).put(contestant, jvm.next());
			}
		}
	}

	void print() {
		Table table = new Table("Idle", "heap after GC", "resident", "threads", "time to start", "CPU to start");
		this.results.forEach((scenario,
				results) -> results.forEach((contestant, result) -> table.row(scenario + ", " + contestant.title(),
						Table.number(result.number("heap"), 1) + " MB", Table.number(result.number("rss"), 0) + " MB",
						Table.number(result.number("threads"), 0), Table.number(result.number("time") / 1000, 2) + " s",
						Table.number(result.number("cpu") / 1000, 2) + " s")));
		System.out.println("### Footprint\n");
		System.out.println(table);
	}

}
