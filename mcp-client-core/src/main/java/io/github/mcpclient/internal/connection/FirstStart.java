package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinition.Timeouts;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import org.jspecify.annotations.Nullable;

/**
 * The first start of a server with a program that may have to download it, until the
 * first READY. If ended early, {@code npx} would leave a broken package behind.
 */
final class FirstStart {

	// the output of a shell that received a message of the client as a command
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
		this.launcher = (stdio != null) ? McpServerSecrets.packageRunner(stdio) : null;
		Timeouts timeouts = definition.timeouts();
		this.longer = this.launcher != null && timeouts.firstStart().compareTo(timeouts.initialization()) > 0;
	}

	/**
	 * Return the time limit of an attempt that begins now.
	 */
	Duration limit() {
		Timeouts timeouts = this.definition.timeouts();
		return (this.longer && !this.over) ? timeouts.firstStart() : timeouts.initialization();
	}

	/**
	 * Describe an attempt with the given limit if it may take longer than others.
	 */
	@Nullable String notice(Duration limit) {
		if (!this.longer || !limit.equals(this.definition.timeouts().firstStart())) {
			return null;
		}
		return "The first start is in progress: " + this.launcher + " may still be downloading the server, and has "
				+ limit.toSeconds() + " s (" + PropertyNames.ofServer(this.definition.name(), "first-start-timeout")
				+ ").";
	}

	/**
	 * Describe a start that continues without a chance of success, based on the standard
	 * error of the launcher.
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
