package io.github.mcpclient.handler;

import io.github.mcpclient.definition.McpServerDefinition;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageRequest;
import io.modelcontextprotocol.spec.McpSchema.CreateMessageResult;

/**
 * Generates messages with a language model for servers that ask for it
 * ({@code sampling/createMessage}). A bean of this type, or a method with
 * {@link McpSampling @McpSampling}, serves the servers that it {@linkplain #supports
 * supports}. If several support a server, the first in {@code @Order} order answers,
 * beans before methods. Only these servers learn that the client supports sampling.
 *
 * <p>
 * Handlers are called concurrently, on threads that may block, within
 * {@code sampling.timeout}; a thread that takes longer, or whose request is cancelled, is
 * interrupted. The text of a request is the server's: a handler should let a human review
 * it where the result matters.
 *
 * @see <a href=
 * "https://modelcontextprotocol.io/specification/2025-11-25/client/sampling">Sampling</a>
 */
@FunctionalInterface
public interface McpSamplingHandler {

	/**
	 * Generate a message.
	 * @param request the server's request, whose {@code maxTokens} is within the server's
	 * {@code sampling.max-tokens}
	 * @return the message
	 * @throws McpError to answer with its code and message; any other exception is
	 * logged, and answered without details
	 */
	CreateMessageResult createMessage(CreateMessageRequest request, McpHandlerContext context);

	/**
	 * Return whether this handler serves a server. Called for each attempt to connect.
	 */
	default boolean supports(McpServerDefinition server) {
		return true;
	}

}
