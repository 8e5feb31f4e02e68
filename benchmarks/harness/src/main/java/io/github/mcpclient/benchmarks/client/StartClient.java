package io.github.mcpclient.benchmarks.client;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;

import io.github.mcpclient.benchmarks.Result;

/**
 * Starts an application and tells how long it took, from the start of the JVM, until it
 * was ready and until it had the tools of its servers, and what that cost.
 */
public final class StartClient {

	private StartClient() {
	}

	/**
	 * Measure.
	 * @param args the class of the peer, how many tools to expect, and the servers
	 */
	public static void main(String[] args) {
		int expected = Integer.parseInt(args[1]);
		List<String> servers = Arrays.asList(args).subList(2, args.length);
		try {
			Peer.Client client = Peers.load(args[0]).start(servers);
			long ready = sinceStart();
			int tools = (expected != 0) ? client.tools() : 0;
			long toolsReady = sinceStart();
			Result
				.of("ready", ready, "tools", tools, "toolsReady", toolsReady, "mainCpu",
						millis(ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime()), "cpu",
						ProcessHandle.current().info().totalCpuDuration().orElseThrow().toMillis(), "classes",
						ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount())
				.print();
		}
		catch (Exception ex) {
			Throwable cause = ex;
			while (cause.getCause() != null) {
				cause = cause.getCause();
			}
			Result.of("failed", sinceStart(), "cause", cause.getClass().getSimpleName() + ": " + cause.getMessage())
				.print();
		}
		// An application that fails to start may hang where it should end
		Runtime.getRuntime().halt(0);
	}

	private static long millis(long nanos) {
		return nanos / 1_000_000;
	}

	private static long sinceStart() {
		return System.currentTimeMillis() - ManagementFactory.getRuntimeMXBean().getStartTime();
	}

}
