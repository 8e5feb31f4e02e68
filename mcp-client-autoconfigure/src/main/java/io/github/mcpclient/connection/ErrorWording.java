package io.github.mcpclient.connection;

import java.io.IOException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.session.SessionProtocolException;
import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.support.Redaction;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.ResultTooLargeException;
import io.github.mcpclient.transport.TransportException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportException;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * Words the failures of one server for its operator: what happened, and what to do next.
 * Without secrets and without names of classes.
 */
final class ErrorWording {

	private static final Pattern CLASS_NAME = Pattern.compile("\\b[a-z]\\w*(\\.\\w+)*\\.[A-Z]\\w*(Exception|Error)\\b");

	/**
	 * How servers answer that do not know the session; some say so with 400, or an error
	 * of JSON-RPC alone.
	 */
	private static final Set<Integer> SESSION_LOST = Set.of(200, 400, 404);

	private static final int LONGEST_TEXT = 2000;

	private final McpServerDefinition definition;

	private final Secrets secrets;

	private final String target;

	ErrorWording(McpServerDefinition definition) {
		this.definition = definition;
		this.secrets = McpServerSecrets.of(definition);
		this.target = definition.target();
	}

	/**
	 * Return the server as messages name it, with its target.
	 */
	String server() {
		return "MCP server '" + this.definition.name() + "' (" + this.target + ")";
	}

	/**
	 * Describe a failure in one line: what happened, and the next step.
	 */
	String describe(Throwable failure, String request) {
		Throwable cause = unwrap(failure);
		String message = line(message(cause, request));
		String end = (message.endsWith(".") || message.endsWith("!") || message.endsWith("?")) ? " " : ". ";
		return message + end + line(nextStep(cause, request));
	}

	/**
	 * Turn the failure of a request into the exception that callers see.
	 */
	McpException toException(Throwable failure, String request, Duration timeout) {
		Throwable cause = unwrap(failure);
		if (cause instanceof McpException exception) {
			return exception;
		}
		if (cause instanceof SessionTimeoutException) {
			return new McpRequestTimeoutException(this.definition.name(), request, timeout);
		}
		if (cause instanceof HttpStatusException lost && lost.getAnswer() != null) {
			return toException(new McpError(lost.getAnswer()), request, timeout);
		}
		if (cause instanceof McpError error) {
			JSONRPCError details = error.getJsonRpcError();
			return new McpProtocolException(this.definition.name(), request, details.code(),
					this.secrets.mask(text(error)), details.data());
		}
		if (cause instanceof ResultTooLargeException tooLarge) {
			return new McpResultTooLargeException(this.definition.name(), request, tooLarge.getLimit());
		}
		return new McpConnectionException(this.definition.name(), server() + ": " + describe(cause, request),
				isUnprocessed(cause), this.secrets.mask(cause));
	}

	/**
	 * Turn the end of a connection into the failure of the requests that were under way.
	 * What is true of the one request that met the end (the server refused to look at it,
	 * or did not answer it in time) need not be true of the others.
	 */
	Throwable forPendingRequests(Throwable cause) {
		Throwable failure = unwrap(cause);
		if (failure instanceof McpException
				|| (failure instanceof TransportException exception && exception.isPossiblyProcessed())) {
			return failure;
		}
		// what a ping met says nothing of what became of the others
		String message = (failure instanceof SessionTimeoutException) ? "The server has stopped answering"
				: line(message(failure, "a request"));
		return new TransportException(message, nextStep(failure, "a request"), failure);
	}

	/**
	 * Turn the end of a connection into the failure of the requests that were not sent.
	 */
	Throwable forUnsentRequests(Throwable cause) {
		return (forPendingRequests(cause) instanceof TransportException end) ? end.notSent() : cause;
	}

	List<String> lines(List<String> lines) {
		return lines.stream().map(this::line).toList();
	}

	String line(String text) {
		return Redaction.urls(this.secrets.line(text, LONGEST_TEXT));
	}

	/**
	 * Return whether the server cannot have acted on the request that failed.
	 */
	static boolean isUnprocessed(Throwable failure) {
		Throwable cause = unwrap(failure);
		return (cause instanceof TransportException exception && !exception.isPossiblyProcessed())
				|| cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Return whether a server that ended a connection is there all the same, so that
	 * there is no reason to wait: it does not know the session any more, most often. A
	 * refused connection was not processed either, but proves the contrary.
	 */
	static boolean isServerThere(Throwable failure) {
		Throwable cause = unwrap(failure);
		return cause instanceof HttpStatusException || cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Return how long a server asks to wait that refused a request for now, if it does.
	 */
	static @Nullable Duration retryAfter(Throwable failure) {
		return (unwrap(failure) instanceof HttpStatusException answer) ? answer.getRetryAfter() : null;
	}

	/**
	 * Return whether something answered a request, be it a gateway.
	 */
	static boolean isStatus(Throwable failure) {
		return unwrap(failure) instanceof HttpStatusException;
	}

	/**
	 * Return whether a request failed for want of a connection, rather than by an answer
	 * or its absence.
	 */
	static boolean isConnectionFailure(Throwable failure) {
		Throwable cause = unwrap(failure);
		if (cause instanceof HttpStatusException) {
			return isSessionLost(cause);
		}
		return !(cause instanceof SessionTimeoutException || cause instanceof SessionProtocolException
				|| cause instanceof McpError || cause instanceof McpException
				|| cause instanceof ResultTooLargeException);
	}

	/**
	 * Return whether an exchange was cut off or could not begin, which may be the trouble
	 * of one network connection, or the end of the server.
	 */
	static boolean isCutOff(Throwable failure) {
		Throwable cause = unwrap(failure);
		if (!(cause instanceof TransportException)) {
			return false;
		}
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (cause instanceof IOException) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	/**
	 * Return whether a message could not be sent, for transports that tell of nothing
	 * else.
	 */
	static boolean isTransportFailure(Throwable failure) {
		Throwable cause = unwrap(failure);
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (cause instanceof McpTransportException || cause instanceof McpTransportSessionNotFoundException
					|| cause instanceof IOException) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	private static Throwable unwrap(Throwable failure) {
		return Exceptions.unwrap(failure);
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
	 * Return the innermost cause that has something to say, or one around it that says it
	 * in other words and more.
	 */
	private static Throwable mostTelling(Throwable failure) {
		Throwable telling = failure;
		Throwable cause = failure.getCause();
		for (int depth = 0; cause != null && depth < 20; depth++) {
			if (!hasMessage(telling) || (hasMessage(cause) && !saysMore(telling, cause))) {
				telling = cause;
			}
			cause = cause.getCause();
		}
		return telling;
	}

	private static boolean saysMore(Throwable telling, Throwable cause) {
		String message = String.valueOf(telling.getMessage());
		return message.contains(String.valueOf(cause.getMessage())) && !CLASS_NAME.matcher(message).find();
	}

	private static boolean hasMessage(Throwable failure) {
		String message = failure.getMessage();
		Throwable cause = failure.getCause();
		// The message of a mere wrapper is the name of another class
		return message != null && !message.isBlank() && (cause == null || !message.equals(cause.toString()));
	}

	/**
	 * Say {@code ClosedChannelException} in words: "Closed channel".
	 */
	private static String words(Throwable failure) {
		String name = failure.getClass().getSimpleName().replaceAll("(Exception|Error)$", "");
		String words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT).strip();
		return (words.isEmpty()) ? "Unknown failure" : Character.toUpperCase(words.charAt(0)) + words.substring(1);
	}

	/**
	 * Return whether the server no longer knows the session. An endpoint that knows
	 * nothing of sessions has a next step of its own.
	 */
	private static boolean isSessionLost(Throwable cause) {
		return cause instanceof McpTransportSessionNotFoundException || (cause instanceof HttpStatusException answer
				&& SESSION_LOST.contains(answer.getStatus()) && answer.getNextStep() == null);
	}

	private String nextStep(Throwable cause, String request) {
		if (cause instanceof TransportException exception && exception.getNextStep() != null) {
			return exception.getNextStep();
		}
		if (cause instanceof SessionProtocolException exception && exception.getNextStep() != null) {
			return exception.getNextStep();
		}
		if (cause instanceof SessionTimeoutException timeout) {
			if (new FirstStart(this.definition).notice(timeout.getTimeout()) != null) {
				return "It may still have been downloading: run " + this.target + " once by hand, or raise "
						+ property() + ".first-start-timeout.";
			}
			return nextStep(timeout);
		}
		if (isSessionLost(cause)) {
			return "It may have been restarted.";
		}
		if (cause instanceof HttpStatusException) {
			return "The server, or a gateway in front of it, answers: its log may tell more.";
		}
		if (cause instanceof McpError
				|| (cause instanceof SessionProtocolException && !request.equals(McpSchema.METHOD_INITIALIZE))) {
			return "The server answers: its log may tell more.";
		}
		if (this.definition.stdio() != null) {
			return "Check " + property() + ".command.";
		}
		if (this.definition.http() != null) {
			return "Check " + property() + ".url, and that the server is running.";
		}
		return "Check " + property() + ".";
	}

	private String nextStep(SessionTimeoutException timeout) {
		return switch (timeout.getRequest()) {
			case McpSchema.METHOD_PING ->
				"Check that " + this.target + " is alive, or raise " + property() + ".keep-alive-interval.";
			case McpSchema.METHOD_INITIALIZE ->
				"Check that " + this.target + " is an MCP server, or raise " + property() + ".initialization-timeout.";
			default -> "The server has answered before: find out what keeps it busy, or raise " + property()
					+ (timeout.getTimeout().equals(this.definition.timeouts().initialization())
							? ".initialization-timeout." : ".request-timeout.");
		};
	}

	private String property() {
		return "mcp.servers." + this.definition.name();
	}

	private static String text(McpError error) {
		String message = error.getJsonRpcError().message();
		return (!message.isBlank()) ? message : "(no message)";
	}

}
