package io.github.mcpclient.benchmarks.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import io.github.mcpclient.benchmarks.Result;

/**
 * Connects to many servers, leaves them alone, and tells what that takes in memory and
 * threads, and what the start has taken.
 */
public final class FootprintClient {

	private FootprintClient() {
	}

	/**
	 * Measure.
	 * @param args the class of the peer, how many tools to expect, how long to idle in
	 * milliseconds, and the servers
	 * @throws Exception if the client does not start or cannot reach a server
	 */
	public static void main(String[] args) throws Exception {
		int expected = Integer.parseInt(args[1]);
		long idle = Long.parseLong(args[2]);
		List<String> servers = Arrays.asList(args).subList(3, args.length);
		Peer.Client client = Peers.load(args[0]).start(servers);
		awaitTools(client, expected);
		long time = System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
		long cpu = ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis();
		Thread.sleep(idle);
		double heap = heap();
		int threads = ManagementFactory.getThreadMXBean().getThreadCount();
		Result
			.of("heap", heap / 1024, "rss", residentKilobytes() / 1024.0, "threads", threads, "time", time, "cpu", cpu)
			.print();
		Runtime.getRuntime().halt(0);
	}

	/**
	 * Return what lives in the heap, in kB.
	 */
	static double heap() throws InterruptedException {
		// What was freed by finalizers and cleaners of the first round goes in the next
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(200);
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1024.0;
	}

	static void awaitTools(Peer.Client client, int expected) throws InterruptedException {
		long end = System.nanoTime() + 180_000_000_000L;
		int tools = (expected != 0) ? client.tools() : 0;
		while (tools != expected) {
			if (System.nanoTime() > end) {
				throw new IllegalStateException("Expected " + expected + " tools but there are " + tools);
			}
			Thread.sleep(100);
			tools = client.tools();
		}
	}

	private static long residentKilobytes() throws IOException {
		Path status = Path.of("/proc/self/status");
		if (!Files.exists(status)) {
			return 0;
		}
		try (var lines = Files.lines(status)) {
			return lines.filter((line) -> line.startsWith("VmRSS:"))
				.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
				.findFirst()
				.orElse(0);
		}
	}

}
