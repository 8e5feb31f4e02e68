package io.github.mcpclient.internal.transport.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.cert.CertificateExpiredException;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.internal.support.HttpHeaderValidator;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.ProtocolRevisions.Refusal;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.McpServerSecrets;
import io.github.mcpclient.internal.transport.RequestHeaders;
import io.github.mcpclient.spi.TransportException;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;

/**
 * Describes the failures of an exchange with a server, and determines whether the server
 * may have acted on the request nevertheless. The text of a server is shown in a line of
 * limited length, without the secrets of the request, in case that it quotes them.
 */
record HttpFailures(McpServerDefinition definition, URI url, Secrets secrets) {

	private static final int MAX_TEXT = 200;

	private static final Pattern BEARER_OR_BASIC = Pattern.compile("(?:^|,)\\s*+(?:bearer|basic)\\b");

	private static final Pattern DPOP = Pattern.compile("(?:^|,)\\s*+dpop\\b");

	HttpFailures(McpServerDefinition definition, Http http) {
		this(definition, http.url(), McpServerSecrets.of(definition));
	}

	/**
	 * Return the same for a request that had more headers than the configured ones.
	 */
	HttpFailures without(RequestHeaders headers) {
		return headers.equals(RequestHeaders.NONE) ? this : new HttpFailures(this.definition, this.url,
				this.secrets.and().headers(headers.provided()).headers(headers.authorization()).build());
	}

	/**
	 * Return the same for a request with other secrets, too.
	 */
	HttpFailures without(Secrets others) {
		return others.isEmpty() ? this : new HttpFailures(this.definition, this.url, this.secrets.and(others));
	}

	/**
	 * Return the name of a property of the server.
	 */
	String property(String name) {
		return PropertyNames.ofServer(this.definition.name(), name);
	}

	/**
	 * Return the name of the property that holds the credentials.
	 */
	String credentials() {
		return property(HeaderSources.isAuthorized(this.definition) ? "auth" : "headers");
	}

	/**
	 * Return the property to set in response to challenges; credentials that are set need
	 * a correction.
	 */
	String setCredentials(List<String> challenges) {
		Http http = this.definition.http();
		boolean set = HeaderSources.isAuthorized(this.definition)
				|| (http != null && HttpHeaderValidator.find(http.headers(), HttpHeaderNames.AUTHORIZATION) != null);
		String challenge = String.join(",", challenges).toLowerCase(Locale.ROOT);
		boolean usual = BEARER_OR_BASIC.matcher(challenge).find();
		if (!usual && DPOP.matcher(challenge).find() && !this.definition.auth().oauth2().dpop()) {
			return "The server requires tokens that are bound to a key: set " + property("auth.oauth2.dpop")
					+ " to true.";
		}
		if (set || !usual) {
			return "Set the credentials in " + credentials() + ", or correct them.";
		}
		if (challenge.contains("resource_metadata")) {
			return "The server requires OAuth 2.0: set " + property("auth.oauth2.client-id")
					+ " and client-secret, or other credentials below " + property("auth.oauth2") + ".";
		}
		return "Set " + (challenge.contains("bearer") ? property("auth.bearer.token")
				: property("auth.basic.username") + " and password") + ".";
	}

	/**
	 * Return the advice for a server that refuses the host name of its URL.
	 */
	String allowHost() {
		Http http = this.definition.http();
		boolean set = http != null && HttpHeaderValidator.find(http.headers(), HttpHeaderNames.HOST) != null;
		return "Allow the host " + (set ? "of " + property("headers.Host") : "'" + HttpUris.authority(this.url) + "'")
				+ " on the server (allowed_hosts, MCP_ALLOWED_HOSTS or similar): its"
				+ " protection against DNS rebinding refuses other hosts.";
	}

	String otherRevision() {
		return Refusal.nextStep(this.definition.protocol());
	}

	String checkEndpoint() {
		return "Check that " + property("url") + " is an MCP endpoint.";
	}

	/**
	 * Return the advice for a redirect that is not followed. It never gives up TLS.
	 */
	String redirected(@Nullable URI location) {
		String set = "Set " + property("url") + " to ";
		if (location == null || location.getHost() == null) {
			return set + "the final URL.";
		}
		if (HttpUris.isSecure(this.url) && !HttpUris.isSecure(location)) {
			boolean path = location.getHost().equalsIgnoreCase(this.url.getHost())
					&& !location.getRawPath().equals(this.url.getRawPath());
			return path
					? set + line(HttpUris.origin(this.url) + location.getRawPath())
							+ ", if the server means that URL: it is not aware of the TLS in front of it."
					: "It leads away from https, which is not safe: correct the server, or the gateway in front of it.";
		}
		return set + "it, if it is the MCP endpoint and you trust it. If it is a login page, configure the gateway in"
				+ " front of the server to allow the client.";
	}

	/**
	 * Return whether nothing listens at the server's address any more, or the event loops
	 * have ended, so that no other request can have more luck.
	 */
	static boolean isServerGone(Throwable failure) {
		return (failure instanceof ConnectException && !(failure instanceof ConnectTimeoutException)
				&& !(failure instanceof ProxyConnectException)) || failure instanceof NoRouteToHostException
				|| failure instanceof RejectedExecutionException;
	}

	/**
	 * There is no response, or no complete one.
	 */
	TransportException exchange(Throwable failure) {
		if (failure instanceof TransportException transportException) {
			return transportException;
		}
		if (failure instanceof HttpContentBuffer.TooLargeException) {
			return tooLarge();
		}
		SSLException tls = find(failure, SSLException.class);
		if (tls != null && !(failure instanceof SslHandshakeTimeoutException)) {
			return tls(tls, failure);
		}
		TransportException unsent = unsent(failure);
		if (unsent != null) {
			return unsent;
		}
		String check = "Check that the server is running and that " + property("url") + " is right.";
		if (failure instanceof ReadTimeoutException) {
			return new TransportException("The server did not respond in time", check, failure);
		}
		if (NettyFailures.isClosed(failure)) {
			return new TransportException(NettyFailures.isClosedDuringResponse(failure)
					? "The server closed the connection in the middle of its response"
					: "The server closed the connection without a response", null, failure)
				.at(StepKind.HTTP);
		}
		if (find(failure, DecoderException.class) != null || failure instanceof IllegalArgumentException) {
			return new TransportException("The server's response is not valid HTTP", check, failure).at(StepKind.HTTP);
		}
		if (failure instanceof RejectedExecutionException) {
			return new TransportException("The event loops that the application provides have ended",
					"Keep the LoopResources of its ReactorResourceFactory until it is closed; the client continues"
							+ " with its own.",
					failure);
		}
		if (failure instanceof IOException) {
			return new TransportException("The connection broke: " + line(NettyFailures.message(failure)), null,
					failure);
		}
		return new TransportException("The HTTP exchange failed: " + failure.getClass().getSimpleName(), null, failure);
	}

	// the request was not sent, if that is so
	private @Nullable TransportException unsent(Throwable failure) {
		long connectTimeout = this.definition.timeouts().connect().toMillis();
		String message;
		String nextStep = "Check that the server is running and that " + property("url") + " is right.";
		if (failure instanceof UnknownHostException) {
			message = "Unknown host: " + this.url.getHost();
			nextStep = "Check that " + property("url") + " is right and that the name resolves on this machine.";
		}
		else if (failure instanceof SslHandshakeTimeoutException) {
			message = "No TLS handshake within " + connectTimeout + " ms";
		}
		else if (failure instanceof ConnectTimeoutException) {
			message = "No connection within " + connectTimeout + " ms";
		}
		else if (failure instanceof ProxyConnectException) {
			message = "No connection through the proxy: " + line(NettyFailures.message(failure));
			nextStep = "Check the proxy, and " + property("proxy") + ".";
		}
		else if (failure instanceof ConnectException || failure instanceof NoRouteToHostException) {
			message = line(NettyFailures.message(failure));
		}
		else if (NettyFailures.isPoolExhausted(failure)) {
			message = "All connections to the server are in use";
			nextStep = "Limit the calls with " + property("max-concurrent-calls") + ", or check why it is slow.";
		}
		else if (NettyFailures.isBeforeSend(failure)) {
			message = "The connection was closed before the request was sent";
			nextStep = null;
		}
		else {
			return null;
		}
		return new TransportException(message, nextStep, false, failure);
	}

	private TransportException tls(SSLException tls, Throwable failure) {
		String failed = "TLS handshake failed: ";
		if (NettyFailures.isCertificateRefused(tls)) {
			return new TransportException(failed + line(tls.getMessage()),
					"The server requires a client certificate: set " + property("ssl.bundle")
							+ " to a bundle with a key that it accepts.",
					false, failure);
		}
		if (tls instanceof NotSslRecordException) {
			return new TransportException(failed + "the server does not support TLS",
					"Check the scheme and port of " + property("url") + ".", false, failure);
		}
		if (!(tls instanceof SSLHandshakeException)) {
			return new TransportException("The TLS connection broke: " + line(tls.getMessage()), null, failure);
		}
		Throwable cause = NestedExceptionUtils.getMostSpecificCause(tls);
		return new TransportException(failed + line(cause.getMessage()), trust(cause), false, failure);
	}

	private String trust(Throwable cause) {
		if (cause instanceof CertificateExpiredException) {
			return "The server's certificate has expired: renew it.";
		}
		return NettyFailures.isOfOtherName(cause)
				? "The server's certificate is for another name: check " + property("url")
						+ ", or replace the certificate."
				: "Check the server's certificate, or set " + property("ssl.bundle") + " to a bundle that trusts it.";
	}

	private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.limit(10)
			.filter(type::isInstance)
			.map(type::cast)
			.findFirst()
			.orElse(null);
	}

	TransportException tooLarge() {
		return new TransportException(
				"The server's message is larger than " + this.definition.limits().maxMessageSize(),
				"Request less data, or raise " + property("max-message-size") + ".", null);
	}

	static String text(byte[] body) {
		return new String(body, 0, Math.min(body.length, 8 * MAX_TEXT), StandardCharsets.UTF_8);
	}

	/**
	 * Return a server's text as one line of limited length, without control characters
	 * and secrets.
	 */
	String line(@Nullable String text) {
		return (text != null) ? this.secrets.line(text, MAX_TEXT) : "no details";
	}

}
