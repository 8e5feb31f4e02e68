package io.github.mcpclient.internal.support;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * The HTTP request of a message that is sent as a separate request. Stored in the Reactor
 * context in which the message is sent, with this class as the key.
 *
 * @param headers the headers of the request
 * @param standing whether the response is a stream without an end, to which the limit for
 * silent streams applies
 */
public record MessageHeaders(Map<String, String> headers, boolean standing) {

	/**
	 * Return the headers of a context, or {@code null} if its message belongs to a
	 * session.
	 */
	public static @Nullable MessageHeaders of(ContextView context) {
		return context.getOrDefault(MessageHeaders.class, null);
	}

	/**
	 * A transport that sends each message as a separate request, which the server drops
	 * as soon as the response is no longer read.
	 */
	public interface Carrier {

	}

}
