package io.github.mcpclient.benchmarks.client;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.function.IntConsumer;

import io.github.mcpclient.benchmarks.Result;

/**
 * Searches the tools of many servers, looks for some that there are not, and tells what
 * that takes.
 */
public final class SearchClient {

	private static final String QUERY = "echo a message to the server and count";

	private static final int TIMES = 2000;

	private SearchClient() {
	}

	/**
	 * Measure.
	 * @param args the class of the peer, how many tools to expect, and the servers
	 * @throws Exception if the client does not start or cannot reach a server
	 */
	public static void main(String[] args) throws Exception {
		int tools = Integer.parseInt(args[1]);
		Peer.Client client = Peers.load(args[0]).start(Arrays.asList(args).subList(2, args.length));
		FootprintClient.awaitTools(client, tools);
		// longer than pools keep what a start needs
		Thread.sleep(20_000);
		double before = settledHeap();
		double first = search(client, 1);
		double index = settledHeap() - before;
		search(client, TIMES);
		double search = search(client, TIMES);
		refuse(client);
		Result.of("first", first, "search", search, "index", index * 1024 / tools, "refusal", refuse(client)).print();
		Runtime.getRuntime().halt(0);
	}

	private static double settledHeap() throws InterruptedException {
		double last = FootprintClient.heap();
		for (int i = 0; i < 20; i++) {
			Thread.sleep(2000);
			double now = FootprintClient.heap();
			if (Math.abs(now - last) < 100) {
				return now;
			}
			last = now;
		}
		return last;
	}

	// of names that are near to those of tools, and begin like none
	private static double refuse(Peer.Client client) {
		return cpu(TIMES, (i) -> {
			if (!client.refuse("echo" + i % 100).contains("echo")) {
				throw new IllegalStateException("No tool was suggested");
			}
		});
	}

	private static double search(Peer.Client client, int times) {
		return cpu(times, (i) -> {
			if (client.search(QUERY) == 0) {
				throw new IllegalStateException("No tool was found");
			}
		});
	}

	// in milliseconds, of one
	private static double cpu(int times, IntConsumer work) {
		long start = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
		for (int i = 0; i < times; i++) {
			work.accept(i);
		}
		return (ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - start) / 1e6 / times;
	}

}
