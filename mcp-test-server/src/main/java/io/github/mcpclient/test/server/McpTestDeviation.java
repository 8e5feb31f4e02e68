package io.github.mcpclient.test.server;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.jspecify.annotations.Nullable;

/**
 * Something that servers in use do otherwise than the specification: what a client that
 * has to talk to them is tested with. All are made of what {@link McpTestServer} can be
 * scripted to do.
 *
 * @see McpTestServer#deviates(McpTestDeviation...)
 */
@FunctionalInterface
public interface McpTestDeviation {

	/**
	 * Have a server do it, from now on.
	 */
	void apply(McpTestServer server);

	/**
	 * Write something else than one message a line to the stdout of child processes.
	 * @param message makes what is written of the JSON of a message, with the line feed
	 * if it is to have one
	 * @return the deviation
	 */
	static McpTestDeviation stdout(UnaryOperator<String> message) {
		return (server) -> server.stdout(message);
	}

	/**
	 * Refuse a session that the server has {@linkplain McpTestServer#forgetSessions()
	 * forgotten} otherwise than with HTTP 404.
	 * @param reply what is answered instead
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
	 * Label each answer with a content type, whatever it is.
	 * @param contentType the content type, empty for none
	 */
	static McpTestDeviation contentType(String contentType) {
		return (server) -> server.on("POST", McpTestReply.standard().withHeader("Content-Type", contentType));
	}

	/**
	 * Answer {@code server/discover} otherwise than as an unknown method, though only
	 * revisions with sessions are spoken.
	 * @param reply what is answered, such as {@link McpTestReply#never()} or a status
	 */
	static McpTestDeviation discovery(McpTestReply reply) {
		return (server) -> server.on("server/discover", reply);
	}

	/**
	 * Refuse {@code initialize} of all revisions but one in a form of the server's own,
	 * rather than answer with the revision that it speaks.
	 * @param version the revision that is accepted
	 * @param refusal how others are refused
	 */
	static McpTestDeviation protocolVersion(String version, McpTestReply refusal) {
		return (server) -> server.protocolVersions(version)
			.on("initialize", (request) -> version.equals(request.params().get("protocolVersion"))
					? McpTestReply.standard() : refusal);
	}

	/**
	 * Refuse {@code notifications/initialized}.
	 * @param refusal how it is refused
	 */
	static McpTestDeviation initialized(McpTestReply refusal) {
		return (server) -> server.on("notifications/initialized", refusal);
	}

	/**
	 * Announce capabilities in {@code initialize} in a form of the server's own.
	 * @param json what is there in place of the capabilities, or {@code null} for nothing
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
	 * Answer a listing with something else than an object that has the list.
	 * @param method the method, such as {@code tools/list}
	 * @param json the result
	 */
	static McpTestDeviation list(String method, String json) {
		return (server) -> server.on(method, McpTestReply.result(json));
	}

}
