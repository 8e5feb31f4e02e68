package io.github.mcpclient.spi;

import java.util.List;
import java.util.function.Predicate;

import io.modelcontextprotocol.spec.McpClientTransport;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * What supervision needs of a transport, beside the SDK's contract. A transport serves
 * one connection: it is connected once, and thrown away when it has died or was closed.
 *
 * <p>
 * {@link #sendMessage sendMessage} of a request may stay open until the answer was
 * delivered to the handler; cancelling its subscription drops what the transport holds
 * for the request (an HTTP exchange, a queued line).
 */
public interface SupervisedTransport extends McpClientTransport {

	/**
	 * Tells, to any number of subscribers and at any time, how the transport ended. No
	 * message but answers to what is under way is delivered to the handler after this
	 * signal.
	 * @return completes when the transport was closed on request; fails, with a
	 * {@link TransportException}, when it died
	 */
	Mono<Void> termination();

	/**
	 * Return whether the transport has died or was closed. This is so before the first
	 * request fails for that reason, so that who meets such a failure can tell it from
	 * one that concerns the request alone. {@link #termination()} tells soon after the
	 * requests that know better than it: a server that no longer knows the session cannot
	 * have acted on those that it refused, but on all others.
	 */
	boolean hasEnded();

	/**
	 * Ask to be told when what the server says unasked can be heard again after a gap, in
	 * which it may have announced something.
	 * @param listener told, on any thread; must not block
	 */
	default void onGap(Runnable listener) {
	}

	/**
	 * Skip, as they are read, the parameters of notifications that nobody listens to.
	 * @param wanted tells, by its method, whether a notification is needed with its
	 * parameters; must not block
	 */
	default void skipNotificationsUnless(Predicate<String> wanted) {
	}

	/**
	 * Tells, once the transport has died, when no request that was under way can end by
	 * itself any more: a server that does not know the session may refuse all of them, or
	 * answer some after all.
	 * @return completes within seconds, at once by default; never fails
	 */
	default Mono<Void> settled() {
		return Mono.empty();
	}

	/**
	 * Return the version of the protocol beneath, such as {@code 1.1} of HTTP, once it is
	 * known.
	 */
	default @Nullable String networkProtocolVersion() {
		return null;
	}

	/**
	 * Return the type of transport that is in use, where it was found out by an attempt.
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
