package io.github.mcpclient.internal.session;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.internal.support.MessageHeaders;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.ProtocolVersions;
import io.github.mcpclient.internal.support.ProtocolVersions.Refusal;
import io.github.mcpclient.internal.transport.HttpStatusException;
import io.github.mcpclient.internal.transport.MalformedMessageException;
import io.github.mcpclient.spi.TransportException;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpError;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * Detects the {@link Era} that a server supports, and opens a session of it (MCP
 * 2026-07-28, {@code basic/versioning}). The client sends {@code server/discover} first.
 * If the server refuses that, the client sends {@code initialize}, and the response
 * decides. A server that is known to support only {@code initialize} gets that request
 * first.
 */
final class EraDetection {

	/**
	 * How long a server may be silent before it is sent {@code initialize}, too; at most
	 * half of the attempt.
	 */
	static final Duration PATIENCE = Duration.ofSeconds(2);

	/**
	 * The same over HTTP, where the first request may wait for a server that is started
	 * for it.
	 */
	static final Duration HTTP_PATIENCE = Duration.ofSeconds(5);

	// another request would probably be refused for the same reason
	private static final Set<Integer> NO_ANSWERS = Set.of(401, 403, 407, 408, 421, 425, 429);

	private static final int MAX_TEXT = 500;

	private final SessionOptions.EraMemory memory;

	private final String setting;

	private final boolean knowsStateless;

	private final Duration patience;

	private final Scheduler scheduler;

	private final Era legacy;

	private final StatelessEra stateless;

	private final McpSession.Listener listener;

	private volatile boolean probing;

	private volatile boolean discovering;

	private volatile boolean initializing;

	EraDetection(SessionOptions options, McpClientTransport transport, Scheduler scheduler, Era legacy,
			StatelessEra stateless, McpSession.Listener listener) {
		this.memory = options.era();
		this.setting = options.definition().protocol();
		this.knowsStateless = transport.protocolVersions().contains(ProtocolVersions.FIRST_STATELESS);
		this.patience = Collections
			.min(List.of((transport instanceof MessageHeaders.Carrier) ? HTTP_PATIENCE : PATIENCE,
					options.initializationTimeout().dividedBy(2)));
		this.scheduler = scheduler;
		this.legacy = legacy;
		this.stateless = stateless;
		this.listener = listener;
	}

	/**
	 * Open the session.
	 * @param chosen receives the era before it is used, and again if it changes
	 */
	Mono<ServerDescription> open(Consumer<Era> chosen) {
		if (!this.knowsStateless || !ProtocolVersions.allowsStateless(this.setting)) {
			return open(this.legacy, chosen);
		}
		if (!ProtocolVersions.allowsLegacy(this.setting)) {
			return open(this.stateless, chosen);
		}
		if (this.memory.isLegacy()) {
			String suspicion = this.memory.suspicion();
			return open(this.legacy, chosen).doOnNext((server) -> {
				this.memory.note(true);
				if (suspicion != null) {
					deviation(suspicion);
				}
			}).doOnError((failure) -> this.memory.clear()).onErrorResume(EraDetection::isRefusal, (refusal) -> {
				this.initializing = false;
				this.memory.note(false);
				return open(this.stateless, chosen).onErrorMap((again) -> {
					this.discovering = false;
					return telling(again, refusal);
				});
			});
		}
		return probe(chosen);
	}

	private Mono<ServerDescription> open(Era era, Consumer<Era> chosen) {
		return Mono.defer(() -> {
			chosen.accept(era);
			if (era == this.stateless) {
				this.discovering = true;
			}
			else {
				this.initializing = true;
			}
			return era.open();
		});
	}

	private Mono<ServerDescription> probe(Consumer<Era> chosen) {
		Sinks.One<Throwable> refused = Sinks.one();
		// continues when its subscribers have gone
		Mono<ServerDescription> discovered = Mono.defer(() -> {
			chosen.accept(this.stateless);
			this.discovering = true;
			return this.stateless.discover();
		}).cache();
		Mono<ServerDescription> stateless = discovered.onErrorResume(EraDetection::mayBeRefusal, (refusal) -> {
			chosen.accept(this.legacy);
			this.discovering = false;
			refused.tryEmitValue(refusal);
			return Mono.never();
		});
		Mono<?> patience = this.memory.isLate() ? Mono.never() : Mono.delay(this.patience, this.scheduler);
		Mono<ServerDescription> legacy = Mono.firstWithSignal(patience, refused.asMono())
			.then(open(this.legacy, chosen))
			.doOnNext((server) -> {
				this.memory.note(true);
				discovered.subscribe((late) -> this.memory.noteLate(true), (failure) -> {
					this.memory.noteLate(false);
					if (failure instanceof SessionTimeoutException || (mayBeRefusal(failure) && !isRefusal(failure))) {
						deviation(text(failure));
					}
				});
			})
			.onErrorResume(EraDetection::isRefusal, (again) -> {
				// the other one may come
				this.initializing = !this.discovering;
				return refused.asMono().flatMap((refusal) -> Mono.error(telling(refusal, again)));
			});
		this.probing = true;
		return Mono.firstWithSignal(stateless.doOnNext((server) -> {
			chosen.accept(this.stateless);
			this.stateless.begin(server);
			this.memory.note(false);
		}), legacy).doOnNext((server) -> this.probing = false).doOnError(this::suspect).doFinally((signal) -> {
			if (signal == SignalType.CANCEL && this.discovering) {
				this.memory.suspect("No response");
			}
			if (signal != SignalType.ON_COMPLETE) {
				this.memory.noteLate(false);
			}
		});
	}

	// a server that hangs or breaks the connection on server/discover may do so again
	private void suspect(Throwable failure) {
		boolean broken = failure instanceof TransportException ended && ended.isPossiblyProcessed()
				&& !(ended instanceof HttpStatusException);
		if (this.discovering && (broken || failure instanceof SessionTimeoutException)) {
			this.memory.suspect(String.valueOf(failure.getMessage()));
		}
	}

	private void deviation(String detail) {
		this.listener.deviation(Kind.DISCOVERY, ProtocolNames.DISCOVER + ": " + detail);
	}

	/**
	 * Return the pending requests of the handshake, as messages name them, or
	 * {@code null}.
	 */
	@Nullable String pending() {
		if (!this.discovering) {
			return this.initializing ? McpSession.HANDSHAKE : null;
		}
		return ProtocolNames.DISCOVER + (this.initializing ? " or " + McpSession.HANDSHAKE : "");
	}

	/**
	 * Return whether a request that the server may not survive is pending.
	 */
	boolean isProbing() {
		return this.probing;
	}

	/**
	 * Return the more informative of two failures.
	 */
	private static Throwable telling(Throwable discover, Throwable initialize) {
		if (discover instanceof SessionProtocolException) {
			return discover;
		}
		boolean stateless = (initialize instanceof NoCommonVersionException other
				&& other.supports(ProtocolVersions.FIRST_STATELESS))
				|| (initialize instanceof McpError error && error.getJsonRpcError().code() == Refusal.UNSUPPORTED);
		if (!stateless) {
			return initialize;
		}
		return new SessionProtocolException(
				"The server supports protocol version " + ProtocolVersions.FIRST_STATELESS + ", but its response to "
						+ ProtocolNames.DISCOVER + " cannot be used: " + text(discover),
				(discover instanceof TransportException failure) ? failure.getNextStep() : "Check the server's log.",
				discover);
	}

	/**
	 * Return the text of a failure, as one line.
	 */
	static String text(Throwable failure) {
		return Printable.line((failure instanceof McpError error)
				? "error " + error.getJsonRpcError().code() + ": " + error.getJsonRpcError().message()
				: String.valueOf(failure.getMessage()), MAX_TEXT);
	}

	/**
	 * Return whether the server is available, but may not know the request, for any HTTP
	 * status.
	 */
	static boolean mayBeRefusal(Throwable failure) {
		return isRefusal(failure) || (failure instanceof HttpStatusException answer && answer.mayRefuseMethod());
	}

	/**
	 * Return whether the server is there, but does not know the request.
	 */
	private static boolean isRefusal(Throwable failure) {
		return failure instanceof McpError || failure instanceof SessionProtocolException
				|| failure instanceof MalformedMessageException || (failure instanceof HttpStatusException answer
						&& !NO_ANSWERS.contains(answer.getStatus()) && answer.getStatus() <= 501);
	}

}
