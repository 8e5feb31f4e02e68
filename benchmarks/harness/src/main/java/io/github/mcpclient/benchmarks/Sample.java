package io.github.mcpclient.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The sample application in a JVM of its own, with the servers that it brings. It is
 * ready when it has tried all of them.
 */
final class Sample implements AutoCloseable {

	private static final int LIMIT_SECONDS = 300;

	private static final HttpClient HTTP = HttpClient.newHttpClient();

	private static final Pattern STARTED = Pattern.compile("\\(process running for ([\\d.]+)\\)");

	private static final Pattern URL = Pattern.compile("curl -s (http://localhost:\\d+)/dice");

	private final long begin = System.nanoTime();

	private final Path java;

	private final Process process;

	private final String log;

	private final String url;

	private final double ready;

	private final double cpu;

	/**
	 * Start the sample, and wait until it is ready.
	 * @throws IllegalStateException if it does not start, or has no tools
	 */
	Sample(Path java, List<String> options) throws IOException {
		this.java = java;
		List<String> command = new ArrayList<>(List.of(java.resolve("java").toString()));
		command.addAll(options);
		command.addAll(List.of("--server.port=0", "--sample.demo-server.port=" + freePort(),
				"--mcp.servers.everything.enabled=false", "--mcp.startup.wait=60s"));
		this.process = new ProcessBuilder(command).redirectErrorStream(true).start();
		CompletableFuture.runAsync(this.process::destroyForcibly,
				CompletableFuture.delayedExecutor(LIMIT_SECONDS, TimeUnit.SECONDS));
		StringBuilder log = new StringBuilder();
		BufferedReader reader = this.process.inputReader();
		this.url = find(URL, reader, log);
		this.cpu = this.process.info().totalCpuDuration().orElseThrow().toMillis();
		this.log = log.toString();
		this.ready = 1000 * Double.parseDouble(find(STARTED, reader, log));
		// the sample must not wait for somebody who reads
		CompletableFuture.runAsync(() -> reader.lines().forEach((line) -> {
		}));
	}

	private static String find(Pattern pattern, BufferedReader reader, StringBuilder log) throws IOException {
		while (true) {
			Matcher matcher = pattern.matcher(log);
			if (matcher.find()) {
				return matcher.group(1);
			}
			String line = reader.readLine();
			if (line == null) {
				throw new IllegalStateException("The sample ended:\n" + log);
			}
			log.append(line).append('\n');
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0)) {
			return socket.getLocalPort();
		}
	}

	String log() {
		return this.log;
	}

	/**
	 * Call a tool, and see that the servers are connected.
	 * @return what was measured
	 */
	Result use() throws IOException {
		expect("/dice", "\"total\":");
		double call = (System.nanoTime() - this.begin) / 1e6;
		expect("/actuator/mcp/demo", "\"state\":\"READY\"");
		expect("/actuator/mcp/socket", "\"state\":\"READY\"");
		String counters = counters();
		double cached = counter(counters, "sharedLoadedClasses");
		return Result.of("ready", this.ready, "call", call, "cpu", this.cpu, "cached", cached, "classes",
				cached + counter(counters, "loadedClasses"));
	}

	private void expect(String path, String text) throws IOException {
		try {
			HttpResponse<String> response = HTTP.send(HttpRequest.newBuilder(URI.create(this.url + path)).build(),
					BodyHandlers.ofString());
			if (response.statusCode() != 200 || !response.body().contains(text)) {
				throw new IllegalStateException(path + " answers " + response.statusCode() + ": " + response.body());
			}
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private String counters() throws IOException {
		Process command = new ProcessBuilder(this.java.resolve("jcmd").toString(), String.valueOf(this.process.pid()),
				"PerfCounter.print")
			.redirectErrorStream(true)
			.start();
		return new String(command.getInputStream().readAllBytes());
	}

	private static double counter(String counters, String name) {
		Matcher matcher = Pattern.compile("java\\.cls\\." + name + "=(\\d+)").matcher(counters);
		if (!matcher.find()) {
			throw new IllegalStateException("No " + name + " in:\n" + counters);
		}
		return Double.parseDouble(matcher.group(1));
	}

	/**
	 * End the application as an operator does, and wait for its end, with which a JDK may
	 * write its cache.
	 */
	@Override
	public void close() {
		// that of the process would close its output, to which the JDK writes at the end
		this.process.toHandle().destroy();
		this.process.onExit().join();
	}

}
