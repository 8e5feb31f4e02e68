package io.github.mcpclient.internal.transport.http;

import java.io.EOFException;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;

import io.netty.handler.codec.TooLongFrameException;
import org.jspecify.annotations.Nullable;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/**
 * Failures that are recognized only by their text, or by the name of a class that is
 * internal to Reactor Netty. They are in one place, since a new version of Reactor Netty,
 * of Netty or of the JDK may change them: {@code NettyFailuresTests} has each of these
 * libraries fail.
 */
final class NettyFailures {

	private static final Pattern SYSTEM_CALL = Pattern
		.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ");

	private static final Pattern CERTIFICATE_REFUSED = Pattern
		.compile("Received fatal alert: (\\w*certificate\\w*|unknown_ca|access_denied)");

	private static final Pattern OTHER_NAME = Pattern.compile("^No (?:subject alternative|name matching)");

	private static final Pattern STATUS_LINE = Pattern.compile("\\nHTTP/1\\.\\d ([1-5]\\d\\d)\\b");

	private NettyFailures() {
	}

	/**
	 * Return whether no connection became free, or too many requests wait for one.
	 */
	static boolean isPoolExhausted(Throwable failure) {
		return failure instanceof TimeoutException
				|| failure.getClass().getSimpleName().equals("PoolAcquirePendingLimitException");
	}

	/**
	 * Return whether the connection was lost before the request was sent.
	 */
	static boolean isBeforeSend(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		return (failure instanceof AbortedException && message.contains("BEFORE send"))
				|| (failure instanceof IOException && message.startsWith("Error while acquiring"));
	}

	/**
	 * Return whether the server closed the connection.
	 */
	static boolean isClosed(Throwable failure) {
		return failure instanceof EOFException || failure instanceof PrematureCloseException;
	}

	/**
	 * Return whether the server did so within its response.
	 */
	static boolean isClosedDuringResponse(Throwable failure) {
		return isClosed(failure) && String.valueOf(failure.getMessage()).contains("DURING");
	}

	/**
	 * Return whether a server refuses the client's certificate, or requires one.
	 */
	static boolean isCertificateRefused(SSLException failure) {
		return CERTIFICATE_REFUSED.matcher(String.valueOf(failure.getMessage())).find();
	}

	/**
	 * Return whether a certificate is trusted, and not for the host.
	 */
	static boolean isOfOtherName(Throwable failure) {
		return failure instanceof CertificateException
				&& OTHER_NAME.matcher(String.valueOf(failure.getMessage())).find();
	}

	/**
	 * Return the message of a failure without the system call at its beginning, which
	 * native transports add.
	 */
	static @Nullable String message(Throwable failure) {
		String message = failure.getMessage();
		return (message != null) ? SYSTEM_CALL.matcher(message).replaceFirst("") : null;
	}

	/**
	 * Return the status of a response to a WebSocket handshake that is too long, of which
	 * only the beginning is available, or {@code null} for another failure.
	 */
	static @Nullable Integer statusOfTooLong(Throwable failure) {
		Matcher status = STATUS_LINE.matcher(String.valueOf(failure.getMessage()));
		return (failure instanceof TooLongFrameException && status.find()) ? Integer.valueOf(status.group(1)) : null;
	}

}
