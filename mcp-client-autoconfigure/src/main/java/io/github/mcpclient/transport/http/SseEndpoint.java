package io.github.mcpclient.transport.http;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

/**
 * Where a server of the older transport wants messages. Its url usually holds the id of
 * the session, which is secret.
 *
 * @param uri the url
 */
record SseEndpoint(URI uri) {

	private static final int SHORTEST_SECRET = 4;

	/**
	 * Shorter parts of a path are names rather than ids.
	 */
	private static final int SHORTEST_SECRET_SEGMENT = 16;

	/**
	 * Hide what may be an id of the session.
	 */
	String mask(String text) {
		String masked = text;
		for (String secret : secrets()) {
			masked = masked.replace(secret, HttpFailures.MASK);
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
