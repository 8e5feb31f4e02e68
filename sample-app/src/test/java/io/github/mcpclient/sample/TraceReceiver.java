package io.github.mcpclient.sample;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;
import org.awaitility.Awaitility;

/**
 * Receives traces over OTLP.
 */
final class TraceReceiver implements AutoCloseable {

	private final List<Span> spans = new CopyOnWriteArrayList<>();

	private final HttpServer server;

	private TraceReceiver() throws IOException {
		this.server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
		this.server.createContext("/v1/traces", this::receive);
		this.server.start();
	}

	static TraceReceiver start() {
		try {
			return new TraceReceiver();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private void receive(HttpExchange exchange) throws IOException {
		try (exchange; InputStream body = exchange.getRequestBody()) {
			ExportTraceServiceRequest.parseFrom(body)
				.getResourceSpansList()
				.forEach((resource) -> resource.getScopeSpansList()
					.forEach((scope) -> this.spans.addAll(scope.getSpansList())));
			exchange.sendResponseHeaders(200, -1);
		}
	}

	String url() {
		return "http://localhost:" + this.server.getAddress().getPort() + "/v1/traces";
	}

	List<Span> spans() {
		return this.spans;
	}

	Span await(Predicate<Span> which) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> this.spans.stream().anyMatch(which));
		return this.spans.stream().filter(which).findFirst().orElseThrow();
	}

	static Map<String, String> attributes(Span span) {
		return span.getAttributesList()
			.stream()
			.collect(Collectors.toMap(KeyValue::getKey, (attribute) -> attribute.getValue().getStringValue()));
	}

	@Override
	public void close() {
		this.server.stop(0);
	}

}
