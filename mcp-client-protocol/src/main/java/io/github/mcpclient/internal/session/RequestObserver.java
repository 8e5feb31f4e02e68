package io.github.mcpclient.internal.session;

import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import org.jspecify.annotations.Nullable;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * Observes the requests to one server. Must neither block nor throw, and is used by many
 * threads.
 */
public interface RequestObserver {

	/**
	 * Keep in the context of a caller what the thread of the caller is observed in, as
	 * another thread may send the request.
	 */
	Context capture(Context caller);

	/**
	 * A request is about to be sent: each attempt is one.
	 * @return the observed request, or {@code null} if nobody observes it
	 */
	@Nullable ObservedRequest begin(Call<?> call, long id, Protocol protocol, ContextView caller);

	/**
	 * A request of the server is about to be answered.
	 * @param call the context of the call that led to it, if any
	 * @return the observed answer, or {@code null} if nobody observes it
	 */
	@Nullable ObservedAnswer receive(JSONRPCRequest request, Protocol protocol, ContextView call);

	/**
	 * What a session speaks, as far as it is known by now.
	 */
	interface Protocol {

		/**
		 * Return the negotiated revision.
		 */
		@Nullable String version();

		/**
		 * Return the version of the network protocol.
		 */
		@Nullable String networkVersion();

	}

	/**
	 * One request. Its first end counts.
	 */
	interface ObservedRequest {

		/**
		 * Return what the request carries in its {@code _meta}.
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

	/**
	 * The answer to one request of the server. Its first end counts.
	 */
	interface ObservedAnswer {

		/**
		 * Let what answers the request run within its observation.
		 */
		Context within(Context call);

		/**
		 * The request was answered, perhaps with an error.
		 */
		void answered(@Nullable JSONRPCError error);

		/**
		 * The server cancelled the request, or the session ended.
		 */
		void cancelled();

	}

}
