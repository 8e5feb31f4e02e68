package io.github.mcpclient.transport.http;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.transport.TransportException;

/**
 * Where a server of the older transport wants messages. Its url usually holds the id of
 * the session, which is secret.
 *
 * @param uri the url
 */
record SseEndpoint(URI uri) {

	private static final int LONGEST = 8192;

	private static final int SHORTEST_SECRET = 4;

	/**
	 * Shorter parts of a path are names rather than ids.
	 */
	private static final int SHORTEST_SECRET_SEGMENT = 16;

	private static final String MASK = "******";

	/**
	 * Read what a server says.
	 * @param stream the url of the stream on which it says so
	 * @param data what it says: a reference
	 * @param failures words what is wrong with it
	 * @return the endpoint
	 * @throws TransportException if it is not a url, or one of another origin, which must
	 * see neither the messages nor the headers
	 */
	static SseEndpoint of(URI stream, byte[] data, HttpFailures failures) {
		String reference = new String(data, StandardCharsets.UTF_8).strip();
		URI uri = (reference.length() <= LONGEST) ? HttpUris.resolve(stream, reference) : null;
		if (uri == null) {
			throw failures.invalidEndpoint();
		}
		if (!HttpUris.isSameOrigin(stream, uri)) {
			throw failures.foreignEndpoint(uri);
		}
		return new SseEndpoint(uri);
	}

	/**
	 * Hide what may be an id of the session.
	 * @param text a text of the server
	 * @return the text without it
	 */
	String mask(String text) {
		String masked = text;
		for (String secret : secrets()) {
			masked = masked.replace(secret, MASK);
		}
		return masked;
	}

	private List<String> secrets() {
		List<String> secrets = new ArrayList<>();
		for (String segment : this.uri.getRawPath().split("/")) {
			if (segment.length() >= SHORTEST_SECRET_SEGMENT) {
				secrets.add(segment);
			}
		}
		if (this.uri.getRawQuery() != null) {
			for (String parameter : this.uri.getRawQuery().split("&")) {
				String value = parameter.substring(parameter.indexOf('=') + 1);
				if (value.length() >= SHORTEST_SECRET) {
					secrets.add(value);
				}
			}
		}
		return secrets;
	}

	@Override
	public String toString() {
		return "SseEndpoint[" + this.uri.getHost() + "]";
	}

}
