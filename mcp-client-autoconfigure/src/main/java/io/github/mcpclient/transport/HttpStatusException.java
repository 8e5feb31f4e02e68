package io.github.mcpclient.transport;

import org.jspecify.annotations.Nullable;

/**
 * A server answered with an HTTP status that is not what MCP asks for.
 */
public class HttpStatusException extends TransportException {

	private final int status;

	/**
	 * Create an exception.
	 * @param status the HTTP status
	 * @param message what happened, a sentence without a full stop at its end
	 * @param nextStep what the operator can do, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 */
	public HttpStatusException(int status, String message, @Nullable String nextStep, boolean processed) {
		this(status, message, "", nextStep, processed);
	}

	/**
	 * Create an exception that quotes the server.
	 * @param status the HTTP status
	 * @param summary what happened, in words of ours
	 * @param details what follows: what the server said
	 * @param nextStep what the operator can do, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 */
	HttpStatusException(int status, String summary, String details, @Nullable String nextStep, boolean processed) {
		super(summary, details, nextStep, processed, null);
		this.status = status;
	}

	/**
	 * Return the HTTP status.
	 * @return the status, such as 401
	 */
	public int getStatus() {
		return this.status;
	}

}
