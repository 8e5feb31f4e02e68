package io.github.mcpclient.config.mcpjson;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

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

	static CommandLine of(@Nullable JsonValue command, @Nullable JsonValue args, boolean windows, ServerNotes notes) {
		CommandLine line = new CommandLine(command, args);
		if (command != null && command.is(Kind.LIST)) {
			line = ofList(command, args);
		}
		return (windows ? line : line.withoutWindowsShell(notes)).split(notes);
	}

	boolean isPresent() {
		return this.command != null && (this.command.isNotBlank() || !this.command.is(Kind.TEXT));
	}

	private static CommandLine ofList(JsonValue command, @Nullable JsonValue args) {
		List<JsonValue> items = new ArrayList<>(command.items());
		if (args != null && !args.is(Kind.LIST)) {
			return new CommandLine(items.isEmpty() ? null : items.get(0), args);
		}
		if (args != null) {
			items.addAll(args.items());
		}
		if (items.isEmpty()) {
			return new CommandLine(null, null);
		}
		JsonValue rest = JsonValue.list(items.subList(1, items.size()), command.line(), command.column());
		return new CommandLine(items.get(0), (items.size() > 1) ? rest : null);
	}

	private CommandLine withoutWindowsShell(ServerNotes notes) {
		if (this.command == null || this.args == null || this.args.items().size() < 2
				|| !WINDOWS_SHELL.contains(this.command.text().strip().toLowerCase(Locale.ROOT))
				|| !this.args.items().get(0).text().equalsIgnoreCase("/c")) {
			return this;
		}
		notes.info(this.command, "The command is run without 'cmd /c', since this is not Windows.");
		List<JsonValue> items = this.args.items().subList(1, this.args.items().size());
		JsonValue rest = JsonValue.list(items.subList(1, items.size()), this.args.line(), this.args.column());
		return new CommandLine(items.get(0), (items.size() > 1) ? rest : null);
	}

	private CommandLine split(ServerNotes notes) {
		if (this.command == null || this.args != null || !this.command.isNotBlank()) {
			return this;
		}
		List<JsonValue> words = words(this.command);
		if (words.size() < 2) {
			return this;
		}
		notes.warn(this.command, "The command has spaces and there are no args: what follows the first space is taken "
				+ "for arguments.");
		return new CommandLine(words.get(0),
				JsonValue.list(words.subList(1, words.size()), this.command.line(), this.command.column()));
	}

	private static List<JsonValue> words(JsonValue command) {
		String text = command.text().strip();
		if (text.chars().anyMatch((ch) -> ch == '/' || ch == '\\' || ch == '$' || ch == '{')) {
			return List.of();
		}
		List<JsonValue> words = new ArrayList<>();
		StringBuilder word = new StringBuilder();
		char quote = 0;
		boolean open = false;
		for (char ch : text.toCharArray()) {
			if (quote == 0 && Character.isWhitespace(ch)) {
				if (open) {
					words.add(JsonValue.scalar(Kind.TEXT, word.toString(), command.line(), command.column()));
				}
				word.setLength(0);
				open = false;
			}
			else if (ch == quote || (quote == 0 && (ch == '"' || ch == '\''))) {
				quote = (quote == 0) ? ch : 0;
				open = true;
			}
			else {
				word.append(ch);
				open = true;
			}
		}
		if (quote != 0) {
			return List.of();
		}
		words.add(JsonValue.scalar(Kind.TEXT, word.toString(), command.line(), command.column()));
		return words;
	}

}
