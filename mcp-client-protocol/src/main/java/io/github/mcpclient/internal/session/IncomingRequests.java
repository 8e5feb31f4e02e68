package io.github.mcpclient.internal.session;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import io.github.mcpclient.internal.session.RequestObserver.ObservedAnswer;
import io.github.mcpclient.internal.support.CallOrigin;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Monos;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.SendState;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The pending requests of the server. The server may cancel them, and the end of the
 * session does.
 */
final class IncomingRequests {

	private static final Logger logger = LoggerFactory.getLogger(IncomingRequests.class);

	private static final int MAX_NAME = 100;

	private static final String RELATED_TASK = ProtocolNames.PREFIX + "related-task";

	static final int REFUSED = -32000;

	private final ServerRequests requests;

	private final RequestChannel channel;

	private final String serverName;

	// the memory that pending requests take
	private final MemoryBudget memory;

	private final Map<Object, Disposable> pending = new ConcurrentHashMap<>();

	IncomingRequests(ServerRequests requests, RequestChannel channel, String serverName) {
		this.requests = requests;
		this.channel = channel;
		this.serverName = serverName;
		this.memory = MemoryBudget.of(serverName);
	}

	void receive(JSONRPCRequest request, ContextView call) {
		Context context = Context.of(call).delete(SendState.class);
		if (McpSchema.METHOD_PING.equals(request.method())) {
			this.channel.respond(JSONRPCResponse.result(request.id(), Map.of()), context);
			return;
		}
		Disposable.Swap task = Disposables.swap();
		Mono<Object> answer = (this.pending.putIfAbsent(request.id(), task) == null) ? answer(request, context)
				: Mono.error(RequestParams.error(McpSchema.ErrorCodes.INVALID_REQUEST, "The request ID is in use"));
		task.update(answer.map((result) -> JSONRPCResponse.result(request.id(), related(request, result)))
			.onErrorResume((failure) -> Mono.just(JSONRPCResponse.error(request.id(), error(failure))))
			.doFinally((signal) -> this.pending.remove(request.id(), task))
			.subscribe((response) -> this.channel.respond(response, context)));
		if (this.channel.terminationCause() != null) {
			task.dispose();
		}
	}

	// the response to an input request of a task names the task
	private Object related(JSONRPCRequest request, Object result) {
		String task = Json.textAt(request.params(), "_meta", RELATED_TASK, "taskId");
		if (task.isEmpty()) {
			return result;
		}
		Map<String, Object> answer = new LinkedHashMap<>(
				Json.object(this.channel.transport(), result, "The result of a handler"));
		Map<String, Object> given = Json.objectOrNull(answer.get("_meta"));
		Map<String, Object> related = new LinkedHashMap<>((given != null) ? given : Map.of());
		related.put(RELATED_TASK, Map.of("taskId", task));
		answer.put("_meta", related);
		return answer;
	}

	/**
	 * Respond to a request, within the context of the call that led to it if any.
	 */
	Mono<Object> answer(JSONRPCRequest request, Context context) {
		long size = MemoryBudget.sizeOf(request.params());
		// always released: observers and handlers are application code
		return Mono.using(() -> this.memory.take(size),
				(taken) -> taken ? Monos.guarded(() -> answerNow(request, context))
						: Mono.error(RequestParams.error(REFUSED, "Too many requests are pending")),
				(taken) -> this.memory.give(taken ? size : 0));
	}

	private Mono<Object> answerNow(JSONRPCRequest request, Context context) {
		Context caller = context.hasKey(CallOrigin.class) ? context
				: context.put(CallOrigin.class, new CallOrigin(null, this.channel::deepest));
		List<ObservedAnswer> observed = this.channel.observe(request, caller);
		for (ObservedAnswer one : observed) {
			caller = one.within(caller);
		}
		Mono<?> answer = this.requests.answer(request, caller);
		if (answer == null) {
			String method = Printable.line(request.method(), MAX_NAME);
			logger.debug("Refused request {} of MCP server '{}'", method, this.serverName);
			answer = Mono
				.error(RequestParams.error(McpSchema.ErrorCodes.METHOD_NOT_FOUND, "Method not found: " + method));
		}
		Mono<Object> end = answer.cast(Object.class);
		for (ObservedAnswer one : observed) {
			end = end.doOnNext((result) -> one.answered(null))
				.doOnError((failure) -> one.answered(error(failure)))
				.doOnCancel(one::cancelled);
		}
		return end;
	}

	private JSONRPCError error(Throwable failure) {
		if (failure instanceof McpError error) {
			return error.getJsonRpcError();
		}
		logger.debug("Could not respond to a request of MCP server '{}'", this.serverName, failure);
		return new JSONRPCError(McpSchema.ErrorCodes.INTERNAL_ERROR, "Internal error");
	}

	void cancel(@Nullable Object id) {
		Disposable task = (id != null) ? this.pending.get(id) : null;
		if (task != null) {
			task.dispose();
		}
	}

	void terminate() {
		this.pending.values().forEach(Disposable::dispose);
	}

}
