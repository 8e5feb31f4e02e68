package io.github.mcpclient.internal.transport;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Reads the members around the result in the JSON text of a response, without the result:
 * a response that is too large is not parsed. Members of the response may have any order,
 * as many servers write the ID last. Members other than the result are strings without
 * escape sequences, numbers, booleans or {@code null}.
 */
final class AnswerEnvelope {

	/**
	 * The number of bytes, at the beginning and at the end, that identify the request of
	 * a response.
	 */
	static final int EXCERPT = 256;

	private static final String SCALAR = "(?:\"[^\"\\\\]*+\"|[-+.\\w]++)";

	private static final String MEMBER = "\\s*+\"[^\"\\\\]*+\"\\s*+:\\s*+" + SCALAR + "\\s*+";

	// requests of the server and notifications have a method or params there
	private static final Pattern HEAD = Pattern.compile("\\s*+\\{((?:(?!\\s*+\"(?:method|params|result|error)\"\\s*+:)"
			+ MEMBER + ",)*+)\\s*+\"(?:result|error)\"\\s*+:");

	private static final Pattern TAIL = Pattern.compile("((?:," + MEMBER + ")++)}\\s*+$");

	private static final Pattern ID = Pattern.compile("\"id\"\\s*+:\\s*+(" + SCALAR + ")");

	private AnswerEnvelope() {
	}

	/**
	 * Return whether a text seems to be a response, by its beginning: its result, or its
	 * error, is reached.
	 */
	static boolean isAnswer(byte[] json, int offset, int length) {
		return head(json, offset, length).lookingAt();
	}

	/**
	 * Return the ID of the request that a text responds to, whose middle may be missing;
	 * {@code null} if it is not a response, or has no ID.
	 */
	static @Nullable Object id(byte[] json, int offset, int length) {
		Matcher head = head(json, offset, length);
		if (!head.lookingAt()) {
			return null;
		}
		Object id = id(head.group(1));
		int size = Math.min(EXCERPT, length);
		Matcher tail = TAIL.matcher(text(json, offset + length - size, size));
		return (id == null && tail.find()) ? id(tail.group(1)) : id;
	}

	private static Matcher head(byte[] json, int offset, int length) {
		return HEAD.matcher(text(json, offset, Math.min(EXCERPT, length)));
	}

	private static @Nullable Object id(String members) {
		Matcher matcher = ID.matcher(members);
		if (!matcher.find()) {
			return null;
		}
		String value = matcher.group(1);
		if (value.startsWith("\"")) {
			return value.substring(1, value.length() - 1);
		}
		try {
			long number = Long.parseLong(value);
			return (number == (int) number) ? (Object) (int) number : (Object) number;
		}
		catch (NumberFormatException ex) {
			return null;
		}
	}

	private static String text(byte[] json, int offset, int length) {
		// the searched text is ASCII
		return new String(json, offset, length, StandardCharsets.ISO_8859_1);
	}

}
