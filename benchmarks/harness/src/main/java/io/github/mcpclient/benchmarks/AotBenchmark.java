package io.github.mcpclient.benchmarks;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The start of the sample with its servers: as it is built, processed ahead of time by
 * Spring Boot, and with a cache that JDK 25 makes in a training run.
 */
final class AotBenchmark {

	private static final Path JAR = Path.of("../sample-app/target/sample-app.jar");

	private static final Path DIRECTORY = Path.of("../sample-app/target/aot");

	private static final Path EXTRACTED = DIRECTORY.resolve("sample-app.jar");

	private static final Path CACHE = DIRECTORY.resolve("sample-app.aot");

	private static final Path CACHE_OF_SERVERS = DIRECTORY.resolve("sample-app-servers.aot");

	private static final String PROCESSED = "-Dspring.aot.enabled=true";

	private static final List<Form> FORMS = List.of(new Form("the jar, as it is built", "-jar", JAR.toString()),
			new Form("extracted", "-jar", EXTRACTED.toString()),
			new Form("extracted, Boot's AOT", PROCESSED, "-jar", EXTRACTED.toString()),
			new Form("extracted, Boot's AOT, cache without servers", PROCESSED, "-XX:AOTMode=on",
					"-XX:AOTCache=" + CACHE, "-jar", EXTRACTED.toString()),
			new Form("extracted, Boot's AOT, cache with servers", PROCESSED, "-XX:AOTMode=on",
					"-XX:AOTCache=" + CACHE_OF_SERVERS, "-jar", EXTRACTED.toString()));

	private final Settings settings;

	private final Map<Form, List<Result>> results = new LinkedHashMap<>();

	AotBenchmark(Settings settings) {
		this.settings = settings;
	}

	static boolean isPossible() {
		return Contestant.VIRTUAL_THREADS.isPossible();
	}

	void run() throws IOException {
		Progress.report("aot: training");
		execute("-Djarmode=tools", "-jar", JAR.toString(), "extract", "--force", "--destination", DIRECTORY.toString());
		trainWithoutServers();
		trainWithServers();
		for (int round = 1; round <= this.settings.starts(); round++) {
			for (Form form : FORMS) {
				Progress.report("aot: round " + round + ", " + form.title());
				try (Sample sample = new Sample(java(), form.options())) {
					this.results.computeIfAbsent(form, (key) -> new ArrayList<>()).add(sample.use());
					check(sample.log().contains("AOT-processed") == form.options().contains(PROCESSED), sample.log());
				}
			}
		}
	}

	/**
	 * Make a cache where there is no server, such as in a build, and see that none was
	 * looked for.
	 */
	private static void trainWithoutServers() throws IOException {
		Path started = DIRECTORY.resolve("started");
		try (ServerSocket server = new ServerSocket(0, 50, InetAddress.getByName("127.0.0.1"))) {
			String address = "://127.0.0.1:" + server.getLocalPort() + "/mcp";
			execute("-XX:AOTCacheOutput=" + CACHE, PROCESSED, "-Dspring.context.exit=onRefresh", "-jar",
					EXTRACTED.toString(), "--mcp.servers.demo.url=http" + address,
					"--mcp.servers.socket.url=ws" + address, "--mcp.servers.down.url=http" + address,
					"--mcp.servers.everything.command=touch", "--mcp.servers.everything.args=" + started);
			server.setSoTimeout(1);
			server.accept().close();
			throw new IllegalStateException("The training run has connected to a server");
		}
		catch (SocketTimeoutException ex) {
			check(!Files.exists(started), "The training run has started a server");
		}
	}

	private static void trainWithServers() throws IOException {
		try (Sample sample = new Sample(java(),
				List.of("-XX:AOTCacheOutput=" + CACHE_OF_SERVERS, PROCESSED, "-jar", EXTRACTED.toString()))) {
			sample.use();
		}
	}

	private static Path java() {
		return Contestant.VIRTUAL_THREADS.java().resolve("bin");
	}

	private static void execute(String... arguments) throws IOException {
		List<String> command = new ArrayList<>(List.of(java().resolve("java").toString()));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String output = new String(process.getInputStream().readAllBytes());
		check(process.onExit().join().exitValue() == 0, command + " failed:\n" + output);
	}

	private static void check(boolean condition, String message) {
		if (!condition) {
			throw new IllegalStateException(message);
		}
	}

	void print() {
		Table table = new Table("The sample, Java 25", "ready", "first call", "CPU", "of the jar", "classes",
				"from the cache");
		List<Result> jar = this.results.getOrDefault(FORMS.get(0), List.of());
		this.results.forEach((form, all) -> table.row(form.title(), seconds(all, "ready"), seconds(all, "call"),
				seconds(all, "cpu"), Table.number(Median.of(all, "cpu") / Median.of(jar, "cpu"), 2),
				Table.number(Median.of(all, "classes"), 0), Table.number(Median.of(all, "cached"), 0)));
		System.out.println("### Ahead of time\n");
		System.out.println(table);
	}

	private static String seconds(List<Result> results, String name) {
		return Table.number(Median.of(results, name) / 1000, 2) + " s";
	}

	/**
	 * How the sample is started.
	 */
	private record Form(String title, List<String> options) {

		private Form(String title, String... options) {
			this(title, List.of(options));
		}

	}

}
