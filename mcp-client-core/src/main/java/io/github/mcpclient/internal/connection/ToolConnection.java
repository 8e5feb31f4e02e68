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
 * The part of a connection that the catalog and the calls of tools need. All methods are
 * thread-safe, and do not block.
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
	 * Return whether the server has not been READY for the given time.
	 */
	boolean isAwayFor(Duration duration);

	/**
	 * Return the type of the transport in use, as in the status.
	 */
	String transport();

	/**
	 * Return a text of the server as one line for a log, without secrets.
	 */
	String line(String text);

	/**
	 * Return a text with the secrets of the server's configuration masked.
	 */
	String masked(String text);

	/**
	 * Record a deviation of the server from the protocol.
	 * @param detail the observed behavior, which is shortened and masked here
	 */
	void deviation(McpServerDeviation.Kind kind, String detail);

	/**
	 * Return the instructions of the server in the latest handshake.
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
	 * Return the data of the catalog for this connection, for its lifetime.
	 */
	AtomicReference<@Nullable Object> kept();

	/**
	 * Return when a tool was last redefined, or {@code null} if it never was.
	 */
	@Nullable Instant toolChangedAt(String name);

	/**
	 * Return whether users are known to have separate connections.
	 */
	boolean isForUsers();

	/**
	 * Return the connection for the caller, in whose context or on whose thread this is
	 * subscribed to: this connection, or the connection of the caller's user, which is
	 * created if necessary. Fails if this is not possible within the request timeout, and
	 * with Spring Security's exception if the user has to log in.
	 */
	Mono<? extends ToolConnection> forCaller();

	/**
	 * Return the connection of the caller's user for listing, if it is available within
	 * the given time; the attempt to connect it continues afterwards. Fails only with
	 * Spring Security's exception if the user has to log in.
	 */
	Mono<? extends ToolConnection> forListing(Duration wait);

	/**
	 * Add the context and the observation of a caller's thread to the context of a call
	 * that continues on another thread.
	 */
	Context withThread(Context caller);

	/**
	 * Return the authorization of a call of the caller, in whose context or on whose
	 * thread this is subscribed to, for the context of that call; empty if the connection
	 * itself is authorized.
	 */
	Mono<Context> authorization();

	/**
	 * Return the authorization of a call with this context, or {@code null} if the
	 * connection itself is authorized.
	 */
	@Nullable Object authorization(ContextView context);

	/**
	 * Make a call for each subscription. Cancelling the subscription cancels the call at
	 * the server. If the connection is lost, the call is repeated once after the
	 * connection is available again within the call's timeout, if the server cannot have
	 * acted on it or the call is repeatable. If the server is not connected, the call
	 * fails immediately; it waits for the very first attempt, which it begins if
	 * necessary, and while a session that the server has dropped is replaced.
	 *
	 * <p>
	 * Fails with {@link McpServerUnavailableException},
	 * {@link McpRequestTimeoutException}, {@link McpProtocolException},
	 * {@link McpConnectionException}, or with the exception of the check of the call.
	 */
	<T> Mono<T> call(Call<T> call);

	/**
	 * Logs failed calls of all servers.
	 */
	interface FailureLog {

		/**
		 * Create a log whose limits use the given clock.
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
	 * Connects servers on their first use, if they are not connected on startup.
	 */
	@FunctionalInterface
	interface ConnectOnUse {

		/**
		 * Connect all servers before the catalog is read as a whole, and wait for them if
		 * the thread may block.
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
		 * Do the same as {@link #connectAll} before the lookup of a tool that is not
		 * known or not available, but wait only for the servers that may have it.
		 */
		default void connectServersOf(String name) {
			connectAll();
		}

		/**
		 * Connect only the servers that may have a tool. Completes when the tool is known
		 * or the first attempts have ended, in a limited time; never fails.
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
