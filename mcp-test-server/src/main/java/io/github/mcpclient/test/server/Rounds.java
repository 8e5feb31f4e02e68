package io.github.mcpclient.test.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests with the response {@code input_required}, to validate repeated requests.
 */
final class Rounds {

	private final Set<Round> rounds = ConcurrentHashMap.newKeySet();

	/**
	 * Begin a round if the reply has input requests.
	 * @return an error if the client does not support the requests, or {@code null}
	 */
	@Nullable McpTestReply begin(McpTestRequest request, McpTestReply reply) {
		JsonNode result = reply.json();
		if (result != null && result.path("resultType").asString("").equals("input_required")) {
			this.rounds.add(round(request, result));
			return reply.isWritten() ? null : StatelessProtocol.missing(request, result.path("inputRequests"), false);
		}
		boolean task = reply.taskWork() != null;
		return task ? StatelessProtocol.missing(request, MissingNode.getInstance(), true) : null;
	}

	/**
	 * Return the error for a repeated request with an unknown state, otherwise
	 * {@code null}.
	 */
	@Nullable McpTestReply refusal(McpTestRequest request) {
		JsonNode params = request.message().path("params");
		boolean again = !request.method().equals("tasks/update")
				&& (params.has("inputResponses") || params.has("requestState"));
		return (again && !this.rounds.contains(round(request, params)))
				? McpTestReply.error(-32602, "Not the requestState of the response to this request") : null;
	}

	void clear() {
		this.rounds.clear();
	}

	private static Round round(McpTestRequest request, JsonNode state) {
		JsonNode params = request.message().path("params").deepCopy();
		if (params instanceof ObjectNode object) {
			object.remove(Set.of("_meta", "inputResponses", "requestState"));
		}
		return new Round(request.method(), params, state.path("requestState"));
	}

	/**
	 * One response with {@code input_required}.
	 *
	 * @param method the method of the request
	 * @param params the original parameters
	 * @param state the state of the response, may be missing
	 */
	private record Round(String method, JsonNode params, JsonNode state) {
	}

}
