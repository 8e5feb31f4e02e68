package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.internal.support.Printable;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Sends multi round-trip requests until the server has all input that it requires for the
 * result: each request after the first has the responses to the previous input requests,
 * and the server's unchanged state (MCP 2026-07-28, {@code basic/patterns/mrtr}).
 */
record MultiRoundTripRequests(RequestChannel channel, WireFormat format, IncomingRequests requests) {

	static final int MAX_ROUNDS = 10;

	static final int MAX_REQUESTS = 10;

	private static final Set<String> METHODS = Set.of(McpSchema.METHOD_TOOLS_CALL, McpSchema.METHOD_PROMPT_GET,
			McpSchema.METHOD_RESOURCES_READ);

	private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

	private static final int MAX_NAME = 100;

	private static final Consumer<Object> IGNORE = (result) -> {
	};

	<T> Mono<T> request(Call<T> call) {
		return request(call, IGNORE);
	}

	/**
	 * Send requests.
	 * @param complete receives the result if the server sent no input request
	 */
	<T> Mono<T> request(Call<T> call, Consumer<Object> complete) {
		return call.options().hasBegun() ? round(call, 1, complete)
				: Mono.defer(() -> round(call.begin(this.channel.scheduler()), 1, complete));
	}

	@SuppressWarnings("unchecked")
	private <T> Mono<T> round(Call<T> call, int round, Consumer<Object> complete) {
		return this.channel.request(call, (transport, result) -> read(call, transport, result, complete), this.format)
			.flatMap((result) -> (result instanceof InputRequired asked) ? again(call, asked, round)
					: Mono.just((T) result));
	}

	private static Object read(Call<?> call, McpTransport transport, Object result, Consumer<Object> complete) {
		String type = ResultReader.type(result);
		if (type.equals("input_required") && METHODS.contains(call.method())) {
			return InputRequired.of(Json.object(transport, result, "The server's response to " + call.method()), call);
		}
		requireComplete(type, call.name());
		Object value = call.reader().apply(transport, result);
		complete.accept(result);
		return value;
	}

	static void requireComplete(String type, String request) {
		if (!type.isEmpty() && !type.equals("complete")) {
			throw new SessionProtocolException(
					"The server responded to " + request + " with a result of type '" + Printable.line(type, MAX_NAME)
							+ "', which the client does not support",
					"Update the server, or check its log: it must use result types that the client declares.", null);
		}
	}

	private <T> Mono<T> again(Call<T> call, InputRequired required, int round) {
		if (round >= MAX_ROUNDS) {
			return Mono.error(new SessionProtocolException(
					"The server still requests more input for " + call.name() + " after " + round + " rounds"));
		}
		if (call.options().isExpired()) {
			return Mono.error(late(call));
		}
		Mono<Map<String, Object>> answers = required.requests().isEmpty()
				? Mono.delay(FIRST_PAUSE.multipliedBy(1L << round), this.channel.scheduler()).thenReturn(Map.of())
				: Mono.deferContextual((context) -> answers(call, required, Context.of(context)));
		return answers.timeout(call.options().remaining(), Mono.error(() -> late(call)), this.channel.scheduler())
			.flatMap((values) -> {
				RuntimeException refusal = call.options().check().beforeSend();
				if (refusal != null) {
					return Mono.error(refusal);
				}
				Map<String, Object> added = new LinkedHashMap<>();
				if (!values.isEmpty()) {
					added.put("inputResponses", values);
				}
				if (required.state() != null) {
					added.put("requestState", required.state());
				}
				return round(call.with(added), round + 1, IGNORE);
			});
	}

	/**
	 * Return the result of a call that the server runs as a task, once the server has the
	 * responses to its input requests, or nothing if the task continues.
	 */
	Mono<Object> resultOf(TaskRun run, CallTask.State state) {
		Map<String, Object> values = state.values();
		requireComplete(ResultReader.type(values), "tasks/get");
		return switch (state.status()) {
			case "working" -> Mono.empty();
			case "input_required" -> Mono.deferContextual((context) -> update(run, values, Context.of(context)));
			case "completed" -> (values.get("result") instanceof Map<?, ?> result) ? Mono.just(result)
					: Mono.error(() -> new SessionProtocolException(
							"The server completed the task of " + run.call().name() + " without a result"));
			case "failed" -> Mono.error(() -> failure(run.call(), state));
			default -> Mono.error(() -> run.cancelled(state));
		};
	}

	private Mono<Object> update(TaskRun run, Map<String, Object> values, Context context) {
		InputRequired asked = InputRequired.of(values, run.call());
		Map<String, Object> answers = run.call().task().answers();
		Map<String, JSONRPCRequest> unanswered = new LinkedHashMap<>(asked.requests());
		unanswered.keySet().removeAll(answers.keySet());
		if (answers.size() + unanswered.size() > MAX_ROUNDS * MAX_REQUESTS) {
			return Mono
				.error(new SessionProtocolException("The server keeps requesting more input for " + run.call().name()));
		}
		return answers(run.call(), new InputRequired(unanswered, null), context).flatMap((more) -> {
			answers.putAll(more);
			Map<String, Object> all = new LinkedHashMap<>(answers);
			// a server repeats an input request until it has seen the response
			all.keySet().retainAll(asked.requests().keySet());
			return run.ask("update", Map.of("inputResponses", all), (transport, result) -> true);
		}).then(Mono.empty());
	}

	private static Throwable failure(Call<?> call, CallTask.State state) {
		return (state.values().get("error") instanceof Map<?, ?> error && error.get("code") instanceof Number code
				&& error.get("message") instanceof String message)
						? new McpError(new JSONRPCError(code.intValue(), message, error.get("data")))
						: new SessionProtocolException("The task of " + call.name() + " failed"
								+ (state.message().isEmpty() ? "" : ": " + state.message()));
	}

	private Mono<Map<String, Object>> answers(Call<?> call, InputRequired asked, Context context) {
		Map<String, Object> answers = new LinkedHashMap<>();
		return Flux.fromIterable(asked.requests().entrySet())
			.concatMap((entry) -> this.requests.answer(entry.getValue(), context)
				.onErrorMap((failure) -> unanswered(call, entry.getValue(), failure))
				.doOnNext((answer) -> answers.put(entry.getKey(), answer)), 0)
			.then(Mono.just(answers));
	}

	private static Throwable unanswered(Call<?> call, JSONRPCRequest input, Throwable failure) {
		if (RequestParams.isUrlElicitation(input) && failure instanceof McpError) {
			return McpError.builder(McpSchema.ErrorCodes.URL_ELICITATION_REQUIRED)
				.message("The user has to open a page first")
				.data(Map.of("elicitations", List.of(input.params())))
				.build();
		}
		String reason = (failure instanceof McpError error) ? error.getJsonRpcError().message() : failure.toString();
		return new SessionProtocolException(
				"The client could not respond to " + input.method() + ", which the server sent for " + call.name()
						+ ": " + reason,
				nextStep((failure instanceof McpError error) ? error.getJsonRpcError().code()
						: McpSchema.ErrorCodes.INTERNAL_ERROR),
				failure);
	}

	private static String nextStep(int code) {
		return switch (code) {
			case McpSchema.ErrorCodes.METHOD_NOT_FOUND ->
				"Add a handler for such requests to your application, or pass all input as arguments.";
			case McpSchema.ErrorCodes.INVALID_PARAMS ->
				"Check the server's input request, and that your application has a handler for it.";
			case IncomingRequests.REFUSED ->
				"Check your application's handler, and the server's limits below sampling and elicitation.";
			default -> "Check your application's handler for such requests, and its log.";
		};
	}

	private static Throwable late(Call<?> call) {
		return new SessionTimeoutException(call.name(), call.options().longest());
	}

	/**
	 * The input requests of the server.
	 *
	 * @param requests the requests, by the server's key of each
	 * @param state the state that the next request has, unchanged
	 */
	private record InputRequired(Map<String, JSONRPCRequest> requests, @Nullable Object state) {

		static InputRequired of(Map<String, Object> result, Call<?> call) {
			Map<String, JSONRPCRequest> requests = new LinkedHashMap<>();
			Map<String, Object> inputs = Json.objectOrNull(result.get("inputRequests"));
			if (inputs != null && inputs.size() > MAX_REQUESTS) {
				throw new SessionProtocolException("The server sent " + inputs.size() + " input requests at once for "
						+ call.name() + ", more than " + MAX_REQUESTS);
			}
			if (inputs != null) {
				inputs.forEach((key, value) -> {
					if (!(value instanceof Map<?, ?> request) || !(request.get("method") instanceof String method)) {
						throw new SessionProtocolException(
								"The server sent an input request without a method for " + call.name());
					}
					requests.put(key, new JSONRPCRequest(Printable.line(method, MAX_NAME), key, request.get("params")));
				});
			}
			return new InputRequired(requests, result.get("requestState"));
		}

	}

}
