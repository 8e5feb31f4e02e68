package io.github.mcpclient.internal.session;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Consumer;

import io.github.mcpclient.internal.session.CallTask.State;
import io.github.mcpclient.internal.support.SendState;
import io.modelcontextprotocol.spec.McpTransport;
import reactor.core.publisher.Mono;

/**
 * Requests the state of a task from the server, at the server's interval, until there is
 * a result (MCP 2025-11-25, {@code basic/utilities/tasks}, and the extension
 * {@code io.modelcontextprotocol/tasks} of 2026-07-28). It ends with the call, at the
 * latest.
 *
 * @param progress takes new messages
 */
record TaskRun(RequestChannel channel, WireFormat format, Call<?> call, Consumer<String> progress) {

	private static final String METHODS = "tasks/";

	private static final String CANCEL = METHODS + "cancel";

	static boolean isAbout(Call<?> call) {
		return call.method().startsWith(METHODS);
	}

	/**
	 * Return the result of the call, as it came over the transport.
	 */
	Mono<Object> result() {
		return Mono.defer(() -> look().flatMap((state) -> this.format.resultOf(this, state))).repeat().next();
	}

	private Mono<State> look() {
		State last = this.call.task().state();
		return Mono.delay(last.pause(), this.channel.scheduler())
			.then(ask("get", Map.of(), (transport, result) -> read(last, transport, result)))
			.doOnNext(this::onState);
	}

	private State read(State last, McpTransport transport, Object result) {
		State state = State.of(Json.object(transport, result, "The server's response about a task"), last.pause(),
				this.call);
		if (!state.id().equals(last.id())) {
			throw new SessionProtocolException(
					"The server responded to a request for the task of " + this.call.name() + " with another task");
		}
		return state;
	}

	void onState(State state) {
		String message = this.call.task().update(state);
		if (message != null) {
			this.progress.accept(message);
		}
	}

	/**
	 * Return the result of a task of protocol version 2025-11-25, or nothing if the task
	 * continues. The server sends its input requests while the client requests the
	 * result.
	 */
	Mono<Object> settled(State state) {
		return switch (state.status()) {
			case "working" -> Mono.empty();
			case "cancelled" -> Mono.error(cancelled(state));
			case "input_required" ->
				Mono.firstWithSignal(fetched(), Mono.defer(this::look).onErrorComplete().repeat().then(Mono.never()));
			default -> fetched();
		};
	}

	private Mono<Object> fetched() {
		return ask("result", Map.of(), (transport, result) -> result);
	}

	SessionProtocolException cancelled(State state) {
		return new SessionProtocolException("The server cancelled the task of " + this.call.name()
				+ (state.message().isEmpty() ? "" : ": " + state.message()));
	}

	/**
	 * Send a request about the task, within the limits of the call.
	 */
	<R> Mono<R> ask(String what, Map<String, Object> more, BiFunction<McpTransport, Object, R> reader) {
		return this.channel.request(about(METHODS + what, more, reader), this.format)
			.contextWrite((context) -> context.delete(SendState.class));
	}

	/**
	 * Return a request that ends the task.
	 */
	Call<?> cancellation() {
		return about(CANCEL, Map.of(), (transport, result) -> true);
	}

	private <R> Call<R> about(String method, Map<String, Object> more, BiFunction<McpTransport, Object, R> reader) {
		String id = this.call.task().state().id();
		Map<String, Object> params = new LinkedHashMap<>(Map.of("taskId", id));
		params.putAll(more);
		return Call.of(method, id, params, reader, this.call.options().longest());
	}

}
