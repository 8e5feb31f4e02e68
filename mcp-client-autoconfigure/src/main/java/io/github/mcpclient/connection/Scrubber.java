package io.github.mcpclient.connection;

import java.net.URI;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerDefinition;

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

	private static final Pattern URL = Pattern.compile(
			"\\b([a-z][a-z0-9+.-]*://)([^\\s/?#@]*@)?([^\\s?#\"'<>]*)(\\?[^\\s\"'<>]*)?", Pattern.CASE_INSENSITIVE);

	private static final Pattern BLANKS = Pattern.compile("[\\s\\p{Cc}\\p{Cf}\\u2028\\u2029]+");

	private final List<String> secrets;

	Scrubber(McpServerDefinition definition) {
		Set<String> values = new LinkedHashSet<>();
		if (definition.http() != null) {
			definition.http().headers().values().forEach((value) -> {
				values.add(value);
				// "Bearer <token>": the token alone is as secret
				values.add(value.substring(value.indexOf(' ') + 1));
			});
			addQueryValues(definition.http().url(), values);
		}
		if (definition.stdio() != null) {
			values.addAll(definition.stdio().env().values());
		}
		List<String> secrets = new ArrayList<>();
		for (String value : values) {
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
		String line = BLANKS.matcher(head).replaceAll(" ").strip();
		for (String secret : this.secrets) {
			line = line.replace(secret, MASK);
		}
		return (line.contains("://")) ? URL.matcher(line).replaceAll(Scrubber::url) : line;
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

	private static void addQueryValues(URI url, Set<String> values) {
		for (String query : new String[] { url.getRawQuery(), url.getQuery() }) {
			if (query != null) {
				for (String parameter : query.split("&")) {
					values.add(parameter.substring(parameter.indexOf('=') + 1));
				}
			}
		}
	}

}
