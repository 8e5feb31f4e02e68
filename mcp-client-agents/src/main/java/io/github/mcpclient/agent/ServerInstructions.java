package io.github.mcpclient.agent;

import java.util.Map;
import java.util.stream.Collectors;

import io.github.mcpclient.internal.support.Printable;

/**
 * Joins the instructions of servers for a system prompt. Each line of a server is quoted,
 * so that it cannot imitate the heading of another.
 */
final class ServerInstructions {

	static final int MAX_OF_SERVER = 8_000;

	static final int MAX = 32_000;

	private ServerInstructions() {
	}

	/**
	 * Return the text, empty if no server says anything.
	 * @param servers instructions by the name of the server
	 */
	static String join(Map<String, String> servers) {
		StringBuilder text = new StringBuilder();
		servers.forEach((name, instructions) -> {
			String section = "# MCP server " + name + "\n\n" + quoted(instructions);
			if (text.length() + section.length() > MAX) {
				section = "# MCP server " + name + "\n\n(Its instructions are omitted: there are too many.)";
			}
			if (!instructions.isBlank() && text.length() < MAX) {
				text.append(text.isEmpty() ? "" : "\n\n").append(section);
			}
		});
		return text.toString();
	}

	private static String quoted(String instructions) {
		String lines = Printable.lines(instructions, MAX_OF_SERVER)
			.lines()
			.map((line) -> "> " + line)
			.collect(Collectors.joining("\n"));
		return (instructions.length() > MAX_OF_SERVER)
				? lines + "\n\n(Cut: there are " + instructions.length() + " characters.)" : lines;
	}

}
