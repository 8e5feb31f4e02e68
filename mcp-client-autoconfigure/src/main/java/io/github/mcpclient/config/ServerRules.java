package io.github.mcpclient.config;

import java.util.List;
import java.util.Locale;

import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.origin.Origin;
import org.springframework.util.StringUtils;

/**
 * What holds for the settings of one server as a whole.
 */
final class ServerRules {

	private static final List<String> TARGETS = List.of("url", "command");

	private static final List<String> HTTP_SETTINGS = List.of("url", "headers", "ssl.bundle", "terminate-on-close",
			"sse-read-timeout");

	private static final List<String> STDIO_SETTINGS = List.of("command", "args", "env", "env-file",
			"inherit-environment", "working-directory", "encoding");

	private final ServerName server;

	private final Settings settings;

	private final Problems problems;

	private final TargetRules targetRules;

	ServerRules(ServerName server, Settings settings, Problems problems) {
		this.server = server;
		this.settings = settings;
		this.problems = problems;
		this.targetRules = new TargetRules(settings, problems);
	}

	void checkName() {
		if (!this.server.isValid()) {
			reject(ServerName.INVALID);
		}
		else if (this.server.otherSpelling() != null) {
			reject(ServerName.taken(this.server.otherSpelling()));
		}
	}

	/**
	 * Check that the server has what its type needs, and nothing else.
	 * @param values the settings of the server
	 * @param type the type, or {@code null} if it is not known
	 * @param types the types that there are
	 */
	void check(McpServerProperties values, @Nullable ServerType type, TransportTypes types) {
		String refusal = (type != null) ? types.refusal(type) : null;
		if (type == null) {
			if (StringUtils.hasText(values.getType())) {
				reject("type", types.unknown(values.getType()));
			}
			else if (StringUtils.hasText(values.getUrl())) {
				reject("There is a url (of a server that is reached over HTTP) and a command (of one that is a child "
						+ "process). Remove one of them.");
			}
			else {
				rejectWithoutTarget();
			}
		}
		else if (refusal != null) {
			reject(type.decidedBy(), refusal);
		}
		else if (type.isStdio()) {
			rejectAll(values.getUrl(), HTTP_SETTINGS, TargetRules.notForStdio(type));
			this.targetRules.checkCommand(values);
		}
		else {
			if (type.isHttp()) {
				rejectAll(values.getCommand(), STDIO_SETTINGS, TargetRules.notForHttp(type));
			}
			this.targetRules.checkUrl(values.getUrl(), type);
		}
	}

	/**
	 * Check that the server is no child process if an imported file has a part in it.
	 * @param values the settings of the server
	 * @param type the type, or {@code null} if it is not known
	 */
	void checkNotImported(McpServerProperties values, @Nullable ServerType type) {
		Origin imported = this.settings.imported();
		boolean runs = (type != null) ? !type.isHttp() : StringUtils.hasText(values.getCommand());
		if (imported != null && runs) {
			this.problems.add(new Problem(this.server.property(),
					"This is a child process of an imported file, and mcp.import.allow-stdio is false: such a file "
							+ "could have any program run. Configure the server in the application itself, or remove "
							+ "it from the file.",
					imported));
		}
	}

	private void rejectWithoutTarget() {
		for (String setting : TARGETS) {
			if (this.settings.contains(setting)) {
				reject(setting, "The " + setting + " is empty.");
				return;
			}
			PropertyPath misplaced = this.settings.misplaced(setting);
			if (misplaced != null) {
				reject("There is neither a url nor a command. " + advice(misplaced));
				return;
			}
		}
		reject("There is neither a url (of a server that is reached over HTTP) nor a command (of one that is a child "
				+ "process).");
	}

	private String advice(PropertyPath misplaced) {
		String server = this.server.name();
		String rest = misplaced.first();
		String setting = misplaced.parts().get(1);
		if (misplaced.variable()) {
			String upper = "MCP_SERVERS_" + server.toUpperCase(Locale.ROOT);
			return "Write the name of a server without '-', '_' and '.' in an environment variable: " + upper + rest
					+ "_" + setting + ", not " + upper + "_" + rest + "_" + setting + ".";
		}
		return "Write a name that has a dot in brackets: mcp.servers[" + server + "." + rest + "]." + setting + ".";
	}

	private void rejectAll(@Nullable String target, List<String> settings, String message) {
		// a url or a command that is empty does no harm
		settings.stream()
			.filter((setting) -> TARGETS.contains(setting) ? StringUtils.hasText(target)
					: this.settings.contains(setting))
			.forEach((setting) -> reject(setting, message));
	}

	private void reject(String message) {
		this.problems.add(new Problem(this.server.property(), message, this.server.origin()));
	}

	private void reject(String setting, String message) {
		this.problems.add(this.settings.problem(setting, message));
	}

}
