package io.github.mcpclient.internal.mcpjson;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.internal.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The command of a server, in the forms that clients have for it.
 *
 * @param command the executable, or {@code null} if the file has no command
 * @param args the arguments, or {@code null} if the file has none
 */
record CommandLine(@Nullable JsonValue command, @Nullable JsonValue args) {

	private static final Set<String> WINDOWS_SHELL = Set.of("cmd", "cmd.exe");

	private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*+\"|'[^']*+')++");

	private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"|'([^']*)'");

	// without quotes it may have spaces
	private static final Pattern PATH = Pattern.compile("\\s*[^\\s\"'/\\\\${]*[/\\\\${].*", Pattern.DOTALL);

	private static final Pattern SHELL = Pattern.compile("(?:.*/)?(?:sh|bash|zsh|dash|ash|ksh)");

	private static final Pattern SCRIPT = Pattern.compile("-[a-z]*c");

	private static final Pattern REMOTE = Pattern.compile("(?:.*/)?mcp-remote(?:@.*)?");

	static CommandLine of(@Nullable JsonValue command, @Nullable JsonValue args, boolean windows,
			ImportedServer server) {
		if (args != null && args.hasText()) {
			List<JsonValue> words = words(args);
			if (words.size() > 1) {
				server.warn(args, "The args are a single string, which is split at spaces. Write a list.");
			}
			return of(command, args.withItems(words), windows, server);
		}
		CommandLine line = new CommandLine(command, args);
		if (command != null && command.is(Kind.LIST)) {
			List<JsonValue> words = new ArrayList<>(command.items());
			if (args != null) {
				words.addAll(args.items());
			}
			line = (args == null || args.is(Kind.LIST)) ? of(words, command)
					: new CommandLine(of(words, command).command(), args);
		}
		CommandLine split = line.split(server);
		return windows ? split : split.withoutWindowsShell(server).split(server);
	}

	private static CommandLine of(List<JsonValue> words, JsonValue at) {
		return new CommandLine(words.isEmpty() ? null : words.get(0),
				(words.size() > 1) ? at.withItems(words.subList(1, words.size())) : null);
	}

	/**
	 * Return whether this is a shell with a script, in which it replaces variables.
	 */
	boolean isShell() {
		return this.command != null && SHELL.matcher(this.command.text()).matches() && has(SCRIPT);
	}

	/**
	 * Return whether this is mcp-remote, which also replaces variables.
	 */
	boolean isRemote() {
		return this.command != null && REMOTE.matcher(this.command.text()).matches() || has(REMOTE);
	}

	private boolean has(Pattern arg) {
		return this.args != null && this.args.items().stream().anyMatch((item) -> arg.matcher(item.text()).matches());
	}

	boolean isPresent() {
		return this.command != null && (this.command.isNotBlank() || !this.command.is(Kind.TEXT));
	}

	private CommandLine withoutWindowsShell(ImportedServer server) {
		if (this.command == null || this.args == null || this.args.items().size() < 2
				|| !WINDOWS_SHELL.contains(this.command.text().strip().toLowerCase(Locale.ROOT))
				|| !this.args.items().get(0).text().equalsIgnoreCase("/c")) {
			return this;
		}
		server.info(this.command, "The command is run without 'cmd /c', since this is not Windows.");
		return of(this.args.items().subList(1, this.args.items().size()), this.args);
	}

	private CommandLine split(ImportedServer server) {
		if (this.command == null || !this.command.isNotBlank() || PATH.matcher(this.command.text()).matches()) {
			return this;
		}
		List<JsonValue> words = new ArrayList<>(words(this.command));
		if (words.size() < 2 || (this.args != null && !this.args.is(Kind.LIST))) {
			return this;
		}
		server.warn(this.command, "The command has spaces: what follows the first one is read as arguments.");
		words.addAll((this.args != null) ? this.args.items() : List.of());
		return of(words, this.command);
	}

	// returns the words of a line, or the line if it has an open quotation mark
	private static List<JsonValue> words(JsonValue command) {
		String text = command.text();
		if (!WORD.matcher(text).replaceAll("").isBlank()) {
			return List.of(command);
		}
		return WORD.matcher(text)
			.results()
			.map((word) -> command.withText(QUOTED.matcher(word.group()).replaceAll("$1$2")))
			.toList();
	}

}
