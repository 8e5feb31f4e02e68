package io.github.mcpclient.connection;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.McpServerSecrets;

/**
 * Makes text that comes from a server, its process or a library fit for logs and status:
 * one line of bounded length, without control characters, and without the secrets that
 * the definition of the server holds.
 */
final class Scrubber {

	private static final String MASK = "******";

	/**
	 * Shorter values are words like {@code true}, which would be masked all over a text.
	 */
	private static final int SHORTEST_SECRET = 8;

	private static final int LONGEST_TEXT = 2000;

	private static final int DEEPEST_CAUSE = 20;

	private static final Pattern URL = Pattern.compile(
			"\\b([a-z][a-z0-9+.-]*://)([^\\s/?#@]*@)?([^\\s?#\"'<>]*)(\\?[^\\s\"'<>]*)?", Pattern.CASE_INSENSITIVE);

	private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cc}\\p{Cf}\\u2028\\u2029]+");

	private final List<String> secrets;

	Scrubber(McpServerDefinition definition) {
		List<String> secrets = new ArrayList<>();
		for (String value : McpServerSecrets.of(definition)) {
			if (value.strip().length() >= SHORTEST_SECRET) {
				secrets.add(value.strip());
			}
		}
		secrets.sort(Comparator.comparingInt(String::length).reversed());
		this.secrets = List.copyOf(secrets);
	}

	/**
	 * Return a text as one clean line.
	 * @param text the text
	 * @return the line
	 */
	String line(String text) {
		// Cut first: the text may be as long as a message from the server
		String head = (text.length() > LONGEST_TEXT) ? text.substring(0, LONGEST_TEXT) + "..." : text;
		String line = mask(BLANKS.matcher(head).replaceAll(" ").strip());
		return (line.contains("://")) ? URL.matcher(line).replaceAll(Scrubber::url) : line;
	}

	/**
	 * Return a text as it is, but for the secrets in it.
	 * @param text the text
	 * @return the text, the same where it has none
	 */
	String mask(String text) {
		String masked = text;
		for (String secret : this.secrets) {
			masked = masked.replace(secret, MASK);
		}
		return masked;
	}

	/**
	 * Return a failure of which neither the message nor that of a cause has a secret.
	 * @param failure the failure
	 * @return the failure, or one with the same stack traces in its place
	 */
	Throwable mask(Throwable failure) {
		if (isClean(failure)) {
			return failure;
		}
		MaskedException masked = new MaskedException(mask(failure.toString()));
		masked.setStackTrace(failure.getStackTrace());
		if (failure.getCause() != null) {
			masked.initCause(mask(failure.getCause()));
		}
		return masked;
	}

	private boolean isClean(Throwable failure) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < DEEPEST_CAUSE; depth++) {
			if (!isClean(cause.toString())
					|| !Stream.of(cause.getSuppressed()).map(Throwable::toString).allMatch(this::isClean)) {
				return false;
			}
			cause = cause.getCause();
		}
		return true;
	}

	private boolean isClean(String text) {
		return this.secrets.stream().noneMatch(text::contains);
	}

	private static String url(MatchResult match) {
		String query = (match.group(4) != null) ? "?" + query(match.group(4).substring(1)) : "";
		return Matcher.quoteReplacement(match.group(1) + match.group(3) + query);
	}

	private static String query(String query) {
		return Stream.of(query.split("&", -1))
			.map((parameter) -> parameter.substring(0, parameter.indexOf('=') + 1) + MASK)
			.collect(Collectors.joining("&"));
	}

	/**
	 * Stands for a failure that told a secret.
	 */
	private static final class MaskedException extends Exception {

		private final String text;

		MaskedException(String text) {
			super(text);
			this.text = text;
		}

		@Override
		public String toString() {
			return this.text;
		}

	}

}
