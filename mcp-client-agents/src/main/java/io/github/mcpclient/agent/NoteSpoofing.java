package io.github.mcpclient.agent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Neutralizes text of a server that looks like the client's own notes in a result. A
 * model would believe that there is more to read, or that a tool is to be called for it.
 */
final class NoteSpoofing {

	/**
	 * How each note of the client begins.
	 */
	static final String NOTE = "[MCP client: ";

	private static final Pattern SPOOFED_NOTE = Pattern.compile(
			"(\\p{Ps}[\\s\\p{Z}\\p{Cf}*_`]*)(?=MCP[\\s\\p{Z}\\p{Cf}*_`-]*client)",
			Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

	private NoteSpoofing() {
	}

	/**
	 * Return the text, or one in which spoofed notes say that they are not of the client.
	 * JSON stays well-formed, as there they are in strings.
	 */
	static String neutralize(String text) {
		Matcher matcher = SPOOFED_NOTE.matcher(text);
		return matcher.find() ? matcher.replaceAll("$1not the ") : text;
	}

}
