package io.github.mcpclient.test.server;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Which requests the server has answered with {@code input_required}, so that it knows
 * those that come again.
 */
final class Rounds {

	private final Set<Round> rounds = ConcurrentHashMap.newKeySet();

	/**
	 * Begin a round if the reply asks for something.
	 * @return the reply instead, if the client could not answer, or {@code null}
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
	 * Return the reply to a request that comes again with a state that it was not given,
	 * {@code null} for all else.
	 */
	@Nullable McpTestReply refusal(McpTestRequest request) {
		JsonNode params = request.message().path("params");
		boolean again = !request.method().equals("tasks/update")
				&& (params.has("inputResponses") || params.has("requestState"));
		return (again && !this.rounds.contains(round(request, params)))
				? McpTestReply.error(-32602, "Not the requestState that this request was answered with") : null;
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
	 * One answer.
	 *
	 * @param method the method of the request
	 * @param params its parameters, as they were at first
	 * @param state the state that it was given, missing where it was none
	 */
	private record Round(String method, JsonNode params, JsonNode state) {
	}

}
