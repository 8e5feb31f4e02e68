package io.github.mcpclient.transport.http;

import java.net.URI;
import java.util.concurrent.atomic.AtomicInteger;

import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.netty.http.server.HttpServerResponse;

/**
 * A server of the older transport that does as it is told. Without a script it names its
 * endpoint, answers {@code initialize} and echoes the parameters of other requests.
 */
final class ScriptedSseServer implements AutoCloseable {

	static final String SESSION_ID = "s3ss10n-1234567890";

	static final String ENDPOINT = "/message?sessionId=" + SESSION_ID;

	private final ScriptedHttpServer server = ScriptedHttpServer.start();

	private final AtomicInteger streams = new AtomicInteger();

	private volatile Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();

	private ScriptedSseServer() {
		endpoint(ENDPOINT);
		this.server.on("POST", this::accept);
		this.server.on("initialize", (request, response) -> {
			answer(request, """
					{"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
					"serverInfo": {"name": "scripted", "version": "1"}}""");
			return response.status(202).send();
		});
	}

	static ScriptedSseServer start() {
		return new ScriptedSseServer();
	}

	private Publisher<Void> accept(ScriptedHttpServer.Request request, HttpServerResponse response) {
		if (request.json().has("id") && request.json().has("method")) {
			answer(request, request.json().path("params").toString());
		}
		return ScriptedHttpServer.raw(response.status(202), "text/plain", "Accepted");
	}

	/**
	 * Name another endpoint in the streams to come.
	 */
	ScriptedSseServer endpoint(String reference) {
		return stream("event: endpoint\ndata: " + reference + "\n\n");
	}

	/**
	 * Begin the streams to come with something else than the name of the endpoint.
	 */
	ScriptedSseServer stream(String beginning) {
		this.server.on("GET", (request, response) -> {
			this.streams.incrementAndGet();
			Sinks.Many<String> events = Sinks.many().unicast().onBackpressureBuffer();
			this.events = events;
			return ScriptedHttpServer.sse(response, Flux.just(beginning).concatWith(events.asFlux()));
		});
		return this;
	}

	ScriptedSseServer on(String method, ScriptedHttpServer.Script script) {
		this.server.on(method, script);
		return this;
	}

	/**
	 * Accept a request, and do not answer it.
	 */
	ScriptedSseServer ignore(String method) {
		return on(method, (request, response) -> response.status(202).send());
	}

	void answer(ScriptedHttpServer.Request request, String result) {
		emit("event: message\n" + ScriptedHttpServer.event(ScriptedHttpServer.result(request, result)));
	}

	void emit(String text) {
		this.events.emitNext(text, Sinks.EmitFailureHandler.busyLooping(HttpTransportClient.TIMEOUT));
	}

	/**
	 * End the stream in an orderly way.
	 */
	void endStream() {
		this.events.tryEmitComplete();
	}

	/**
	 * Return the number of streams that were opened.
	 */
	int streams() {
		return this.streams.get();
	}

	ScriptedHttpServer http() {
		return this.server;
	}

	URI url() {
		return this.server.url("/sse");
	}

	@Override
	public void close() {
		this.server.close();
	}

}
