package io.github.mcpclient.internal.transport;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.spi.TransportException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.TokenStreamLocation;

/**
 * Text of a server that is not a JSON-RPC message. The message has the reason, without a
 * quotation until it is known {@linkplain #quoting which secrets} it may hold.
 */
public class MalformedMessageException extends TransportException {

	private static final int EXCERPT = 200;

	private final String reason;

	// in characters, -1 if it is JSON
	private final long position;

	private final String text;

	private final @Nullable Object requestId;

	MalformedMessageException(String reason) {
		this(reason, "", -1, "", null);
	}

	MalformedMessageException(String reason, TokenStreamLocation location) {
		this(reason, "", Math.max(0, location.getCharOffset()), "", null);
	}

	private MalformedMessageException(String reason, String details, long position, String text,
			@Nullable Object requestId) {
		super("The server sent something that is not a JSON-RPC message: " + reason, details,
				"Check that it is an MCP server, and of a supported version.", true, null);
		this.reason = reason + details;
		this.position = position;
		this.text = text;
		this.requestId = requestId;
		atStep(McpServerStatus.StepKind.PROTOCOL);
	}

	/**
	 * Return the same for the text that the server sent.
	 * @param requestId the ID of the request that it responds to, if known
	 */
	MalformedMessageException of(String text, @Nullable Object requestId) {
		return new MalformedMessageException(this.reason, "", this.position, text, requestId);
	}

	/**
	 * Return the same with the place, and the beginning of the text without secrets, in
	 * its message.
	 */
	public MalformedMessageException quoting(Secrets secrets) {
		String place = isSyntax() ? " at character " + this.position : "";
		return new MalformedMessageException(this.reason,
				place + ". It begins with: " + secrets.line(this.text, EXCERPT), -1, "", this.requestId);
	}

	/**
	 * Return whether the text is not JSON.
	 */
	public boolean isSyntax() {
		return this.position != -1;
	}

	/**
	 * Return the ID of the request that it responds to, regardless of its errors.
	 * @return the ID, or {@code null} if it is unknown
	 */
	public @Nullable Object getAnswered() {
		return this.requestId;
	}

	/**
	 * Return the reason.
	 * @return the reason
	 */
	public String getReason() {
		return this.reason;
	}

}
