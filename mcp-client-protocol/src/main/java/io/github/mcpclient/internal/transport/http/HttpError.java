package io.github.mcpclient.internal.transport.http;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerStatus.StepKind;
import io.github.mcpclient.internal.support.ProtocolVersions.Refusal;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.JsonRpcCodec;
import io.github.mcpclient.internal.transport.MessageReader;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.handler.codec.DateFormatter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpResponseStatus;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;
import reactor.netty.http.client.HttpClientResponse;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/**
 * The response of a server with an error status.
 *
 * @param status the status
 * @param headers the headers of the response
 * @param content its body, or the beginning of it
 * @param json the body, if it is an error of JSON-RPC
 */
record HttpError(int status, HttpHeaders headers, byte[] content, @Nullable JsonNode json) {

	/**
	 * The header of a challenge of AWS WAF, which responds with HTTP 202.
	 */
	static final String CHALLENGE = "x-amzn-waf-action";

	private static final int MAX_STATEMENT_LENGTH = 200;

	// a server that responds with one of these did not process the request
	private static final List<Integer> REFUSALS = List.of(401, 403, 405, 406, 407, 413, 415, 421, 426, 429, 431);

	private static final Pattern AUTHENTICATE = Pattern.compile("^\\s*([A-Za-z][A-Za-z0-9-]{0,30})\\b");

	private static final Pattern AUTHENTICATE_ERROR = Pattern.compile("\\berror=\"?([A-Za-z_]{1,40})\"?");

	// also within the error of a gateway
	private static final Pattern METHOD_UNKNOWN = Pattern
		.compile("-32601|\\bmethod\\b[^\\r\\n]{0,60}\\bnot (?:found|supported|implemented|allowed)"
				+ "|\\b(?:unknown|unsupported|no such|invalid) method\\b", Pattern.CASE_INSENSITIVE);

	// how servers that know only sessions refuse a request of none
	private static final Pattern NO_SESSION = Pattern.compile(
			"\\s*(?:[\\w ]{1,30}: )?(?:(?:the )?server (?:is )?not initiali[sz]ed|unsupported protocol version)",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern OF_METADATA = Pattern.compile("\\b_meta\\b|io\\.modelcontextprotocol/");

	private static final Pattern OF_HOST = Pattern.compile("\\b(?:invalid|forbidden|disallowed|blocked)[ :]*"
			+ "(?:http[_ ])?host(?:s|name)?\\b|\\bhost(?:name| header)?\\b.{0,80} (?:is )?not allowed|dns[ -]rebinding",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern SECONDS = Pattern.compile("\\d{1,9}");

	static HttpError of(int status, HttpHeaders headers, byte[] content, Secrets credentials) {
		JsonNode json = null;
		try {
			JsonNode tree = JsonRpcCodec.refusal(content);
			json = tree.path("error").isObject() ? JsonRpcCodec.mask(tree, credentials) : null;
		}
		catch (JacksonException ex) {
			// the body is for people
		}
		return new HttpError(status, headers, content, json);
	}

	String text() {
		return (this.json != null) ? this.json.path("error").path("message").asString("")
				: HttpFailures.text(this.content);
	}

	/**
	 * Return the JSON-RPC error, if it has the ID of a request, or is too large to
	 * exclude that.
	 * @param request the ID, as text
	 */
	@Nullable JSONRPCError answerTo(Object request) {
		if (this.json == null) {
			boolean cut = this.content.length == HttpErrorBody.MAX_SIZE;
			return (cut && MessageReader.isAnswer(this.content, 0, this.content.length)) ? new JSONRPCError(
					McpSchema.ErrorCodes.INTERNAL_ERROR, "The server's error is too large to be read") : null;
		}
		Object id = JsonRpcCodec.id(this.json.get("id"));
		return (id != null && request.equals(id.toString())) ? details(this.json) : null;
	}

	/**
	 * Return whether the server supports MCP, and refuses {@code initialize} because of
	 * its protocol version or because it no longer has that method.
	 */
	boolean refusesVersion() {
		return Refusal.isMeant(code(), text())
				|| (this.status == 404 && code() == McpSchema.ErrorCodes.METHOD_NOT_FOUND)
				|| (this.json != null && this.json.path("error").path("data").path("supported").isArray());
	}

	/**
	 * Return whether the status may concern only the method, rather than credentials or
	 * the state of the server. A server that requires credentials has to name the kind
	 * (RFC 9110, section 15.5.2).
	 */
	boolean mayRefuseMethod() {
		return !this.headers.contains(HttpHeaderNames.WWW_AUTHENTICATE) && (this.status == 401 || this.status == 403
				|| METHOD_UNKNOWN.matcher(HttpFailures.text(this.content)).find());
	}

	JSONRPCError details(JsonNode json) {
		JsonNode error = json.path("error");
		return new JSONRPCError(error.path("code").asInt(McpSchema.ErrorCodes.INTERNAL_ERROR),
				error.path("message").asString("HTTP " + this.status), error.get("data"));
	}

	/**
	 * Return whether a server that knows no sessions refuses a request of one.
	 */
	boolean refusesSessions() {
		int code = code();
		return this.status == 400 && (code == Refusal.HEADER_MISMATCH || code == Refusal.UNSUPPORTED
				|| (code == McpSchema.ErrorCodes.INVALID_PARAMS && OF_METADATA.matcher(text()).find()));
	}

	/**
	 * Return whether a server that knows only sessions refuses a request of none.
	 */
	boolean knowsOnlySessions(String text) {
		return (this.status == 404 && this.json == null) || code() == Refusal.UNSUPPORTED
				|| ((this.status == 400 || this.status == 404) && saysOnlySessions(code(), text));
	}

	/**
	 * Return whether an error means that the server supports only sessions.
	 * @param code the code of JSON-RPC, or 0
	 */
	static boolean saysOnlySessions(int code, String text) {
		return code == Refusal.UNSUPPORTED || ((code == -32000 || code == -32600 || code == 0)
				&& (HttpStatusException.saysSessionUnknown(text) || NO_SESSION.matcher(text).lookingAt()));
	}

	/**
	 * Return the JSON-RPC error code, or 0.
	 */
	int code() {
		return (this.json != null) ? this.json.path("error").path("code").asInt(0) : 0;
	}

	/**
	 * Return the failure of the request.
	 * @param text the text, without the ID of the session
	 * @param seen whether the server processed the request
	 */
	HttpStatusException failure(HttpFailures failures, String text, boolean seen) {
		if (this.status >= 300 && this.status < 400) {
			return redirect(failures);
		}
		boolean processed = seen || !REFUSALS.contains(this.status);
		HttpStatusException gateway = (this.json == null) ? gateway(failures, processed) : null;
		if (gateway != null) {
			return gateway;
		}
		String reason = HttpResponseStatus.valueOf(this.status).reasonPhrase();
		// Netty makes one up where it knows none
		String summary = "HTTP " + this.status + (reason.endsWith("(" + this.status + ")") ? "" : " " + reason);
		StringBuilder details = new StringBuilder();
		Duration retryAfter = retryAfter(this.status, this.headers);
		if (retryAfter != null) {
			details.append(", retry after ").append(retryAfter.toSeconds()).append(" s");
		}
		String challenge = this.headers.get(HttpHeaderNames.WWW_AUTHENTICATE);
		Matcher scheme = AUTHENTICATE.matcher((challenge != null) ? challenge : "");
		if (scheme.find()) {
			Matcher error = AUTHENTICATE_ERROR.matcher(challenge);
			String cause = error.find() ? ", " + error.group(1) : "";
			details.append(" (").append(failures.secrets().mask(scheme.group(1) + cause)).append(')');
		}
		String line = isHtml(this.headers) ? "" : failures.line(text);
		if (!line.isEmpty()) {
			details.append(": ").append(line);
		}
		HttpStatusException failure = new HttpStatusException(this.status, summary, details.toString(),
				refusesHost(text) ? failures.allowHost() : nextStep(failures), processed, retryAfter,
				mayRefuseMethod());
		if (refusesHost(text)) {
			failure.atStep(StepKind.HTTP);
		}
		return failure;
	}

	/**
	 * Return the failure where the response is that of a gateway which refused the
	 * client, or {@code null}.
	 */
	@Nullable HttpStatusException gateway(HttpFailures failures, boolean processed) {
		String refusal = HttpStatusException.gateway("the server", this.status, this.headers::get, this.content);
		if (refusal == null) {
			return null;
		}
		HttpStatusException failure = new HttpStatusException(this.status, failures.line(refusal), "",
				HttpStatusException.letThrough(failures.definition().name())
						+ ((this.status < 300) ? ", or correct " + failures.property("url") + "." : "."),
				processed, retryAfter(this.status, this.headers), mayRefuseMethod());
		failure.atStep((this.status < 300) ? StepKind.CONTENT_TYPE : StepKind.HTTP);
		return failure;
	}

	/**
	 * Fail for a response of an unexpected type, which may be the page of a gateway: it
	 * is read then.
	 * @param failure the failure for any other response
	 */
	static HttpBody page(HttpClientResponse response, Disposable attempt, Scheduler timer, HttpFailures failures,
			TransportException failure, Consumer<TransportException> listener) {
		int status = response.status().code();
		HttpHeaders headers = response.responseHeaders();
		if (!isHtml(headers) && !headers.contains(CHALLENGE)) {
			listener.accept(failure);
			return HttpBody.IGNORED;
		}
		return new HttpErrorBody(attempt, timer, (content) -> {
			TransportException gateway = new HttpError(status, headers, content, null).gateway(failures, true);
			listener.accept((gateway != null) ? gateway : failure);
		});
	}

	// as protections against DNS rebinding do
	private boolean refusesHost(String text) {
		return this.status == 421 || ((this.status == 403 || this.status == 400)
				&& OF_HOST.matcher(text.substring(0, Math.min(text.length(), 8 * MAX_STATEMENT_LENGTH))).find());
	}

	private HttpStatusException redirect(HttpFailures failures) {
		String header = this.headers.get(HttpHeaderNames.LOCATION);
		URI location = (header != null) ? HttpUris.resolve(failures.url(), header) : null;
		String target = (location != null && location.getHost() != null)
				? " to " + failures.line(HttpUris.shown(location)) : "";
		boolean circle = location != null && (this.status == 307 || this.status == 308)
				&& HttpUris.isSameOrigin(failures.url(), location);
		return new HttpStatusException(this.status,
				"The server redirects" + (circle ? " repeatedly," : "") + target + " (HTTP " + this.status
						+ "), which is not followed",
				circle ? "Correct the server, or the gateway in front of it." : failures.redirected(location), false);
	}

	private @Nullable String nextStep(HttpFailures failures) {
		return switch (this.status) {
			case 401 -> failures.setCredentials(this.headers.getAll(HttpHeaderNames.WWW_AUTHENTICATE));
			case 403 -> isHtml(this.headers)
					? "It is a web page, perhaps that of a gateway in front of the server. "
							+ HttpStatusException.letThrough(failures.definition().name())
							+ ", or correct the credentials in " + failures.credentials() + "."
					: failures.setCredentials(List.of());
			case 400, 404, 405, 406, 415 -> refusesVersion() ? failures.otherVersion() : failures.checkEndpoint();
			case 409, 412, 422, 426 -> refusesVersion() ? failures.otherVersion() : null;
			case 429 -> "Send fewer requests, or request a higher limit from the server's operators.";
			default -> null;
		};
	}

	static boolean isHtml(HttpHeaders headers) {
		String type = HttpEndpoint.mediaType(headers);
		return type != null && type.toLowerCase(Locale.ROOT).contains("html");
	}

	/**
	 * Return the delay that a server requests: a number of seconds, or a date of the
	 * server's clock.
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
		if (until == null) {
			return null;
		}
		Instant now = date(headers.get(HttpHeaderNames.DATE));
		Duration wait = Duration.between((now != null) ? now : Clock.systemUTC().instant(), until);
		return wait.isNegative() ? Duration.ZERO : wait;
	}

	private static @Nullable Instant date(@Nullable String value) {
		Date date = (value != null) ? DateFormatter.parseHttpDate(value) : null;
		return (date != null) ? date.toInstant() : null;
	}

}
