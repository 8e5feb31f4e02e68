package io.github.mcpclient.internal.transport.http;

import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Pattern;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.transport.HeaderSources;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCMessage;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.netty.handler.codec.http.HttpHeaderNames;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * Detects whether a server that refuses a message still knows the session, or still
 * supports the protocol version. The check sends a request that the server has accepted
 * before. Other refused messages wait for the result, and a refusal with another meaning
 * is final.
 *
 * <p>
 * In a session, any refusal may mean that it is lost. The check sends a ping and, since
 * some servers refuse each ping, the first list request. Refusals with another meaning do
 * not start a new check for a while. Without sessions, a refusal that mentions them may
 * come from a gateway, or concern one request only. The check then sends
 * {@code server/discover}.
 */
final class SessionCheck {

	private static final Duration PAUSE = Duration.ofMinutes(1);

	// these have other reasons
	private static final Set<Integer> OTHERWISE = Set.of(407, 408, 413, 414, 415, 421, 425, 426, 429, 431);

	private static final Pattern OF_SESSION = Pattern.compile("session|initiali[sz]", Pattern.CASE_INSENSITIVE);

	private final HttpSetup setup;

	private final Session session;

	private final boolean stateful;

	// by kind of refusal, the time from which on it may start a check again
	private final Map<String, Long> pauses = new ConcurrentHashMap<>();

	private final AtomicReference<Sinks.@Nullable Empty<Void>> running = new AtomicReference<>();

	// the first request of the check's method that the server accepted, and how it was
	// sent
	private volatile @Nullable JSONRPCRequest question;

	private volatile @Nullable MessageHeaders headers;

	// of the latest request of the check
	private volatile int id;

	private volatile boolean refused;

	/**
	 * Create the check of a protocol.
	 * @param stateful whether it has sessions
	 */
	SessionCheck(HttpSetup setup, Session session, boolean stateful) {
		this.setup = setup;
		this.session = session;
		this.stateful = stateful;
	}

	/**
	 * The server accepted a request.
	 * @param headers how it is sent, or {@code null} if as all are
	 */
	void accepted(@Nullable JSONRPCRequest request, @Nullable MessageHeaders headers) {
		if (isQuestion(request) && (this.question == null || !this.stateful)) {
			this.headers = headers;
			this.question = request;
		}
	}

	boolean knowsQuestion() {
		return this.question != null;
	}

	private boolean isQuestion(@Nullable JSONRPCRequest request) {
		return request != null && (this.stateful ? request.method().endsWith("/list")
				: request.method().equals(StatelessProtocol.DISCOVER));
	}

	/**
	 * Return whether an error status may mean that the session is lost, and one of the
	 * two ends the request.
	 * @param own the error with the ID of the request, or {@code null}
	 * @param otherwise ends it if the session is not lost
	 */
	boolean maySignalLostSession(Refused request, HttpError error, @Nullable JSONRPCError own, Runnable otherwise) {
		boolean possible = this.stateful
				? error.refusesSessions() || ((own != null) ? isOfSession(own) : mayMean(error))
				: error.knowsOnlySessions(error.text()) || isUnknownQuestion(request, error.code());
		return possible && maySignalLostSession(request, refusal(error, own), otherwise);
	}

	/**
	 * Return the same of a success.
	 * @param text the text that the server sent instead of a response, or the message of
	 * the error
	 */
	boolean maySignalLostSession(Refused request, int status, String text, @Nullable JSONRPCError error,
			Runnable otherwise) {
		int code = (error != null) ? error.code() : 0;
		boolean possible = this.stateful ? error == null || isOfSession(error)
				: error != null && isOwn(request.request())
						&& (isUnknownQuestion(request, code) || HttpError.saysOnlySessions(code, text));
		return possible && maySignalLostSession(request, new Refusal(!this.stateful, status, code, clean(text), error),
				otherwise);
	}

	private boolean isUnknownQuestion(Refused request, int code) {
		return isOwn(request.request()) && code == McpSchema.ErrorCodes.METHOD_NOT_FOUND;
	}

	boolean isOwn(@Nullable JSONRPCRequest request) {
		return this.id != 0 && request != null && request.id().equals(this.id);
	}

	private boolean maySignalLostSession(Refused request, Refusal refusal, Runnable otherwise) {
		JSONRPCRequest message = request.request();
		boolean begun = this.stateful ? this.session.hasBegun() : this.question != null;
		if (!begun || (this.question == null && isQuestion(message))) {
			return false;
		}
		if (isOwn(message)) {
			this.refused = true;
			request.fail(refusal.exception(request.failures(), false, null));
			return true;
		}
		if (!isReason(refusal)) {
			return false;
		}
		request.doubt();
		check(refusal, request.failures()).subscribe(null, null, () -> {
			if (this.session.isSessionLost()) {
				boolean processed = refusal.isProcessed();
				request.fail(refusal.exception(request.failures(), processed, processed ? refusal.own() : null));
			}
			else {
				otherwise.run();
			}
		});
		return true;
	}

	/**
	 * The server refuses the event stream.
	 * @param streamed whether it accepted one before
	 */
	void streamRefused(HttpError error, boolean streamed, HttpFailures failures) {
		Refusal refusal = refusal(error, null);
		if (streamed && mayMean(error) && isReason(refusal)) {
			check(refusal, failures).subscribe();
		}
	}

	/**
	 * Return whether a refusal mentions the session rather than credentials.
	 */
	boolean isOfSession(HttpError error) {
		return this.stateful && !error.headers().contains(HttpHeaderNames.WWW_AUTHENTICATE)
				&& HttpStatusException.saysSessionUnknown(clean(error.text()));
	}

	private static boolean isOfSession(JSONRPCError error) {
		return error.code() == McpSchema.ErrorCodes.INVALID_REQUEST
				|| OF_SESSION.matcher(String.valueOf(error.message())).find();
	}

	private boolean mayMean(HttpError error) {
		return switch (error.status()) {
			case 401, 403 -> isOfSession(error) || !(error.headers().contains(HttpHeaderNames.WWW_AUTHENTICATE)
					|| HeaderSources.isAuthorized(this.setup.definition()));
			case 500 -> OF_SESSION.matcher(error.text()).find();
			default -> error.status() < 500 && !OTHERWISE.contains(error.status());
		};
	}

	private Refusal refusal(HttpError error, @Nullable JSONRPCError own) {
		return new Refusal(!this.stateful || error.refusesSessions(), error.status(), error.code(), clean(error.text()),
				own);
	}

	// without the ID of the session, and empty for pages
	private String clean(String text) {
		return text.stripLeading().startsWith("<") ? "" : this.session.mask(text);
	}

	private boolean isReason(Refusal refusal) {
		return this.session.isSessionLost() || this.pauses.getOrDefault(refusal.sort(), Long.MIN_VALUE) <= now();
	}

	private long now() {
		return this.setup.timer().now(TimeUnit.MILLISECONDS);
	}

	/**
	 * Run the check, unless it is running, and complete when its result is known or there
	 * is no response. The transport has ended if the session is lost. The check does not
	 * use the headers of a caller, which may be the reason for the refusal.
	 */
	private Mono<Void> check(Refusal first, HttpFailures failures) {
		Sinks.Empty<Void> end = Sinks.empty();
		Sinks.Empty<Void> other = this.running.compareAndExchange(null, end);
		if (other != null) {
			return other.asMono();
		}
		JSONRPCRequest question = this.question;
		MessageHeaders headers = this.headers;
		Mono<Boolean> ping = this.stateful ? refuses(McpSchema.METHOD_PING, null) : Mono.just(true);
		ping.flatMap((refused) -> (refused && question != null) ? refuses(question.method(), question.params())
				: Mono.just(refused))
			.contextWrite((own) -> (headers != null) ? own.put(MessageHeaders.class, headers) : own)
			.subscribe((lost) -> {
				if (lost) {
					if (!first.replaced() && !first.isOfCredentials()) {
						this.setup.reader()
							.deviation(Kind.SESSION_LOST, "HTTP " + first.status() + failures.line(first.seen()));
					}
					this.session.sessionLost(first.exception(failures, true, null), end::tryEmitEmpty);
				}
				else {
					if (this.stateful) {
						this.pauses.put(first.sort(), now() + PAUSE.toMillis());
					}
					this.running.set(null);
					end.tryEmitEmpty();
				}
			});
		return end.asMono();
	}

	// no response proves nothing. The ID is larger than any at which sessions start
	private Mono<Boolean> refuses(String method, @Nullable Object params) {
		return Mono.defer(() -> {
			this.refused = false;
			this.id = ThreadLocalRandom.current().nextInt(1 << 30, Integer.MAX_VALUE);
			return this.session.sendMessage(new JSONRPCRequest(McpSchema.JSONRPC_VERSION, method, this.id, params));
		})
			.timeout(this.setup.definition().timeouts().connect(), this.setup.timer())
			.onErrorComplete()
			.then(Mono.fromSupplier(() -> this.refused));
	}

	/**
	 * The session that the server may have lost.
	 */
	interface Session {

		boolean hasBegun();

		boolean isSessionLost();

		void sessionLost(TransportException cause, Runnable first);

		Mono<Void> sendMessage(JSONRPCMessage message);

		String mask(String text);

	}

	/**
	 * A message that was refused.
	 */
	interface Refused {

		// null if the message has no response
		@Nullable JSONRPCRequest request();

		HttpFailures failures();

		// the refusal may have another meaning, and the request ends later
		void doubt();

		void fail(Throwable failure);

	}

	/**
	 * The refusal of a message.
	 *
	 * @param replaced whether it means that the server uses another protocol version
	 * @param code the JSON-RPC error code, or 0
	 * @param own the error with the ID of the request, or {@code null}
	 */
	private record Refusal(boolean replaced, int status, int code, String text, @Nullable JSONRPCError own) {

		private String sort() {
			return this.status + (HttpStatusException.saysSessionUnknown(this.text) ? "session" : "");
		}

		private String seen() {
			return ((this.code != 0) ? ", error " + this.code : "") + (this.text.isBlank() ? "" : ": " + this.text);
		}

		// whether the server may have acted on the request before it came
		private boolean isProcessed() {
			return !this.replaced && !HttpStatusException.saysSessionUnknown(this.text) && ((this.own != null)
					? this.code != McpSchema.ErrorCodes.INVALID_REQUEST : this.status < 300 || this.status >= 500);
		}

		// without words, it may as well mean that the credentials have expired
		private boolean isOfCredentials() {
			return (this.status == 401 || this.status == 403) && !HttpStatusException.saysSessionUnknown(this.text);
		}

		private HttpStatusException exception(HttpFailures failures, boolean processed, @Nullable JSONRPCError own) {
			String lost = this.replaced ? "The server no longer supports the protocol version of the session"
					: McpHttpProtocol.SESSION_LOST;
			return HttpStatusException.sessionLost(this.status, lost + " (HTTP " + this.status + ")",
					this.text.isBlank() ? "" : ": " + failures.line(this.text),
					isOfCredentials()
							? "It may have been restarted, or refuse the credentials in " + failures.credentials() + "."
							: null,
					processed, own);
		}

	}

}
