package io.github.mcpclient.config.mcpjson;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.config.mcpjson.JsonValue.Kind;
import org.jspecify.annotations.Nullable;

/**
 * The command of a server, in the forms that clients have for it.
 *
 * @param command the executable, or {@code null} if there is none
 * @param args the arguments, or {@code null} if the file has none
 */
record CommandLine(@Nullable JsonValue command, @Nullable JsonValue args) {

	private static final Set<String> WINDOWS_SHELL = Set.of("cmd", "cmd.exe");

	private static final Pattern WORD = Pattern.compile("(?:[^\\s\"']|\"[^\"]*+\"|'[^']*+')++");

	private static final Pattern QUOTED = Pattern.compile("\"([^\"]*)\"|'([^']*)'");

	static CommandLine of(@Nullable JsonValue command, @Nullable JsonValue args, boolean windows,
			ImportedServer server) {
		CommandLine line = new CommandLine(command, args);
		if (command != null && command.is(Kind.LIST)) {
			List<JsonValue> words = new ArrayList<>(command.items());
			if (args != null) {
				words.addAll(args.items());
			}
			line = (args == null || args.is(Kind.LIST)) ? of(words, command)
					: new CommandLine(of(words, command).command(), args);
		}
		return (windows ? line : line.withoutWindowsShell(server)).split(server);
	}

	private static CommandLine of(List<JsonValue> words, JsonValue at) {
		return new CommandLine(words.isEmpty() ? null : words.get(0),
				(words.size() > 1) ? at.withItems(words.subList(1, words.size())) : null);
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
		if (this.command == null || this.args != null || !this.command.isNotBlank()) {
			return this;
		}
		List<JsonValue> words = words(this.command);
		if (words.size() < 2) {
			return this;
		}
		server.warn(this.command, "The command has spaces and there are no args: what follows the first space is "
				+ "read as arguments.");
		return of(words, this.command);
	}

	// returns the words of a command, or none if it is a path, has a variable or an open
	// quotation mark
	private static List<JsonValue> words(JsonValue command) {
		String text = command.text();
		if (text.chars().anyMatch((ch) -> "/\\${".indexOf(ch) != -1) || !WORD.matcher(text).replaceAll("").isBlank()) {
			return List.of();
		}
		return WORD.matcher(text)
			.results()
			.map((word) -> command.withText(QUOTED.matcher(word.group()).replaceAll("$1$2")))
			.toList();
	}

}
