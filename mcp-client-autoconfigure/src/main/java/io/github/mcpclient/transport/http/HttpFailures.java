package io.github.mcpclient.transport.http;

import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Http;
import io.github.mcpclient.support.Secrets;
import io.github.mcpclient.transport.HttpStatusException;
import io.github.mcpclient.transport.McpServerSecrets;
import io.github.mcpclient.transport.TransportException;
import io.github.mcpclient.transport.http.HttpLossHandler.ConnectionClosedException;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.proxy.ProxyConnectException;
import io.netty.handler.ssl.NotSslRecordException;
import io.netty.handler.ssl.SslHandshakeTimeoutException;
import io.netty.handler.timeout.ReadTimeoutException;
import org.jspecify.annotations.Nullable;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.client.PrematureCloseException;

/**
 * Words what can go wrong between a server and us, and knows whether the server may have
 * acted on the request nevertheless. What a server says is shown in a line of limited
 * length, without the header values that we sent, in case that it quotes them.
 */
final class HttpFailures {

	private static final int MAX_TEXT = 200;

	/**
	 * Who answers with one of these did not look at the request.
	 */
	private static final List<Integer> REFUSALS = List.of(401, 403, 405, 406, 407, 413, 415, 421, 426, 429, 431);

	private static final String ITS_LOG = "The server's log may tell why.";

	private static final Pattern AUTHENTICATE = Pattern.compile("^\\s*([A-Za-z][A-Za-z0-9-]{0,30})\\b");

	private static final Pattern AUTHENTICATE_ERROR = Pattern.compile("\\berror=\"?([A-Za-z_]{1,40})\"?");

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	private static final Pattern SYSTEM_CALL = Pattern
		.compile("^\\w+\\(\\.\\.\\) failed(?: with error\\(-?\\d+\\))?: ");

	private static final Pattern CERTIFICATE_REFUSED = Pattern
		.compile("Received fatal alert: (\\w*certificate\\w*|unknown_ca|access_denied)");

	private final String property;

	private final URI url;

	private final Duration connectTimeout;

	private final String maxMessageSize;

	private final Secrets secrets;

	HttpFailures(McpServerDefinition definition, Http http) {
		this.property = "mcp.servers." + definition.name() + ".";
		this.url = http.url();
		this.connectTimeout = definition.timeouts().connect();
		this.maxMessageSize = definition.limits().maxMessageSize().toString();
		this.secrets = McpServerSecrets.of(definition);
	}

	private HttpFailures(HttpFailures other, Map<String, String> headers) {
		this.property = other.property;
		this.url = other.url;
		this.connectTimeout = other.connectTimeout;
		this.maxMessageSize = other.maxMessageSize;
		this.secrets = other.secrets.and().headers(headers).build();
	}

	/**
	 * Return the same for a request that had more headers.
	 * @param headers the headers that it had beside the configured ones
	 */
	HttpFailures without(Map<String, String> headers) {
		return headers.isEmpty() ? this : new HttpFailures(this, headers);
	}

	/**
	 * Return whether nothing listens at the server's address any more, so that no other
	 * request can have more luck.
	 */
	boolean isServerGone(Throwable failure) {
		return (failure instanceof ConnectException && !(failure instanceof ConnectTimeoutException)
				&& !(failure instanceof ProxyConnectException)) || failure instanceof NoRouteToHostException;
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
		String check = "Check that the server is running and that " + this.property + "url is right.";
		if (failure instanceof UnknownHostException) {
			return new TransportException("Unknown host: " + this.url.getHost(),
					"Check that " + this.property + "url is right and that the name resolves on this machine.", false,
					failure);
		}
		if (failure instanceof SslHandshakeTimeoutException) {
			return new TransportException("No TLS handshake within " + this.connectTimeout.toMillis() + " ms", check,
					false, failure);
		}
		SSLException tls = find(failure, SSLException.class);
		if (tls != null) {
			return tls(tls, failure);
		}
		if (failure instanceof ConnectTimeoutException) {
			return new TransportException("No connection within " + this.connectTimeout.toMillis() + " ms", check,
					false, failure);
		}
		if (failure instanceof ConnectException || failure instanceof NoRouteToHostException) {
			return new TransportException(reason(failure), check, false, failure);
		}
		if (isPoolExhausted(failure)) {
			return new TransportException("All connections to the server are in use",
					"Limit the calls with " + this.property + "max-concurrent-calls, or find out what keeps it busy.",
					false, failure);
		}
		if (failure instanceof ReadTimeoutException) {
			return new TransportException("The server did not answer in time", check, failure);
		}
		if (isBeforeSend(failure)) {
			return new TransportException("The connection was closed before the request was sent", null, false,
					failure);
		}
		if (failure instanceof ConnectionClosedException || failure instanceof PrematureCloseException) {
			boolean during = String.valueOf(failure.getMessage()).contains("DURING");
			return new TransportException(during ? "The server closed the connection within its answer"
					: "The server closed the connection without an answer", null, failure);
		}
		if (find(failure, DecoderException.class) != null || failure instanceof IllegalArgumentException) {
			return new TransportException("The server's answer is not valid HTTP", check, failure);
		}
		if (failure instanceof IOException) {
			return new TransportException("The connection broke: " + reason(failure), null, failure);
		}
		return new TransportException("The HTTP exchange failed: " + failure.getClass().getSimpleName(), null, failure);
	}

	private static boolean isPoolExhausted(Throwable failure) {
		// the pool's own exceptions are in a package that is internal to Reactor Netty
		return failure instanceof TimeoutException
				|| failure.getClass().getSimpleName().equals("PoolAcquirePendingLimitException");
	}

	private static boolean isBeforeSend(Throwable failure) {
		String message = String.valueOf(failure.getMessage());
		return (failure instanceof AbortedException && message.contains("BEFORE send"))
				|| (failure instanceof IOException && message.startsWith("Error while acquiring"));
	}

	private TransportException tls(SSLException tls, Throwable failure) {
		if (CERTIFICATE_REFUSED.matcher(String.valueOf(tls.getMessage())).find()) {
			return new TransportException("TLS handshake failed: " + line(tls.getMessage()),
					"The server asks for a certificate: set " + this.property
							+ "ssl.bundle to a bundle with a key that it accepts.",
					false, failure);
		}
		if (!(tls instanceof SSLHandshakeException || tls instanceof NotSslRecordException)) {
			return new TransportException("The TLS connection broke: " + line(tls.getMessage()), null, failure);
		}
		if (tls instanceof NotSslRecordException) {
			return new TransportException("TLS handshake failed: the server does not speak TLS",
					"Check the scheme and port of " + this.property + "url.", false, failure);
		}
		Throwable cause = tls;
		while (cause.getCause() != null && cause.getCause() != cause) {
			cause = cause.getCause();
		}
		return new TransportException("TLS handshake failed: " + line(cause.getMessage()),
				"Check the server's certificate, or set " + this.property + "ssl.bundle to a bundle that trusts it.",
				false, failure);
	}

	/**
	 * Return the message of a failure without the system call that native transports tell
	 * first.
	 */
	private String reason(Throwable failure) {
		String message = failure.getMessage();
		return line((message != null) ? SYSTEM_CALL.matcher(message).replaceFirst("") : null);
	}

	private static <T extends Throwable> @Nullable T find(Throwable failure, Class<T> type) {
		Throwable candidate = failure;
		for (int depth = 0; candidate != null && depth < 10; depth++) {
			if (type.isInstance(candidate)) {
				return type.cast(candidate);
			}
			candidate = candidate.getCause();
		}
		return null;
	}

	/**
	 * A request got no headers from the application.
	 */
	TransportException headers(Throwable failure) {
		return (failure instanceof TransportException exception) ? exception
				: new TransportException("A McpHeadersProvider failed: " + line(failure.toString()),
						"Correct the McpHeadersProvider.", false, failure);
	}

	TransportException headersTooLate(Duration timeout) {
		return new TransportException("A McpHeadersProvider gave no headers within " + timeout.toMillis() + " ms",
				"Make it faster, or raise " + this.property + "connect-timeout.", false, null);
	}

	TransportException tooLarge() {
		return new TransportException("The server's message is larger than " + this.maxMessageSize,
				"Ask for less, or raise " + this.property + "max-message-size.", null);
	}

	TransportException brokenStream(@Nullable Throwable failure) {
		if (failure == null) {
			return new TransportException("The server closed the stream before it answered", ITS_LOG, null);
		}
		TransportException cause = exchange(failure);
		return new TransportException("The stream broke before the server answered: " + cause.getMessage(),
				cause.getNextStep(), failure);
	}

	/**
	 * The stream that is the session of the older transport ended.
	 */
	TransportException streamLost(@Nullable Throwable failure, @Nullable Duration readTimeout) {
		if (failure == null) {
			return new TransportException("The server closed the stream of events", null, null);
		}
		if (failure instanceof HttpContentBuffer.TooLargeException) {
			return tooLarge();
		}
		if (failure instanceof ReadTimeoutException && readTimeout != null) {
			return new TransportException(
					"The server's stream of events was silent for more than " + readTimeout.toMillis() + " ms",
					"Raise " + this.property + "sse-read-timeout if that is no sign of trouble.", failure);
		}
		TransportException cause = exchange(failure);
		return new TransportException("The server's stream of events broke: " + cause.getMessage(), cause.getNextStep(),
				failure);
	}

	TransportException noEventStream(int status, @Nullable String mediaType) {
		String what = (mediaType != null) ? line(mediaType) : "something of no known type";
		return new HttpStatusException(status, "The server answered with " + what + " instead of an event stream",
				"Check that " + this.property + "url is the SSE endpoint of an MCP server.", false);
	}

	TransportException noEndpoint(Duration timeout) {
		return new TransportException(
				"The server's stream of events named no endpoint within " + timeout.toMillis() + " ms",
				"Check that " + this.property + "url is the SSE endpoint of an MCP server.", false, null);
	}

	TransportException invalidEndpoint() {
		return new TransportException("The server's stream of events names an endpoint that is not a url",
				"Check that " + this.property + "url is the SSE endpoint of an MCP server.", null);
	}

	TransportException foreignEndpoint(URI endpoint) {
		String where = (endpoint.getHost() != null) ? " (" + line(origin(endpoint)) + ")" : "";
		return new TransportException(
				"The server's stream of events names an endpoint of another origin" + where + ", which is not used",
				"Set " + this.property + "url to the url by which the server knows itself.", null);
	}

	/**
	 * The first message to the endpoint that the stream names was refused.
	 */
	HttpStatusException endpointRefused(HttpStatusException refusal) {
		int status = refusal.getStatus();
		boolean unknown = status == 404 || status == 405;
		return new HttpStatusException(status,
				"The endpoint that the server's stream of events names answered " + refusal.getMessage(), "",
				unknown ? "Check that " + this.property
						+ "url is the url by which the server knows itself, path included." : refusal.getNextStep(),
				refusal.isPossiblyProcessed(), null, refusal.getRetryAfter());
	}

	/**
	 * Neither of the two transports that a url may mean works.
	 */
	TransportException neither(HttpStatusException streamable, Throwable older) {
		TransportException cause = exchange(older);
		boolean refused = cause instanceof HttpStatusException status
				&& (status.getStatus() == 401 || status.getStatus() == 403);
		return new HttpStatusException(streamable.getStatus(),
				"The server speaks neither streamable HTTP (" + streamable.getMessage() + ") nor the older SSE ("
						+ cause.getMessage() + ")",
				"", refused ? cause.getNextStep() : streamable.getNextStep(), cause.isPossiblyProcessed(), null,
				(cause instanceof HttpStatusException status) ? status.getRetryAfter() : null);
	}

	TransportException notResumed(int status) {
		return new TransportException(
				"The server closed the stream before it answered, and does not resume it (HTTP " + status + ")",
				ITS_LOG, null);
	}

	TransportException noAnswer() {
		return new TransportException("The exchange ended without an answer to the request", ITS_LOG, null);
	}

	TransportException noBody(int status) {
		return new HttpStatusException(status, "The server answered without a body (HTTP " + status + ")",
				"Check that " + this.property + "url is an MCP endpoint.", true);
	}

	TransportException mediaType(int status, String mediaType) {
		return new HttpStatusException(status,
				"The server answered with " + line(mediaType) + " instead of JSON or an event stream",
				"Check that " + this.property + "url is an MCP endpoint.", true);
	}

	TransportException redirect(int status, @Nullable URI location) {
		String target = (location != null && location.getHost() != null) ? " to " + origin(location) : "";
		return new HttpStatusException(status,
				"The server redirects" + target + " (HTTP " + status + "), which is not followed",
				"Set " + this.property + "url to the final url.", false);
	}

	/**
	 * The server no longer knows the session.
	 * @param answer how it answered the request nevertheless
	 */
	TransportException sessionLost(int status, boolean processed, @Nullable JSONRPCError answer) {
		return new HttpStatusException(status, "The server no longer knows the session (HTTP " + status + ")", "", null,
				processed, answer, null);
	}

	/**
	 * The server answered with an error status.
	 * @param text what it says, without the id of the session
	 * @param answered whether that is its answer to the request, rather than a refusal to
	 * look at it
	 */
	HttpStatusException status(HttpError error, String text, boolean answered) {
		int status = error.status();
		HttpHeaders headers = error.headers();
		String reason = HttpResponseStatus.valueOf(status).reasonPhrase();
		// Netty makes one up where it knows none
		String summary = "HTTP " + status + (reason.endsWith("(" + status + ")") ? "" : " " + reason);
		StringBuilder details = new StringBuilder();
		boolean processed = answered || !REFUSALS.contains(status);
		Duration retryAfter = retryAfter(status, headers);
		if (retryAfter != null) {
			details.append(", to be tried again after ").append(retryAfter.toSeconds()).append(" s");
		}
		String challenge = headers.get(HttpHeaderNames.WWW_AUTHENTICATE);
		if (challenge != null) {
			details.append(challenge(challenge));
		}
		String line = isHtml(headers) ? "" : line(text);
		if (!line.isEmpty()) {
			details.append(": ").append(line);
		}
		return new HttpStatusException(status, summary, details.toString(), nextStep(status), processed, null,
				retryAfter);
	}

	/**
	 * Return how long a server asks to wait: a number of seconds, or a date, which is one
	 * of the server's clock.
	 */
	static @Nullable Duration retryAfter(int status, HttpHeaders headers) {
		String value = (status == 429 || status == 503) ? headers.get(HttpHeaderNames.RETRY_AFTER) : null;
		if (value == null) {
			return null;
		}
		if (SECONDS.matcher(value.trim()).matches()) {
			return Duration.ofSeconds(Long.parseLong(value.trim()));
		}
		Instant until = date(value);
		Instant now = date(headers.get(HttpHeaderNames.DATE));
		if (until == null) {
			return null;
		}
		Duration wait = Duration.between((now != null) ? now : Clock.systemUTC().instant(), until);
		return wait.isNegative() ? Duration.ZERO : wait;
	}

	private static @Nullable Instant date(@Nullable String value) {
		Date date = (value != null) ? DateFormatter.parseHttpDate(value) : null;
		return (date != null) ? date.toInstant() : null;
	}

	private @Nullable String nextStep(int status) {
		return switch (status) {
			case 401, 403 -> "Set the credentials in " + this.property + "headers, or correct them.";
			case 400, 404, 405, 406, 415 -> "Check that " + this.property + "url is an MCP endpoint.";
			case 429 -> "Send fewer requests, or ask those who run the server for a higher limit.";
			default -> null;
		};
	}

	private String challenge(String header) {
		Matcher scheme = AUTHENTICATE.matcher(header);
		if (!scheme.find()) {
			return "";
		}
		Matcher error = AUTHENTICATE_ERROR.matcher(header);
		return " (" + this.secrets.mask(scheme.group(1) + (error.find() ? ", " + error.group(1) : "")) + ")";
	}

	private static boolean isHtml(HttpHeaders headers) {
		String type = HttpRequests.mediaType(headers);
		return type != null && type.toLowerCase(Locale.ROOT).contains("html");
	}

	private static String origin(URI uri) {
		String origin = uri.getScheme() + "://" + uri.getHost();
		return (uri.getPort() != -1) ? origin + ":" + uri.getPort() : origin;
	}

	static String text(byte[] body) {
		return new String(body, 0, Math.min(body.length, 8 * MAX_TEXT), StandardCharsets.UTF_8);
	}

	/**
	 * Return how a body begins, fit for a message.
	 * @param body the body
	 * @return a line
	 */
	String excerpt(byte[] body) {
		return line(text(body));
	}

	/**
	 * Return a server's text as one line of limited length, without control characters
	 * and what we know to be secret.
	 */
	private String line(@Nullable String text) {
		if (text == null) {
			return "no details";
		}
		return this.secrets.line(text, MAX_TEXT);
	}

}
