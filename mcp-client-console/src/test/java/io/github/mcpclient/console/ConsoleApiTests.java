package io.github.mcpclient.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;

import io.github.mcpclient.actuate.McpEndpoint;
import io.github.mcpclient.console.McpConsoleProperties.Access;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.ClientThreads;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.http.server.reactive.MockServerHttpResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link ConsoleApi}.
 */
class ConsoleApiTests {

	private static final ClientApplication application = ClientApplication
		.startShared("mcp.servers.demo.url=http://localhost:1/mcp", "mcp.servers.demo.enabled=false");

	private final ClientScheduler timer = application.context().getBean(ClientThreads.class).scheduler();

	private List<McpToolClientMismatchEvent> clients = List.of();

	private final CountDownLatch silent = new CountDownLatch(1);

	private final ServerFeed feed = new ServerFeed(application.manager(), this.timer, this::figures, () -> null);

	private final ConsoleCalls calls = new ConsoleCalls(application.registry(), this.timer, this.feed.threads());

	private final ConsoleApi api = new ConsoleApi(new McpConsoleProperties(Access.READ_ONLY, true, List.of(), 0),
			new ConsoleServers(application.manager(),
					new McpEndpoint(application.manager(), this.timer, true, List::of, () -> this.clients, () -> null),
					this.feed),
			this.feed, this.calls, "shop");

	@AfterEach
	void close() {
		this.silent.countDown();
		this.calls.close();
		this.feed.close();
	}

	@Test
	void requestsThatWaitHoldUpNobodyElse() {
		Visitor anna = new Visitor("anna", true);
		IntStream.range(0, 8).forEach((i) -> request("/api/servers", anna, new MockServerHttpResponse()).subscribe());
		MockServerHttpResponse answer = new MockServerHttpResponse();
		request("/api/servers/demo", new Visitor("bert", true), answer).block(Duration.ofSeconds(20));
		assertThat(answer.getBodyAsString().block()).contains("\"state\":\"DISABLED\"");
	}

	@Test
	void showsDeclaredClientsThatDoNotMatch() {
		this.clients = List.of(new McpToolClientMismatchEvent("demo", "org.example.Weather",
				List.of(new Mismatch(Kind.NO_TOOL, "forecast", "no tool"))));
		MockServerHttpResponse answer = new MockServerHttpResponse();
		request("/api/servers/demo", new Visitor("anna", true), answer).block(Duration.ofSeconds(20));
		assertThat(answer.getBodyAsString().block()).contains(
				"\"mismatches\":[{\"client\":\"org.example.Weather\",\"method\":\"forecast\",\"kind\":\"NO_TOOL\",\"detail\":\"no tool\"}]");
	}

	@Test
	void keepsFewAnswersThatAreNotTaken() {
		this.silent.countDown();
		Visitor anna = new Visitor("anna", true);
		List<Disposable> slow = IntStream.range(0, 8).mapToObj((i) -> {
			MockServerHttpResponse response = new MockServerHttpResponse();
			response.setWriteHandler((body) -> Mono.never());
			return request("/api/servers", anna, response).subscribe();
		}).toList();
		for (String path : List.of("/api/servers", "/api/servers/demo", "/api/servers/demo/java",
				"/api/servers/demo/messages")) {
			assertThatExceptionOfType(ConsoleException.class)
				.isThrownBy(() -> request(path, anna, new MockServerHttpResponse()).block(Duration.ofSeconds(20)))
				.withMessageContaining("You have 8 pending requests already");
		}
		request("/api/servers", new Visitor("bert", true), new MockServerHttpResponse()).block(Duration.ofSeconds(20));
		slow.forEach(Disposable::dispose);
		request("/api/servers", anna, new MockServerHttpResponse()).block(Duration.ofSeconds(20));
	}

	private Mono<Void> request(String path, Visitor visitor, MockServerHttpResponse response) {
		MockServerHttpRequest request = MockServerHttpRequest.get(ConsoleExchange.PATH + path).build();
		List<String> parts = ConsoleExchange.parts(request.getPath().pathWithinApplication());
		return this.api.handle(new ConsoleExchange(request, response, parts.subList(1, parts.size()), Mono.empty(),
				Mono.empty(), false, () -> true), visitor);
	}

	private Map<String, ?> figures() {
		try {
			this.silent.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return Map.of();
	}

}
