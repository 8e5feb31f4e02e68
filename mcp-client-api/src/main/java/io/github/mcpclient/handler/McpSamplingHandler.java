package io.github.mcpclient.handler;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;

/**
 * Strategy interface for handlers that generate messages with a language model when a
 * server requests them ({@code sampling/createMessage}). A bean of this type, or a method
 * with {@link McpSampling @McpSampling}, handles the requests of the servers that it
 * {@linkplain #supports supports}. If several handlers support a server, the first in
 * {@code @Order} order is used, beans before methods. The client declares the sampling
 * capability to these servers only.
 *
 * <p>
 * Handlers are called concurrently, on threads that may block, within
 * {@code sampling.timeout}; a thread that takes longer, or whose request is cancelled, is
 * interrupted. The text of a request comes from the server: if the result matters, a
 * handler should let a human review the request.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/client/sampling">Sampling</a>
 */
@FunctionalInterface
public interface McpSamplingHandler {

	/**
	 * Generate a message.
	 * @param request the server's request; its {@code maxTokens} does not exceed the
	 * server's {@code sampling.max-tokens}
	 * @return the message
	 * @throws McpError to respond with its code and message; any other exception is
	 * logged, and the server gets an error without details
	 */
	CreateMessageResult createMessage(CreateMessageRequest request, McpHandlerContext context);

	/**
	 * Return whether this handler supports a server. Called for each attempt to connect.
	 */
	default boolean supports(McpServerDefinition server) {
		return true;
	}

}
