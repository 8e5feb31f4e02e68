package io.github.mcpclient.transport;

import java.util.List;

import io.modelcontextprotocol.spec.McpClientTransport;
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
	 * message is delivered to the handler after this signal.
	 * @return completes when the transport was closed on request; fails, with a
	 * {@link TransportException}, when it died
	 */
	Mono<Void> termination();

	/**
	 * Return the last lines that a child process wrote to its standard error.
	 * @return the lines, oldest first; empty for other transports
	 */
	default List<String> stderr() {
		return List.of();
	}

}
