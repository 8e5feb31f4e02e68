package io.github.mcpclient.test.server;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link McpTestServer} over WebSocket, with the client of the JDK.
 */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WebSocketTests {

	private final McpTestServer server = McpTestServer.create().tools("echo").start();

	private final BlockingQueue<String> received = new LinkedBlockingQueue<>();

	private final CompletableFuture<Integer> closed = new CompletableFuture<>();

	private final StringBuilder message = new StringBuilder();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void answersAndNotifies() throws Exception {
		WebSocket client = connect().join();
		assertThat(client.getSubprotocol()).isEqualTo("mcp");
		assertThat(call(client, "initialize", "\"protocolVersion\":\"2025-11-25\"")).contains("\"id\":1", "2025-11-25");
		assertThat(call(client, "tools/call", "\"name\":\"echo\",\"arguments\":{\"message\":\"hi\"}"))
			.contains("echo hi");
		assertThat(this.server.sessions()).hasSize(1);
		this.server.notifyToolsListChanged();
		assertThat(receive()).contains("notifications/tools/list_changed");
		assertThat(this.server).hasReceivedCall("echo").hasArgument("message", "hi");
		client.sendClose(1000, "").join();
		this.server.awaitSessions(0);
	}

	@Test
	void sendsAMessageOfManyPiecesInAsManyFrames() throws Exception {
		this.server.tool("large", McpTestReply.flood(100_000));
		WebSocket client = connect().join();
		assertThat(call(client, "tools/call", "\"name\":\"large\"")).hasSizeGreaterThan(100_000).endsWith("}");
	}

	@Test
	void closesInAnOrderlyWayOrNot() throws Exception {
		WebSocket client = connect().join();
		// the server knows the connection a little later than its client
		call(client, "initialize", "\"protocolVersion\":\"2025-11-25\"");
		this.server.closeStreams();
		assertThat(this.closed.get(30, TimeUnit.SECONDS)).isEqualTo(1000);
		assertThat(client.isInputClosed()).isTrue();
		this.server.on("tools/call", McpTestReply.cut());
		WebSocket other = connect().join();
		other.sendText("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/call\",\"params\":{}}", true).join();
		this.server.awaitSessions(0);
	}

	@Test
	void refusesHandshakesAsTheScriptSays() {
		this.server.on("GET", McpTestReply.status(401));
		assertThat(connect()).failsWithin(30, TimeUnit.SECONDS)
			.withThrowableOfType(ExecutionException.class)
			.withCauseInstanceOf(WebSocketHandshakeException.class);
		assertThat(this.server.requests("GET")).hasSize(1);
	}

	private CompletableFuture<WebSocket> connect() {
		return HttpClient.newHttpClient()
			.newWebSocketBuilder()
			.subprotocols("mcp")
			.buildAsync(URI.create(this.server.webSocketUrl()), new WebSocket.Listener() {

				@Override
				public @Nullable CompletionStage<?> onText(WebSocket client, CharSequence text, boolean last) {
					WebSocketTests.this.message.append(text);
					if (last) {
						WebSocketTests.this.received.add(WebSocketTests.this.message.toString());
						WebSocketTests.this.message.setLength(0);
					}
					client.request(1);
					return null;
				}

				@Override
				public @Nullable CompletionStage<?> onClose(WebSocket client, int code, String reason) {
					WebSocketTests.this.closed.complete(code);
					return null;
				}

			});
	}

	private String call(WebSocket client, String method, String params) throws InterruptedException {
		client
			.sendText("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"" + method + "\",\"params\":{" + params + "}}", true)
			.join();
		return receive();
	}

	private String receive() throws InterruptedException {
		String message = this.received.poll(30, TimeUnit.SECONDS);
		assertThat(message).isNotNull();
		return message;
	}

}
