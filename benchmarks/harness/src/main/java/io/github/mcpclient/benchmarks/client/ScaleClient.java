package io.github.mcpclient.benchmarks.client;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.github.mcpclient.benchmarks.Result;

/**
 * Connects to many servers, leaves them alone, and tells what each of both takes.
 */
public final class ScaleClient {

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private ScaleClient() {
	}

	/**
	 * Measure.
	 * @param args the class of the peer, how many tools to expect, how long the servers
	 * need to settle and how long to watch them after that, in milliseconds, and the
	 * servers
	 * @throws Exception if the client does not start or cannot reach a server
	 */
	public static void main(String[] args) throws Exception {
		int expected = Integer.parseInt(args[1]);
		List<String> servers = Arrays.asList(args).subList(4, args.length);
		Peer.Client client = Peers.load(args[0]).start(servers);
		FootprintClient.awaitTools(client, expected);
		double start = cpu();
		// That of the few threads which ended before is lost
		double allocated = allocated();
		Thread.sleep(Long.parseLong(args[2]));
		double heap = FootprintClient.heap();
		int threads = THREADS.getThreadCount();
		long sockets = sockets();
		double idleCpu = cpu();
		long idleStart = System.nanoTime();
		Thread.sleep(Long.parseLong(args[3]));
		double idle = 100 * (cpu() - idleCpu) * 1e6 / Math.max(1, System.nanoTime() - idleStart);
		Result
			.of("start", start, "allocated", allocated, "heap", heap, "threads", threads, "sockets", sockets, "idle",
					idle)
			.print();
		Runtime.getRuntime().halt(0);
	}

	// in milliseconds, that of garbage collection and compilation included
	private static double cpu() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime() / 1e6;
	}

	// in kB
	private static double allocated() {
		return Arrays.stream(THREADS.getThreadAllocatedBytes(THREADS.getAllThreadIds()))
			.filter((bytes) -> bytes > 0)
			.sum() / 1024.0;
	}

	private static long sockets() throws IOException {
		long sockets = 0;
		try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
			for (Path file : files) {
				if (Files.isSymbolicLink(file) && isSocket(file)) {
					sockets++;
				}
			}
		}
		return sockets;
	}

	private static boolean isSocket(Path file) {
		try {
			return Files.readSymbolicLink(file).toString().startsWith("socket:");
		}
		catch (IOException ex) {
			// closed meanwhile, as that of the directory
			return false;
		}
	}

}
