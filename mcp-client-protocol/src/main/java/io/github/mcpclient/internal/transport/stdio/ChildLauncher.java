package io.github.mcpclient.internal.transport.stdio;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.spi.UnusableSettingsException;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * Starts a child process, without a shell, or reports why it cannot. The executable is
 * looked up here, since Java would search the application's {@code PATH} rather than the
 * child's. Windows runs a batch file, such as {@code npx.cmd}, by {@code cmd.exe}:
 * arguments that this would misread are refused.
 */
final class ChildLauncher {

	private static final Set<String> HARMLESS = Set.of("PATH", "HOME", "LANG", "LANGUAGE", "TERM", "TZ", "USER",
			"LOGNAME", "SHELL", "TMPDIR");

	private static final Set<String> HARMLESS_ON_WINDOWS = Set.of("PATH", "PATHEXT", "SYSTEMROOT", "SYSTEMDRIVE",
			"WINDIR", "COMSPEC", "APPDATA", "LOCALAPPDATA", "PROGRAMDATA", "PROGRAMFILES", "PROGRAMFILES(X86)",
			"PROGRAMW6432", "TEMP", "TMP", "USERNAME", "USERPROFILE", "HOMEDRIVE", "HOMEPATH", "PROCESSOR_ARCHITECTURE",
			"NUMBER_OF_PROCESSORS", "OS", "TZ", "LANG");

	// the default of execvp()
	private static final String DEFAULT_PATH = "/usr/local/bin:/bin:/usr/bin";

	private static final String DEFAULT_PATHEXT = ".COM;.EXE;.BAT;.CMD";

	private static final Pattern OS_ERROR = Pattern.compile("error=(\\d+), (.+)$");

	private static final String NO_SUCH_FILE = "2";

	private static final int MAX_PATH = 300;

	// the arguments that start a container: options follow them, and the image
	private static final List<String> RUN = List.of("run", "-i", "--rm", "--init");

	private static final Pattern UNSAFE_IN_BATCH = Pattern.compile("[\"%\r\n]");

	private final String serverName;

	private final Stdio stdio;

	private final String shown;

	private final String property;

	// the property with the command
	private final String setting;

	private final String marker = UUID.randomUUID().toString();

	private final Map<String, String> environment;

	private final boolean windows;

	private volatile @Nullable ServerContainer container;

	private volatile String executable = "";

	ChildLauncher(String serverName, Stdio stdio) {
		this(serverName, stdio, System.getenv(), File.separatorChar == '\\');
	}

	ChildLauncher(String serverName, Stdio stdio, Map<String, String> parentEnvironment, boolean windows) {
		this.serverName = serverName;
		this.stdio = stdio;
		this.shown = Redaction.command(stdio.command(), List.of());
		this.property = PropertyNames.ofServer(serverName, "") + ".";
		this.setting = (stdio.packageName() != null) ? "mcp.runtimes." + runtime() + ".command"
				: this.property + "command";
		this.windows = windows;
		this.environment = environment(parentEnvironment);
	}

	/**
	 * The child sees only the variables that programs need and that hold no secrets; a
	 * package runner also sees the variables by which it reaches its registry. If the
	 * definition inherits all variables of the application, the child sees them all.
	 */
	private Map<String, String> environment(Map<String, String> parent) {
		// on Windows names that differ by case only are the same
		Map<String, String> environment = this.windows ? new TreeMap<>(String.CASE_INSENSITIVE_ORDER)
				: new LinkedHashMap<>();
		parent.forEach((name, value) -> {
			if (this.stdio.inheritEnvironment() || isHarmless(name, value)) {
				environment.put(name, value);
			}
		});
		environment.putAll(McpServerSecrets.forPackageRunner(this.stdio, parent));
		environment.putAll(this.stdio.env());
		return environment;
	}

	private boolean isHarmless(String name, String value) {
		if (this.windows) {
			return HARMLESS_ON_WINDOWS.contains(name.toUpperCase(Locale.ROOT));
		}
		// a value that starts so is a function, exported by a shell
		return (HARMLESS.contains(name) || name.startsWith("LC_")) && !value.startsWith("()");
	}

	Map<String, String> environment() {
		return this.environment;
	}

	Process start() {
		Path directory = workingDirectory();
		List<String> command = command();
		ProcessBuilder builder = new ProcessBuilder(command);
		if (directory != null) {
			builder.directory(directory.toFile());
		}
		ServerContainer container = this.container;
		if (container != null) {
			new TransportThread("mcp-containers", container::removeOrphans).start();
		}
		try {
			Map<String, String> target = builder.environment();
			target.clear();
			Assert.isTrue(!this.environment.containsKey(""), "An environment variable has no name");
			target.putAll(this.environment);
			target.put(ProcessTable.MARKER, this.marker);
			return builder.start();
		}
		catch (IOException ex) {
			throw failure(command.get(0), ex);
		}
		catch (IllegalArgumentException ex) {
			// its message quotes the value, which may be a secret
			throw failure("the system refuses its arguments or environment",
					"Check " + this.property + "args and env.");
		}
	}

	/**
	 * Return the program that was started, and where.
	 */
	String started() {
		Path directory = this.stdio.workingDirectory();
		return this.executable + ((directory != null) ? ", in " + directory : "");
	}

	/**
	 * Return the value of a variable by which the process and all that it starts are
	 * recognized.
	 */
	String marker() {
		return this.marker;
	}

	/**
	 * Return the property that defines the program.
	 */
	String target() {
		return this.property + (runtime().isEmpty() ? "command" : "package");
	}

	/**
	 * Return the kind of the package, or an empty text.
	 */
	String runtime() {
		return (this.stdio.packageName() != null) ? this.stdio.packageName().split(":", 2)[0] : "";
	}

	/**
	 * Remove the leftovers of the process; may take some seconds.
	 */
	void ended() {
		ServerContainer container = this.container;
		if (container != null) {
			container.remove();
		}
	}

	private @Nullable Path workingDirectory() {
		Path directory = this.stdio.workingDirectory();
		if (directory == null || Files.isDirectory(directory)) {
			return directory;
		}
		String problem = Files.exists(directory) ? " is not a directory" : " does not exist";
		throw failure("its working directory " + directory + problem,
				"Create it, or change " + this.property + "working-directory.");
	}

	List<String> command() {
		String executable = executable().toString();
		this.executable = executable;
		List<String> command = new ArrayList<>(this.stdio.args().size() + 1);
		command.add(executable);
		command.addAll(this.stdio.args());
		int run = runtime().equals("oci") ? Collections.indexOfSubList(command, RUN) : -1;
		if (run != -1) {
			ServerContainer container = new ServerContainer(List.copyOf(command.subList(0, run)), this.environment,
					base().toFile(), "mcp-" + this.marker);
			command.addAll(run + RUN.size(), container.options(this.serverName, this.stdio.env().keySet()));
			this.container = container;
		}
		if (this.windows && endsWith(executable, ".cmd", ".bat")
				&& command.stream().skip(1).anyMatch((arg) -> UNSAFE_IN_BATCH.matcher(arg).find())) {
			throw failure(executable + " is a batch file, and an argument has a quote, a percent sign or a line break",
					"Change " + this.property + "args, or name a program at " + this.setting + ".");
		}
		return command;
	}

	private static boolean endsWith(String path, String... extensions) {
		String name = path.toLowerCase(Locale.ROOT);
		return Stream.of(extensions).anyMatch((extension) -> name.endsWith(extension.toLowerCase(Locale.ROOT)));
	}

	private Path executable() {
		String command = this.stdio.command();
		boolean path = command.indexOf('/') != -1
				|| (this.windows && (command.indexOf('\\') != -1 || command.contains(":")));
		try {
			return path ? byPath(command) : byName(command);
		}
		catch (InvalidPathException ex) {
			throw failure("this is not a valid file name", "Check " + this.setting + ".");
		}
	}

	private Path byPath(String command) {
		Path path = base().resolve(command);
		Path executable = find(path);
		if (executable != null) {
			return executable;
		}
		String next = "Correct " + this.setting + ".";
		if (!Files.exists(path)) {
			boolean plain = path.toString().equals(command) || hasBlanks();
			throw failure("no such file" + (plain ? "" : " (" + path + ")"), hasBlanks() ? moveArguments() : next);
		}
		throw Files.isDirectory(path) ? failure("it is a directory", next) : notPermitted(path);
	}

	private Path byName(String command) {
		Path forbidden = null;
		for (String element : path().split(this.windows ? ";" : ":")) {
			if (element.isEmpty()) {
				// means the current directory to a shell: too easy to be tricked by
				continue;
			}
			Path candidate = base().resolve(element).resolve(command);
			Path executable = find(candidate);
			if (executable != null) {
				return executable;
			}
			forbidden = (forbidden == null && Files.isRegularFile(candidate)) ? candidate : forbidden;
		}
		if (forbidden != null) {
			throw notPermitted(forbidden);
		}
		boolean own = this.stdio.env()
			.keySet()
			.stream()
			.anyMatch((name) -> this.windows ? name.equalsIgnoreCase("PATH") : name.equals("PATH"));
		throw failure("no such executable on the PATH (" + (own ? "from " + this.property + "env" : shownPath()) + ")",
				hasBlanks() ? moveArguments() : "Install it, or set " + this.setting + " to its full path.");
	}

	private boolean hasBlanks() {
		return this.shown.strip().indexOf(' ') != -1;
	}

	private String moveArguments() {
		if (!runtime().isEmpty()) {
			return "If it has arguments, write a list: set " + this.setting + " to [\""
					+ this.shown.strip().replaceAll(" +", "\", \"") + "\"].";
		}
		String[] words = this.shown.strip().split(" +", 2);
		return "If it has arguments, they belong in args: set " + this.property + "command to \"" + words[0]
				+ "\", and " + this.property + "args to [\"" + words[1].replaceAll(" +", "\", \"") + "\"].";
	}

	private String path() {
		return this.environment.getOrDefault("PATH", this.windows ? "" : DEFAULT_PATH);
	}

	private String shownPath() {
		String path = path();
		if (path.length() <= MAX_PATH) {
			return path;
		}
		int end = path.lastIndexOf(this.windows ? ';' : ':', MAX_PATH);
		return path.substring(0, (end != -1) ? end + 1 : MAX_PATH) + "...";
	}

	private Path base() {
		Path directory = this.stdio.workingDirectory();
		return ((directory != null) ? directory : Path.of("")).toAbsolutePath();
	}

	private @Nullable Path find(Path path) {
		String[] extensions = this.windows ? this.environment.getOrDefault("PATHEXT", DEFAULT_PATHEXT).split(";")
				: new String[0];
		boolean complete = !this.windows || endsWith(path.toString(), extensions);
		Stream<Path> candidates = complete ? Stream.of(path) : Stream.of(extensions)
			.map((extension) -> path.resolveSibling(path.getFileName() + extension.toLowerCase(Locale.ROOT)));
		return candidates.filter((file) -> Files.isRegularFile(file) && Files.isExecutable(file))
			.findFirst()
			.orElse(null);
	}

	private TransportException notPermitted(Path path) {
		return failure(path + " is not executable (permission denied)",
				"Make it executable for the user that the application runs as, or change " + this.setting + ".");
	}

	private TransportException failure(String executable, IOException cause) {
		Matcher error = OS_ERROR.matcher(String.valueOf(cause.getMessage()));
		String reason = "the system refuses it";
		if (error.find()) {
			// the file was there a moment ago: its first line names the missing program
			reason = error.group(1).equals(NO_SUCH_FILE) ? "the interpreter of " + executable + " does not exist"
					: error.group(2);
		}
		return new TransportException("Cannot start '" + this.shown + "': " + reason,
				"Check " + this.setting + " and args.", false, cause)
			.atStep(McpServerStatus.StepKind.EXECUTABLE);
	}

	private TransportException failure(String reason, String nextStep) {
		return new UnusableSettingsException("Cannot start '" + this.shown + "': " + reason, nextStep, null)
			.atStep(McpServerStatus.StepKind.EXECUTABLE);
	}

}
