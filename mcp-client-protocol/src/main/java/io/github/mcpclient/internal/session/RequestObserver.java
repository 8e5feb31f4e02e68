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
	 * Store the current observation of the caller's thread in the context of the caller,
	 * as another thread may send the request.
	 */
	Context capture(Context caller);

	/**
	 * A request is about to be sent: each attempt is a separate request.
	 * @return the observed request, or {@code null} if it is not observed
	 */
	@Nullable ObservedRequest begin(Call<?> call, long id, Protocol protocol, ContextView caller);

	/**
	 * The client is about to process a request of the server.
	 * @param call the context of the call that led to it, if any
	 * @return the observed response, or {@code null} if it is not observed
	 */
	@Nullable ObservedAnswer receive(JSONRPCRequest request, Protocol protocol, ContextView call);

	/**
	 * The protocol of a session, with the facts that are known so far.
	 */
	interface Protocol {

		/**
		 * Return the negotiated protocol version.
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
		 * Return the values that the request carries in its {@code _meta}.
		 */
		Map<String, String> meta();

		/**
		 * The server responded to the request with a result.
		 * @param raw the same as it came over the transport
		 */
		void answered(Object result, @Nullable Object raw);

		/**
		 * The request failed, or was cancelled.
		 */
		void failed(Throwable failure);

	}

	/**
	 * The response to one request of the server. Only its first end counts.
	 */
	interface ObservedAnswer {

		/**
		 * Return the context in which the request is processed.
		 */
		Context within(Context call);

		/**
		 * The client responded to the request, perhaps with an error.
		 */
		void answered(@Nullable JSONRPCError error);

		/**
		 * The server cancelled the request, or the session ended.
		 */
		void cancelled();

	}

}
