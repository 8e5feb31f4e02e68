package io.github.mcpclient;

import java.util.List;

import io.github.mcpclient.handler.McpElicitationHandler;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.ErrorCodes;
import org.jspecify.annotations.Nullable;

/**
 * Thrown if the server rejects a request until the user has completed a step in a browser
 * (error {@code -32042}). It is thrown if no {@link McpElicitationHandler} for URLs
 * supports the server, the user declined, or the server did not report the completion
 * within the timeout of the call. After the user has completed the step, make the call
 * again.
 */
public class McpUrlElicitationRequiredException extends McpProtocolException {

	private final transient List<ElicitUrlRequest> elicitations;

	/**
	 * Create an exception.
	 * @param request the request, such as {@code tools/call echo}
	 * @param data additional data of the error, or {@code null}
	 */
	public McpUrlElicitationRequiredException(String serverName, String request, String errorMessage,
			@Nullable Object data, List<ElicitUrlRequest> elicitations) {
		super(serverName, request, ErrorCodes.URL_ELICITATION_REQUIRED, errorMessage, data);
		this.elicitations = List.copyOf(elicitations);
	}

	/**
	 * Return the pages that the user has to open, as the server sent them. The URLs use
	 * http or https, and have not been contacted.
	 */
	public List<ElicitUrlRequest> getElicitations() {
		return this.elicitations;
	}

}
