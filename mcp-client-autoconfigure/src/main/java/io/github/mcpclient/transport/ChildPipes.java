package io.github.mcpclient.transport;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The pipes to a child process, by which to find those who inherited them: processes that
 * it started and left behind when it ended, so that the system no longer knows them to be
 * its own. Works on Linux; elsewhere none are found. Immutable.
 */
final class ChildPipes {

	private static final Path PROC = Path.of("/proc");

	private static final String PIPE = "pipe:";

	private static final int STREAMS = 3;

	private final Set<String> pipes;

	private ChildPipes(Set<String> pipes) {
		this.pipes = pipes;
	}

	/**
	 * Return the pipes to a process.
	 * @param process a process that was just started, so that it still has them
	 * @return the pipes
	 */
	static ChildPipes of(ProcessHandle process) {
		return new ChildPipes(pipes(process.pid()));
	}

	/**
	 * Find the processes that have one of the pipes as one of their standard streams.
	 * @return the processes
	 */
	Stream<ProcessHandle> holders() {
		if (this.pipes.isEmpty()) {
			return Stream.empty();
		}
		long self = ProcessHandle.current().pid();
		// without standard streams of our own, a pipe may have taken the place of one
		return ProcessHandle.allProcesses()
			.filter((process) -> process.pid() != self)
			.filter((process) -> pipes(process.pid()).stream().anyMatch(this.pipes::contains));
	}

	private static Set<String> pipes(long pid) {
		Set<String> pipes = new HashSet<>();
		for (int descriptor = 0; descriptor < STREAMS; descriptor++) {
			try {
				Path link = PROC.resolve(pid + "/fd/" + descriptor);
				String target = Files.readSymbolicLink(link).toString();
				if (target.startsWith(PIPE)) {
					pipes.add(target);
				}
			}
			catch (IOException ex) {
				// closed, ended, someone else's, or not on Linux
				continue;
			}
		}
		return pipes;
	}

}
