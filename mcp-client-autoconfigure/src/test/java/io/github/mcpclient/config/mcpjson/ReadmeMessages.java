package io.github.mcpclient.config.mcpjson;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The messages that the README explains under "Troubleshooting".
 */
final class ReadmeMessages {

	private static final Pattern ROW = Pattern.compile("\\| `` ?(.+?) ?`` \\|.*|\\| `(.+?)` \\|.*");

	private static final List<Pattern> MESSAGES = read();

	private ReadmeMessages() {
	}

	/**
	 * Return whether the README has a message, in which {@code ...} stands for what
	 * varies.
	 * @param message the message
	 * @return whether it has
	 */
	static boolean explain(String message) {
		return MESSAGES.stream().anyMatch((pattern) -> pattern.matcher(message).matches());
	}

	private static List<Pattern> read() {
		try {
			String readme = Files.readString(Path.of("../README.md"));
			String section = readme.substring(readme.indexOf("\n## Troubleshooting"));
			return section.substring(0, section.indexOf("\n## ", 1))
				.lines()
				.map(ROW::matcher)
				.filter((row) -> row.matches())
				.map((row) -> (row.group(1) != null) ? row.group(1) : row.group(2))
				.map(ReadmeMessages::pattern)
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Pattern pattern(String message) {
		return Pattern
			.compile(Stream.of(message.split("\\.\\.\\.", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
	}

}
