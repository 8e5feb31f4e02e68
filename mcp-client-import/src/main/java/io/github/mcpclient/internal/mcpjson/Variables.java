package io.github.mcpclient.internal.mcpjson;

import java.io.File;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * Translates the variables of a text into Spring's placeholders, which are resolved when
 * the properties are bound.
 */
record Variables(Dialect dialect, ProjectFiles files, Map<String, String> inputDefaults) {

	private static final String NAME = "[A-Za-z_][A-Za-z0-9_.-]*";

	private static final Pattern PLAIN = Pattern.compile("(?:env:)?(" + NAME + ")");

	private static final Pattern WITH_DEFAULT = Pattern.compile("(?:env:)?(" + NAME + ")(?::-|\\s*\\|\\s*value:)(.*)",
			Pattern.DOTALL);

	private static final Set<String> PROJECT = Set.of("workspaceFolder", "CLAUDE_PROJECT_DIR");

	private static final Set<String> SEPARATOR = Set.of("pathSeparator", "/");

	// more than any variable has, which limits the cost of a text
	private static final int LONGEST = 1024;

	private static final int DEEPEST = 8;

	/**
	 * Translate a text.
	 * @param own returns the replacement of a variable of the entry, by its name and its
	 * unparsed text, or {@code null} if it is not a variable of the entry
	 */
	Translation translate(String text, BinaryOperator<@Nullable String> own) {
		if (this.dialect == Dialect.REGISTRY) {
			return new Translation(text, false, Set.of(), null);
		}
		Run run = new Run(own);
		return new Translation(run.translate(text, 0).toString(), run.unknown, run.emptyIfUnset, run.error);
	}

	/**
	 * Return the property for an input.
	 * @param path the ID of the input, perhaps after the name of a server
	 */
	static String inputProperty(String... path) {
		return Stream.of(path)
			.map((part) -> part.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT))
			.map((words) -> words.replaceAll("[^a-z0-9-]+", "-").replaceAll("^-+", ""))
			.collect(Collectors.joining(".", "mcp.inputs.", ""));
	}

	/**
	 * A text with Spring's placeholders.
	 *
	 * @param unknown whether it has text like a variable that is unchanged
	 * @param emptyIfUnset the variables that count as empty if they are not set
	 * @param error the error, or {@code null}
	 */
	record Translation(String text, boolean unknown, Set<String> emptyIfUnset, @Nullable String error) {
	}

	private final class Run {

		private final BinaryOperator<@Nullable String> own;

		private boolean unknown;

		private final Set<String> emptyIfUnset = new LinkedHashSet<>();

		private @Nullable String error;

		private Run(BinaryOperator<@Nullable String> own) {
			this.own = own;
		}

		PlaceholderText translate(String text, int depth) {
			PlaceholderText translated = new PlaceholderText();
			int literal = 0;
			int position = 0;
			while (position < text.length()) {
				int end = end(text, position);
				if (end > position) {
					translated.literal(text.substring(literal, position));
					variable(text.substring(position, end), translated, depth);
					literal = end;
				}
				position = Math.max(end, position + 1);
			}
			return translated.literal(text.substring(literal));
		}

		private void variable(String variable, PlaceholderText translated, int depth) {
			if (variable.startsWith("${")) {
				body(variable, variable.substring(2, variable.length() - 1), translated, depth);
			}
			else if (variable.startsWith("$")) {
				String name = variable.substring(1);
				add(name, variable, "${" + name + "}", translated);
			}
			else if (variable.startsWith("{file:")) {
				file(variable.substring("{file:".length(), variable.length() - 1), translated);
			}
			else {
				String name = variable.substring("{env:".length(), variable.length() - 1);
				this.emptyIfUnset.add(name);
				add(name, variable, "${" + name + ":}", translated);
			}
		}

		private void body(String variable, String body, PlaceholderText translated, int depth) {
			Matcher plain = PLAIN.matcher(body);
			Matcher withDefault = WITH_DEFAULT.matcher(body);
			if (PROJECT.contains(body) || (withDefault.matches() && PROJECT.contains(withDefault.group(1)))) {
				translated.literal(Variables.this.files.projectDirectory());
			}
			else if (SEPARATOR.contains(body)) {
				translated.literal(File.separator);
			}
			else if (body.equals("userHome")) {
				translated.placeholder("${user.home}");
			}
			else if (plain.matches()) {
				add(plain.group(1), variable, "${" + plain.group(1) + "}", translated);
			}
			else if (withDefault.matches() && depth < DEEPEST) {
				add(withDefault.group(1), variable,
						"${" + withDefault.group(1) + ":" + translate(withDefault.group(2), depth + 1) + "}",
						translated);
			}
			else if (body.startsWith("input:") && body.length() > "input:".length()) {
				input(body.substring("input:".length()), translated);
			}
			else if (body.startsWith("file:")) {
				file(body.substring("file:".length()), translated);
			}
			else {
				this.unknown = true;
				translated.literal(variable);
			}
		}

		private void add(String name, String variable, String placeholder, PlaceholderText translated) {
			translated.placeholder(Objects.requireNonNullElse(this.own.apply(name, variable), placeholder));
		}

		private void input(String id, PlaceholderText translated) {
			String value = Variables.this.inputDefaults.get(id);
			String rest = (value != null) ? ":" + PlaceholderText.escape(value) : "";
			translated.placeholder("${" + inputProperty(id) + rest + "}");
		}

		private void file(String path, PlaceholderText translated) {
			try {
				translated.literal(Variables.this.files.read(path));
			}
			catch (JsonFileException ex) {
				this.error = ex.getMessage();
			}
		}

		// returns the end of the variable that starts there, or the start if none does
		private int end(String text, int start) {
			if (text.startsWith("${", start)) {
				return closing(text, start);
			}
			Matcher variable = Variables.this.dialect.variable().matcher(text).region(start, text.length());
			return variable.lookingAt() ? variable.end() : start;
		}

		private int closing(String text, int start) {
			int depth = 0;
			for (int i = start + 2; i < Math.min(text.length(), start + LONGEST); i++) {
				char ch = text.charAt(i);
				if (ch == '}' && depth-- == 0) {
					return i + 1;
				}
				depth += (ch == '{') ? 1 : 0;
			}
			return start;
		}

	}

}
