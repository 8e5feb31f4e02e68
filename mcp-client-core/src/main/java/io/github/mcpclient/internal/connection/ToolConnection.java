package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import io.github.mcpclient.McpConnectionException;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.internal.session.Call;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * What the catalog and the calls of tools need of a connection. All methods are safe for
 * use by many threads, and none blocks.
 */
public interface ToolConnection {

	/**
	 * Return the configured name of the server.
	 */
	String name();

	/**
	 * Return a snapshot of the state.
	 */
	McpServerStatus status();

	/**
	 * Return whether the state is {@link McpServerState#READY}.
	 */
	boolean isReady();

	/**
	 * Return whether the server has not been READY for that time.
	 */
	boolean isAwayFor(Duration duration);

	/**
	 * Return the type of the transport in use, as the status has it.
	 */
	String transport();

	/**
	 * Return what the server has said as one line for a log, without secrets.
	 */
	String line(String text);

	/**
	 * Return a text with masks in place of secrets of the server's configuration.
	 */
	String masked(String text);

	/**
	 * Keep what the server does against the protocol.
	 * @param detail what was seen, which is bounded and masked here
	 */
	void deviation(McpServerDeviation.Kind kind, String detail);

	/**
	 * Return what the server said of its use in the latest handshake.
	 */
	@Nullable String instructions();

	/**
	 * Return the tools of the latest listing, in the server's order.
	 */
	List<Tool> tools();

	/**
	 * Return the time of day.
	 */
	Instant now();

	/**
	 * Return what the catalog keeps of this connection, for as long as it lives.
	 */
	AtomicReference<@Nullable Object> kept();

	/**
	 * Return when a tool was last redefined, or {@code null} if it never was.
	 */
	@Nullable Instant toolChangedAt(String name);

	/**
	 * Return whether users have connections of their own, as far as is known yet.
	 */
	boolean isForUsers();

	/**
	 * Return the connection for the caller, in whose context or on whose thread this is
	 * subscribed to: this one, or the one of the caller's user, which is made if need be.
	 * Fails where that is not possible within the request timeout, and with what Spring
	 * Security throws where the user has to log in.
	 */
	Mono<? extends ToolConnection> forCaller();

	/**
	 * Return the connection of the caller's user to list what it has, if there is one
	 * within that time; the attempt to connect it goes on afterwards. Fails with what
	 * Spring Security throws where the user has to log in, and with nothing else.
	 */
	Mono<? extends ToolConnection> forListing(Duration wait);

	/**
	 * Add what the thread of a caller is bound to and observed in to the context of a
	 * call that goes on on another thread.
	 */
	Context withThread(Context caller);

	/**
	 * Return what authorizes a call of the caller, in whose context or on whose thread
	 * this is subscribed to, for the context of that call; nothing where the connection
	 * does.
	 */
	Mono<Context> authorization();

	/**
	 * Return by what a call with this context is authorized, or {@code null} where the
	 * connection does.
	 */
	@Nullable Object authorization(ContextView context);

	/**
	 * Make a call for each subscription, whose cancellation reaches the server. A call
	 * that meets the loss of the connection is repeated once, when the connection is back
	 * within the call's timeout, if the server cannot have acted on it or the call is
	 * repeatable. Where the server is not connected, the call fails at once; it waits for
	 * the very first attempt, which it begins if need be, and while a session that the
	 * server has dropped is replaced.
	 *
	 * <p>
	 * Fails with {@link McpServerUnavailableException},
	 * {@link McpRequestTimeoutException}, {@link McpProtocolException},
	 * {@link McpConnectionException}, or with what the check of the call says.
	 */
	<T> Mono<T> call(Call<T> call);

	/**
	 * Logs failed calls of all servers.
	 */
	interface FailureLog {

		/**
		 * Create a log whose limits keep this time.
		 */
		static FailureLog create(LongSupplier nanoTime) {
			return new CallLog(nanoTime);
		}

		/**
		 * Log that a tool reports an error.
		 */
		void toolError(String server, String transport, String toolName, Supplier<String> text);

		/**
		 * Log that a call failed.
		 * @param server the server, or {@code null} if it is not known
		 * @param transport the transport of the server, or {@code null} if it is not
		 * known
		 */
		void failed(@Nullable String server, @Nullable String transport, String toolName, Throwable failure);

	}

	/**
	 * Connects servers at their first use, where they are not connected at the start.
	 */
	@FunctionalInterface
	interface ConnectOnUse {

		/**
		 * Connect all servers before the catalog is read as a whole, and wait for them,
		 * unless the thread must not block.
		 */
		void connectAll();

		/**
		 * Return whether the application has not begun to connect its servers yet.
		 */
		default boolean isTooEarly() {
			return false;
		}

		/**
		 * Return whether the client is disabled, and has no servers.
		 */
		default boolean isDisabled() {
			return false;
		}

		/**
		 * Do the same as {@link #connectAll} before a tool is looked up that is not known
		 * or not available, but wait for the servers that may have it only.
		 */
		default void connectServersOf(String name) {
			connectAll();
		}

		/**
		 * Connect only the servers that may have a tool. Completes when the tool is known
		 * or the first attempts have ended, in bounded time; never fails.
		 */
		default Mono<Void> connect(String name) {
			return Mono.empty();
		}

		/**
		 * Return how long a listing waits for the first attempts to connect.
		 */
		default Duration limit() {
			return Duration.ofSeconds(5);
		}

	}

}
