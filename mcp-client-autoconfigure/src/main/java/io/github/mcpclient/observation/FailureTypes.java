package io.github.mcpclient.observation;

import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;

import io.github.mcpclient.McpException;
import io.github.mcpclient.internal.session.SessionProtocolException;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.internal.transport.ResultLimit.ExceededException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * The types of failures in metrics.
 */
final class FailureTypes {

	static final String OTHER = "_OTHER";

	private static final List<Map.Entry<Class<?>, String>> TYPES = List.of(
			Map.entry(SessionTimeoutException.class, "timeout"), Map.entry(CancellationException.class, "cancelled"),
			Map.entry(ExceededException.class, "result_too_large"),
			Map.entry(SessionProtocolException.class, "protocol"),
			Map.entry(MalformedMessageException.class, "protocol"), Map.entry(TransportException.class, "connection"),
			Map.entry(McpException.class, "connection"));

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
		return TYPES.stream()
			.filter((type) -> type.getKey().isInstance(cause))
			.map(Map.Entry::getValue)
			.findFirst()
			.orElse(OTHER);
	}

	/**
	 * Return whether an error response of the client is caused by the request, and so
	 * does not count as a failure of the handler.
	 */
	static boolean isOfCaller(int code) {
		return switch (code) {
			case McpSchema.ErrorCodes.PARSE_ERROR, McpSchema.ErrorCodes.INVALID_REQUEST,
					McpSchema.ErrorCodes.METHOD_NOT_FOUND, McpSchema.ErrorCodes.INVALID_PARAMS,
					McpSchema.ErrorCodes.RESOURCE_NOT_FOUND ->
				true;
			default -> false;
		};
	}

	/**
	 * Return the error response of the server, or {@code null}.
	 */
	static @Nullable JSONRPCError error(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		return (cause instanceof McpError error) ? error.getJsonRpcError()
				: (cause instanceof HttpStatusException answer) ? answer.getAnswer() : null;
	}

}
