package io.github.mcpclient.transport.http;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

import io.github.mcpclient.support.Departure;
import io.github.mcpclient.transport.ProvidedHeaders;
import io.github.mcpclient.transport.TransportException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the headers that transports over HTTP ask for.
 */
@Timeout(180)
class RequestHeadersTests {

	private static final Duration LONG = Duration.ofSeconds(30);

	private static final String TOKEN = "t0k3n-0123456789";

	private final AtomicInteger count = new AtomicInteger();

	private final List<String> methods = new CopyOnWriteArrayList<>();

	/**
	 * Headers that are others each time.
	 */
	private final ProvidedHeaders counted = headers(
			(method) -> Mono.just(Map.of("X-Count", String.valueOf(this.count.incrementAndGet()))));

	private ProvidedHeaders headers(Function<String, Mono<Map<String, String>>> headers) {
		return new ProvidedHeaders(() -> List.of((request) -> {
			this.methods.add(request.method());
			return headers.apply(request.method());
		}), Schedulers::immediate);
	}

	private ProvidedHeaders token() {
		return headers((method) -> Mono.just(Map.of("Authorization", "Bearer " + TOKEN)));
	}

	private static List<String> counts(ScriptedHttpServer server, String method) {
		return server.requests(method).stream().map((request) -> request.header("X-Count")).toList();
	}

	@Test
	void messageIsHeldUntilItHasItsHeaders() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start()) {
			server.on("echo", (request, response) -> Mono.never());
			Sinks.One<Map<String, String>> headers = Sinks.one();
			try (HttpTransportClient client = HttpTransportClient.to(server.url(),
					headers((method) -> method.equals("POST") ? headers.asMono() : Mono.just(Map.of())))) {
				Departure departure = new Departure();
				Disposable sent = client.send("1", "echo")
					.contextWrite(Context.of(Departure.class, departure))
					.subscribe();
				assertThat(departure.isHeld()).isTrue();
				headers.tryEmitValue(Map.of());
				Awaitility.await().atMost(LONG).until(() -> !server.requests("echo").isEmpty());
				assertThat(departure.isHeld()).isFalse();
				sent.dispose();
			}
		}
	}

	@Test
	void eachRequestHasItsOwn() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start()) {
			server.on("echo", (request, response) -> ScriptedHttpServer.json(response, request, "{}"));
			try (HttpTransportClient client = HttpTransportClient.to(server.url(), this.counted).initialize()) {
				Awaitility.await().atMost(LONG).until(() -> !server.requests("GET").isEmpty());
				client.call("1", "echo");
				client.call("2", "echo");
			}
			assertThat(counts(server, "initialize")).containsExactly("1");
			assertThat(counts(server, "notifications/initialized")).containsExactly("2");
			assertThat(counts(server, "GET")).containsExactly("3");
			assertThat(counts(server, "echo")).containsExactly("4", "5");
			assertThat(counts(server, "DELETE")).containsExactly("6");
			assertThat(this.methods).containsExactly("POST", "POST", "GET", "POST", "POST", "DELETE");
		}
	}

	@Test
	void eachRequestOfTheOlderTransportHasItsOwn() {
		try (ScriptedSseServer server = ScriptedSseServer.start()) {
			try (SseTransportClient client = SseTransportClient.to(server.url(), this.counted).initialize()) {
				client.call("1", "echo");
			}
			assertThat(server.http().requests()).extracting((request) -> request.header("X-Count"))
				.containsExactly("1", "2", "3", "4");
			assertThat(this.methods).containsExactly("GET", "POST", "POST", "POST");
		}
	}

	@Test
	void aStreamIsContinuedWithTheHeadersOfItsRequest() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start()) {
			server.on("GET", (request, response) -> response.status(405).send());
			server.on("slow", (request, response) -> {
				String answer = ScriptedHttpServer.event("2", ScriptedHttpServer.result(request, "{}"));
				server.on("GET", (get, resumed) -> ScriptedHttpServer.sse(resumed, answer));
				return ScriptedHttpServer.sse(response, "retry: 10\nid: 1\ndata:\n\n");
			});
			try (HttpTransportClient client = HttpTransportClient.to(server.url(), this.counted).initialize()) {
				Awaitility.await().atMost(LONG).until(() -> !server.requests("GET").isEmpty());
				client.call("1", "slow");
			}
			assertThat(counts(server, "slow")).containsExactly("4");
			assertThat(counts(server, "GET")).containsExactly("3", "4");
		}
	}

	@Test
	void aRedirectToAnotherOriginGetsNothing() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start();
				ScriptedHttpServer other = ScriptedHttpServer.start();
				HttpTransportClient client = HttpTransportClient.to(server.url(), token()).initialize()) {
			server.on("echo",
					(request, response) -> response.status(307)
						.header("Location", other.url("/mcp?token=" + TOKEN).toString())
						.send());
			assertThat(client.failure("1", "echo")).hasMessageContaining("redirects").hasMessageNotContaining(TOKEN);
			assertThat(other.accepted()).isZero();
		}
	}

	@Test
	void aRedirectWithinTheOriginKeepsThemForThatRequestOnly() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start();
				HttpTransportClient client = HttpTransportClient.to(server.url(), this.counted).initialize()) {
			Awaitility.await().atMost(LONG).until(() -> !server.requests("GET").isEmpty());
			server.on("echo",
					(request, response) -> request.uri().endsWith("/")
							? ScriptedHttpServer.json(response, request, "{}")
							: response.status(308).header("Location", "/mcp/").send());
			client.call("1", "echo");
			client.call("2", "echo");
			assertThat(counts(server, "echo")).containsExactly("4", "4", "5");
		}
	}

	@Test
	void whatAServerQuotesOfThemIsMasked() {
		try (ScriptedHttpServer server = ScriptedHttpServer.start();
				HttpTransportClient client = HttpTransportClient.to(server.url(), token()).initialize()) {
			server.on("echo", (request, response) -> ScriptedHttpServer.raw(response.status(403), "text/plain",
					"Token " + TOKEN + " is not good"));
			assertThat(client.failure("1", "echo")).hasMessageContaining("Token ****** is not good");
			server.on("type", (request, response) -> ScriptedHttpServer.raw(response, "text/" + TOKEN, "x"));
			assertThat(client.failure("2", "type")).hasMessageContaining("text/******");
		}
		try (ScriptedSseServer server = ScriptedSseServer.start()) {
			server.on("POST", (request, response) -> ScriptedHttpServer.raw(response.status(403), "text/plain",
					"Token " + TOKEN + " is not good"));
			try (SseTransportClient client = SseTransportClient.to(server.url(), token()).connect()) {
				assertThat(client.failure("1", "echo")).hasMessageContaining("Token ****** is not good");
			}
			server.on("GET", (request, response) -> ScriptedHttpServer.raw(response.status(403), "text/plain",
					"Token " + TOKEN + " is not good"));
			SseTransportClient client = SseTransportClient.to(server.url(), token());
			assertThat(HttpTransportClient.failure(client.connecting()))
				.hasMessageContaining("Token ****** is not good");
		}
	}

	@Test
	void aStreamThatGotNoneIsTriedAgain() {
		AtomicInteger attempts = new AtomicInteger();
		ProvidedHeaders failing = headers((method) -> (method.equals("GET") && attempts.incrementAndGet() == 1)
				? Mono.error(new IllegalStateException("not yet")) : Mono.just(Map.of()));
		try (ScriptedHttpServer server = ScriptedHttpServer.start();
				HttpTransportClient client = HttpTransportClient.to(server.url(), failing).initialize()) {
			Awaitility.await().atMost(LONG).until(() -> !server.requests("GET").isEmpty());
			assertThat(attempts).hasValue(2);
			assertThat(client.termination()).isNotDone();
		}
	}

	@Test
	void theOlderTransportFailsWithoutThem() {
		ProvidedHeaders failing = headers((method) -> Mono.error(new IllegalStateException("not today")));
		try (ScriptedSseServer server = ScriptedSseServer.start()) {
			SseTransportClient client = SseTransportClient.to(server.url(), failing);
			assertThat(HttpTransportClient.failure(client.connecting()))
				.hasMessage("A McpHeadersProvider failed: java.lang.IllegalStateException: not today");
			assertThat(client.death()).isInstanceOf(TransportException.class);
			assertThat(server.http().accepted()).isZero();
		}
	}

	@Test
	void nobodyWaitsForThemAfterTheEnd() throws Exception {
		CompletableFuture<Void> cancelled = new CompletableFuture<>();
		ProvidedHeaders hanging = headers((method) -> method.equals("GET")
				? Mono.<Map<String, String>>never().doOnCancel(() -> cancelled.complete(null)) : Mono.just(Map.of()));
		try (ScriptedHttpServer server = ScriptedHttpServer.start();
				HttpTransportClient client = HttpTransportClient.to(server.url(), hanging).initialize()) {
			client.transport().closeGracefully().block(LONG);
			cancelled.get(30, TimeUnit.SECONDS);
		}
	}

}
