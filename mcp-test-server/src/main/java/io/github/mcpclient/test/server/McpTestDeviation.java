package io.github.mcpclient.test.server;

import java.util.function.UnaryOperator;

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

}
