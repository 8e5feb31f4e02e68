package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.List;

import io.github.mcpclient.transport.TransportException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a message leaves nothing behind in {@link StreamableProtocol}, however it
 * ends.
 */
@Timeout(180)
class StreamableHttpCleanUpTests {

	private static final Duration TIMEOUT = HttpTransportClient.TIMEOUT;

	private final ScriptedHttpServer server = ScriptedHttpServer.start();

	@AfterEach
	void close() {
		this.server.close();
	}

	@Test
	void anAnswerInJsonLeavesNothing() {
		this.server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			for (String id : List.of("1", "2", "3")) {
				client.call(id, "echo");
			}
			assertNothingUnderWay(client);
		}
	}

	@Test
	void anErrorStatusLeavesNothing() {
		this.server.on("echo", (request, response) -> response.status(500).sendString(Mono.just("broken")));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			assertThat(client.failure("1", "echo")).isInstanceOf(TransportException.class);
			assertNothingUnderWay(client);
		}
	}

	@Test
	void aNotificationLeavesNothing() {
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			client.notify("notifications/roots/list_changed").block(TIMEOUT);
			assertNothingUnderWay(client);
		}
	}

	@Test
	void aCallThatIsCancelledLeavesNothing() {
		this.server.on("slow", (request, response) -> Mono.never());
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url()).initialize()) {
			Disposable call = client.send("1", "slow").subscribe();
			assertThat(client.transport().pending()).isOne();
			call.dispose();
			assertNothingUnderWay(client);
		}
	}

	private static void assertNothingUnderWay(HttpTransportClient client) {
		Awaitility.await().atMost(TIMEOUT).untilAsserted(() -> assertThat(client.transport().pending()).isZero());
	}

}
