package io.github.mcpclient.testsupport.faults;

import java.util.Locale;

/**
 * The columns of the matrix.
 */
public enum Transport {

	STDIO("stdio"),

	STREAMABLE_HTTP("streamable HTTP"),

	SSE("SSE"),

	WEBSOCKET("WebSocket");

	private final String title;

	Transport(String title) {
		this.title = title;
	}

	String title() {
		return this.title;
	}

	/**
	 * The {@code type} of such a server.
	 */
	public String id() {
		return name().toLowerCase(Locale.ROOT).replace('_', '-');
	}

}
