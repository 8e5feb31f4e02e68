package io.github.mcpclient.session;

import java.util.Map;

import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Observes the requests to one server. Must neither block nor throw, and is used by many
 * threads.
 */
public interface RequestObserver {

	/**
	 * Keeps in the context of a caller what the thread of the caller is observed in, as
	 * another thread may send the request.
	 */
	Context capture(Context caller);

	/**
	 * A request is about to be sent: each attempt is one.
	 * @param protocolVersion the negotiated revision, or {@code null} before that
	 * @return the observed request, or {@code null} if nobody observes it
	 */
	@Nullable ObservedRequest begin(Call<?> call, long id, @Nullable String protocolVersion, ContextView caller);

	/**
	 * One request. Its first end counts.
	 */
	interface ObservedRequest {

		/**
		 * Returns what the request carries in its {@code _meta}.
		 */
		Map<String, String> meta();

		/**
		 * The request was answered with a result.
		 * @param raw the same as it came over the transport
		 */
		void answered(Object result, @Nullable Object raw);

		/**
		 * The request failed, or was cancelled.
		 */
		void failed(Throwable failure);

	}

}
