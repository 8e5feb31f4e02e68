package io.github.mcpclient.console;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.console.ConsoleFiles.ConsoleFile;
import io.github.mcpclient.console.McpConsoleProperties.Access;
import io.github.mcpclient.view.ServerDetails;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.core.env.Environment;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * What the console answers, by path and method.
 */
final class ConsoleApi {

	private final McpConsoleProperties properties;

	private final McpServerRegistry registry;

	private final ServerFeed feed;

	private final String application;

	private final ConsoleFiles files = new ConsoleFiles();

	ConsoleApi(McpConsoleProperties properties, McpServerRegistry registry, ServerFeed feed, Environment environment) {
		this.properties = properties;
		this.registry = registry;
		this.feed = feed;
		this.application = environment.getProperty("spring.application.name", "application");
	}

	Mono<Void> handle(ConsoleExchange exchange, Visitor visitor) {
		List<String> path = exchange.path();
		return switch (path.size()) {
			case 0 -> file(exchange, ConsoleFiles.PAGE);
			case 1 -> path.get(0).isEmpty() ? redirect(exchange) : file(exchange, path.get(0));
			default -> api(exchange, visitor, path);
		};
	}

	private Mono<Void> api(ConsoleExchange exchange, Visitor visitor, List<String> path) {
		if (path.get(0).equals("api")) {
			if (path.equals(List.of("api", "session"))) {
				return read(exchange, () -> session(exchange, visitor));
			}
			if (path.equals(List.of("api", "servers"))) {
				return read(exchange, () -> json(exchange, () -> new Servers(this.feed.now(), this.feed.rows())));
			}
			if (path.equals(List.of("api", "events"))) {
				return only(exchange, HttpMethod.GET,
						() -> stream(exchange.response(), this.feed.watch(exchange.writable())));
			}
			if (path.size() == 3 && path.get(1).equals("servers")) {
				return read(exchange, () -> json(exchange, () -> details(server(path.get(2)))));
			}
		}
		return notFound();
	}

	private McpServer server(String name) {
		try {
			return this.registry.server(name);
		}
		catch (NoSuchMcpServerException ex) {
			throw new ConsoleException(HttpStatus.NOT_FOUND, String.valueOf(ex.getMessage()));
		}
	}

	private static Details details(McpServer server) {
		return new Details(server.name(), ServerDetails.of(server));
	}

	private Mono<Void> session(ConsoleExchange exchange, Visitor visitor) {
		return exchange.csrf()
			.map((csrf) -> session(visitor, csrf))
			.switchIfEmpty(Mono.fromSupplier(() -> session(visitor, null)))
			.flatMap((session) -> ConsoleJson.write(exchange.response(), session));
	}

	private Session session(Visitor visitor, ConsoleExchange.@Nullable Csrf csrf) {
		return new Session(this.application,
				(this.properties.access() == Access.UNRESTRICTED) ? "unrestricted" : "read-only",
				visitor.signedIn() ? visitor.name() : null, false, this.properties.messages(), csrf, this.feed.now());
	}

	private Mono<Void> json(ConsoleExchange exchange, Supplier<Object> value) {
		return Mono.fromSupplier(() -> ConsoleJson.bytes(value.get()))
			.subscribeOn(this.feed.threads())
			.flatMap((json) -> ConsoleJson.write(exchange.response(), json));
	}

	private static Mono<Void> stream(ServerHttpResponse response, Flux<Mono<byte[]>> events) {
		response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
		// a proxy that keeps what it reads would keep it for ever
		response.getHeaders().set("X-Accel-Buffering", "no");
		Flux<Publisher<DataBuffer>> buffers = events.map((event) -> event.map(response.bufferFactory()::wrap));
		return response.writeAndFlushWith(buffers);
	}

	private static Mono<Void> read(ConsoleExchange exchange, Supplier<Mono<Void>> answer) {
		return (exchange.request().getMethod() == HttpMethod.HEAD) ? answer.get()
				: only(exchange, HttpMethod.GET, answer);
	}

	private static Mono<Void> only(ConsoleExchange exchange, HttpMethod method, Supplier<Mono<Void>> answer) {
		if (exchange.request().getMethod() == method) {
			return answer.get();
		}
		exchange.response().getHeaders().set(HttpHeaders.ALLOW, method.name());
		throw new ConsoleException(HttpStatus.METHOD_NOT_ALLOWED, "Send " + method + ".");
	}

	private Mono<Void> file(ConsoleExchange exchange, String name) {
		ConsoleFile file = this.files.find(name);
		return (file != null) ? read(exchange, () -> file.write(exchange)) : notFound();
	}

	private static Mono<Void> redirect(ConsoleExchange exchange) {
		exchange.response().setStatusCode(HttpStatus.FOUND);
		exchange.response().getHeaders().set(HttpHeaders.LOCATION, ".." + ConsoleExchange.PATH);
		return exchange.response().setComplete();
	}

	private static Mono<Void> notFound() {
		throw new ConsoleException(HttpStatus.NOT_FOUND, "The console has nothing there.");
	}

	@JsonInclude(Include.NON_NULL)
	@JsonPropertyOrder({ "application", "access", "user", "metrics", "messages", "csrf", "time" })
	record Session(String application, String access, @Nullable String user, boolean metrics, int messages,
			ConsoleExchange.@Nullable Csrf csrf, Instant time) {
	}

	@JsonPropertyOrder({ "time", "servers" })
	record Servers(Instant time, Collection<ServerRow> servers) {
	}

	@JsonPropertyOrder({ "name", "details" })
	record Details(String name, @JsonUnwrapped ServerDetails details) {
	}

}
