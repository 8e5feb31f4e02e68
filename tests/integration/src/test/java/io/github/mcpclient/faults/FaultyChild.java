package io.github.mcpclient.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

import io.github.mcpclient.testsupport.ProjectFiles;
import io.github.mcpclient.testsupport.Unchecked;
import io.github.mcpclient.testsupport.faults.Transport;

import org.springframework.util.FileSystemUtils;

/**
 * A {@link FaultyPeer} that is a child process: {@code faulty.sh} of the test resources.
 * More of its tools: {@code exit}, {@code flood} and {@code mute} (of stderr),
 * {@code deaf} (reads no further) and {@code fork}.
 */
final class FaultyChild implements FaultyPeer {

	private final Path directory;

	FaultyChild() {
		try {
			this.directory = Files.createTempDirectory("faulty");
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	@Override
	public String[] properties(String name) {
		String prefix = "mcp.servers." + name;
		Path script = ProjectFiles.of("tests/integration/src/test/resources/servers/faulty.sh");
		return new String[] { prefix + ".command=/bin/sh", prefix + ".args=" + script,
				prefix + ".env.DIR=" + this.directory };
	}

	/**
	 * Whether children that are started from now on ignore the end of the input and
	 * SIGTERM.
	 */
	void stubborn(boolean on) {
		flag("stubborn", on);
	}

	/**
	 * The process that was started last.
	 */
	ProcessHandle process() {
		return ProcessHandle.of(pid()).orElseThrow();
	}

	/**
	 * Kill the process with SIGKILL, and wait until it has gone.
	 */
	void kill() {
		ProcessHandle.of(pid()).ifPresent((process) -> {
			process.destroyForcibly();
			Waiting.await().until(() -> !process.isAlive());
		});
	}

	/**
	 * How many calls of {@code hang} it was asked for.
	 */
	int hangs() {
		return read("hangs").length();
	}

	@Override
	public void down() {
		flag("down", true);
		if (Files.exists(this.directory.resolve("pid"))) {
			kill();
		}
	}

	@Override
	public void up() {
		flag("down", false);
	}

	@Override
	public void restart() {
		kill();
	}

	@Override
	public void tools(String... names) {
		write("tools", String.join(" ", names));
	}

	@Override
	public void behave(Behaviour behaviour, boolean on) {
		flag(behaviour.name().toLowerCase(Locale.ROOT).replace('_', '-'), on);
	}

	@Override
	public int starts() {
		return read("starts").length();
	}

	@Override
	public int listings() {
		return read("listings").length();
	}

	@Override
	public void close() {
		Unchecked.run(() -> FileSystemUtils.deleteRecursively(this.directory));
	}

	private long pid() {
		return Long.parseLong(read("pid").strip());
	}

	private void flag(String name, boolean on) {
		try {
			if (on) {
				write(name, String.valueOf(FaultyPeer.many(Transport.STDIO)));
			}
			else {
				Files.deleteIfExists(this.directory.resolve(name));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void write(String name, String text) {
		Unchecked.run(() -> Files.writeString(this.directory.resolve(name), text));
	}

	private String read(String name) {
		try {
			Path file = this.directory.resolve(name);
			return Files.exists(file) ? Files.readString(file) : "";
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
