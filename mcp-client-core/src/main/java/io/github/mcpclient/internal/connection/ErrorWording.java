package io.github.mcpclient.internal.connection;

import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.RequestParams;
import io.github.mcpclient.internal.session.SessionProtocolException;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.internal.transport.ResultLimit.ExceededException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * Describes the failures of one server for its operator: what happened, and what to do
 * next, without secrets and names of classes.
 */
final class ErrorWording {

	private static final Pattern CLASS_NAME = Pattern.compile("\\b[a-z]\\w*(\\.\\w+)*\\.[A-Z]\\w*(Exception|Error)\\b");

	private static final int LONGEST_TEXT = 2000;

	private static final String FIRST_START = "first-start-timeout";

	private static final String REQUEST = "request-timeout";

	private final McpServerDefinition definition;

	private final Secrets secrets;

	private final String target;

	// the properties that other parts of the client name, if code defines the server
	private final @Nullable Pattern property;

	/**
	 * Create the wording for a server.
	 * @param configured whether the server has properties
	 */
	ErrorWording(McpServerDefinition definition, boolean configured) {
		this.definition = definition;
		this.property = configured ? null : Pattern.compile(
				Pattern.quote(PropertyNames.ofServer(definition.name(), "")) + "\\.(\\w[\\w-]*(?:\\.\\w[\\w-]*)*)");
		this.secrets = McpServerSecrets.of(definition);
		this.target = definition.target();
	}

	String serverName() {
		return this.definition.name();
	}

	String server() {
		return "MCP server '" + this.definition.name() + "' (" + this.target + ")";
	}

	/**
	 * Describe a failure in one line.
	 */
	String describe(Throwable failure, String request) {
		String message = problem(failure, request);
		String end = (message.endsWith(".") || message.endsWith("!") || message.endsWith("?")) ? " " : ". ";
		return message + end + advice(failure, request);
	}

	String problem(Throwable failure, String request) {
		return line(message(Exceptions.unwrap(failure), request));
	}

	String advice(Throwable failure, String request) {
		return line(nextStep(Exceptions.unwrap(failure), request));
	}

	/**
	 * Convert the failure of a request to the exception that callers see.
	 * @param raise the setting to raise if the request needs longer, or {@code null} for
	 * the most common one
	 * @param unprocessed whether the server cannot have acted on the request, or on an
	 * earlier one that it repeats
	 */
	McpException toException(Throwable failure, String request, Duration timeout, @Nullable String raise,
			boolean unprocessed) {
		Throwable cause = Exceptions.unwrap(failure);
		if (cause instanceof McpServerUnavailableException ended) {
			return (ended.isOutcomeKnown() == unprocessed) ? ended
					: new McpServerUnavailableException(ended.getStatus(), unprocessed);
		}
		if (cause instanceof McpException exception) {
			return exception;
		}
		if (cause instanceof SessionTimeoutException expired) {
			return new McpRequestTimeoutException(this.definition.name(), request, timeout, expired.isCancelled(),
					unprocessed, raise);
		}
		if (cause instanceof HttpStatusException lost && lost.getAnswer() != null) {
			return toException(new McpError(lost.getAnswer()), request, timeout, null, unprocessed);
		}
		if (cause instanceof McpError error) {
			JSONRPCError details = error.getJsonRpcError();
			List<ElicitUrlRequest> elicitations = RequestParams.elicitations(details, this.definition);
			if (elicitations != null) {
				return new McpUrlElicitationRequiredException(this.definition.name(), request,
						this.secrets.mask(text(error)), details.data(), elicitations);
			}
			return new McpProtocolException(this.definition.name(), request, details.code(),
					this.secrets.mask(text(error)), details.data());
		}
		if (cause instanceof ExceededException tooLarge) {
			return new McpResultTooLargeException(this.definition.name(), request, tooLarge.getLimit());
		}
		return new McpConnectionException(this.definition.name(), server() + ": " + describe(cause, request),
				unprocessed, this.secrets.mask(cause));
	}

	/**
	 * Convert a failure that is not the failure of a call.
	 */
	McpException toException(Throwable failure, String request) {
		if (!(Exceptions.unwrap(failure) instanceof SessionTimeoutException expired)) {
			return toException(failure, request, this.definition.timeouts().request(), null,
					FailureKind.isUnprocessed(failure));
		}
		String setting = setting(expired);
		return toException(failure, request, expired.getTimeout(),
				setting.equals(REQUEST) ? null : property() + "." + setting, expired.isUnsent());
	}

	/**
	 * Convert the end of a connection to the failure of the pending requests. The details
	 * of the one request that detected the end (it was rejected, or timed out) need not
	 * apply to the others.
	 */
	Throwable forPendingRequests(Throwable cause) {
		Throwable failure = Exceptions.unwrap(cause);
		if (failure instanceof McpException
				|| (failure instanceof TransportException exception && exception.isPossiblyProcessed())) {
			return failure;
		}
		String message = (failure instanceof SessionTimeoutException) ? "The server no longer responds"
				: line(message(failure, "a request"));
		return new TransportException(message, nextStep(failure, "a request"), failure);
	}

	/**
	 * Convert the end of a connection to the failure of the requests that were not sent.
	 */
	Throwable forUnsentRequests(Throwable cause) {
		Throwable failure = forPendingRequests(cause);
		return (failure instanceof TransportException end) ? end.notSent()
				: (failure instanceof McpServerUnavailableException end)
						? new McpServerUnavailableException(end.getStatus()) : cause;
	}

	List<String> lines(List<String> lines) {
		return lines.stream().map(this::line).toList();
	}

	String masked(String text) {
		return this.secrets.mask(text);
	}

	String line(String text) {
		String line = Redaction.urls(this.secrets.line(text, LONGEST_TEXT));
		return (this.property != null) ? this.property.matcher(line).replaceAll("'$1' of its definition") : line;
	}

	private static String message(Throwable cause, String request) {
		if (cause instanceof McpError error) {
			return "The server refused " + request + " with error " + error.getJsonRpcError().code() + ": "
					+ text(error);
		}
		if (cause instanceof McpTransportSessionNotFoundException) {
			return "The server no longer knows the session";
		}
		boolean ours = cause instanceof TransportException || cause instanceof SessionTimeoutException
				|| cause instanceof SessionProtocolException;
		Throwable telling = (ours && hasMessage(cause)) ? cause : mostTelling(cause);
		String message = telling.getMessage();
		if (telling instanceof UnknownHostException && message != null && message.indexOf(' ') == -1) {
			return "Unknown host: " + message;
		}
		return (message != null && !message.isBlank()) ? message : words(telling);
	}

	/**
	 * Return the innermost cause that has a message, or a wrapper with the same message
	 * and more details.
	 */
	private static Throwable mostTelling(Throwable failure) {
		return FailureKind.causes(failure)
			.reduce(failure,
					(telling, cause) -> (!hasMessage(telling) || (hasMessage(cause) && !saysMore(telling, cause)))
							? cause : telling);
	}

	private static boolean saysMore(Throwable telling, Throwable cause) {
		String message = String.valueOf(telling.getMessage());
		return message.contains(String.valueOf(cause.getMessage())) && !CLASS_NAME.matcher(message).find();
	}

	private static boolean hasMessage(Throwable failure) {
		String message = failure.getMessage();
		Throwable cause = failure.getCause();
		// the message of a pure wrapper is the name of another class
		return message != null && !message.isBlank() && (cause == null || !message.equals(cause.toString()));
	}

	/**
	 * Convert {@code ClosedChannelException} to "Closed channel".
	 */
	private static String words(Throwable failure) {
		String name = failure.getClass().getSimpleName().replaceAll("(Exception|Error)$", "");
		String words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT).strip();
		return (words.isEmpty()) ? "Unknown failure" : Character.toUpperCase(words.charAt(0)) + words.substring(1);
	}

	private String nextStep(Throwable cause, String request) {
		String known = (cause instanceof TransportException failure) ? failure.getNextStep()
				: (cause instanceof SessionProtocolException failure) ? failure.getNextStep() : null;
		if (known != null) {
			return known;
		}
		if (cause instanceof SessionTimeoutException timeout) {
			return nextStep(timeout, setting(timeout));
		}
		if (cause instanceof CancellationException) {
			return "The application is stopping, the server was removed, replaced, disabled or reconnected, or the"
					+ " connection of its user has ended.";
		}
		if (FailureKind.isSessionLost(cause)) {
			return "It may have been restarted.";
		}
		if (cause instanceof HttpStatusException) {
			return "Check the log of the server, or of the gateway in front of it.";
		}
		if (cause instanceof McpError refusal && McpSession.isHandshake(request)
				&& (ProtocolRevisions.Refusal.isMeant(refusal.getJsonRpcError().code(), text(refusal))
						|| refusal.getJsonRpcError().code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND)) {
			return ProtocolRevisions.Refusal.nextStep(this.definition.protocol());
		}
		if (cause instanceof McpError
				|| (cause instanceof SessionProtocolException && !McpSession.isHandshake(request))) {
			return "Check the server's log.";
		}
		Stdio stdio = this.definition.stdio();
		return "Check " + property() + ((stdio != null) ? (stdio.packageName() != null) ? ".package." : ".command."
				: (this.definition.http() != null) ? ".url, and that the server is running." : ".");
	}

	private String nextStep(SessionTimeoutException timeout, String setting) {
		String problem = setting.equals(FIRST_START)
				? "It may still have been downloading: run " + this.target + " once manually"
				: timeout.getRequest().equals(McpSession.PING) ? "Check that " + this.target + " is alive"
						: McpSession.isHandshake(timeout.getRequest())
								? "Check that " + this.target + " is an MCP server"
								: "The server has responded before: check why it is slow";
		return problem + ", or raise " + property() + "." + setting + ".";
	}

	private String setting(SessionTimeoutException timeout) {
		if (new FirstStart(this.definition).notice(timeout.getTimeout()) != null) {
			return FIRST_START;
		}
		if (timeout.getRequest().equals(McpSession.PING)) {
			return "keep-alive-interval";
		}
		return (McpSession.isHandshake(timeout.getRequest())
				|| timeout.getTimeout().equals(this.definition.timeouts().initialization())) ? "initialization-timeout"
						: REQUEST;
	}

	private String property() {
		return PropertyNames.ofServer(this.definition.name(), "");
	}

	private static String text(McpError error) {
		String message = error.getJsonRpcError().message();
		return (!message.isBlank()) ? message : "(no message)";
	}

}
