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
 * What a failure means for a connection and its calls. {@link ErrorWording} words it.
 */
final class FailureKind {

	private static final int MAX_CAUSES = 20;

	private FailureKind() {
	}

	/**
	 * Return at which step of a connection something failed, by its cause, else by the
	 * request of the handshake that met it, if there was one.
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
	 * Return whether the server answers, though it ended the connection, so that there is
	 * no reason to wait: most often it has lost the session.
	 */
	static boolean isServerThere(Throwable failure) {
		Throwable cause = Exceptions.unwrap(failure);
		return cause instanceof HttpStatusException || cause instanceof McpTransportSessionNotFoundException;
	}

	/**
	 * Return whether the same happens again until somebody changes something.
	 */
	static boolean isLasting(Throwable failure) {
		return causes(failure).anyMatch(UnusableSettingsException.class::isInstance);
	}

	/**
	 * Return whether the same happens again until the application is configured anew.
	 */
	static boolean isMisconfigured(Throwable failure) {
		return causes(failure).anyMatch(InvalidMcpConfigurationException.class::isInstance);
	}

	static boolean needsLogin(Throwable failure) {
		return causes(failure).anyMatch(LoginRequiredException.class::isInstance);
	}

	/**
	 * Return how long a server that refused a request for now asks to wait.
	 */
	static @Nullable Duration retryAfter(Throwable failure) {
		return (Exceptions.unwrap(failure) instanceof HttpStatusException answer) ? answer.getRetryAfter() : null;
	}

	/**
	 * Return whether the server or a gateway answered.
	 */
	static boolean isStatus(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof HttpStatusException;
	}

	/**
	 * Return whether a gateway answered that the server is not there, or not now.
	 */
	static boolean isGatewayFailure(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof HttpStatusException answer && answer.getStatus() >= 502
				&& answer.getStatus() <= 504;
	}

	/**
	 * Return whether the server answered that it does not know the session: as does one
	 * that passes on what another one, whose session it lost, says.
	 */
	static boolean isSessionUnknown(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof McpError refusal
				&& HttpStatusException.saysSessionUnknown(refusal.getJsonRpcError().message());
	}

	/**
	 * Return whether a request failed by its connection, rather than by an answer or the
	 * lack of one.
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
	 * Return whether an exchange was cut off or could not begin, which may be the trouble
	 * of one network connection, or the end of the server.
	 */
	static boolean isCutOff(Throwable failure) {
		return Exceptions.unwrap(failure) instanceof TransportException
				&& causes(failure).anyMatch((cause) -> cause instanceof IOException);
	}

	/**
	 * Return whether a message could not be sent, for transports that report nothing
	 * else.
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
