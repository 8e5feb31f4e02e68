package io.github.mcpclient.internal.connection;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.internal.session.ItemKind;
import io.github.mcpclient.internal.session.McpSession;
import io.github.mcpclient.internal.session.SessionProtocolException;
import io.github.mcpclient.internal.session.SessionTimeoutException;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.ResultLimit.ExceededException;
import io.github.mcpclient.spi.LoginRequiredException;
import io.github.mcpclient.spi.TransportException;
import io.github.mcpclient.spi.UnusableSettingsException;
import io.modelcontextprotocol.spec.McpError;
import io.modelcontextprotocol.spec.McpTransportException;
import io.modelcontextprotocol.spec.McpTransportSessionNotFoundException;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;

/**
 * The meaning of a failure for a connection and its calls. {@link ErrorWording} describes
 * it in words.
 */
final class FailureKind {

	private static final int MAX_CAUSES = 20;

	private FailureKind() {
	}

	/**
	 * Return the step of a connection at which something failed, by its cause, or else by
	 * the pending request of the handshake, if any.
	 */
	static @Nullable StepKind step(Throwable failure, @Nullable String request) {
		return causes(failure).map(FailureKind::step)
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(McpSession.isHandshake(request) ? StepKind.INITIALIZE
					: ItemKind.TOOLS.method().equals(request) ? StepKind.LISTING : null);
	}

	private static @Nullable StepKind step(Throwable cause) {
		if (cause instanceof TransportException worded) {
			return worded.getStep();
		}
		if (cause instanceof UnknownHostException) {
			return StepKind.DNS;
		}
		if (cause instanceof ConnectException || cause instanceof NoRouteToHostException) {
			return StepKind.TCP;
		}
		return (cause instanceof SSLException) ? StepKind.TLS
				: (cause instanceof SessionProtocolException) ? StepKind.PROTOCOL : null;
	}

	/**
	 * Return whether the server cannot have acted on the request that failed.
	 */
	static boolean isUnprocessed(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		return (cause instanceof TransportException exception && !exception.isPossiblyProcessed())
				|| (cause instanceof SessionTimeoutException late && late.isUnsent())
				|| (cause instanceof McpServerUnavailableException ended && ended.isOutcomeKnown())
				|| cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Return whether the server responds, though it ended the connection, so that a delay
	 * is unnecessary: in most cases, it has lost the session.
	 */
	static boolean isServerThere(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		return cause instanceof HttpStatusException || cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Return whether the failure will be the same until someone changes something.
	 */
	static boolean isLasting(Throwable failure) {
		return causes(failure).anyMatch(UnusableSettingsException.class::isInstance);
	}

	/**
	 * Return whether the failure will be the same until the configuration of the
	 * application changes.
	 */
	static boolean isMisconfigured(Throwable failure) {
		return causes(failure).anyMatch(InvalidMcpConfigurationException.class::isInstance);
	}

	static boolean needsLogin(Throwable failure) {
		return causes(failure).anyMatch(LoginRequiredException.class::isInstance);
	}

	/**
	 * Return the delay that a server requests when it temporarily rejects a request.
	 */
	static @Nullable Duration retryAfter(Throwable failure) {
		return (Exceptions.unwrap(failure) instanceof HttpStatusException answer) ? answer.getRetryAfter() : null;
	}

	/**
	 * Return whether the server or a gateway responded.
	 */
	static boolean isStatus(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof HttpStatusException;
	}

	/**
	 * Return whether a gateway responded that the server is not available, or not now.
	 */
	static boolean isGatewayFailure(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof HttpStatusException answer && answer.getStatus() >= 502
				&& answer.getStatus() <= 504;
	}

	/**
	 * Return whether the server responded that it does not know the session. A proxy that
	 * forwards the response of another server, whose session it lost, does the same.
	 */
	static boolean isSessionUnknown(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof McpError refusal
				&& HttpStatusException.saysSessionUnknown(refusal.getJsonRpcError().message());
	}

	/**
	 * Return whether a request failed because of its connection, rather than with a
	 * response or a timeout.
	 */
	static boolean isConnectionFailure(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		if (cause instanceof HttpStatusException) {
			return isSessionLost(cause);
		}
		return !(cause instanceof SessionTimeoutException || cause instanceof SessionProtocolException
				|| cause instanceof McpError || cause instanceof McpException || cause instanceof ExceededException);
	}

	/**
	 * Return whether an exchange was interrupted or could not begin, which may be a
	 * problem of one network connection, or the end of the server.
	 */
	static boolean isCutOff(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof TransportException
				&& causes(failure).anyMatch((cause) -> cause instanceof IOException);
	}

	/**
	 * Return whether a message could not be sent, for transports that report no other
	 * failure.
	 */
	static boolean isTransportFailure(Throwable failure) {
		return causes(failure).anyMatch((cause) -> cause instanceof McpTransportException
				|| cause instanceof McpTransportSessionNotFoundException || cause instanceof IOException);
	}

	static boolean isSessionLost(Throwable cause) {
		return cause instanceof McpTransportSessionNotFoundException
				|| (cause instanceof HttpStatusException answer && answer.isSessionLost());
	}

	static Stream<Throwable> causes(Throwable failure) {
		return Stream.iterate(Exceptions.unwrap(failure), Objects::nonNull, Throwable::getCause).limit(MAX_CAUSES);
	}

}
