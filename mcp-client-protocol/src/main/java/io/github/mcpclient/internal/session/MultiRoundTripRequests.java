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
 * result: each request after the first has the answers to what was asked before, and the
 * server's state as it came (revision 2026-07-28, {@code basic/patterns/mrtr}).
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
	 * @param unasked receives the result if the server has asked nothing
	 */
	<T> Mono<T> request(Call<T> call, Consumer<Object> unasked) {
		return call.options().hasBegun() ? round(call, 1, unasked)
				: Mono.defer(() -> round(call.begin(this.channel.scheduler()), 1, unasked));
	}

	@SuppressWarnings("unchecked")
	private <T> Mono<T> round(Call<T> call, int round, Consumer<Object> unasked) {
		return this.channel.request(call, (transport, result) -> read(call, transport, result, unasked), this.format)
			.flatMap((result) -> (result instanceof InputRequired asked) ? again(call, asked, round)
					: Mono.just((T) result));
	}

	private static Object read(Call<?> call, McpTransport transport, Object result, Consumer<Object> unasked) {
		String type = ResultReader.type(result);
		if (type.equals("input_required") && METHODS.contains(call.method())) {
			return InputRequired.of(Json.object(transport, result, "The server's answer to " + call.method()), call);
		}
		requireComplete(type, call.name());
		Object value = call.reader().apply(transport, result);
		unasked.accept(result);
		return value;
	}

	static void requireComplete(String type, String request) {
		if (!type.isEmpty() && !type.equals("complete")) {
			throw new SessionProtocolException(
					"The server answered " + request + " with a result of type '" + Printable.line(type, MAX_NAME)
							+ "', which this client does not know",
					"Update the server, or check its log: it must use result types that the client declares.", null);
		}
	}

	private <T> Mono<T> again(Call<T> call, InputRequired asked, int round) {
		if (round >= MAX_ROUNDS) {
			return Mono.error(new SessionProtocolException(
					"The server still asks for more input after " + round + " rounds to answer " + call.name()));
		}
		if (call.options().isExpired()) {
			return Mono.error(late(call));
		}
		Mono<Map<String, Object>> answers = asked.requests().isEmpty()
				? Mono.delay(FIRST_PAUSE.multipliedBy(1L << round), this.channel.scheduler()).thenReturn(Map.of())
				: Mono.deferContextual((context) -> answers(call, asked, Context.of(context)));
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
				if (asked.state() != null) {
					added.put("requestState", asked.state());
				}
				return round(call.with(added), round + 1, IGNORE);
			});
	}

	/**
	 * Return the result of a call that the server runs as a task, or nothing if it goes
	 * on, once it has the answers to what it asks.
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
			return Mono.error(new SessionProtocolException(
					"The server asks again and again for more input to answer " + run.call().name()));
		}
		return answers(run.call(), new InputRequired(unanswered, null), context).flatMap((more) -> {
			answers.putAll(more);
			Map<String, Object> all = new LinkedHashMap<>(answers);
			// a server asks until it has seen the answer
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

	private static Throwable unanswered(Call<?> call, JSONRPCRequest asked, Throwable failure) {
		if (RequestParams.isUrlElicitation(asked) && failure instanceof McpError) {
			return McpError.builder(McpSchema.ErrorCodes.URL_ELICITATION_REQUIRED)
				.message("The user has to open a page first")
				.data(Map.of("elicitations", List.of(asked.params())))
				.build();
		}
		String reason = (failure instanceof McpError error) ? error.getJsonRpcError().message() : failure.toString();
		return new SessionProtocolException(
				"The server asked for " + asked.method() + " to answer " + call.name() + ", and got no answer: "
						+ reason,
				nextStep((failure instanceof McpError error) ? error.getJsonRpcError().code()
						: McpSchema.ErrorCodes.INTERNAL_ERROR),
				failure);
	}

	private static String nextStep(int code) {
		return switch (code) {
			case McpSchema.ErrorCodes.METHOD_NOT_FOUND ->
				"Add a handler for such requests to the application, or call with arguments that leave nothing to ask.";
			case McpSchema.ErrorCodes.INVALID_PARAMS ->
				"Check what the server requests, and that the application has a handler for that.";
			case IncomingRequests.REFUSED ->
				"Check the application's handler, and the limits of the server below sampling and elicitation.";
			default -> "Check the application's handler for such requests, and the application's log.";
		};
	}

	private static Throwable late(Call<?> call) {
		return new SessionTimeoutException(call.name(), call.options().longest());
	}

	/**
	 * What the server asks.
	 *
	 * @param requests by the server's key of each
	 * @param state what the next request is to have, untouched
	 */
	private record InputRequired(Map<String, JSONRPCRequest> requests, @Nullable Object state) {

		static InputRequired of(Map<String, Object> result, Call<?> call) {
			Map<String, JSONRPCRequest> requests = new LinkedHashMap<>();
			Map<String, Object> asked = Json.objectOrNull(result.get("inputRequests"));
			if (asked != null && asked.size() > MAX_REQUESTS) {
				throw new SessionProtocolException("The server asks for " + asked.size() + " inputs at once to answer "
						+ call.name() + ", more than " + MAX_REQUESTS);
			}
			if (asked != null) {
				asked.forEach((key, value) -> {
					if (!(value instanceof Map<?, ?> request) || !(request.get("method") instanceof String method)) {
						throw new SessionProtocolException(
								"The server sent a request without a method to answer " + call.name());
					}
					requests.put(key, new JSONRPCRequest(Printable.line(method, MAX_NAME), key, request.get("params")));
				});
			}
			return new InputRequired(requests, result.get("requestState"));
		}

	}

}
