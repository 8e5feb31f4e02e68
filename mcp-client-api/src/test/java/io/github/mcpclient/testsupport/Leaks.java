package io.github.mcpclient.testsupport;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * What must not outlive an application: child processes and threads of ours.
 */
public final class Leaks {

	private final Set<Long> childrenBefore = children();

	private final Set<Thread> threadsBefore = ours().collect(Collectors.toSet());

	/**
	 * Wait until there are no children and no threads of ours beside those that were
	 * there before.
	 */
	public void assertNone() {
		await().untilAsserted(() -> {
			Set<Long> left = children();
			left.removeAll(this.childrenBefore);
			assertThat(left).as("child processes").isEmpty();
			assertThat(ours().filter((thread) -> !this.threadsBefore.contains(thread))).as("threads").isEmpty();
		});
	}

	public static Set<String> threads() {
		return ours().map(Thread::getName).collect(Collectors.toCollection(TreeSet::new));
	}

	private static Stream<Thread> ours() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.isAlive() && thread.getName().startsWith("mcp-"));
	}

	public static Set<Long> children() {
		return ProcessHandle.current()
			.descendants()
			.filter(ProcessHandle::isAlive)
			.map(ProcessHandle::pid)
			.collect(Collectors.toCollection(TreeSet::new));
	}

}
