package io.github.mcpclient.console;

import java.time.Duration;
import java.time.Instant;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.console.ConsoleFiles.ConsoleFile;
import io.github.mcpclient.console.ConsoleServers.ActionRequest;
import io.github.mcpclient.console.McpConsoleProperties.Access;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.management.ManagedMcpServer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import tools.jackson.core.JacksonException;

import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferLimitException;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;

/**
 * Handles the requests of the console, by path and method.
 */
final class ConsoleApi {

	private static final Logger logger = LoggerFactory.getLogger("io.github.mcpclient.console.Writes");

	private static final int MOST_VIEWS = 4;

	private static final int MAX_BODY = 1024 * 1024;

	private static final Duration LONGEST_BODY = Duration.ofSeconds(30);

	static final int MOST_READS = 32;

	private static final int LONGEST_NAME = 128;

	private static final Pattern SEQUENCE = Pattern.compile("\\d{1,18}");

	private final McpConsoleProperties properties;

	private final ConsoleServers servers;

	private final ServerFeed feed;

	private final ConsoleCalls calls;

	private final String application;

	private final ConsoleFiles files = new ConsoleFiles();

	// closed streams may be noticed late
	private final Quota streams = new Quota(Quota.Kind.VIEWS, 2 * MOST_VIEWS, 8 * MOST_VIEWS);

	private final Map<Visitor, Deque<Sinks.Empty<Void>>> views = new ConcurrentHashMap<>();

	private final Quota reads = new Quota(Quota.Kind.READS, 8, MOST_READS);

	private final Quota requests = new Quota(Quota.Kind.CALLS, 8, 64);

	ConsoleApi(McpConsoleProperties properties, ConsoleServers servers, ServerFeed feed, ConsoleCalls calls,
			String application) {
		this.properties = properties;
		this.servers = servers;
		this.feed = feed;
		this.calls = calls;
		this.application = application;
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
		if (!path.get(0).equals("api")) {
			return notFound();
		}
		String name = (path.size() > 2) ? path.get(2) : "";
		String resource = path.get(1) + ((path.size() > 2) ? "/*" : "")
				+ ((path.size() > 3) ? "/" + String.join("/", path.subList(3, path.size())) : "");
		return switch (resource) {
			case "session" -> read(exchange, () -> session(exchange, visitor));
			case "servers" -> look(exchange, visitor, this.servers::all);
			case "reload" -> post(exchange, visitor, Map.class, (empty) -> reload(exchange, visitor));
			case "events" -> only(exchange, HttpMethod.GET, () -> watch(exchange, visitor));
			case "servers/*" -> look(exchange, visitor, () -> this.servers.details(name));
			case "servers/*/java" -> look(exchange, visitor,
					() -> this.servers.source(name, exchange.request().getQueryParams().getFirst("tool")));
			case "servers/*/messages" -> messages(exchange, visitor, name);
			case "servers/*/actions" ->
				post(exchange, visitor, ActionRequest.class, (action) -> act(exchange, visitor, name, action));
			case "servers/*/diagnosis" ->
				post(exchange, visitor, Map.class, (empty) -> diagnose(exchange, visitor, name));
			case "servers/*/calls" ->
				post(exchange, visitor, ConsoleCalls.Request.class, (call) -> call(exchange, visitor, name, call));
			case "calls/*" -> only(exchange, HttpMethod.DELETE, () -> cancel(exchange, visitor, name));
			default -> notFound();
		};
	}

	private Mono<Void> watch(ConsoleExchange exchange, Visitor visitor) {
		return Mono.using(() -> this.streams.take(visitor), (share) -> {
			Sinks.Empty<Void> end = Sinks.empty();
			endOldest(visitor, end);
			return stream(exchange.response(), this.feed.watch(exchange.writable()).takeUntilOther(end.asMono()))
				.doFinally((signal) -> this.views.computeIfPresent(visitor,
						(key, views) -> (views.remove(end) && views.isEmpty()) ? null : views));
		}, this.streams::release);
	}

	// above the limit, a new page replaces the oldest one
	private void endOldest(Visitor visitor, Sinks.Empty<Void> added) {
		Deque<Sinks.Empty<Void>> views = this.views.compute(visitor, (key, known) -> {
			Deque<Sinks.Empty<Void>> all = (known != null) ? known : new ConcurrentLinkedDeque<>();
			all.add(added);
			return all;
		});
		Sinks.Empty<Void> oldest = (views.size() > MOST_VIEWS) ? views.poll() : null;
		if (oldest != null) {
			oldest.tryEmitEmpty();
		}
	}

	private Mono<Void> messages(ConsoleExchange exchange, Visitor visitor, String server) {
		String after = exchange.request().getQueryParams().getFirst("after");
		if (after != null && !SEQUENCE.matcher(after).matches()) {
			throw new ConsoleException(HttpStatus.BAD_REQUEST, "'after' must be the 'seq' of a message.");
		}
		long sequence = (after != null) ? Long.parseLong(after) : 0;
		return look(exchange, visitor, () -> this.servers.messages(server, sequence));
	}

	// a response may be large, and stays in memory until the client reads it
	private Mono<Void> look(ConsoleExchange exchange, Visitor visitor, Supplier<Object> value) {
		return read(exchange, () -> Mono.using(() -> this.reads.take(visitor), (share) -> json(exchange, value),
				this.reads::release));
	}

	private Mono<Void> act(ConsoleExchange exchange, Visitor visitor, String name, ActionRequest request) {
		ManagedMcpServer server = this.servers.find(name);
		log(visitor, String.valueOf(request.action()), server);
		return this.servers.act(server, request).flatMap((done) -> json(exchange, () -> done));
	}

	private Mono<Void> reload(ConsoleExchange exchange, Visitor visitor) {
		log(visitor, "the MCP client", "reload");
		return this.servers.reload().flatMap((done) -> json(exchange, () -> done));
	}

	private Mono<Void> diagnose(ConsoleExchange exchange, Visitor visitor, String name) {
		ManagedMcpServer server = this.servers.find(name);
		log(visitor, "diagnose", server);
		return this.servers.diagnose(server).flatMap((found) -> json(exchange, () -> found));
	}

	private Mono<Void> call(ConsoleExchange exchange, Visitor visitor, String name, ConsoleCalls.Request call) {
		ManagedMcpServer server = this.servers.find(name);
		return this.calls.prepare(server, call, visitor, exchange.writable()).flatMap((events) -> {
			log(visitor, "call " + call.kind() + " " + ((call.name() != null) ? call.name() : call.uri()), server);
			return stream(exchange.response(), events.map(Mono::just).takeUntilOther(this.feed.stopped()));
		});
	}

	private Mono<Void> cancel(ConsoleExchange exchange, Visitor visitor, String id) {
		if (!this.calls.cancel(id, visitor)) {
			throw new ConsoleException(HttpStatus.NOT_FOUND, "You have no such call running. It may have ended.");
		}
		exchange.response().setStatusCode(HttpStatus.NO_CONTENT);
		return exchange.response().setComplete();
	}

	private static void log(Visitor visitor, String what, ManagedMcpServer server) {
		log(visitor, "MCP server '" + server.name() + "'", what);
	}

	private static void log(Visitor visitor, String whom, String what) {
		logger.info("Console: action of {} {} on {}: {}", visitor.signedIn() ? "user" : "somebody at",
				Printable.text(visitor.name()), whom, Printable.line(what, LONGEST_NAME));
	}

	private <T> Mono<Void> post(ConsoleExchange exchange, Visitor visitor, Class<T> type,
			Function<T, Mono<Void>> action) {
		return only(exchange, HttpMethod.POST, () -> {
			MediaType content = exchange.request().getHeaders().getContentType();
			if (content == null || !content.isCompatibleWith(MediaType.APPLICATION_JSON)) {
				throw new ConsoleException(HttpStatus.UNSUPPORTED_MEDIA_TYPE,
						"Send JSON, with the content type application/json.");
			}
			return Mono.using(() -> this.requests.take(visitor),
					(share) -> body(exchange).map((body) -> parse(body, type)).flatMap(action), this.requests::release);
		});
	}

	private Mono<byte[]> body(ConsoleExchange exchange) {
		return DataBufferUtils.join(exchange.request().getBody(), MAX_BODY).map((buffer) -> {
			byte[] body = new byte[buffer.readableByteCount()];
			buffer.read(body);
			DataBufferUtils.release(buffer);
			return body;
		})
			.defaultIfEmpty(new byte[0])
			.onErrorMap(DataBufferLimitException.class,
					(ex) -> new ConsoleException(HttpStatus.CONTENT_TOO_LARGE, "A request is at most 1 MB."))
			.timeout(LONGEST_BODY,
					Mono.error(() -> new ConsoleException(HttpStatus.REQUEST_TIMEOUT,
							"The request did not arrive within " + LONGEST_BODY.toSeconds() + " s.")),
					this.feed.timer())
			.publishOn(this.feed.threads());
	}

	private static <T> T parse(byte[] body, Class<T> type) {
		try {
			T value = ConsoleJson.MAPPER.readValue(body, type);
			if (value != null) {
				return value;
			}
		}
		catch (JacksonException ex) {
			// handled below
		}
		throw new ConsoleException(HttpStatus.BAD_REQUEST, "The request is not the JSON object that is expected.");
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
				visitor.signedIn() ? visitor.name() : null, this.feed.hasFigures(), ConsoleServers.DECLARED,
				this.properties.messages(), csrf, this.feed.now());
	}

	private Mono<Void> json(ConsoleExchange exchange, Supplier<Object> value) {
		return Mono.fromSupplier(() -> ConsoleJson.bytes(value.get()))
			.subscribeOn(this.feed.threads())
			.flatMap((json) -> ConsoleJson.write(exchange.response(), json));
	}

	private static Mono<Void> stream(ServerHttpResponse response, Flux<Mono<byte[]>> events) {
		response.getHeaders().setContentType(MediaType.TEXT_EVENT_STREAM);
		// a proxy that buffers would never forward the events
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
	record Session(String application, String access, @Nullable String user, boolean metrics, boolean declared,
			int messages, ConsoleExchange.@Nullable Csrf csrf, Instant time) {
	}

}
