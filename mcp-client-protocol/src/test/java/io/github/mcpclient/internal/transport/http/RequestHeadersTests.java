package io.github.mcpclient.internal.transport.http;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.github.mcpclient.internal.support.SendState;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import static io.github.mcpclient.testsupport.TestDefaults.LIMIT;
import static io.github.mcpclient.testsupport.TestDefaults.closing;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the headers that transports over HTTP ask for.
 */
class RequestHeadersTests {

	private static final String TOKEN = "t0k3n-0123456789";

	private final McpTestServer server = McpTestServer.create().on("echo", McpTestReply.result("{}")).start();

	private final AtomicInteger count = new AtomicInteger();

	private final List<String> methods = new CopyOnWriteArrayList<>();

	// headers that are others each time
	private final HeaderSources counted = headers(
			(method) -> Mono.just(Map.of("X-Count", String.valueOf(this.count.incrementAndGet()))));

	private HeaderSources headers(Function<String, Mono<Map<String, String>>> headers) {
		return new HeaderSources(() -> List.of((request) -> {
			this.methods.add(request.method());
			return headers.apply(request.method());
		}), (type) -> null, Schedulers::immediate);
	}

	private HeaderSources token() {
		return headers((method) -> Mono.just(Map.of("Authorization", "Bearer " + TOKEN)));
	}

	private List<String> counts(String method) {
		return this.server.requests(method).stream().map((request) -> request.header("X-Count")).toList();
	}

	@Test
	void messageIsHeldUntilItHasItsHeaders() {
		this.server.withoutSessions().on("echo", McpTestReply.never());
		Sinks.One<Map<String, String>> headers = Sinks.one();
		HttpTransportClient client = HttpTransportClient.to(this.server.url(),
				headers((method) -> method.equals("POST") ? headers.asMono() : Mono.just(Map.of())));
		SendState sendState = new SendState();
		Disposable sent = client.send("1", "echo").contextWrite(Context.of(SendState.class, sendState)).subscribe();
		assertThat(sendState.isQueued()).isTrue();
		headers.tryEmitValue(Map.of());
		this.server.awaitRequest("echo");
		assertThat(sendState.isQueued()).isFalse();
		sent.dispose();
	}

	@Test
	void eachRequestHasItsOwn() {
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.counted).initialize()) {
			this.server.awaitRequest("GET");
			client.call("1", "echo");
			client.call("2", "echo");
		}
		assertThat(counts("initialize")).containsExactly("1");
		assertThat(counts("notifications/initialized")).containsExactly("2");
		assertThat(counts("GET")).containsExactly("3");
		assertThat(counts("echo")).containsExactly("4", "5");
		assertThat(counts("DELETE")).containsExactly("6");
		assertThat(this.methods).containsExactly("POST", "POST", "GET", "POST", "POST", "DELETE");
	}

	@Test
	void eachRequestOfTheOlderTransportHasItsOwn() {
		try (HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(), this.counted).initialize()) {
			client.call("1", "echo");
		}
		assertThat(this.server.requests()).extracting((request) -> request.header("X-Count"))
			.containsExactly("1", "2", "3", "4");
		assertThat(this.methods).containsExactly("GET", "POST", "POST", "POST");
	}

	@Test
	void aStreamIsContinuedWithTheHeadersOfItsRequest() {
		this.server.on("slow", McpTestReply.result("{}").onResumption());
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.counted).initialize()) {
			this.server.awaitRequest("GET");
			client.call("1", "slow");
		}
		assertThat(counts("slow")).containsExactly("4");
		assertThat(counts("GET")).containsExactly("3", "4");
	}

	@Test
	void aRedirectToAnotherOriginGetsNothing() {
		McpTestServer other = closing(McpTestServer.create().start());
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), token()).initialize();
		this.server.on("echo", McpTestReply.status(307).withHeader("Location", other.url() + "?token=" + TOKEN));
		assertThat(client.failure("1", "echo")).hasMessageContaining("redirects").hasMessageNotContaining(TOKEN);
		assertThat(other.acceptedConnections()).isZero();
	}

	@Test
	void aRedirectWithinTheOriginKeepsThemForThatRequestOnly() {
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), this.counted).initialize();
		this.server.awaitRequest("GET");
		this.server.on("POST", (request) -> request.path().endsWith("/") ? McpTestReply.result("{}")
				: McpTestReply.status(308).withHeader("Location", "/mcp/"));
		client.call("1", "echo");
		client.call("2", "echo");
		assertThat(counts("echo")).containsExactly("4", "4", "5");
	}

	@Test
	void whatAServerQuotesOfThemIsMasked() {
		McpTestReply refusal = McpTestReply.status(403).body("text/plain", "Token " + TOKEN + " is not good");
		this.server.on("echo", refusal).on("type", McpTestReply.status(200).body("text/" + TOKEN, "x"));
		try (HttpTransportClient client = HttpTransportClient.to(this.server.url(), token()).initialize()) {
			assertThat(client.failure("1", "echo")).hasMessageContaining("Token ****** is not good");
			assertThat(client.failure("2", "type")).hasMessageContaining("text/******");
		}
		try (HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(), token()).connect()) {
			assertThat(client.failure("1", "echo")).hasMessageContaining("Token ****** is not good");
		}
		this.server.on("GET", refusal);
		assertThat(HttpTransportClient.failure(HttpTransportClient.sse(this.server.sseUrl(), token()).connecting()))
			.hasMessageContaining("Token ****** is not good");
	}

	@Test
	void aStreamThatGotNoneIsTriedAgain() {
		AtomicInteger attempts = new AtomicInteger();
		HeaderSources failing = headers((method) -> (method.equals("GET") && attempts.incrementAndGet() == 1)
				? Mono.error(new IllegalStateException("not yet")) : Mono.just(Map.of()));
		HttpTransportClient client = HttpTransportClient.to(this.server.url(), failing).initialize();
		this.server.awaitRequest("GET");
		assertThat(attempts).hasValue(2);
		assertThat(client.termination()).isNotDone();
	}

	@Test
	void theOlderTransportFailsWithoutThem() {
		HeaderSources failing = headers((method) -> Mono.error(new IllegalStateException("not today")));
		HttpTransportClient client = HttpTransportClient.sse(this.server.sseUrl(), failing);
		assertThat(HttpTransportClient.failure(client.connecting()))
			.hasMessage("An McpHeadersProvider failed: java.lang.IllegalStateException: not today");
		assertThat(client.death()).isInstanceOf(TransportException.class);
		assertThat(this.server.acceptedConnections()).isZero();
	}

	@Test
	void nobodyWaitsForThemAfterTheEnd() throws Exception {
		CompletableFuture<Void> cancelled = new CompletableFuture<>();
		HeaderSources hanging = headers((method) -> method.equals("GET")
				? Mono.<Map<String, String>>never().doOnCancel(() -> cancelled.complete(null)) : Mono.just(Map.of()));
		HttpTransportClient.to(this.server.url(), hanging).initialize().transport().closeGracefully().block(LIMIT);
		cancelled.get(30, TimeUnit.SECONDS);
	}

}
