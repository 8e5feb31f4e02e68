package io.github.mcpclient.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpDiagnosis.Kind;
import io.github.mcpclient.McpException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpResultTooLargeException;
import io.github.mcpclient.McpUrlElicitationRequiredException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.session.ItemKind;
import io.github.mcpclient.session.McpSession;
import io.github.mcpclient.session.RequestParams;
import io.github.mcpclient.session.SessionProtocolException;
import io.github.mcpclient.session.SessionTimeoutException;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.spi.UnusableSettingsException;
import io.github.mcpclient.support.PropertyNames;
import io.github.mcpclient.support.Redaction;
import io.github.mcpclient.support.RevisionRefusal;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.ResultLimit.ExceededException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.ElicitUrlRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpTransportException;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * Words the failures of one server for its operator: what happened, and what to do next,
 * without secrets and names of classes.
 */
final class ErrorWording {

	private static final Pattern CLASS_NAME = Pattern.compile("\\b[a-z]\\w*(\\.\\w+)*\\.[A-Z]\\w*(Exception|Error)\\b");

	private static final int LONGEST_TEXT = 2000;

	private static final int MAX_CAUSES = 20;

	private static final String FIRST_START = "first-start-timeout";

	private static final String REQUEST = "request-timeout";

	private final McpServerDefinition definition;

	private final Secrets secrets;

	private final String target;

	// what the parts of the client name, where the server is one that code defines
	private final @Nullable Pattern property;

	/**
	 * Creates the wording for a server.
	 * @param configured whether it has properties
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
	 * Describes a failure in one line.
	 */
	String describe(Throwable failure, String request) {
		String message = problem(failure, request);
		String end = (message.endsWith(".") || message.endsWith("!") || message.endsWith("?")) ? " " : ". ";
		return message + end + advice(failure, request);
	}

	String problem(Throwable failure, String request) {
		return line(message(unwrap(failure), request));
	}

	String advice(Throwable failure, String request) {
		return line(nextStep(unwrap(failure), request));
	}

	/**
	 * Returns at which step of a connection something failed, by its cause, else by the
	 * request of the handshake that met it, if there was one.
	 */
	static @Nullable Kind step(Throwable failure, @Nullable String request) {
		return causes(failure).map(ErrorWording::step)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(McpSession.isHandshake(request) ? Kind.INITIALIZE
					: ItemKind.TOOLS.method().equals(request) ? Kind.LISTING : null);
	}

	private static @Nullable Kind step(Throwable cause) {
		if (cause instanceof TransportException worded) {
			return worded.getStep();
		}
		if (cause instanceof UnknownHostException) {
			return Kind.DNS;
		}
		if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
			return Kind.TCP;
		}
		return (cause instanceof SSLException) ? Kind.TLS
				: (cause instanceof SessionProtocolException) ? Kind.PROTOCOL : null;
	}

	/**
	 * Converts the failure of a request to the exception that callers see.
	 */
	McpException toException(Throwable failure, String request, Duration timeout) {
		return toException(failure, request, timeout, null);
	}

	/**
	 * Converts the failure of a request to the exception that callers see.
	 * @param raise what to raise if the request needs longer, or {@code null} for what is
	 * raised most often
	 */
	McpException toException(Throwable failure, String request, Duration timeout, @Nullable String raise) {
		Throwable cause = unwrap(failure);
		if (cause instanceof McpException exception) {
			return exception;
		}
		if (cause instanceof SessionTimeoutException expired) {
			return new McpRequestTimeoutException(this.definition.name(), request, timeout, expired.isCancelled(),
					raise);
		}
		if (cause instanceof HttpStatusException lost && lost.getAnswer() != null) {
			return toException(new McpError(lost.getAnswer()), request, timeout);
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
				isUnprocessed(cause), this.secrets.mask(cause));
	}

	/**
	 * Converts a failure that concerns no call.
	 */
	McpException toException(Throwable failure, String request) {
		if (!(unwrap(failure) instanceof SessionTimeoutException expired)) {
			return toException(failure, request, this.definition.timeouts().request());
		}
		String setting = setting(expired);
		return toException(failure, request, expired.getTimeout(),
				setting.equals(REQUEST) ? null : property() + "." + setting);
	}

	/**
	 * Converts the end of a connection to the failure of the pending requests. What is
	 * true of the one request that met the end (it was refused, or not answered in time)
	 * need not be true of the others.
	 */
	Throwable forPendingRequests(Throwable cause) {
		Throwable failure = unwrap(cause);
		if (failure instanceof McpException
				|| (failure instanceof TransportException exception && exception.isPossiblyProcessed())) {
			return failure;
		}
		String message = (failure instanceof SessionTimeoutException) ? "The server has stopped answering"
				: line(message(failure, "a request"));
		return new TransportException(message, nextStep(failure, "a request"), failure);
	}

	/**
	 * Converts the end of a connection to the failure of the requests that were not sent.
	 */
	Throwable forUnsentRequests(Throwable cause) {
		return (forPendingRequests(cause) instanceof TransportException end) ? end.notSent() : cause;
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

	/**
	 * Returns whether the server cannot have acted on the request that failed.
	 */
	static boolean isUnprocessed(Throwable failure) {
		Throwable cause = unwrap(failure);
		return (cause instanceof TransportException exception && !exception.isPossiblyProcessed())
				|| cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Returns whether the server answers, though it ended the connection, so that there
	 * is no reason to wait: most often it has lost the session.
	 */
	static boolean isServerThere(Throwable failure) {
		Throwable cause = unwrap(failure);
		return cause instanceof HttpStatusException || cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Returns whether the same happens again until somebody changes something.
	 */
	static boolean isLasting(Throwable failure) {
		return causes(failure).anyMatch(UnusableSettingsException.class::isInstance);
	}

	/**
	 * Returns whether the same happens again until the application is configured anew.
	 */
	static boolean isMisconfigured(Throwable failure) {
		return causes(failure).anyMatch(InvalidMcpConfigurationException.class::isInstance);
	}

	static boolean needsLogin(Throwable failure) {
		return causes(failure).anyMatch(LoginRequiredException.class::isInstance);
	}

	/**
	 * Returns how long a server that refused a request for now asks to wait.
	 */
	static @Nullable Duration retryAfter(Throwable failure) {
		return (unwrap(failure) instanceof HttpStatusException answer) ? answer.getRetryAfter() : null;
	}

	/**
	 * Returns whether the server or a gateway answered.
	 */
	static boolean isStatus(Throwable failure) {
		return unwrap(failure) instanceof HttpStatusException;
	}

	/**
	 * Returns whether a gateway answered that the server is not there, or not now.
	 */
	static boolean isGatewayFailure(Throwable failure) {
		return unwrap(failure) instanceof HttpStatusException answer && answer.getStatus() >= 502
				&& answer.getStatus() <= 504;
	}

	/**
	 * Returns whether the server answered that it does not know the session: as does one
	 * that passes on what another one, whose session it lost, says.
	 */
	static boolean isSessionUnknown(Throwable failure) {
		return unwrap(failure) instanceof McpError refusal
				&& HttpStatusException.saysSessionUnknown(refusal.getJsonRpcError().message());
	}

	/**
	 * Returns whether a request failed by its connection, rather than by an answer or the
	 * lack of one.
	 */
	static boolean isConnectionFailure(Throwable failure) {
		Throwable cause = unwrap(failure);
		if (cause instanceof HttpStatusException) {
			return isSessionLost(cause);
		}
		return !(cause instanceof SessionTimeoutException || cause instanceof SessionProtocolException
				|| cause instanceof McpError || cause instanceof McpException || cause instanceof ExceededException);
	}

	/**
	 * Returns whether an exchange was cut off or could not begin, which may be the
	 * trouble of one network connection, or the end of the server.
	 */
	static boolean isCutOff(Throwable failure) {
		return unwrap(failure) instanceof TransportException
				&& causes(failure).anyMatch((cause) -> cause instanceof IOException);
	}

	/**
	 * Returns whether a message could not be sent, for transports that report nothing
	 * else.
	 */
	static boolean isTransportFailure(Throwable failure) {
		return causes(failure).anyMatch((cause) -> cause instanceof McpTransportException
				|| cause instanceof McpTransportSessionNotFoundException || cause instanceof IOException);
	}

	private static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(unwrap(failure), Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
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
	 * Returns the innermost cause that has a message, or one around it that says the same
	 * and more.
	 */
	private static Throwable mostTelling(Throwable failure) {
		return causes(failure).reduce(failure, (telling,
				cause) -> (!hasMessage(telling) || (hasMessage(cause) && !saysMore(telling, cause))) ? cause : telling);
	}

	private static boolean saysMore(Throwable telling, Throwable cause) {
		String message = String.valueOf(telling.getMessage());
		return message.contains(String.valueOf(cause.getMessage())) && !CLASS_NAME.matcher(message).find();
	}

	private static boolean hasMessage(Throwable failure) {
		String message = failure.getMessage();
		Throwable cause = failure.getCause();
		// the message of a mere wrapper is the name of another class
		return message != null && !message.isBlank() && (cause == null || !message.equals(cause.toString()));
	}

	/**
	 * Turns {@code ClosedChannelException} into "Closed channel".
	 */
	private static String words(Throwable failure) {
		String name = failure.getClass().getSimpleName().replaceAll("(Exception|Error)$", "");
		String words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT).strip();
		return (words.isEmpty()) ? "Unknown failure" : Character.toUpperCase(words.charAt(0)) + words.substring(1);
	}

	private static boolean isSessionLost(Throwable cause) {
		return cause instanceof McpTransportSessionNotFoundException
				|| (cause instanceof HttpStatusException answer && answer.isSessionLost());
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
		if (isSessionLost(cause)) {
			return "It may have been restarted.";
		}
		if (cause instanceof HttpStatusException) {
			return "Check the log of the server, or of the gateway in front of it.";
		}
		if (cause instanceof McpError refusal && McpSession.isHandshake(request)
				&& (RevisionRefusal.isMeant(refusal.getJsonRpcError().code(), text(refusal))
						|| refusal.getJsonRpcError().code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND)) {
			return RevisionRefusal.nextStep(this.definition.protocol());
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
				? "It may still have been downloading: run " + this.target + " once by hand"
				: timeout.getRequest().equals(McpSession.PING) ? "Check that " + this.target + " is alive"
						: McpSession.isHandshake(timeout.getRequest())
								? "Check that " + this.target + " is an MCP server"
								: "The server has answered before: find out what keeps it busy";
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
