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
 * Finds out whether a server that refuses what it accepted before still knows what that
 * was: by a question that it answered before. Whoever is refused meanwhile waits for
 * that, and a refusal that did not mean it stands.
 *
 * <p>
 * In a session, any refusal may mean that it is lost. That is asked by a ping and, since
 * there are servers that refuse each ping, by the first list; refusals that did not mean
 * it are no reason to ask again for a while. Without sessions, a refusal that speaks of
 * them may come from a gateway, or concern one request alone. That is asked by
 * {@code server/discover}.
 */
final class SessionCheck {

	private static final Duration PAUSE = Duration.ofMinutes(1);

	// these have reasons of their own
	private static final Set<Integer> OTHERWISE = Set.of(407, 408, 413, 414, 415, 421, 425, 426, 429, 431);

	private static final Pattern OF_SESSION = Pattern.compile("session|initiali[sz]", Pattern.CASE_INSENSITIVE);

	private final HttpSetup setup;

	private final Session session;

	private final boolean stateful;

	// by sort of refusal, when it is a reason to ask again
	private final Map<String, Long> pauses = new ConcurrentHashMap<>();

	private final AtomicReference<Sinks.@Nullable Empty<Void>> running = new AtomicReference<>();

	// the first question that the server answered, and how it was sent
	private volatile @Nullable JSONRPCRequest question;

	private volatile @Nullable MessageHeaders headers;

	// of the latest request of ours
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
	 * @param answer the error under the id of the request, if it is one
	 * @param otherwise ends it if the session is not lost
	 */
	boolean maySignalLostSession(Refused request, HttpError error, @Nullable JSONRPCError answer, Runnable otherwise) {
		boolean possible = this.stateful
				? error.refusesSessions() || ((answer != null) ? isOfSession(answer) : mayMean(error))
				: error.knowsOnlySessions(error.text()) || isUnknownQuestion(request, error.code());
		return possible && maySignalLostSession(request, refusal(error, answer), otherwise);
	}

	/**
	 * Return the same of a success.
	 * @param text what came in place of an answer, or the message of the error
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
				request.fail(refusal.exception(request.failures(), processed, processed ? refusal.answer() : null));
			}
			else {
				otherwise.run();
			}
		});
		return true;
	}

	/**
	 * The server refuses the stream of what it says unasked.
	 * @param streamed whether it accepted one before
	 */
	void streamRefused(HttpError error, boolean streamed, HttpFailures failures) {
		Refusal refusal = refusal(error, null);
		if (streamed && mayMean(error) && isReason(refusal)) {
			check(refusal, failures).subscribe();
		}
	}

	/**
	 * Return whether a refusal speaks of the session rather than of credentials.
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

	private Refusal refusal(HttpError error, @Nullable JSONRPCError answer) {
		return new Refusal(!this.stateful || error.refusesSessions(), error.status(), error.code(), clean(error.text()),
				answer);
	}

	// without the id of the session, and pages
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
	 * Find it out, unless that is being done, and complete when it is known or there is
	 * no answer. The transport has ended if the session is lost. The headers of a caller,
	 * which may be the reason of the refusal, are not those of the question.
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

	// no answer proves nothing. The id is an integer beyond those at which sessions begin
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
	 * What the server may have lost.
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

		// null where nothing answers the message
		@Nullable JSONRPCRequest request();

		HttpFailures failures();

		// it may mean something else than it says, and the request ends later
		void doubt();

		void fail(Throwable failure);

	}

	/**
	 * What came in place of an answer.
	 *
	 * @param replaced whether it means that the server speaks another revision
	 * @param code that of JSON-RPC, or 0
	 * @param answer the error under the id of the request, if it is one
	 */
	private record Refusal(boolean replaced, int status, int code, String text, @Nullable JSONRPCError answer) {

		private String sort() {
			return this.status + (HttpStatusException.saysSessionUnknown(this.text) ? "session" : "");
		}

		private String seen() {
			return ((this.code != 0) ? ", error " + this.code : "") + (this.text.isBlank() ? "" : ": " + this.text);
		}

		// whether the server may have acted on the request before it came
		private boolean isProcessed() {
			return !this.replaced && !HttpStatusException.saysSessionUnknown(this.text) && ((this.answer != null)
					? this.code != McpSchema.ErrorCodes.INVALID_REQUEST : this.status < 300 || this.status >= 500);
		}

		// without words, it may as well mean that the credentials have expired
		private boolean isOfCredentials() {
			return (this.status == 401 || this.status == 403) && !HttpStatusException.saysSessionUnknown(this.text);
		}

		private HttpStatusException exception(HttpFailures failures, boolean processed, @Nullable JSONRPCError answer) {
			String lost = this.replaced ? "The server no longer speaks the protocol revision of the session"
					: McpHttpProtocol.SESSION_LOST;
			return HttpStatusException.sessionLost(this.status, lost + " (HTTP " + this.status + ")",
					this.text.isBlank() ? "" : ": " + failures.line(this.text),
					isOfCredentials()
							? "It may have been restarted, or refuse the credentials in " + failures.credentials() + "."
							: null,
					processed, answer);
		}

	}

}
