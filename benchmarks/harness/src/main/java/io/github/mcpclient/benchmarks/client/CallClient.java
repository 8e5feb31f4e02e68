package io.github.mcpclient.benchmarks.client;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import io.github.mcpclient.benchmarks.Result;

/**
 * Calls a tool again and again, from one thread or many, and tells how fast that went and
 * what it cost. Each answer is checked.
 */
public final class CallClient {

	private static final long PATIENCE = TimeUnit.MINUTES.toNanos(1);

	private final Peer.Client client;

	private final boolean virtual;

	private CallClient(Peer.Client client, boolean virtual) {
		this.client = client;
		this.virtual = virtual;
	}

	/**
	 * Measure what each line of standard input asks for: a number of callers and a time
	 * in milliseconds.
	 * @param args the class of the peer, the url of the server, and whether the callers
	 * are virtual threads
	 */
	public static void main(String[] args) {
		end(() -> measure(args));
	}

	/**
	 * End this JVM after a measurement, or tell how that failed.
	 */
	static void end(Measurement measurement) {
		try {
			measurement.run();
		}
		catch (Throwable ex) {
			ex.printStackTrace(System.out);
		}
		// Whatever a client leaves running is not ours to wait for, not even if it failed
		Runtime.getRuntime().halt(0);
	}

	private static void measure(String[] args) throws Exception {
		CallClient calls = new CallClient(Peers.load(args[0]).start(List.of(args[1])),
				args.length > 2 && Boolean.parseBoolean(args[2]));
		awaitFirstAnswer(calls.client);
		try (BufferedReader input = new BufferedReader(new InputStreamReader(System.in))) {
			String line = input.readLine();
			while (line != null) {
				String[] wanted = line.split(" ");
				calls.run(Integer.parseInt(wanted[0]), Long.parseLong(wanted[1])).print();
				line = input.readLine();
			}
		}
	}

	/**
	 * On a busy machine a client may be ready before its server is.
	 */
	static void awaitFirstAnswer(Peer.Client client) throws Exception {
		long end = System.nanoTime() + PATIENCE;
		while (true) {
			try {
				client.echo("first");
				return;
			}
			catch (Exception ex) {
				if (System.nanoTime() > end) {
					throw ex;
				}
				Thread.sleep(100);
			}
		}
	}

	private Result run(int callers, long millis) throws InterruptedException, ExecutionException {
		ExecutorService threads = threads(callers);
		try {
			long allocatedStart = allocatedBytes();
			long cpuStart = cpuNanos();
			long start = System.nanoTime();
			long end = start + millis * 1_000_000;
			List<Callable<long[]>> work = new ArrayList<>();
			for (int i = 0; i < callers; i++) {
				String name = "caller-" + i + "-";
				work.add(() -> callUntil(end, name));
			}
			LongStream latencies = LongStream.empty();
			for (Future<long[]> done : threads.invokeAll(work)) {
				latencies = LongStream.concat(latencies, Arrays.stream(done.get()));
			}
			long elapsed = System.nanoTime() - start;
			long cpu = cpuNanos() - cpuStart;
			// the threads of the callers are still there
			long allocated = allocatedBytes() - allocatedStart;
			return result(callers, latencies.sorted().toArray(), elapsed, cpu, allocated);
		}
		finally {
			threads.shutdown();
		}
	}

	private ExecutorService threads(int callers) {
		if (!this.virtual) {
			return Executors.newFixedThreadPool(callers);
		}
		try {
			return (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
		}
		catch (ReflectiveOperationException ex) {
			throw new IllegalStateException("This Java has no virtual threads", ex);
		}
	}

	private long[] callUntil(long end, String name) throws Exception {
		long[] latencies = new long[1024];
		int count = 0;
		long now = System.nanoTime();
		while (now < end) {
			String message = name + count;
			String answer = this.client.echo(message);
			long before = now;
			now = System.nanoTime();
			if (!answer.contains("echo " + message + "\"") && !answer.endsWith("echo " + message)) {
				throw new IllegalStateException("Asked for " + message + " but got " + answer);
			}
			if (count == latencies.length) {
				latencies = Arrays.copyOf(latencies, 2 * count);
			}
			latencies[count++] = now - before;
		}
		return Arrays.copyOf(latencies, count);
	}

	private static Result result(int callers, long[] sorted, long elapsed, long cpu, long allocated) {
		int calls = sorted.length;
		return Result.of("callers", callers, "calls", calls, "rate", calls * 1e9 / elapsed, "p50",
				sorted[calls / 2] / 1e3, "p99", sorted[calls * 99 / 100] / 1e3, "cpu", cpu / 1e3 / calls, "allocated",
				allocated / 1e3 / calls);
	}

	private static long cpuNanos() {
		return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
	}

	/**
	 * The sum of the threads that live. Those that ended before are not in it.
	 */
	static long allocatedBytes() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		return Arrays.stream(threads.getThreadAllocatedBytes(threads.getAllThreadIds())).filter((one) -> one > 0).sum();
	}

	@FunctionalInterface
	interface Measurement {

		void run() throws Exception;

	}

}
