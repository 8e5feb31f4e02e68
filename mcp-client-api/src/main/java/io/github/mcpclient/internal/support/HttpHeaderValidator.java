package io.github.mcpclient.internal.support;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

import io.netty.handler.codec.http.HttpHeaderValidationUtil;
import io.netty.util.AsciiString;
import org.jspecify.annotations.Nullable;

/**
 * Validates the headers of requests, other than the headers that the client sets.
 */
public final class HttpHeaderValidator {

	// set by the protocol, or determine where a message ends
	private static final Set<String> RESERVED = names("Accept", "Connection", "Content-Length", "Content-Type",
			"Expect", "Last-Event-ID", "MCP-Protocol-Version", "Mcp-Session-Id", "TE", "Trailer", "Transfer-Encoding",
			"Upgrade");

	// an operator may have a reason to set these, code that is called for each request
	// does not
	private static final Set<String> CONFIGURED_ONLY = names("Accept-Encoding", "Content-Encoding", "Host");

	private static final Pattern CREDENTIAL = Pattern.compile(
			"authorization|token|secret|passw|key|credential|cookie|jwt|assertion|signature", Pattern.CASE_INSENSITIVE);

	// of a qualified class, or an array, as Object.toString() returns it
	private static final Pattern DEFAULT_TEXT = Pattern
		.compile("(?<![\\w$./@\\[-])(?:(?=[\\w$.]*\\.[A-Z$])[a-z][\\w$./]*+|\\[++(?:[BC]|L[\\w$.]++;))"
				+ "@[0-9a-f]{1,8}(?![\\w.@-])");

	private HttpHeaderValidator() {
	}

	/**
	 * Return why a header of the configuration cannot be sent, without its value, or
	 * {@code null} if it is valid.
	 */
	public static @Nullable String problem(String name, String value) {
		String problem = problemOfAny(name, value);
		return (problem == null && value.isBlank()) ? "The value is empty. Set a value, or remove the header."
				: problem;
	}

	private static @Nullable String problemOfAny(String name, @Nullable String value) {
		if (!isName(name)) {
			return "This is not a valid name for a header: use letters, digits and !#$%&'*+-.^_`|~ only.";
		}
		if (RESERVED.contains(name)) {
			return "This header is set by the MCP client itself. Remove it.";
		}
		if (value == null) {
			return "The header has no value.";
		}
		if (value.indexOf('\n') != -1 || value.indexOf('\r') != -1) {
			return "The value contains a line break, possibly at its end: a header value is a single line.";
		}
		if (!value.chars().allMatch((c) -> c == '\t' || (c >= ' ' && c != 0x7F && c <= 0xFF))) {
			return "The value has a character that cannot be sent in a header: use ISO-8859-1 characters only, "
					+ "without control characters.";
		}
		if (isCredential(name) && DEFAULT_TEXT.matcher(value).find()) {
			return "The value is the default toString() of a Java object, no credential: use the value in the object, "
					+ "such as getToken().getTokenValue() instead of getCredentials().";
		}
		return null;
	}

	/**
	 * Return why a header that the application provides for a request cannot be sent,
	 * without its value, or {@code null} if it is valid.
	 */
	public static @Nullable String problemOfProvided(String name, @Nullable String value) {
		return CONFIGURED_ONLY.contains(name) ? "This header is set by the MCP client itself. Remove it."
				: problemOfAny(name, value);
	}

	/**
	 * Return whether a header contains credentials, by its name.
	 */
	public static boolean isCredential(String name) {
		return CREDENTIAL.matcher(name).find();
	}

	/**
	 * Return the value of a configured header, or {@code null} if none.
	 */
	public static @Nullable String find(Map<String, String> headers, AsciiString name) {
		return headers.entrySet()
			.stream()
			.filter((header) -> name.contentEqualsIgnoreCase(header.getKey()))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	/**
	 * Return whether a text is a valid name of a header.
	 */
	public static boolean isName(String name) {
		return !name.isEmpty() && HttpHeaderValidationUtil.validateToken(name) == -1;
	}

	private static Set<String> names(String... names) {
		Set<String> set = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		set.addAll(List.of(names));
		return set;
	}

}
