package io.github.mcpclient.spi;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Predicate;

import io.github.mcpclient.McpServerDeviation;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * A transport that reports its end, so that the server is reconnected immediately, and
 * provides other features that the client needs in addition to the SDK's contract. A
 * transport serves one connection: it is connected once, and discarded when it has failed
 * or was closed.
 *
 * <p>
 * {@link #sendMessage sendMessage} of a request may remain open until the response was
 * delivered to the handler; cancelling its subscription releases the resources of the
 * request (an HTTP exchange, a queued line).
 */
public interface SupervisedTransport extends McpClientTransport {

	/**
	 * Return the end of the transport, for any number of subscribers at any time. After
	 * this signal, only responses to pending requests are delivered to the handler.
	 * @return completes when the transport was closed on request; fails, with a
	 * {@link TransportException}, when it failed
	 */
	Mono<Void> termination();

	/**
	 * Return whether the transport has failed or was closed. This must be {@code true}
	 * before the first request fails for that reason, so that this failure can be
	 * distinguished from a failure of the request alone. {@link #termination()} may
	 * signal a little later: until then, each request that the server rejects because it
	 * does not know the session fails individually. The server cannot have acted on these
	 * requests, but may have acted on all others.
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
	 * Register a listener for deviations of the server from the protocol that the
	 * transport tolerates. Does nothing by default.
	 * @param listener called on any thread, with the observed behavior, without
	 * credentials; must not block
	 */
	default void onDeviation(BiConsumer<McpServerDeviation.Kind, String> listener) {
	}

	/**
	 * Allow the transport to skip the parameters of notifications without a listener.
	 * Does nothing by default.
	 * @param wanted tests, by its method, whether the parameters of a notification are
	 * needed; must not block
	 */
	default void skipNotificationsUnless(Predicate<String> wanted) {
	}

	/**
	 * Wait, once the transport has failed, until no pending request can still complete
	 * individually: a server that does not know the session may reject all of them, or
	 * still respond to some.
	 * @return completes within seconds, immediately by default; never fails
	 */
	default Mono<Void> settled() {
		return Mono.empty();
	}

	/**
	 * Return the version of the network protocol, such as {@code 1.1} for HTTP, or
	 * {@code null} if it is not known yet, which is the default.
	 */
	default @Nullable String networkProtocolVersion() {
		return null;
	}

	/**
	 * Return the type of transport in use, if it was detected when connecting.
	 * @return the type, such as {@code sse}, or {@code null} for the type of the
	 * definition
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
