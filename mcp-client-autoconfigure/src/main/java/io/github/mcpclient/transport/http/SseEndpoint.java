package io.github.mcpclient.transport.http;

import java.net.URI;

import io.github.mcpclient.support.Secrets;

/**
 * Where a server of the older transport wants messages. Its url usually holds the id of
 * the session, which is secret.
 *
 * @param uri the url
 * @param secrets what may be an id of the session
 */
record SseEndpoint(URI uri, Secrets secrets) {

	/**
	 * Shorter parts of a path are names rather than ids.
	 */
	private static final int SHORTEST_SECRET_SEGMENT = 16;

	SseEndpoint(URI uri) {
		this(uri, Secrets.builder().sessionUrl(uri, SHORTEST_SECRET_SEGMENT).build());
	}

	/**
	 * Hide what may be an id of the session.
	 */
	String mask(String text) {
		return this.secrets.mask(text);
	}

	@Override
	public String toString() {
		return "SseEndpoint[" + this.uri.getHost() + "]";
	}

}
