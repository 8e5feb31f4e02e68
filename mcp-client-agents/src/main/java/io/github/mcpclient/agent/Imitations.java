package io.github.mcpclient.agent;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a server says in the words that the client uses for its own notes in a result. A
 * model would believe that there is more to read, or that a tool is to be called for it.
 */
final class Imitations {

	/**
	 * How each note of the client begins.
	 */
	static final String NOTE = "[MCP client: ";

	private static final Pattern IMITATION = Pattern.compile(
			"(\\p{Ps}[\\s\\p{Z}\\p{Cf}*_`]*)(?=MCP[\\s\\p{Z}\\p{Cf}*_`-]*client)",
			Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);

	private Imitations() {
	}

	/**
	 * Return the text, or one in which imitations say that they are not of the client.
	 * JSON stays well-formed, as there they are in strings.
	 */
	static String disclose(String text) {
		Matcher matcher = IMITATION.matcher(text);
		return matcher.find() ? matcher.replaceAll("$1not the ") : text;
	}

}
