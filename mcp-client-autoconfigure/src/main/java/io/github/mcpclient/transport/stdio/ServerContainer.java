package io.github.mcpclient.transport.stdio;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import io.github.mcpclient.McpServerDefinition.Stdio;
import io.github.mcpclient.support.ContainerLabels;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The container that a command such as {@code docker run} starts, which may outlive that
 * command, and the application: it has a name, and a label with its owner.
 */
final class ServerContainer {

	private static final Logger logger = LoggerFactory.getLogger(ServerContainer.class);

	private static final int TIMEOUT_SECONDS = 3;

	private static final int MAX_OUTPUT = 64 * 1024;

	private static final String OWNER = owner();

	/**
	 * The commands by which containers that were left behind have been removed.
	 */
	private static final Set<List<String>> SWEPT = ConcurrentHashMap.newKeySet();

	private final Stdio stdio;

	private final String name;

	private final int label;

	private volatile List<String> client = List.of();

	private volatile Map<String, String> environment = Map.of();

	private ServerContainer(Stdio stdio, String marker, int label) {
		this.stdio = stdio;
		this.name = "mcp-" + marker;
		this.label = label;
	}

	/**
	 * Returns the container of a command, or {@code null} if it has no label of ours.
	 */
	static @Nullable ServerContainer of(Stdio stdio, String marker) {
		for (int i = stdio.args().indexOf("run") + 1; i < stdio.args().size(); i++) {
			if (stdio.args().get(i).startsWith(ContainerLabels.SERVER + "=")) {
				return new ServerContainer(stdio, marker, i);
			}
		}
		return null;
	}

	/**
	 * Returns the arguments of the command. Variables have their values in its
	 * environment, where other processes do not see them.
	 */
	List<String> args() {
		List<String> own = new ArrayList<>(
				List.of("--name", this.name, "--label", ContainerLabels.OWNER + "=" + OWNER));
		this.stdio.env().keySet().forEach((variable) -> own.addAll(List.of("-e", variable)));
		List<String> args = new ArrayList<>(this.stdio.args());
		args.addAll(this.label + 1, own);
		return args;
	}

	/**
	 * Removes what applications left behind that were killed, before the first container
	 * is started.
	 */
	void starting(String executable, Map<String, String> environment) {
		this.environment = environment;
		List<String> client = new ArrayList<>(List.of(executable));
		client.addAll(this.stdio.args().subList(0, this.stdio.args().indexOf("run")));
		this.client = client;
		if (!SWEPT.add(client)) {
			return;
		}
		List<String> left = new ArrayList<>();
		run("ps", "-a", "--filter", "label=" + ContainerLabels.OWNER, "--format",
				"{{.ID}} {{.Label \"" + ContainerLabels.OWNER + "\"}}")
			.lines()
			.map((line) -> line.split(" ", 2))
			.filter((container) -> container.length == 2 && isLeft(container[1]))
			.forEach((container) -> left.add(container[0]));
		if (!left.isEmpty()) {
			logger.info("Removing {} containers of MCP servers that another process left behind", left.size());
			List<String> remove = new ArrayList<>(List.of("rm", "-f"));
			remove.addAll(left);
			run(remove.toArray(String[]::new));
		}
	}

	/**
	 * Ends the container, if it is still there.
	 */
	void remove() {
		if (!this.client.isEmpty()) {
			run("rm", "-f", this.name);
		}
	}

	private String run(String... args) {
		List<String> command = new ArrayList<>(this.client);
		command.addAll(List.of(args));
		ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD);
		builder.environment().clear();
		builder.environment().putAll(this.environment);
		try {
			Process process = builder.start();
			process.getOutputStream().close();
			process.onExit().orTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS).whenComplete((ignored, late) -> {
				if (late != null) {
					process.destroyForcibly();
				}
			});
			return new String(process.getInputStream().readNBytes(MAX_OUTPUT), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			logger.debug("Cannot run {} {}", this.client, args[0], ex);
			return "";
		}
	}

	/**
	 * Returns whether the owner was a process of this machine, and has ended.
	 */
	static boolean isLeft(String owner) {
		int process = owner.lastIndexOf('/', owner.lastIndexOf('/') - 1);
		if (process == -1 || !OWNER.startsWith(owner.substring(0, process + 1))) {
			return false;
		}
		String[] parts = owner.substring(process + 1).split("/");
		try {
			return ProcessHandle.of(Long.parseLong(parts[0]))
				.filter(ProcessHandle::isAlive)
				.filter((handle) -> owner.endsWith("/" + start(handle)))
				.isEmpty();
		}
		catch (NumberFormatException ex) {
			return false;
		}
	}

	/**
	 * Identifies this process: where process ids are unique, its id, and when it began,
	 * as ids are used again.
	 */
	static String owner() {
		String host;
		try {
			host = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + "/"
					+ Files.readSymbolicLink(Path.of("/proc/self/ns/pid"));
		}
		catch (IOException | UnsupportedOperationException ex) {
			host = System.getenv().getOrDefault("COMPUTERNAME", "localhost");
		}
		ProcessHandle process = ProcessHandle.current();
		return host + "/" + process.pid() + "/" + start(process);
	}

	private static long start(ProcessHandle process) {
		return process.info().startInstant().map(Instant::getEpochSecond).orElse(0L);
	}

}
