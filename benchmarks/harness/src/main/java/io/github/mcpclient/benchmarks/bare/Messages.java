package io.github.mcpclient.benchmarks.bare;

import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import io.github.mcpclient.benchmarks.server.StubServer;

/**
 * Makes the messages that the bare clients send: what an MCP client would, without its
 * work.
 */
final class Messages {

	/**
	 * The headers of such a message.
	 */
	static final Map<String, String> HEADERS = Map.of("Content-Type", "application/json", "Accept",
			"application/json, text/event-stream", "Mcp-Session-Id", StubServer.SESSION_ID, "MCP-Protocol-Version",
			"2025-11-25");

	private final AtomicLong ids = new AtomicLong();

	String echo(String message) {
		return "{\"jsonrpc\":\"2.0\",\"id\":\"" + this.ids.incrementAndGet()
				+ "\",\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"message\":\"" + message
				+ "\",\"count\":1}}}";
	}

}
