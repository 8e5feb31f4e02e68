package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The messages that the README explains under "Troubleshooting".
 */
public final class ReadmeMessages {

	private static final Pattern MESSAGE = Pattern.compile("`(.+?)`(?=,| \\|)");

	private static final List<String> MESSAGES = read();

	private ReadmeMessages() {
	}

	/**
	 * Return whether the README has a message, in which {@code ...} stands for what
	 * varies.
	 * @param message the message
	 */
	public static boolean explain(String message) {
		String text = normalized(message);
		return MESSAGES.stream().anyMatch((row) -> matches(row, text));
	}

	/**
	 * Return the messages of the README that are none of the product.
	 * @param messages the messages of the product, in which {@code ...} stands for what
	 * varies
	 */
	public static List<String> besides(Collection<String> messages) {
		return MESSAGES.stream()
			.filter((row) -> messages.stream().noneMatch((message) -> matches(row, normalized(message))))
			.toList();
	}

	private static boolean matches(String row, String message) {
		// a message can have two sentences from two places
		return pattern(row).matcher(message).matches() || pattern(message).matcher(row).matches()
				|| row.contains(message);
	}

	private static List<String> read() {
		try {
			String readme = Files.readString(Path.of("../README.md"));
			String section = readme.substring(readme.indexOf("\n## Troubleshooting"));
			return section.substring(0, section.indexOf("\n## ", 1))
				.lines()
				.filter((line) -> line.startsWith("| `"))
				.map((line) -> line.substring(0, line.indexOf(" | ")) + " |")
				.flatMap((cell) -> MESSAGE.matcher(cell).results())
				.map((message) -> normalized(message.group(1)))
				.toList();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/**
	 * Write one character for what varies, and for the dots beside it.
	 */
	private static String normalized(String message) {
		return message.replaceAll("\\.{3,}", "\u2026");
	}

	private static Pattern pattern(String message) {
		return Pattern.compile("\\Q" + message.replace("\u2026", "\\E.*\\Q") + "\\E");
	}

}
