package io.github.mcpclient.test.docs;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class ServerByItselfTests {

	@Test
	void isReachedByAnyClient() throws Exception {
		try (McpTestServer server = McpTestServer.create()
			.tool("find", McpTestReply.text("Everything"))
			.prompt("summarize", "Summarize this book")
			.resource("library://hours", "9 to 5")
			.start()) {
			server.onNext("POST", McpTestReply.status(503).retryAfter(Duration.ofSeconds(1)));
			connect(server.url());
			assertThat(server).hasReceived("initialize").hasHeader("Authorization", "Bearer t0ken");
		}
	}

	private static void connect(String url) throws Exception {
		HttpRequest request = HttpRequest.newBuilder(URI.create(url))
			.header("Authorization", "Bearer t0ken")
			.POST(HttpRequest.BodyPublishers.ofString("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}"))
			.build();
		assertThat(HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode()).isEqualTo(503);
	}

}
