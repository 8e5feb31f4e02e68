package io.github.mcpclient.internal.support;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * How a message that stands for itself is sent where each is a request of HTTP. Put, by
 * its class, into the Reactor context in which the message is sent.
 *
 * @param headers the headers of the request
 * @param standing whether the response is a stream without an end, which a limit to its
 * silence ends
 */
public record MessageHeaders(Map<String, String> headers, boolean standing) {

	/**
	 * Return those of a context, or {@code null} if its message is one of a session.
	 */
	public static @Nullable MessageHeaders of(ContextView context) {
		return context.getOrDefault(MessageHeaders.class, null);
	}

	/**
	 * A transport that sends each message as a request of its own, which the server drops
	 * as soon as nobody reads the response.
	 */
	public interface Carrier {

	}

}
