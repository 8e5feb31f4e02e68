package io.github.mcpclient.internal.transport.stdio;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;

/**
 * Describes why a child process failed, by its exit and its output.
 *
 * @param responded whether the process has sent a message
 */
record ChildFailures(ChildLauncher launcher, ChildOutput stdout, ChildOutput stderr, boolean responded) {

	private static final int EXIT_BY_SIGNAL = 128;

	private static final Map<Integer, String> SIGNALS = Map.of(1, "hung up", 2, "interrupted", 4, "illegal instruction",
			6, "aborted", 7, "bus error", 9, "killed", 11, "segmentation fault", 13, "broken pipe", 15, "terminated");

	private static final Pattern BROKEN_CACHE = Pattern
		.compile("MODULE_NOT_FOUND|Cannot find (?:module|package)|ENOTEMPTY");

	private static final Pattern NPX_FOLDER = Pattern.compile("[/\\\\]_npx[/\\\\]+([0-9a-f]{4,64})\\b");

	static TransportException cannotStart(Throwable cause) {
		return new TransportException("The process cannot be started: " + cause.getClass().getName(),
				"The system may be out of threads, processes or memory.", false, cause)
			.atStep(McpServerStatus.StepKind.PROCESS);
	}

	TransportException of(String summary, @Nullable Throwable cause) {
		return new TransportException(summary, "", nextStep(), true, cause).atStep(McpServerStatus.StepKind.PROCESS);
	}

	TransportException of(Process process, String symptom) {
		StringBuilder summary = new StringBuilder();
		PackageProblem problem = null;
		if (process.isAlive()) {
			summary.append(symptom);
		}
		else {
			int code = process.exitValue();
			summary.append("The process exited with code ").append(code);
			String signal = SIGNALS.get(code - EXIT_BY_SIGNAL);
			summary.append((signal != null) ? " (" + signal + ")" : "");
			problem = this.responded ? null : PackageProblem.find(this.launcher.runtime(), code, this.stderr.lines());
		}
		summary.append(this.responded ? "" : " before it responded");
		summary.append((problem != null) ? ", since " + problem.summary() : "");
		return new TransportException(summary.toString(), lastWords(),
				(problem != null) ? problem.nextStep() : nextStep(), true, null)
			.atStep(McpServerStatus.StepKind.PROCESS);
	}

	private String lastWords() {
		String stderr = this.stderr.summary();
		if (!stderr.isEmpty()) {
			return ": last lines of stderr: " + stderr;
		}
		boolean quote = !this.responded && !this.stdout.lines().isEmpty();
		return quote ? ": last lines of stdout: " + this.stdout.summary() : "";
	}

	private String nextStep() {
		if (this.responded) {
			return "Check its log. The process is started by " + this.launcher.target() + " and args.";
		}
		String cure = brokenCache();
		return (cure != null) ? cure
				: "Run the command manually, and check " + this.launcher.target() + ", args and env.";
	}

	/**
	 * An interrupted installation by {@code npx} remains incomplete.
	 */
	private @Nullable String brokenCache() {
		String lines = String.join("\n", this.stderr.lines());
		Matcher folder = NPX_FOLDER.matcher(lines);
		if (!folder.find() || !BROKEN_CACHE.matcher(lines).find()) {
			return null;
		}
		return "The package that npx has installed is incomplete: delete the folder _npx/" + folder.group(1)
				+ " in npm's cache (see: npm config get cache), and it will be installed again.";
	}

}
