package io.github.mcpclient.spi;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDeviation;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A transport that reports its end, so that the server is reconnected at once, and
 * whatever else the client needs besides the SDK's contract. A transport serves one
 * connection: it is connected once, and discarded when it has died or was closed.
 *
 * <p>
 * {@link #sendMessage sendMessage} of a request may stay open until the answer was
 * delivered to the handler; cancelling its subscription drops what the transport holds
 * for the request (an HTTP exchange, a queued line).
 */
public interface SupervisedTransport extends McpClientTransport {

	/**
	 * Return how the transport ended, for any number of subscribers at any time. After
	 * this signal, only answers to pending requests are delivered to the handler.
	 * @return completes when the transport was closed on request; fails, with a
	 * {@link TransportException}, when it died
	 */
	Mono<Void> termination();

	/**
	 * Return whether the transport has died or was closed. This must be {@code true}
	 * before the first request fails for that reason, so that such a failure can be told
	 * from one of the request alone. {@link #termination()} may signal a little later:
	 * before that, each request that the server refused because it does not know the
	 * session fails by itself. The server cannot have acted on these requests, but may
	 * have acted on all others.
	 */
	boolean hasEnded();

	/**
	 * Register a listener for the end of a gap in which notifications of the server may
	 * have been missed, for instance while its event stream was down.
	 * @param listener called on any thread; must not block
	 */
	default void onGap(Runnable listener) {
	}

	/**
	 * Register a listener for what the server does against the protocol, and that the
	 * transport takes all the same. Does nothing by default.
	 * @param listener called on any thread, with what was seen, without credentials; must
	 * not block
	 */
	default void onDeviation(BiConsumer<McpServerDeviation.Kind, String> listener) {
	}

	/**
	 * Allow the transport to leave out the parameters of notifications that nobody
	 * listens to. Does nothing by default.
	 * @param wanted tests, by its method, whether a notification is needed with its
	 * parameters; must not block
	 */
	default void skipNotificationsUnless(Predicate<String> wanted) {
	}

	/**
	 * Wait, once the transport has died, until no pending request can still end by
	 * itself: a server that does not know the session may refuse all of them, or answer
	 * some after all.
	 * @return completes within seconds, at once by default; never fails
	 */
	default Mono<Void> settled() {
		return Mono.empty();
	}

	/**
	 * Return the version of the network protocol, such as {@code 1.1} of HTTP, or
	 * {@code null} if it is not known yet, which is the default.
	 */
	default @Nullable String networkProtocolVersion() {
		return null;
	}

	/**
	 * Return the type of transport that is in use, if it was only found out when
	 * connecting.
	 * @return the type, such as {@code sse}, or {@code null} for that of the definition
	 */
	default @Nullable String type() {
		return null;
	}

	/**
	 * Return the last lines that a child process wrote to its standard error.
	 * @return the lines, oldest first; empty for other transports
	 */
	default List<String> stderr() {
		return List.of();
	}

}
