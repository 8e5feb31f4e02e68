package io.github.mcpclient.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import reactor.netty.resources.LoopResources;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What a process holds at one moment.
 *
 * @param threads the number of threads, by their names without digits
 * @param descriptors the number of open sockets, pipes and the like; of files none, as
 * the JVM opens archives when it needs them. None but on Linux
 * @param children the number of child processes
 * @param heap the bytes in use after a garbage collection, 0 if not of interest
 */
record Resources(Map<String, Integer> threads, Map<String, Integer> descriptors, long children, long heap) {

	static final long HEAP_TOLERANCE = 5 * 1024 * 1024;

	private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

	// pools of the JVM, of Reactor and of scripted servers, which end idle threads when
	// they like, and what starts and observes tests
	private static final Pattern SHARED = Pattern.compile("process reaper.*|boundedElastic-.*|parallel-.*|"
			+ "ForkJoinPool.*|Common-Cleaner|Attach Listener|awaitility-.*|docker-java.*|testcontainers.*|"
			+ "surefire-.*|Keep-Alive-.*|idle-connection-.*|HttpClient-.*|test-server-worker");

	private static final Pattern POOL = Pattern.compile("(?:mcp|reactor)-http-.*|mcp-listing-.*");

	/**
	 * Wait until nothing changes, and take stock.
	 */
	static Resources settled() {
		return settled(true);
	}

	/**
	 * Wait until nothing changes, and take stock.
	 * @param heap whether that of the heap too
	 */
	static Resources settled(boolean heap) {
		AtomicReference<Resources> last = new AtomicReference<>(count());
		Awaitility.await().pollDelay(Duration.ofMillis(100)).pollInterval(Duration.ofMillis(100)).until(() -> {
			Resources now = count();
			return now.equals(last.getAndSet(now));
		});
		Resources counted = last.get();
		return new Resources(counted.threads(), counted.descriptors(), counted.children(), heap ? collectGarbage() : 0);
	}

	/**
	 * Return the same with a thread for each server in the pools that servers use all the
	 * time while they are down: how many do so at once is chance.
	 */
	Resources whileRetrying(int servers) {
		Map<String, Integer> threads = new TreeMap<>(this.threads);
		Stream.of("mcp-connect-#", "mcp-close-#", "mcp-listeners-#")
			.forEach((name) -> threads.merge(name, servers, Math::max));
		return new Resources(threads, this.descriptors, this.children, this.heap);
	}

	/**
	 * Wait until there is nothing more than before.
	 */
	void assertNoMoreNow() {
		// threads of pools last for ten seconds without work
		Awaitility.await().atMost(Waiting.LIMIT).pollInterval(Duration.ofMillis(50)).untilAsserted(() -> {
			Resources now = count();
			now.threads()
				.forEach((name, count) -> assertThat(count).as("threads " + name + " of " + now.threads())
					.isLessThanOrEqualTo(threadsAllowed(name)));
			now.descriptors()
				.forEach((type, count) -> assertThat(count).as("descriptors " + type)
					.isLessThanOrEqualTo(this.descriptors.getOrDefault(type, 0)));
			assertThat(now.children()).as("children").isEqualTo(this.children);
		});
		if (this.heap > 0) {
			Awaitility.await()
				.untilAsserted(() -> assertThat(collectGarbage()).as("heap").isLessThan(this.heap + HEAP_TOLERANCE));
		}
	}

	int threadCount() {
		return sum(this.threads);
	}

	int descriptorCount() {
		return sum(this.descriptors);
	}

	private static int sum(Map<String, Integer> counts) {
		return counts.values().stream().mapToInt(Integer::intValue).sum();
	}

	private int threadsAllowed(String name) {
		int before = this.threads.getOrDefault(name, 0);
		// event loops start their threads when they are first used, of a fixed number,
		// and what
		// customizes tools keeps some for a minute
		return POOL.matcher(name).matches() ? Math.max(before, LoopResources.DEFAULT_IO_WORKER_COUNT) : before;
	}

	private static Resources count() {
		Map<String, Integer> threads = new TreeMap<>();
		ThreadMXBean all = ManagementFactory.getThreadMXBean();
		Stream.of(all.getThreadInfo(all.getAllThreadIds()))
			.filter(Objects::nonNull)
			.map(ThreadInfo::getThreadName)
			.filter((name) -> !SHARED.matcher(name).matches())
			.map((name) -> name.replaceAll("\\d+", "#"))
			.forEach((name) -> threads.merge(name, 1, Integer::sum));
		return new Resources(threads, countDescriptors(),
				ProcessHandle.current().children().filter(ProcessHandle::isAlive).count(), 0);
	}

	private static Map<String, Integer> countDescriptors() {
		Map<String, Integer> descriptors = new TreeMap<>();
		if (Files.isDirectory(DESCRIPTORS)) {
			try (Stream<Path> links = Files.list(DESCRIPTORS)) {
				links.map(Resources::type)
					.filter((type) -> !type.isEmpty())
					.forEach((type) -> descriptors.merge(type, 1, Integer::sum));
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}
		return descriptors;
	}

	private static String type(Path link) {
		try {
			String target = Files.readSymbolicLink(link).toString();
			return target.startsWith("/") ? "" : target.replaceAll("\\[\\d+]|\\d+", "");
		}
		catch (IOException ex) {
			// closed meanwhile
			return "";
		}
	}

	private static long collectGarbage() {
		System.gc();
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

}
