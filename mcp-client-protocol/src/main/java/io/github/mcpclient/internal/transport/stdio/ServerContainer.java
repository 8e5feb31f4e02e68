package io.github.mcpclient.internal.transport.stdio;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container that a command such as {@code docker run} starts, which may outlive that
 * command, and the application: it has a name, and a label with its owner.
 *
 * @param client the command, before {@code run}
 * @param environment the variables of the command
 * @param directory where the command runs
 */
record ServerContainer(List<String> client, Map<String, String> environment, File directory, String name) {

	static final String OWNER = "io.github.mcpclient.owner";

	private static final Logger logger = LoggerFactory.getLogger(ServerContainer.class);

	private static final Path PROC = Path.of("/proc");

	private static final String UNKNOWN_OWNER = UUID.randomUUID().toString();

	// the variables that the command reads itself
	private static final Pattern OF_THE_CLIENT = Pattern.compile("PATH|HOME|DOCKER_.*");

	// where --rm is first
	private static final Pattern GONE = Pattern.compile("(?i)no such container|already in progress");

	private static final int TIMEOUT_SECONDS = 5;

	private static final int POLL_MILLIS = 10;

	private static final int MAX_OUTPUT = 1024 * 1024;

	/**
	 * Return the options of {@code run}. Variables have their values in the environment
	 * of the command, where other processes do not see them.
	 */
	List<String> options(String server, Collection<String> variables) {
		List<String> options = new ArrayList<>(List.of("--name", this.name, "--label",
				"io.github.mcpclient.server=" + server, "--label", OWNER + "=" + owner()));
		variables.stream()
			.filter((variable) -> !OF_THE_CLIENT.matcher(variable).matches())
			.forEach((variable) -> options.addAll(List.of("-e", variable)));
		return options;
	}

	void remove() {
		if (run(Stream.of("rm", "-f", this.name)) == null) {
			logger.warn("Cannot remove container {}, which may still be running: remove it manually", this.name);
		}
	}

	/**
	 * Remove the containers of applications that ran in this very place, and were killed.
	 * If their process is unknown, nothing is removed.
	 */
	void removeOrphans() {
		String owner = owner();
		if (owner.equals(UNKNOWN_OWNER)) {
			return;
		}
		String place = owner.replaceFirst("\\d+/\\d+$", "");
		Pattern line = Pattern.compile("(?m)^([0-9a-f]{12,64}) " + Pattern.quote(place) + "(\\d+)/(\\d+)\\R");
		// no double quotes, which not every system passes on
		String format = "{{.ID}} {{.Label `" + OWNER + "`}}";
		String listed = run(Stream.of("ps", "-a", "--filter", "label=" + OWNER, "--format", format));
		List<String> orphans = line.matcher((listed != null) ? listed : "")
			.results()
			.filter((container) -> hasEnded(container.group(2), container.group(3)))
			.map((container) -> container.group(1))
			.toList();
		if (!orphans.isEmpty()) {
			logger.info("Removing {} containers of MCP servers that another process left behind", orphans.size());
			run(Stream.concat(Stream.of("rm", "-f"), orphans.stream()));
		}
	}

	/**
	 * Return the output of a command, or {@code null} if it fails or takes too long.
	 */
	private @Nullable String run(Stream<String> args) {
		List<String> command = Stream.concat(this.client.stream(), args).toList();
		try {
			ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true).directory(this.directory);
			builder.environment().clear();
			builder.environment().putAll(this.environment);
			Process process = builder.start();
			process.getOutputStream().close();
			String output = output(process);
			return (output != null && (process.exitValue() == 0 || GONE.matcher(output).find())) ? output : null;
		}
		catch (IOException | RuntimeException ex) {
			logger.debug("Cannot run {}", command, ex);
			return null;
		}
	}

	/**
	 * Return the output of a process that ends in time; kill it otherwise. Waits for the
	 * process, not for the end of its output, which a child of it may keep open.
	 */
	private static @Nullable String output(Process process) throws IOException {
		ByteArrayOutputStream output = new ByteArrayOutputStream();
		InputStream source = process.getInputStream();
		long polls = TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS) / POLL_MILLIS;
		boolean ended = false;
		int available = 0;
		try {
			while (polls-- > 0 && !(ended && (available == 0 || output.size() == MAX_OUTPUT))) {
				ended = process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS);
				available = source.available();
				output.write(source.readNBytes(Math.min(available, MAX_OUTPUT - output.size())));
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		if (!ended) {
			process.descendants().forEach(ProcessHandle::destroyForcibly);
			process.destroyForcibly();
			return null;
		}
		return output.toString(StandardCharsets.UTF_8);
	}

	/**
	 * Return whether a process of this place has ended; {@code false} if that is unknown.
	 */
	static boolean hasEnded(String process, String start) {
		try {
			return !start(process).equals(start);
		}
		catch (NoSuchFileException ex) {
			return true;
		}
		catch (IOException | RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Identify this process by a place where it can see whether other processes run (the
	 * boot of a machine, a namespace of processes, and a user), since several places
	 * share an engine; and in it by its number, and its start, as numbers are used again.
	 * If processes of other users appear to have ended (hidepid), there is no such place.
	 */
	static String owner() {
		String process = Long.toString(ProcessHandle.current().pid());
		Path self = PROC.resolve("self");
		try {
			return (!Files.readSymbolicLink(self).endsWith(process) || !Files.isReadable(PROC.resolve("1/stat")))
					? UNKNOWN_OWNER
					: String.join("/", Files.readString(PROC.resolve("sys/kernel/random/boot_id")).strip(),
							Files.readSymbolicLink(self.resolve("ns/pid")).toString(),
							Files.getAttribute(self, "unix:uid").toString(), process, start(process));
		}
		catch (IOException | RuntimeException ex) {
			return UNKNOWN_OWNER;
		}
	}

	/**
	 * Return when a process began, in ticks since the boot: the clock may be set after
	 * that.
	 */
	private static String start(String process) throws IOException {
		String stat = Files.readString(PROC.resolve(process).resolve("stat"), StandardCharsets.ISO_8859_1);
		// the second field, the name of the program in parentheses, may hold anything
		return stat.substring(stat.lastIndexOf(')') + 2).split(" ")[22 - 3];
	}

}
