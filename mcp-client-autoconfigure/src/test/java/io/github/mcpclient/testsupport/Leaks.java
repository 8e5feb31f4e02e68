package io.github.mcpclient.testsupport;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What must not outlive an application: child processes and threads of ours.
 */
public final class Leaks {

	private final Set<Long> childrenBefore = children();

	/**
	 * Wait until there are no children beside those that were there before, and no
	 * threads of ours.
	 */
	public void assertNone() {
		await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
			Set<Long> left = children();
			left.removeAll(this.childrenBefore);
			assertThat(left).as("child processes").isEmpty();
			assertThat(threads()).as("threads").isEmpty();
		});
	}

	public static Set<String> threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter(Thread::isAlive)
			.map(Thread::getName)
			.filter((name) -> name.startsWith("mcp-"))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	public static Set<Long> children() {
		return ProcessHandle.current()
			.descendants()
			.filter(ProcessHandle::isAlive)
			.map(ProcessHandle::pid)
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
