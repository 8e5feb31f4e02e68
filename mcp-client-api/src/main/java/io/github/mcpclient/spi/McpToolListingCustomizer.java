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
 * Decides what the application gets of the tools that a server lists: leaves some out,
 * shows some otherwise, intercepts the calls of some, or adds some that the server does
 * not have. Beans of this type are asked in {@code @Order} order, each time that a server
 * lists its tools, and see what those before them have made of a tool. Must be safe for
 * use by many threads.
 *
 * <p>
 * {@link #customize} is asked about each tool that the access and the filters of the
 * configuration leave, by its name in the application. What needs time, such as to read a
 * store, is done before, by {@link #prepare}.
 *
 * <p>
 * <b>Failures.</b> Nothing is shown for want of an answer: a tool for which
 * {@link #customize} fails, and all tools of a server for which {@link #prepare} fails or
 * takes longer than a third of its {@code initialization-timeout}, or {@link #customize}
 * does for all of them, are left out, with the reason, until they are listed again or
 * {@link Listing#applyAgain} is subscribed to. A customizer that may rather be skipped
 * catches its failures itself.
 */
@FunctionalInterface
public interface McpToolListingCustomizer {

	/**
	 * Prepare for the tools of a listing, before they are in use. By default, this does
	 * nothing. Called, and subscribed to, on a thread that may block, once for each
	 * listing, and again where the definition of the server is replaced and its
	 * connection kept; until this has completed, the tools that were added before stay,
	 * and {@link #customize} is asked about the tools as it is.
	 * @return completes when {@link #customize} can be asked about these tools
	 */
	default Mono<Void> prepare(Listing listing) {
		return Mono.empty();
	}

	/**
	 * Customize a tool. Called for each tool of each listing, and again where its name or
	 * the definition of its server has changed. Must not block: it runs on any thread.
	 * @param tool the tool, to be used during this call only
	 */
	void customize(ListedTool tool);

	/**
	 * Return which settings of a server this applies, that do nothing without it:
	 * {@code tools.pinning}, {@code tools.rules} or {@code resources.as-tools}. The
	 * definition of a server that has one of these, and no customizer that applies it, is
	 * refused.
	 */
	default Set<String> settings() {
		return Set.of();
	}

	/**
	 * What a server has listed, for all or for one user. Implemented by the client: later
	 * versions may add methods. Safe for use by many threads.
	 */
	interface Listing {

		/**
		 * Return the server, whose resources can be read here. Its definition may be
		 * another one already.
		 */
		McpServer server();

		/**
		 * Return the definition of the server by which its tools are listed.
		 */
		McpServerDefinition definition();

		/**
		 * Return the tools as the server has listed them, in its order, followed by those
		 * that were {@linkplain #add added}. They are remote input, not to be trusted.
		 */
		List<Tool> tools();

		/**
		 * Return whether the server has a capability, such as {@code resources}.
		 */
		boolean offers(String capability);

		/**
		 * Return whether this is what the server lists for one user, while others may see
		 * other tools.
		 */
		boolean ofUser();

		/**
		 * Return an object that stands for the connection over which the tools were
		 * listed: the same one for all listings of a connection, and another one for each
		 * user with a connection of their own. To be compared by identity; what is kept
		 * of it is of no use once the connection has gone.
		 */
		Object connection();

		/**
		 * Return what is kept for the server, across all of its listings, connections and
		 * definitions, until it is removed. Use a class of your own.
		 * @param initial makes it, when it is first asked for; one of several where they
		 * ask at the same moment
		 */
		<T> T state(Class<T> type, Supplier<? extends T> initial);

		/**
		 * Add a tool that the server does not have, as if the server had listed it: it is
		 * named, filtered and customized as any other. Only until all customizers have
		 * prepared for this listing. A tool whose name is taken is left out, with the
		 * reason.
		 * @param source what adds it, such as a property, for that reason
		 * @param tool the tool
		 * @param answer answers its calls in place of the server, after all interceptors:
		 * must not block, is subscribed to with the Reactor context of the caller, and is
		 * cancelled when the time of the call is over
		 */
		void add(String source, Tool tool, Function<McpToolRequest, Mono<CallToolResult>> answer);

		/**
		 * Customize all tools that the server lists now again, for all and for its users,
		 * as there is reason for another answer. Does nothing once the server was
		 * removed.
		 * @return for each subscription, completes when the tools are in use; never fails
		 */
		Mono<Void> applyAgain();

		/**
		 * Publish an event of the server. Does not block.
		 */
		void publish(McpServerEvent event);

		/**
		 * Return a text with masks in place of secrets of the server's configuration.
		 */
		String masked(String text);

		/**
		 * Return a text of anybody as one line for a log or a reason, shortened and
		 * without secrets of the server's configuration.
		 */
		String line(String text);

	}

	/**
	 * A tool that passes all rules so far. Implemented by the client: later versions may
	 * add methods. Not safe for use by many threads.
	 */
	interface ListedTool {

		/**
		 * Return the listing that has the tool: the same one for all of its tools, until
		 * the server lists other tools, or by another definition or connection.
		 */
		Listing listing();

		/**
		 * Return the tool as the server has listed it: remote input, not to be trusted.
		 */
		Tool tool();

		/**
		 * Return the name of the tool in the application, such as
		 * {@code <server>_<tool>}.
		 */
		String name();

		/**
		 * Return the tool as the customizers so far show it.
		 */
		Tool shown();

		/**
		 * Return whether patterns, as those of {@code tools.filter}, are for this tool,
		 * by its name in the application, its original name or the name that it would
		 * have if no other server had a similar one.
		 */
		boolean matches(Collection<String> patterns);

		/**
		 * Return the same for patterns that may mean tools of other servers, too: an
		 * original name does not count here that looks like the name of a tool of another
		 * server.
		 */
		boolean matchesForSure(Collection<String> patterns);

		/**
		 * Leave the tool out. It is among the
		 * {@linkplain ManagedMcpServer#excludedTools() excluded tools} of the server, and
		 * no other customizer is asked.
		 * @param reason why, for operators, such as {@code its name begins with test_};
		 * without secrets
		 */
		void exclude(String reason);

		/**
		 * Show the application and models another tool, in place of {@link #shown()}:
		 * with another title, description, schema or other hints. Its name stays. A call
		 * is repeated after the loss of a connection only where the hints of both allow
		 * it.
		 */
		void show(Tool tool);

		/**
		 * Intercept the calls of this tool, after the interceptors that were added before
		 * in the same {@linkplain McpToolInterceptor phase}. It is part of the timeout of
		 * the call also in the phase {@code APPLICATION}, where it is called after all
		 * interceptors of the application.
		 */
		void intercept(McpToolInterceptor interceptor);

		/**
		 * Set the {@linkplain McpTool#rule() rule} of the tool, whose timeouts apply to
		 * its calls. All else that it says is up to the customizer.
		 * @param timeoutSetting the property that has the timeout, to be named where it
		 * is over, or {@code null}
		 */
		void rule(McpToolRule rule, @Nullable String timeoutSetting);

	}

}
