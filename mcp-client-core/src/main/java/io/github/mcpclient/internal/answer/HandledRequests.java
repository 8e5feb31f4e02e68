package io.github.mcpclient.internal.answer;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Roots;
import io.github.mcpclient.definition.McpServerDefinition.Sampling;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.handler.McpElicitationHandler.Mode;
import io.github.mcpclient.handler.McpHandlerContext;
import io.github.mcpclient.handler.McpRootsProvider;
import io.github.mcpclient.handler.McpSamplingHandler;
import io.github.mcpclient.internal.answer.ServerRequestHandlers.Handlers;
import io.github.mcpclient.internal.schema.SchemaCheck;
import io.github.mcpclient.internal.session.RequestParams;
import io.github.mcpclient.internal.session.ServerRequests;
import io.github.mcpclient.internal.support.CallOrigin;
import io.github.mcpclient.internal.support.CallerContext;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.ServerThreads;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ClientCapabilities;
import io.modelcontextprotocol.spec.McpSchema.ElicitFormRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitRequest;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.ListRootsResult;
import io.modelcontextprotocol.spec.McpSchema.Root;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Handles the requests of one server with the handlers that support it. Their number,
 * time, rate and depth are limited, and a failure affects only its own request.
 */
final class HandledRequests implements ServerRequests {

	private static final Logger logger = LoggerFactory.getLogger(HandledRequests.class);

	private static final int REFUSED = -32000;

	// for requests that only need protection against floods: users are slow, and roots
	// are cheap
	private static final int MAX_REQUESTS_PER_MINUTE = 600;

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	private final McpServerDefinition server;

	private final Supplier<Handlers> handlers;

	private final SchemaCheck.Threads checks;

	private final ClientScheduler scheduler;

	private final ServerThreads threads;

	private final LogLimit failures;

	private final Queue<Long> sampled = new ArrayDeque<>(0);

	private final Queue<Long> elicited = new ArrayDeque<>(0);

	private final Queue<Long> rooted = new ArrayDeque<>(0);

	private final Set<Awaited> awaited = ConcurrentHashMap.newKeySet();

	private volatile Served served = Served.UNKNOWN;

	HandledRequests(McpServerDefinition server, Supplier<Handlers> handlers, SchemaCheck.Threads checks,
			ClientScheduler scheduler, ServerThreads threads) {
		this.server = server;
		this.handlers = handlers;
		this.checks = checks;
		this.scheduler = scheduler;
		this.threads = threads;
		this.failures = new LogLimit(() -> scheduler.now(TimeUnit.NANOSECONDS));
	}

	@Override
	public void declare(ClientCapabilities.Builder capabilities) {
		Handlers all = this.handlers.get();
		Sampling sampling = this.server.sampling();
		McpSamplingHandler sampler = all.sampling()
			.stream()
			.filter((handler) -> sampling.enabled() && handler.supports(this.server))
			.findFirst()
			.orElse(null);
		Assert.state(!sampling.enabled() || sampling.chatModel() == null || sampler != null,
				() -> "There is no ChatModel bean named '" + sampling.chatModel() + "'. Define it, or correct "
						+ PropertyNames.ofServer(this.server.name(), "sampling.chat-model") + ".");
		List<McpElicitationHandler> elicitors = all.elicitation()
			.stream()
			.filter((handler) -> this.server.elicitation().enabled() && handler.supports(this.server))
			.toList();
		Roots settings = this.server.roots();
		List<McpRootsProvider> roots = all.roots().stream().filter((one) -> one.supports(this.server)).toList();
		boolean hasRoots = settings.enabled() && !(roots.isEmpty() && settings.directories().isEmpty());
		Served served = new Served(sampler, first(elicitors, Mode.FORM), first(elicitors, Mode.URL),
				hasRoots ? roots : null);
		this.served = served;
		if (served.sampling() != null) {
			capabilities.sampling();
		}
		if (served.form() != null || served.url() != null) {
			capabilities.elicitation(served.form() != null, served.url() != null);
		}
		if (served.roots() != null) {
			capabilities.roots(false);
		}
	}

	private static @Nullable McpElicitationHandler first(List<McpElicitationHandler> handlers, Mode mode) {
		return handlers.stream().filter((handler) -> handler.modes().contains(mode)).findFirst().orElse(null);
	}

	@Override
	public boolean isEmpty() {
		return this.served.isEmpty();
	}

	@Override
	public @Nullable Mono<?> answer(JSONRPCRequest request, ContextView call) {
		Served served = this.served;
		List<McpRootsProvider> roots = served.roots();
		return switch (request.method()) {
			case McpSchema.METHOD_SAMPLING_CREATE_MESSAGE ->
				(served.sampling() != null) ? sample(served.sampling(), request, call) : null;
			case McpSchema.METHOD_ELICITATION_CREATE -> (served.form() != null || served.url() != null)
					? elicit(() -> RequestParams.elicitation(request.params(), this.server), call) : null;
			case McpSchema.METHOD_ROOTS_LIST -> (roots != null) ? list(roots, call) : null;
			default -> null;
		};
	}

	private Mono<?> sample(McpSamplingHandler handler, JSONRPCRequest request, ContextView call) {
		Sampling settings = this.server.sampling();
		if (!isWithinRate(this.sampled, settings.maxRequestsPerMinute())) {
			return tooMany(settings.maxRequestsPerMinute(), "sampling");
		}
		if (call.get(CallOrigin.class).depth().getAsInt() >= settings.maxDepth()) {
			return Mono.error(refusal("Sampling within sampling is limited to a depth of " + settings.maxDepth()));
		}
		return run("sampling", settings.timeout(), call, (context) -> handler
			.createMessage(RequestParams.sampling(request.params(), settings.maxTokens()), context));
	}

	private static <T> Mono<T> tooMany(int limit, String kind) {
		return Mono.error(refusal("More than " + limit + " requests for " + kind + " in a minute"));
	}

	private boolean isWithinRate(Queue<Long> recent, int limit) {
		long now = this.scheduler.now(TimeUnit.NANOSECONDS);
		synchronized (recent) {
			while (!recent.isEmpty() && now - recent.element() >= MINUTE) {
				recent.remove();
			}
			return recent.size() < limit && recent.add(now);
		}
	}

	private Mono<ElicitResult> elicit(Supplier<ElicitRequest> source, ContextView call) {
		if (!isWithinRate(this.elicited, MAX_REQUESTS_PER_MINUTE)) {
			return tooMany(MAX_REQUESTS_PER_MINUTE, "elicitation");
		}
		Duration timeout = this.server.elicitation().timeout();
		return run("elicitation", timeout, call, (context) -> {
			ElicitRequest request = source.get();
			McpElicitationHandler handler = (request instanceof ElicitUrlRequest) ? this.served.url()
					: this.served.form();
			if (handler == null) {
				throw error(McpSchema.ErrorCodes.INVALID_PARAMS,
						"The client does not declare elicitation." + request.mode());
			}
			ElicitResult result = handler.elicit(request, context);
			return (request instanceof ElicitFormRequest form && result.action() == ElicitResult.Action.ACCEPT)
					? validated(form.requestedSchema(), result, timeout)
					: Mono.just(new ElicitResult(result.action(), null, result.meta()));
		}).flatMap(Function.identity());
	}

	private Mono<ElicitResult> validated(Map<String, Object> schema, ElicitResult result, Duration timeout) {
		Map<String, Object> content = new LinkedHashMap<>();
		if (result.content() != null) {
			content.putAll(result.content());
		}
		if (schema.get("properties") instanceof Map<?, ?> properties) {
			properties.forEach((name, property) -> {
				if (property instanceof Map<?, ?> map && map.get("default") != null) {
					content.putIfAbsent(String.valueOf(name), map.get("default"));
				}
			});
		}
		return this.checks.check(this.server.name(), schema, content, timeout)
			.onErrorMap((ex) -> error(McpSchema.ErrorCodes.INVALID_PARAMS, "The requested schema cannot be used"))
			.map((violations) -> {
				if (!violations.isEmpty()) {
					warn("the user's input is not sent, since it does not match the requested schema: " + violations,
							null);
					throw error(McpSchema.ErrorCodes.INTERNAL_ERROR, "The input does not match the requested schema");
				}
				return new ElicitResult(result.action(), content, result.meta());
			});
	}

	private Mono<?> list(List<McpRootsProvider> roots, ContextView call) {
		return isWithinRate(this.rooted, MAX_REQUESTS_PER_MINUTE)
				? run("roots", this.server.timeouts().request(), call, (context) -> roots(roots, context))
				: tooMany(MAX_REQUESTS_PER_MINUTE, "roots");
	}

	private ListRootsResult roots(List<McpRootsProvider> providers, McpHandlerContext context) {
		List<Root> roots = new ArrayList<>();
		this.server.roots().directories().forEach((directory) -> roots.add(root(directory)));
		providers.forEach((provider) -> roots.addAll(provider.roots(context)));
		roots
			.forEach((root) -> Assert.state(root.uri().startsWith("file:"), "The uri of a root must begin with file:"));
		return ListRootsResult.builder(roots).build();
	}

	private static Root root(String directory) {
		String uri = directory.startsWith("file:") ? directory
				: Path.of(directory).toAbsolutePath().normalize().toUri().toString();
		String name = StringUtils.getFilename(StringUtils.trimTrailingCharacter(URI.create(uri).getPath(), '/'));
		return Root.builder(StringUtils.trimTrailingCharacter(uri, '/')).name(name).build();
	}

	private <T> Mono<T> run(String kind, Duration timeout, ContextView call, Function<McpHandlerContext, T> handler) {
		CallOrigin origin = call.get(CallOrigin.class);
		return this.threads.<T>call(kind + " of " + this.server.name(), origin::wrap, () -> {
			ContextView caller = (origin.caller() != null) ? CallerContext.withThread(Context.of(call)) : null;
			return Objects.requireNonNull(
					handler.apply(new McpHandlerContext(this.server, caller, CallOrigin.currentDepth())),
					"The handler returned no result");
		}, timeout, IllegalStateException::new)
			// a virtual thread inherits from the thread that starts it
			.subscribeOn(this.scheduler)
			.timeout(timeout, Mono.error(() -> refusal("No result within " + timeout.toMillis() + " ms")),
					this.scheduler)
			.onErrorMap(ServerThreads.FullException.class, (full) -> refusal("Too many requests are pending"))
			.onErrorMap((failure) -> !(failure instanceof McpError), (failure) -> {
				warn("a handler of its requests failed", failure);
				return error(McpSchema.ErrorCodes.INTERNAL_ERROR, "Internal error");
			});
	}

	private static McpError refusal(String message) {
		return error(REFUSED, message);
	}

	private static McpError error(int code, String message) {
		return McpError.builder(code).message(message).build();
	}

	private void warn(String message, @Nullable Throwable failure) {
		this.failures.log(() -> logger.warn("MCP server '{}': {}", this.server.name(), message, failure),
				(notice) -> logger.warn("MCP server '{}': of its requests, {}", this.server.name(), notice));
	}

	@Override
	public Mono<Boolean> open(List<ElicitUrlRequest> urls, ContextView call) {
		if (urls.isEmpty() || this.served.url() == null) {
			return Mono.just(false);
		}
		List<Awaited> completions = urls.stream()
			.map((url) -> new Awaited(url.elicitationId(), Sinks.empty()))
			.toList();
		// from now on: the user may be faster than the handler
		this.awaited.addAll(completions);
		return Flux.fromIterable(urls)
			.concatMap((url) -> elicit(() -> url, call), 0)
			.all((answer) -> answer.action() == ElicitResult.Action.ACCEPT)
			.flatMap((accepted) -> accepted
					? Mono.when(completions.stream().map((one) -> one.completed().asMono()).toList()).thenReturn(true)
					: Mono.just(false))
			.onErrorReturn(false)
			.doFinally((signal) -> completions.forEach(this.awaited::remove));
	}

	@Override
	public void completed(String elicitationId) {
		this.awaited.stream()
			.filter((one) -> one.id().equals(elicitationId))
			.forEach((one) -> one.completed().tryEmitEmpty());
	}

	/**
	 * The handlers that support the server, if any.
	 */
	private record Served(@Nullable McpSamplingHandler sampling, @Nullable McpElicitationHandler form,
			@Nullable McpElicitationHandler url, @Nullable List<McpRootsProvider> roots) {

		/**
		 * Until the first handshake: a call that begins before it may need handlers.
		 */
		static final Served UNKNOWN = new Served(null, null, null, null);

		boolean isEmpty() {
			return this != UNKNOWN && this.sampling == null && this.form == null && this.url == null
					&& this.roots == null;
		}

	}

	/**
	 * An elicitation that the user has not completed yet.
	 */
	private record Awaited(String id, Sinks.Empty<Void> completed) {
	}

}
