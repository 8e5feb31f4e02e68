package io.github.mcpclient.console;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpSchemaViolationException;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.McpToolResult.UnknownContent;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.LoginRequired;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.modelcontextprotocol.spec.McpSchema.Content;
import io.modelcontextprotocol.spec.McpSchema.GetPromptResult;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import io.modelcontextprotocol.spec.McpSchema.Resource;
import io.modelcontextprotocol.spec.McpSchema.Role;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.util.RawValue;

import org.springframework.http.HttpStatus;

/**
 * The calls that users of the console make. Each is made for the user who is signed in,
 * and ends with the stream that tells of it.
 */
final class ConsoleCalls {

	private static final Logger logger = LoggerFactory.getLogger(ConsoleCalls.class);

	// the interval at which closed streams are detected
	private static final Duration PULSE = Duration.ofSeconds(10);

	private static final Duration LONGEST_CHECK = Duration.ofSeconds(10);

	// writes the type of an item
	private static final ObjectWriter CONTENT = ConsoleJson.MAPPER.writerFor(Content.class);

	private final McpServerRegistry registry;

	private final ClientScheduler timer;

	private final Scheduler threads;

	private final SchemaCheck.Threads checks;

	private final Map<String, Running> running = new ConcurrentHashMap<>();

	ConsoleCalls(McpServerRegistry registry, ClientScheduler timer, Scheduler threads) {
		this.registry = registry;
		this.timer = timer;
		this.threads = threads;
		this.checks = new SchemaCheck.Threads(timer);
	}

	/**
	 * Prepare a call.
	 * @param writable whether the client reads its events; progress is dropped otherwise
	 * @return server-sent events; each subscription makes one call. Fails with a
	 * {@link ConsoleException} if there is nothing to call
	 */
	Mono<Flux<byte[]>> prepare(McpServer server, Request request, Visitor visitor, BooleanSupplier writable) {
		Secrets secrets = McpServerSecrets.of(server.definition()).withoutShort();
		return switch (request.kind()) {
			case "tool" -> tool(server, required(request.name(), "name")).map((tool) -> {
				checkConfirmed(tool, request);
				return events(visitor, writable, secrets, (progress) -> call(tool, request, progress));
			});
			case "prompt" -> {
				String name = required(request.name(), "name");
				yield Mono.just(events(visitor, writable, secrets,
						(progress) -> server.getPromptAsync(name, request.arguments())
							.map((prompt) -> (duration) -> PromptResult.of(duration, prompt))));
			}
			case "resource" -> {
				String uri = listed(server, required(request.uri(), "uri"), secrets);
				yield Mono.just(events(visitor, writable, secrets, (progress) -> server.readResourceAsync(uri)
					.map((resource) -> (duration) -> new ResourceResult(duration, resource.contents()))));
			}
			default -> throw new ConsoleException(HttpStatus.BAD_REQUEST,
					"'kind' must be \"tool\", \"prompt\" or \"resource\".");
		};
	}

	// the page has the masked URI
	private static String listed(McpServer server, String uri, Secrets secrets) {
		return server.features()
			.resources()
			.stream()
			.map(Resource::uri)
			.filter((listed) -> secrets.mask(listed).equals(uri))
			.findFirst()
			.orElse(uri);
	}

	private static String required(@Nullable String value, String name) {
		if (value == null || value.isEmpty()) {
			throw new ConsoleException(HttpStatus.BAD_REQUEST, "'" + name + "' is missing.");
		}
		return value;
	}

	// a server may list its tools only for users
	private Mono<McpTool> tool(McpServer server, String name) {
		return Mono.justOrEmpty(find(server.tools(), server, name))
			.switchIfEmpty(Mono.defer(() -> this.registry.tools().forCallerAsync())
				.mapNotNull((tools) -> find(tools.all(), server, name)))
			.switchIfEmpty(Mono.error(() -> new ConsoleException(HttpStatus.NOT_FOUND,
					"The server has no such tool, or the application does not get it.")));
	}

	private static @Nullable McpTool find(List<McpTool> tools, McpServer server, String name) {
		return tools.stream()
			.filter((tool) -> tool.originalName().equals(name) && tool.serverName().equals(server.name()))
			.findFirst()
			.orElse(null);
	}

	private static void checkConfirmed(McpTool tool, Request request) {
		ToolAnnotations hints = tool.annotations();
		boolean harmless = hints != null
				&& (Boolean.FALSE.equals(hints.destructiveHint()) || Boolean.TRUE.equals(hints.readOnlyHint()));
		if (!harmless && !Boolean.TRUE.equals(request.confirmed())) {
			throw new ConsoleException(HttpStatus.PRECONDITION_REQUIRED,
					"The tool may destroy something. Confirm the call with \"confirmed\": true.");
		}
	}

	private Mono<LongFunction<Object>> call(McpTool tool, Request request, Consumer<ProgressNotification> progress) {
		return this.checks.check(tool.serverName(), tool.inputSchema(), request.arguments(), LONGEST_CHECK)
			// if the schema cannot be checked, the server decides
			.onErrorReturn((failure) -> !(failure instanceof ConsoleException), List.of())
			.flatMap((violations) -> violations.isEmpty()
					? tool.callAsync(McpToolRequest.of(request.arguments()).withProgress(progress))
					: Mono.error(new McpSchemaViolationException(tool.serverName(),
							"The tool was not called: its arguments do not fit its input schema", violations)))
			.map((result) -> (duration) -> ToolCallResult.of(duration, result));
	}

	private Flux<byte[]> events(Visitor visitor, BooleanSupplier writable, Secrets secrets, Call call) {
		return Flux.defer(() -> {
			String id = UUID.randomUUID().toString();
			Running running = new Running(visitor, Sinks.empty());
			this.running.put(id, running);
			long started = this.timer.now(TimeUnit.MILLISECONDS);
			Sinks.Many<Event> progress = Sinks.many().multicast().directBestEffort();
			Mono<Event> end = Mono.defer(() -> call.make((notification) -> {
				if (writable.getAsBoolean()) {
					progress.tryEmitNext(Event.progress(notification, secrets));
				}
			})
				.publishOn(this.threads)
				.map((result) -> Event.last("result", masked(result.apply(since(started)), secrets))))
				.takeUntilOther(running.cancel().asMono())
				.switchIfEmpty(Mono.fromSupplier(() -> Event.last("failure",
						new Failure(since(started), "The call was cancelled.", "CancellationException", null))))
				.onErrorResume(
						(failure) -> Mono.fromSupplier(() -> Event.last("failure", failure(since(started), failure))));
			Flux<Event> pulse = Mono.delay(PULSE, this.timer).repeat().map((tick) -> Event.COMMENT);
			return Flux
				.concat(Mono.just(new Event(ConsoleJson.event("started", ConsoleJson.bytes(Map.of("id", id))), false)),
						// only the latest event waits for a slow page, which limits
						// memory
						Flux.merge(1, progress.asFlux().onBackpressureLatest(), pulse.onBackpressureDrop(), end))
				.takeUntil(Event::last)
				.map(Event::bytes)
				.doFinally((signal) -> this.running.remove(id));
		});
	}

	private static Object masked(Object value, Secrets secrets) {
		return secrets.isEmpty() ? value : Objects
			.requireNonNull(secrets.mask(ConsoleJson.MAPPER.readValue(ConsoleJson.bytes(value), Object.class), true));
	}

	private long since(long started) {
		return this.timer.now(TimeUnit.MILLISECONDS) - started;
	}

	private static Failure failure(long duration, Throwable failure) {
		String type = failure.getClass().getSimpleName();
		if (failure instanceof McpSchemaViolationException invalid) {
			return new Failure(duration, invalid.getMessage(), type,
					invalid.getViolations().stream().map(Violation::of).toList());
		}
		if (LoginRequired.isCauseOf(failure)) {
			return new Failure(duration, "You have to log in at the server first, in the application itself.", type,
					null);
		}
		if (failure instanceof McpException) {
			return new Failure(duration, String.valueOf(failure.getMessage()), type, null);
		}
		logger.warn("A call that was made in the console failed", failure);
		return new Failure(duration, "The call failed. The log of the application says why.", type, null);
	}

	private static Object item(Content content) {
		return (content instanceof UnknownContent unknown) ? unknown.value()
				: new RawValue(CONTENT.writeValueAsString(content));
	}

	/**
	 * Cancel a call of a visitor.
	 * @return whether it was running
	 */
	boolean cancel(String id, Visitor visitor) {
		Running running = this.running.get(id);
		return running != null && running.visitor().equals(visitor) && running.cancel().tryEmitEmpty().isSuccess();
	}

	void close() {
		this.running.values().forEach((call) -> call.cancel().tryEmitEmpty());
		this.checks.dispose();
	}

	/**
	 * A call that a user requests.
	 *
	 * @param name the name that the server gives to the tool or prompt
	 */
	record Request(String kind, @Nullable String name, @Nullable String uri, Map<String, @Nullable Object> arguments,
			@Nullable Boolean confirmed) {

		Request {
			kind = (kind != null) ? kind : "";
			arguments = (arguments != null) ? arguments : Map.of();
		}

	}

	/**
	 * A call, whose result is a function of its duration in milliseconds.
	 */
	private interface Call {

		Mono<LongFunction<Object>> make(Consumer<ProgressNotification> progress);

	}

	private record Running(Visitor visitor, Sinks.Empty<Void> cancel) {
	}

	private record Event(byte[] bytes, boolean last) {

		static final Event COMMENT = new Event(ServerFeed.COMMENT, false);

		static Event progress(ProgressNotification notification, Secrets secrets) {
			return new Event(ConsoleJson.event("progress",
					ConsoleJson.bytes(masked(
							new ProgressView(notification.progress(), notification.total(), notification.message()),
							secrets))),
					false);
		}

		static Event last(String name, Object value) {
			return new Event(ConsoleJson.event(name, ConsoleJson.bytes(value)), true);
		}

	}

	record ProgressView(@Nullable Double progress, @Nullable Double total, @Nullable String message) {
	}

	@JsonInclude(Include.NON_NULL)
	record ToolCallResult(long durationMs, boolean isError, List<Object> content, @Nullable Object structuredContent) {

		static ToolCallResult of(long durationMs, McpToolResult result) {
			return new ToolCallResult(durationMs, result.isError(),
					result.content().stream().map(ConsoleCalls::item).toList(), result.structuredContent());
		}

	}

	record PromptResult(long durationMs, @Nullable String description, List<Message> messages) {

		static PromptResult of(long durationMs, GetPromptResult prompt) {
			return new PromptResult(durationMs, prompt.description(),
					prompt.messages()
						.stream()
						.map((message) -> new Message(message.role(), item(message.content())))
						.toList());
		}

	}

	record Message(Role role, Object content) {
	}

	record ResourceResult(long durationMs, List<?> contents) {
	}

	@JsonInclude(Include.NON_NULL)
	record Failure(long durationMs, @Nullable String error, String type, @Nullable List<Violation> invalid) {
	}

	/**
	 * An argument that does not fit.
	 *
	 * @param path a JSON pointer (RFC 6901)
	 */
	record Violation(String path, String message) {

		static Violation of(String text) {
			int end = text.startsWith("/") ? text.indexOf(": ") : -1;
			return (end != -1) ? new Violation(text.substring(0, end), text.substring(end + 2))
					: new Violation("", text);
		}

	}

}
