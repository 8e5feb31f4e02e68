package io.github.mcpclient.spi;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.event.McpServerEvent;
import io.github.mcpclient.management.ManagedMcpServer;
import io.modelcontextprotocol.spec.McpSchema.CallToolResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Strategy interface that customizes the tools that a server lists before the application
 * gets them: excludes tools, changes their definitions, intercepts their calls, or adds
 * tools that the server does not have. Beans of this type are called in {@code @Order}
 * order, each time that a server lists its tools, and see the changes of earlier
 * customizers. Implementations must be thread-safe.
 *
 * <p>
 * {@link #customize} is called for each tool that the access rules and the filters of the
 * configuration include, with its name in the application. Perform slow operations, such
 * as reading a store, in {@link #prepare}.
 *
 * <p>
 * <b>Failures.</b> If a customizer fails, tools are excluded with the reason: a single
 * tool if {@link #customize} fails for it, and all tools of a server if {@link #prepare}
 * fails, or if {@link #prepare}, or {@link #customize} for all of them, takes longer than
 * a third of its {@code initialization-timeout}. They remain excluded until they are
 * listed again or {@link Listing#applyAgain} is subscribed to. If a customizer is
 * optional, it should catch its own failures.
 */
@FunctionalInterface
public interface McpToolListingCustomizer {

	/**
	 * Prepare for the tools of a listing, before they are in use. By default, this does
	 * nothing. Called, and subscribed to, on a thread that may block, once for each
	 * listing, and again if the definition of the server is replaced while its connection
	 * stays open. In this case, until the preparation has completed, previously added
	 * tools remain, and {@link #customize} is called with the previous preparation.
	 * @return completes when {@link #customize} can be called for these tools
	 */
	default Mono<Void> prepare(Listing listing) {
		return Mono.empty();
	}

	/**
	 * Customize a tool. Called for each tool of each listing, and again if its name or
	 * the definition of its server has changed. Must not block: it runs on any thread.
	 * @param tool the tool, to be used during this call only
	 */
	void customize(ListedTool tool);

	/**
	 * Return the settings of a server that this customizer applies, and that have no
	 * effect without it: {@code tools.pinning}, {@code tools.rules} or
	 * {@code resources.as-tools}. A definition that contains one of these settings is
	 * rejected if no customizer applies it.
	 */
	default Set<String> settings() {
		return Set.of();
	}

	/**
	 * A listing of a server, for all users or for one user. Implemented by the client:
	 * later versions may add methods. Thread-safe.
	 */
	interface Listing {

		/**
		 * Return the server, for example to read its resources. Its definition may
		 * already be a newer one.
		 */
		McpServer server();

		/**
		 * Return the definition of the server that applies to this listing.
		 */
		McpServerDefinition definition();

		/**
		 * Return the tools as the server has listed them, in its order, followed by
		 * {@linkplain #add added} tools. They are untrusted remote input.
		 */
		List<Tool> tools();

		/**
		 * Return whether the server has a capability, such as {@code resources}.
		 */
		boolean offers(String capability);

		/**
		 * Return whether this is the listing for one user. Other users may see other
		 * tools.
		 */
		boolean ofUser();

		/**
		 * Return an object that represents the connection over which the tools were
		 * listed: the same object for all listings of a connection, and another one for
		 * each user with a separate connection. Compare it by identity; state for a
		 * connection is obsolete once the connection is closed.
		 */
		Object connection();

		/**
		 * Return the state of the customizer for the server, which is retained across all
		 * of its listings, connections and definitions until it is removed. Use a private
		 * class as the type.
		 * @param initial creates the state at the first call; if calls are concurrent,
		 * the result of one of them is used
		 */
		<T> T state(Class<T> type, Supplier<? extends T> initial);

		/**
		 * Add a tool that the server does not have, as if the server had listed it: it is
		 * named, filtered and customized like any other tool. Only allowed until all
		 * customizers have prepared for this listing. A tool whose name is already in use
		 * is excluded, with the reason.
		 * @param source the origin of the tool for that reason, such as a property
		 * @param tool the tool
		 * @param handler handles the calls of the tool, after all interceptors, without
		 * the server: must not block, is subscribed to with the Reactor context of the
		 * caller, and is cancelled at the end of the timeout of the call
		 */
		void add(String source, Tool tool, Function<McpToolRequest, Mono<CallToolResult>> handler);

		/**
		 * Customize all tools that the server currently lists again, for all users and
		 * for each user, because the result of the customizer has changed. Does nothing
		 * once the server was removed.
		 * @return for each subscription, completes when the tools are in use; never fails
		 */
		Mono<Void> applyAgain();

		/**
		 * Publish an event of the server. Does not block.
		 */
		void publish(McpServerEvent event);

		/**
		 * Return a text with the secrets of the server's configuration masked.
		 */
		String masked(String text);

		/**
		 * Return an untrusted text as a single line for a log or a reason, shortened and
		 * with secrets of the server's configuration masked.
		 */
		String line(String text);

	}

	/**
	 * A tool that no rule or customizer has excluded so far. Implemented by the client:
	 * later versions may add methods. Not thread-safe.
	 */
	interface ListedTool {

		/**
		 * Return the listing that contains the tool: the same one for all of its tools,
		 * until the server lists other tools, or its definition or connection changes.
		 */
		Listing listing();

		/**
		 * Return the tool as the server has listed it: untrusted remote input.
		 */
		Tool tool();

		/**
		 * Return the name of the tool in the application, such as
		 * {@code <server>_<tool>}.
		 */
		String name();

		/**
		 * Return the tool with the changes of the customizers so far.
		 */
		Tool shown();

		/**
		 * Return whether patterns, with the syntax of {@code tools.filter}, match this
		 * tool by its name in the application, its original name or the name that it
		 * would have if no other server had a similar one.
		 */
		boolean matches(Collection<String> patterns);

		/**
		 * Return whether patterns match this tool, if the patterns may also refer to
		 * tools of other servers: an original name that looks like the name of a tool of
		 * another server is ignored.
		 */
		boolean matchesForSure(Collection<String> patterns);

		/**
		 * Exclude the tool. It is added to the
		 * {@linkplain ManagedMcpServer#excludedTools() excluded tools} of the server, and
		 * no other customizer is called for it.
		 * @param reason the reason, for operators, such as {@code its name begins with
		 * test_}; without secrets
		 */
		void exclude(String reason);

		/**
		 * Show another tool to the application and models, in place of {@link #shown()}:
		 * with another title, description, schema or other hints. Its name remains
		 * unchanged. A call is repeated after the loss of a connection only if the hints
		 * of both allow it.
		 */
		void show(Tool tool);

		/**
		 * Intercept the calls of this tool, after the interceptors that were added before
		 * in the same {@linkplain McpToolInterceptor phase}. The interceptor is part of
		 * the timeout of the call, even in the phase {@code APPLICATION}, in which it is
		 * called after all interceptors of the application.
		 */
		void intercept(McpToolInterceptor interceptor);

		/**
		 * Set the {@linkplain McpTool#rule() rule} of the tool, whose timeouts apply to
		 * its calls. The customizer is responsible for applying the other settings of the
		 * rule.
		 * @param timeoutSetting the property that sets the timeout, to be named in the
		 * exception when the timeout is exceeded, or {@code null}
		 */
		void rule(McpToolRule rule, @Nullable String timeoutSetting);

	}

}
