package io.github.mcpclient.observation;

import java.util.concurrent.CancellationException;

import io.github.mcpclient.McpException;
import io.github.mcpclient.session.SessionProtocolException;
import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.MalformedMessageException;
import io.github.mcpclient.transport.ResultTooLargeException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * The classes of failures that metrics tell apart.
 */
final class FailureTypes {

	static final String OTHER = "_OTHER";

	private FailureTypes() {
	}

	static String of(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		JSONRPCError error = error(failure);
		if (error != null) {
			return String.valueOf(error.code());
		}
		if (cause instanceof HttpStatusException answer) {
			return String.valueOf(answer.getStatus());
		}
		if (cause instanceof SessionTimeoutException) {
			return "timeout";
		}
		if (cause instanceof CancellationException) {
			return "cancelled";
		}
		if (cause instanceof ResultTooLargeException) {
			return "result_too_large";
		}
		if (cause instanceof SessionProtocolException || cause instanceof MalformedMessageException) {
			return "protocol";
		}
		return (cause instanceof TransportException || cause instanceof McpException) ? "connection" : OTHER;
	}

	/**
	 * Returns the error that the server answered with, if it did.
	 */
	static @Nullable JSONRPCError error(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		if (cause instanceof HttpStatusException answer) {
			return answer.getAnswer();
		}
		return (cause instanceof McpError error) ? error.getJsonRpcError() : null;
	}

}
