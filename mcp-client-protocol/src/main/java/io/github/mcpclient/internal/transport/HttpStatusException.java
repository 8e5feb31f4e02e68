package io.github.mcpclient.internal.transport;

import java.time.Duration;
import java.util.function.Function;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;

/**
 * A server responded with an HTTP status that MCP does not expect.
 */
public class HttpStatusException extends TransportException {

	// texts of servers in use: "Session not found", "Bad Request: No valid session ID
	// provided", "Invalid or missing session ID", "Session has been terminated"
	private static final Pattern SESSION_UNKNOWN = Pattern.compile(
			"\\s*(?:\\{\\s*\"\\w{1,30}\"\\s*:\\s*\")?(?:[\\w ]{1,30}: )?(?:the |your )?(?:(?:no|no valid|no such|no active|unknown|invalid|missing"
					+ "|expired|invalid or (?:missing|expired)|missing or invalid) (?:mcp[ -])?session\\b"
					+ "|(?:mcp[ -])?session(?:[ -]id)?(?: header)?(?: with ID)?[ :'\"*]*(?:(?:is|has|was|does|could) )?"
					+ "(?:been )?(?:not (?:be )?(?:found|known|valid|exist)|doesn't exist|unknown|invalid|missing|expired"
					+ "|terminated|closed)\\b)",
			Pattern.CASE_INSENSITIVE);

	private static final int MAX_STATEMENT_LENGTH = 200;

	private final int status;

	private final transient @Nullable JSONRPCError answer;

	private final @Nullable Duration retryAfter;

	private final Meaning meaning;

	/**
	 * Create an exception.
	 * @param status the HTTP status
	 * @param message what happened, a sentence without a full stop at its end
	 * @param nextStep advice for the operator, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 */
	public HttpStatusException(int status, String message, @Nullable String nextStep, boolean processed) {
		this(status, message, "", nextStep, processed, null);
	}

	/**
	 * Create an exception that has the complete text of the server.
	 * @param status the HTTP status
	 * @param summary what happened, in the client's words
	 * @param details the text of the server, which follows the summary
	 * @param nextStep advice for the operator, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 * @param retryAfter the delay that the server requests, or {@code null}
	 */
	public HttpStatusException(int status, String summary, String details, @Nullable String nextStep, boolean processed,
			@Nullable Duration retryAfter) {
		this(status, summary, details, nextStep, processed, retryAfter, false);
	}

	/**
	 * Create an exception whose meaning depends on the method of the request.
	 * @param status the HTTP status
	 * @param summary what happened, in the client's words
	 * @param details the text of the server, which follows the summary
	 * @param nextStep advice for the operator, a sentence with a full stop, or
	 * {@code null}
	 * @param processed whether the server may have acted on the request
	 * @param retryAfter the delay that the server requests, or {@code null}
	 * @param ofMethod whether the server may refuse only the method
	 */
	public HttpStatusException(int status, String summary, String details, @Nullable String nextStep, boolean processed,
			@Nullable Duration retryAfter, boolean ofMethod) {
		this(status, summary, details, nextStep, processed, null, retryAfter,
				ofMethod ? Meaning.METHOD : Meaning.STATUS);
	}

	private HttpStatusException(int status, String summary, String details, @Nullable String nextStep,
			boolean processed, @Nullable JSONRPCError answer, @Nullable Duration retryAfter, Meaning meaning) {
		super(summary, details, nextStep, processed, null);
		this.status = status;
		this.answer = answer;
		this.retryAfter = retryAfter;
		this.meaning = meaning;
		atStep((status < 300) ? StepKind.CONTENT_TYPE : (status < 400) ? StepKind.REDIRECT
				: (status == 401 || status == 403) ? StepKind.TOKEN : StepKind.HTTP);
	}

	/**
	 * Return how a gateway, such as a WAF or a CDN, refused the client.
	 * @param peer the server behind the gateway, as messages name it
	 * @param headers returns the first header of a name
	 * @param content the body of the response, or the beginning of it
	 * @return a sentence without a full stop, which quotes the gateway; {@code null} if
	 * the response may be that of the server itself
	 */
	public static @Nullable String gateway(String peer, int status, Function<String, @Nullable String> headers,
			byte[] content) {
		return GatewayPage.describe(peer, status, headers, content);
	}

	/**
	 * Return the advice for such a refusal, without a full stop.
	 * @param server the name of the server
	 */
	public static String letThrough(String server) {
		return "Configure it to allow the client by its User-Agent or address, or set "
				+ PropertyNames.ofServer(server, "headers.User-Agent") + " to an allowed value";
	}

	/**
	 * Create an exception for a session that the server does not know any more, for any
	 * status.
	 * @param status the HTTP status
	 * @param summary what happened, in the client's words
	 * @param details the text of the server, which follows the summary
	 * @param nextStep advice for the operator, or {@code null} for the most common advice
	 * @param processed whether the server may have acted on the request
	 * @param error the JSON-RPC error that ends the request, or {@code null}
	 */
	public static HttpStatusException sessionLost(int status, String summary, String details, @Nullable String nextStep,
			boolean processed, @Nullable JSONRPCError error) {
		HttpStatusException lost = new HttpStatusException(status, summary, details, nextStep, processed, error, null,
				Meaning.SESSION_LOST);
		lost.atStep(StepKind.HTTP);
		return lost;
	}

	/**
	 * Return the same with another summary, before the text of the server.
	 * @param nextStep advice for the operator, or {@code null}
	 */
	public HttpStatusException reworded(String summary, @Nullable String nextStep) {
		return new HttpStatusException(this.status, summary, details(), nextStep, isPossiblyProcessed(),
				this.retryAfter);
	}

	/**
	 * Return the text of the server, which may differ each time.
	 */
	public String details() {
		return String.valueOf(getMessage()).substring(getSummary().length());
	}

	/**
	 * Return whether the server does not know the session any more.
	 */
	public boolean isSessionLost() {
		return this.meaning == Meaning.SESSION_LOST;
	}

	/**
	 * Return whether the text of an error means that the session is unknown, rather than
	 * another problem of a session.
	 */
	public static boolean saysSessionUnknown(String text) {
		return SESSION_UNKNOWN.matcher(text.substring(0, Math.min(text.length(), MAX_STATEMENT_LENGTH))).lookingAt();
	}

	/**
	 * Return the HTTP status.
	 */
	public int getStatus() {
		return this.status;
	}

	/**
	 * Return whether the server may refuse the method alone, though the status is one of
	 * credentials or of the state of the server.
	 */
	public boolean mayRefuseMethod() {
		return this.meaning == Meaning.METHOD;
	}

	/**
	 * Return whether the server requires other credentials, and names the kind.
	 */
	public boolean isChallenge() {
		return (this.status == 401 || this.status == 403) && this.meaning != Meaning.METHOD;
	}

	/**
	 * Return the server's response if it no longer knows the session, but has responded
	 * to the request nevertheless.
	 * @return a JSON-RPC error with the ID of the request, or {@code null}
	 */
	public @Nullable JSONRPCError getAnswer() {
		return this.answer;
	}

	/**
	 * Return the {@code Retry-After} of HTTP 429 and 503.
	 * @return the delay that the server requests, not negative and not limited, or
	 * {@code null} if the server does not request any
	 */
	public @Nullable Duration getRetryAfter() {
		return this.retryAfter;
	}

	/**
	 * The meaning of a status.
	 */
	private enum Meaning {

		/** Itself. */
		STATUS,

		/** The session is lost. */
		SESSION_LOST,

		/** The method may not be known. */
		METHOD

	}

}
