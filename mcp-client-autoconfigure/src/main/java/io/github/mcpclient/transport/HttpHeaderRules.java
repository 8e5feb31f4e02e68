package io.github.mcpclient.transport;

import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerDefinition;

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

	private HttpHeaderRules() {
	}

	/**
	 * Check headers that are to be sent.
	 * @param definition the server that they belong to
	 * @param headers names and values
	 * @throws TransportException if they cannot be sent; its message holds no value
	 */
	static void check(McpServerDefinition definition, Map<String, String> headers) {
		headers.forEach((name, value) -> {
			if (!isName(name)) {
				throw refused(definition, "A name of a header is not a valid one");
			}
			if (FRAMING.contains(name.toLowerCase(Locale.ROOT))) {
				throw refused(definition, "The header '" + name + "' is not to be set");
			}
			if (!isValue(value)) {
				throw refused(definition, "The value of the header '" + name
						+ "' has a line break, a control character, or one beyond ISO-8859-1");
			}
		});
	}

	private static TransportException refused(McpServerDefinition definition, String message) {
		return new TransportException(message, "Correct mcp.servers." + definition.name() + ".headers.", false, null);
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
