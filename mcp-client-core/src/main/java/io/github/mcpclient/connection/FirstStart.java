package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinition.Timeouts;
import io.github.mcpclient.support.PropertyNames;
import org.jspecify.annotations.Nullable;

/**
 * The first start of a server by a program that may have to download it, until the first
 * READY. Ended early, {@code npx} would leave a broken package behind.
 */
final class FirstStart {

	/**
	 * Programs that download what they run, with the arguments that make them do so;
	 * without arguments where they always do.
	 */
	private static final Map<String, Set<String>> LAUNCHERS = Map.ofEntries(Map.entry("npx", Set.of()),
			Map.entry("pnpx", Set.of()), Map.entry("bunx", Set.of()), Map.entry("uvx", Set.of()),
			Map.entry("pipx", Set.of()), Map.entry("docker", Set.of()), Map.entry("podman", Set.of()),
			Map.entry("npm", Set.of("exec", "x")), Map.entry("pnpm", Set.of("dlx")), Map.entry("yarn", Set.of("dlx")),
			Map.entry("bun", Set.of("x")), Map.entry("uv", Set.of("run")));

	/**
	 * What a shell writes that was given a message of ours for a command.
	 */
	private static final Pattern SHELL = Pattern.compile("jsonrpc.*not (?:found|recognized)");

	private static final Pattern FAILURE = Pattern
		.compile("^(?:npm (?:error|ERR!)|(?:ERR_PNPM|YN\\d)|docker: |[Ee]rror: |ERROR: )");

	private final McpServerDefinition definition;

	private final @Nullable String launcher;

	private final boolean longer;

	private volatile boolean over;

	FirstStart(McpServerDefinition definition) {
		this.definition = definition;
		Stdio stdio = definition.stdio();
		this.launcher = (stdio != null && stdio.packageName() != null) ? file(stdio.command())
				: (stdio != null) ? launcher(stdio.command(), stdio.args()) : null;
		Timeouts timeouts = definition.timeouts();
		this.longer = this.launcher != null && timeouts.firstStart().compareTo(timeouts.initialization()) > 0;
	}

	private static @Nullable String launcher(String command, List<String> args) {
		String name = file(command).toLowerCase(Locale.ROOT).replaceFirst("\\.(exe|cmd|bat)$", "");
		if (name.equals("cmd")) {
			// cmd /c npx ...
			List<String> rest = args.stream()
				.dropWhile((arg) -> arg.startsWith("/"))
				.flatMap((arg) -> List.of(arg.split(" ")).stream())
				.toList();
			return rest.isEmpty() ? null : launcher(rest.get(0), rest.subList(1, rest.size()));
		}
		Set<String> subcommands = LAUNCHERS.get(name);
		boolean downloads = subcommands != null
				&& (subcommands.isEmpty() || args.stream().anyMatch(subcommands::contains));
		return downloads ? name : null;
	}

	private static String file(String command) {
		return command.substring(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
	}

	/**
	 * Returns how long an attempt that begins now may take.
	 */
	Duration limit() {
		Timeouts timeouts = this.definition.timeouts();
		return (this.longer && !this.over) ? timeouts.firstStart() : timeouts.initialization();
	}

	/**
	 * Describes an attempt of that limit if it may take longer than others.
	 */
	@Nullable String notice(Duration limit) {
		if (!this.longer || !limit.equals(this.definition.timeouts().firstStart())) {
			return null;
		}
		return "The first start is under way: " + this.launcher + " may still be downloading the server, and has "
				+ limit.toSeconds() + " s (" + PropertyNames.ofServer(this.definition.name(), "first-start-timeout")
				+ ").";
	}

	/**
	 * Describes a start that goes on, but leads to nothing, by what the launcher has
	 * written to its standard error.
	 */
	@Nullable String problem(List<String> stderr) {
		String property = PropertyNames.ofServer(this.definition.name(), "");
		if (stderr.stream().anyMatch((line) -> SHELL.matcher(line).find())) {
			return this.launcher + " has started a shell, not a server, as it does when no package is named. Check "
					+ property + ".args: each argument is one item of the list.";
		}
		return stderr.stream()
			.filter((line) -> FAILURE.matcher(line).find())
			.findFirst()
			.map((line) -> this.launcher + " has failed, but is still running: " + line)
			.orElse(null);
	}

	void end() {
		this.over = true;
	}

	void follow(FirstStart predecessor) {
		Stdio stdio = this.definition.stdio();
		Stdio other = predecessor.definition.stdio();
		this.over = predecessor.over && stdio != null && other != null && stdio.command().equals(other.command())
				&& stdio.args().equals(other.args());
	}

}
