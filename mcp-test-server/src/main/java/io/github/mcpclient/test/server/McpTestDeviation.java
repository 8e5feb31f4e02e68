package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * A deviation from the specification that occurs in existing servers, for tests of
 * clients that must support such servers. Deviations use the scripts of
 * {@link McpTestServer}.
 *
 * @see McpTestServer#deviates(McpTestDeviation...)
 */
@FunctionalInterface
public interface McpTestDeviation {

	/**
	 * Apply the deviation to a server.
	 */
	void apply(McpTestServer server);

	/**
	 * Change the format of messages on the stdout of child processes.
	 * @param message returns the text to write for the JSON of a message, including the
	 * line feed
	 * @return the deviation
	 */
	static McpTestDeviation stdout(UnaryOperator<String> message) {
		return (server) -> server.stdout(message);
	}

	/**
	 * Reject requests of a {@linkplain McpTestServer#forgetSessions() forgotten} session
	 * with another response than HTTP 404.
	 * @param reply the response to send
	 */
	static McpTestDeviation lostSession(McpTestReply reply) {
		return (server) -> server.unknownSession(reply);
	}

	/**
	 * Redirect messages to the same path with a query.
	 * @param status the HTTP status, such as 307
	 */
	static McpTestDeviation redirect(int status) {
		return (server) -> server.on("POST", (request) -> (request.query() != null) ? McpTestReply.standard()
				: McpTestReply.status(status).withHeader("Location", request.path() + "?redirected"));
	}

	/**
	 * Set the content type of each response.
	 * @param contentType the content type, empty for none
	 */
	static McpTestDeviation contentType(String contentType) {
		return (server) -> server.on("POST", McpTestReply.standard().withHeader("Content-Type", contentType));
	}

	/**
	 * Respond to {@code server/discover} with another error than an unknown method,
	 * although the server supports only the legacy protocol.
	 * @param reply the response, such as {@link McpTestReply#never()} or a status
	 */
	static McpTestDeviation discovery(McpTestReply reply) {
		return (server) -> server.on("server/discover", reply);
	}

	/**
	 * Reject {@code initialize} for other protocol versions with a custom response. A
	 * compliant server responds with a version that it supports.
	 * @param version the protocol version that is accepted
	 * @param refusal the response for other versions
	 */
	static McpTestDeviation protocolVersion(String version, McpTestReply refusal) {
		return (server) -> server.protocolVersions(version)
			.on("initialize", (request) -> version.equals(request.params().get("protocolVersion"))
					? McpTestReply.standard() : refusal);
	}

	/**
	 * Reject {@code notifications/initialized}.
	 * @param refusal the response
	 */
	static McpTestDeviation initialized(McpTestReply refusal) {
		return (server) -> server.on("notifications/initialized", refusal);
	}

	/**
	 * Announce capabilities in {@code initialize} in a custom form.
	 * @param json the JSON that replaces the capabilities, or {@code null} to omit them
	 */
	static McpTestDeviation capabilities(@Nullable String json) {
		return (server) -> server.on("initialize", (request) -> {
			Map<String, Object> result = new LinkedHashMap<>();
			result.put("protocolVersion", request.params().get("protocolVersion"));
			result.put("serverInfo", Map.of("name", "deviating", "version", "1"));
			if (json != null) {
				result.put("capabilities", Json.MAPPER.readTree(json));
			}
			return McpTestReply.result(result);
		});
	}

	/**
	 * Respond to a listing with JSON that is not an object with the list.
	 * @param method the method, such as {@code tools/list}
	 * @param json the result
	 */
	static McpTestDeviation list(String method, String json) {
		return (server) -> server.on(method, McpTestReply.result(json));
	}

}
