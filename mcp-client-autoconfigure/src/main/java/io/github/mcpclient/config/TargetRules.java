package io.github.mcpclient.config;

import org.jspecify.annotations.Nullable;

import org.springframework.util.StringUtils;

/**
 * What holds for what is contacted: the url, or the command and its arguments.
 */
final class TargetRules {

	private final Place place;

	private final Problems problems;

	TargetRules(Place place, Problems problems) {
		this.place = place;
		this.problems = problems;
	}

	static String notForStdio(ServerType type) {
		return "This is for servers that are reached over HTTP, but the type is " + type + ".";
	}

	static String notForHttp(ServerType type) {
		return "This is for child processes, but the type is " + type + ".";
	}

	void checkUrl(@Nullable String url, ServerType type) {
		if (url != null && StringUtils.hasText(url)) {
			String mistake = UrlRules.mistake(url, type.schemes());
			if (mistake != null) {
				reject("url", mistake);
			}
		}
		else if (type.isHttp()) {
			reject("url", (url != null) ? "The url is empty." : "A server of type " + type + " needs a url.");
		}
	}

	void checkCommand(McpServerProperties values) {
		String command = values.getCommand();
		if (!StringUtils.hasText(command)) {
			reject("command", (command != null) ? "The command is empty." : "A server of type stdio needs a command.");
		}
		else if (command.indexOf('\0') != -1) {
			reject("command", "The command must not contain a NUL character.");
		}
		if (values.getArgs() != null && values.getArgs().stream().anyMatch((arg) -> arg.indexOf('\0') != -1)) {
			reject("args", "An argument must not contain a NUL character.");
		}
	}

	private void reject(String setting, String message) {
		this.problems.add(this.place.problem(setting, message));
	}

}
