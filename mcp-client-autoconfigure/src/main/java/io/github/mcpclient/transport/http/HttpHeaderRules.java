package io.github.mcpclient.transport.http;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.transport.TransportException;

/**
 * What may stand in an HTTP header.
 */
final class HttpHeaderRules {

	private static final String SEPARATORS = "\"(),/:;<=>?@[\\]{}";

	/**
	 * Whoever sets these decides where a request ends.
	 */
	private static final Set<String> FRAMING = Set.of("content-length", "transfer-encoding", "connection", "upgrade",
			"te", "trailer", "expect");

	/**
	 * The protocol sets these.
	 */
	private static final Set<String> PROTOCOL = Set.of("accept", "accept-encoding", "content-encoding", "content-type",
			"host", "last-event-id", "mcp-protocol-version", "mcp-session-id");

	private HttpHeaderRules() {
	}

	/**
	 * Check headers that are to be sent.
	 * @param definition the server that they belong to
	 * @param headers names and values
	 * @throws TransportException if they cannot be sent; its message holds no value
	 */
	static void check(McpServerDefinition definition, Map<String, String> headers) {
		check(headers, "Correct mcp.servers." + definition.name() + ".headers.");
	}

	/**
	 * Check headers that the application gives for a request.
	 * @param headers names and values
	 * @throws TransportException if they cannot be sent; its message holds no value
	 */
	static void checkProvided(Map<String, String> headers) {
		String nextStep = "Correct the McpHeadersProvider.";
		for (String name : headers.keySet()) {
			if (PROTOCOL.contains(name.toLowerCase(Locale.ROOT))) {
				throw refused("The header '" + name + "' belongs to the protocol", nextStep);
			}
		}
		check(headers, nextStep);
	}

	private static void check(Map<String, String> headers, String nextStep) {
		headers.forEach((name, value) -> {
			if (!isName(name)) {
				throw refused("A name of a header is not a valid one", nextStep);
			}
			if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
				throw refused("The header '" + name + "' is not to be set", nextStep);
			}
			if (value == null) {
				throw refused("The header '" + name + "' has no value", nextStep);
			}
			if (!isValue(value)) {
				throw refused("The value of the header '" + name
						+ "' has a line break, a control character, or one beyond ISO-8859-1", nextStep);
			}
		});
	}

	private static TransportException refused(String message, String nextStep) {
		return new TransportException(message, nextStep, false, null);
	}

	private static boolean isName(String name) {
		return !name.isEmpty() && name.chars().allMatch((c) -> c > ' ' && c < 0x7F && SEPARATORS.indexOf(c) == -1);
	}

	private static boolean isValue(String value) {
		return value.chars().allMatch((c) -> c == '\t' || (c >= ' ' && c != 0x7F && c <= 0xFF));
	}

	static boolean isVisibleAscii(String value, int longest) {
		return !value.isEmpty() && value.length() <= longest && value.chars().allMatch((c) -> c > ' ' && c < 0x7F);
	}

}
