package io.github.mcpclient.definition;

import java.net.URI;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.handler.McpRootsProvider;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.internal.support.Redaction;
import io.github.mcpclient.internal.support.Secrets;
import io.github.mcpclient.management.McpServerManager;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The complete, immutable definition of one server, with all defaults merged. Exactly one
 * of {@link #http()} and {@link #stdio()} is set, unless the type is provided by a
 * transport factory of the application. {@code toString()} and {@link #target()} contain
 * no secrets. Definitions are created with an {@link McpServerDefinitionBuilder}; later
 * versions may add accessors, and components to the nested records.
 *
 * @see McpServerDefinitionSource
 * @see McpServerManager
 */
public sealed interface McpServerDefinition permits McpServerDefinitionBuilder.Definition {

	/**
	 * The transport type of a child process.
	 */
	String STDIO = "stdio";

	/**
	 * The transport type of MCP's streamable HTTP.
	 */
	String STREAMABLE_HTTP = "streamable-http";

	/**
	 * The transport type of MCP's older HTTP with server-sent events (HTTP+SSE).
	 */
	String SSE = "sse";

	/**
	 * The transport type of a WebSocket.
	 */
	String WEBSOCKET = "websocket";

	/**
	 * Return the configured name, unique among all servers.
	 */
	String name();

	/**
	 * Return the transport type in its canonical spelling, such as {@code stdio} or
	 * {@code streamable-http}.
	 */
	String type();

	/**
	 * Return whether the type was inferred from the URL or the command. An inferred
	 * {@code streamable-http} falls back to {@code sse} if the server does not support
	 * it.
	 */
	boolean typeInferred();

	/**
	 * Return the protocol versions to use: {@code auto} to negotiate the version with the
	 * server, {@code legacy} for versions up to 2025-11-25, {@code modern} for versions
	 * from 2026-07-28 on, or a single version, such as {@code 2025-06-18}.
	 */
	String protocol();

	/**
	 * Return whether the client connects to the server.
	 */
	boolean enabled();

	/**
	 * Return whether the application requires the server: if so, startup fails if the
	 * server is unavailable.
	 */
	boolean required();

	/**
	 * Return how to reach the server over HTTP or a WebSocket, or {@code null} for any
	 * other server.
	 */
	@Nullable Http http();

	/**
	 * Return how HTTP requests to the server are authorized.
	 */
	McpServerAuth auth();

	/**
	 * Return how to start the server as a child process, or {@code null} for any other
	 * server.
	 */
	@Nullable Stdio stdio();

	/**
	 * Return the time limits.
	 */
	Timeouts timeouts();

	/**
	 * Return when to reconnect.
	 */
	Reconnect reconnect();

	/**
	 * Return the size limits.
	 */
	Limits limits();

	/**
	 * Return the tools of the server that the application gets, and their names.
	 */
	Tools tools();

	/**
	 * Return whether the application gets the server's prompts, and the maximum number.
	 */
	Feature prompts();

	/**
	 * Return whether the application gets the server's resources and resource templates,
	 * the maximum number of each, and whether tools provide access to them.
	 */
	Resources resources();

	/**
	 * Return the lowest level of log messages that the client requests from the server,
	 * or {@code null} to use the level of the server.
	 */
	@Nullable LoggingLevel loggingLevel();

	/**
	 * Return whether and how the server may use sampling.
	 */
	Sampling sampling();

	/**
	 * Return whether and how the server may use elicitation.
	 */
	Elicitation elicitation();

	/**
	 * Return the roots that the client declares to the server: directories that it may
	 * work on.
	 */
	Roots roots();

	/**
	 * Return the experimental capabilities that the client declares to the server, as
	 * {@code capabilities.experimental}, with the name of the capability as key.
	 */
	Map<String, Object> experimentalCapabilities();

	/**
	 * Return the options of the transport, for an application's own transport factory:
	 * maps, lists and values by name, as configured; may be secret. The built-in
	 * transports have no options.
	 */
	Map<String, Object> options();

	/**
	 * Return additional values that are masked in logs, messages and status. The values
	 * of headers, environment variables and credentials, and parts of the URL and the
	 * arguments that look secret, are always masked.
	 */
	Set<String> secrets();

	/**
	 * Return the target of the connection, in a form suitable for logs: the URL without
	 * credentials and query values, or the command with arguments that look secret
	 * masked. The values of {@link #secrets()} are masked, too.
	 */
	default String target() {
		Http http = http();
		Stdio stdio = stdio();
		String target = (http != null) ? Redaction.url(http.url())
				: (stdio != null) ? Redaction.command(stdio.command(), stdio.args()) : type();
		return Secrets.builder().values(secrets()).build().mask(target);
	}

	/**
	 * Create a builder for a server that uses streamable HTTP.
	 */
	static McpServerDefinitionBuilder http(String name, URI url) {
		return new McpServerDefinitionBuilder(name, STREAMABLE_HTTP).url(url);
	}

	/**
	 * Create a builder for a server that runs as a child process.
	 */
	static McpServerDefinitionBuilder stdio(String name, String command, String... args) {
		return new McpServerDefinitionBuilder(name, STDIO).command(command).args(List.of(args));
	}

	/**
	 * Create a builder for a server of any type.
	 */
	static McpServerDefinitionBuilder of(String name, String type) {
		return new McpServerDefinitionBuilder(name, type);
	}

	/**
	 * Create a builder that starts with the values of this definition.
	 */
	McpServerDefinitionBuilder mutate();

	/**
	 * Return whether another definition has the same values as this one, ignoring
	 * {@link #tools()}.
	 */
	boolean equalsButTools(McpServerDefinition other);

	/**
	 * How to reach a server over HTTP or a WebSocket.
	 *
	 * @param url the MCP endpoint, used unchanged
	 * @param headers headers of every request; secret
	 * @param sslBundle the name of the SSL bundle, or {@code null} for the JVM's defaults
	 * @param proxy the proxy to use, or {@code null} for none
	 * @param terminateOnClose whether to end the session with HTTP {@code DELETE}
	 * @param sseReadTimeout how long a stream may be silent before it is reopened, or
	 * {@code null} for no limit
	 * @param cookies whether to send the cookies that the server sets, in memory and for
	 * one session; ignored for a WebSocket
	 */
	record Http(URI url, Map<String, String> headers, @Nullable String sslBundle, @Nullable Proxy proxy,
			boolean terminateOnClose, @Nullable Duration sseReadTimeout, boolean cookies) {

		public Http {
			headers = Records.copy(headers);
		}

		@Override
		public String toString() {
			// not the path, which may have secrets of the definition
			return "Http[" + this.url.getScheme() + ", headers=" + this.headers.keySet() + "]";
		}

	}

	/**
	 * An HTTP proxy on the way to a server.
	 *
	 * @param host the host of the proxy
	 * @param port its port
	 * @param username the user for the proxy, or {@code null} for none
	 * @param password the user's password, or {@code null}; secret
	 */
	record Proxy(String host, int port, @Nullable String username, @Nullable String password) {

		@Override
		public String toString() {
			return "Proxy[" + this.host + ":" + this.port + "]";
		}

	}

	/**
	 * How to start a server as a child process.
	 *
	 * @param command the executable, looked up on the child's {@code PATH}; never
	 * executed by a shell
	 * @param args its arguments
	 * @param env environment variables for the child, in addition to harmless variables
	 * such as {@code PATH} and {@code HOME}; values are secret
	 * @param inheritEnvironment whether the child gets the entire environment of the
	 * application
	 * @param workingDirectory the directory to start in, or {@code null} for the
	 * directory of the application
	 * @param encoding the character encoding of the child's standard streams
	 * @param packageName the package that the command runs, such as {@code npm:name@1.0},
	 * or {@code null} if it is configured by its command
	 */
	record Stdio(String command, List<String> args, Map<String, String> env, boolean inheritEnvironment,
			@Nullable Path workingDirectory, Charset encoding, @Nullable String packageName) {

		public Stdio {
			args = List.copyOf(args);
			env = Records.copy(env);
		}

		@Override
		public String toString() {
			// not the arguments, which may have secrets of the definition
			return "Stdio[" + Redaction.command(this.command, List.of()) + ", env=" + this.env.keySet() + "]";
		}

	}

	/**
	 * Time limits.
	 *
	 * @param request the time limit for a request
	 * @param initialization the time limit for a connection attempt, including the
	 * listing of tools
	 * @param firstStart the time limit for a connection attempt until the first one
	 * succeeds, if it is longer, for commands that may download the server, such as
	 * {@code npx}, {@code uvx} or {@code docker}
	 * @param connect the time limit for a TCP connection and its TLS handshake
	 * @param keepAliveInterval how long a connection may be silent before it is tested
	 * with a ping, which may take the same time; or {@code null} for never. While calls
	 * are pending, a server that does not respond may be under load: its connection is
	 * dropped only after a call has timed out, too
	 * @param progressExtendsTo the total time limit for a call of a tool if the server
	 * reports progress, each report of which restarts the time limit of the call; or
	 * {@code null} if progress does not extend it. It does not apply to a call with its
	 * own timeout
	 */
	record Timeouts(Duration request, Duration initialization, Duration firstStart, Duration connect,
			@Nullable Duration keepAliveInterval, @Nullable Duration progressExtendsTo) {

		/**
		 * The default limits: request 60 s, initialization 20 s, first start 5 min,
		 * connect 10 s, no keep-alive, not extended by progress.
		 */
		public static final Timeouts DEFAULTS = new Timeouts(Duration.ofSeconds(60), Duration.ofSeconds(20),
				Duration.ofMinutes(5), Duration.ofSeconds(10), null, null);

	}

	/**
	 * When to reconnect after a failed attempt or a lost connection. The delay before
	 * attempt {@code n} is {@code initialDelay * multiplier^(n-1)}, at most
	 * {@code maxDelay}, of which the fraction {@code jitter} is random. A longer delay
	 * that the server requests with HTTP {@code Retry-After} is used instead, up to about
	 * ten times {@code maxDelay}.
	 *
	 * @param enabled Whether to reconnect automatically. Otherwise, an unavailable server
	 * remains unavailable until it is reconnected explicitly.
	 * @param initialDelay Delay before the first attempt to reconnect.
	 * @param multiplier Factor by which the delay grows from one attempt to the next, at
	 * least 1.
	 * @param maxDelay Maximum delay between two attempts to reconnect.
	 * @param jitter Random part of the delay, from 0 (none) to 1 (all of it), so that
	 * many clients of a server do not reconnect at the same time.
	 */
	record Reconnect(boolean enabled, Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {

		/**
		 * The default: unlimited attempts, from 1 s, doubling, up to 30 s, fully random.
		 */
		public static final Reconnect DEFAULTS = new Reconnect(true, Duration.ofSeconds(1), 2.0, Duration.ofSeconds(30),
				1.0);

	}

	/**
	 * Size limits.
	 *
	 * @param maxMessageSize the largest message accepted from the server
	 * @param maxResultSize the largest result of a tool, prompt, resource or completion
	 * accepted from the server
	 * @param maxTools the maximum number of tools that the server may list
	 * @param maxConcurrentCalls the maximum number of pending calls, or {@code null} for
	 * no limit
	 */
	record Limits(DataSize maxMessageSize, DataSize maxResultSize, int maxTools, @Nullable Integer maxConcurrentCalls) {

		/**
		 * The default limits: messages of 16 MB, results of 5 MB, 1000 tools.
		 */
		public static final Limits DEFAULTS = new Limits(DataSize.ofMegabytes(16), DataSize.ofMegabytes(5), 1000, null);

	}

	/**
	 * The tools of the server that the application gets, and their names.
	 *
	 * @param enabled whether the application gets tools of this server at all
	 * @param prefix the prefix of tool names, followed by {@code _}; empty for no prefix
	 * and no {@code _}, so that the server alone determines the names; or {@code null}
	 * for the name of the server
	 * @param filter patterns for the prefixed or original names of tools, in which
	 * {@code *} stands for any characters and {@code ?} for one. A pattern that begins
	 * with {@code !} excludes tools. The last pattern that matches a tool decides; a tool
	 * that no pattern matches is excluded, unless the first pattern begins with
	 * {@code !}. Empty for all tools
	 * @param policy selects the tools that the application gets by their hints
	 * @param validateArguments whether to validate arguments against the input schema of
	 * a tool before it is called, in addition to the validation by the server
	 * @param validateResults whether to validate structured results against the output
	 * schema of a tool, if it has one
	 * @param hideWhenUnavailable how long the server may be unavailable before its tools
	 * are {@linkplain McpTool#hidden() hidden} from models, or {@code null} to always
	 * offer them
	 * @param maxText the maximum number of characters of one result that a model reads,
	 * or 0 for no limit
	 * @param keepResults how long a result that a model has read in part is retained so
	 * that it can read the remaining text, or {@code null} to discard it
	 * @param pinning how to handle a tool whose definition is not the approved one
	 * @param defaultRules rules for single tools, applied before the rules of the server
	 * @param rules rules of the server for single tools
	 */
	record Tools(boolean enabled, @Nullable String prefix, List<String> filter, McpToolPolicy policy,
			boolean validateArguments, boolean validateResults, @Nullable Duration hideWhenUnavailable, int maxText,
			@Nullable Duration keepResults, McpToolPinning pinning, List<McpToolRule> defaultRules,
			List<McpToolRule> rules) {

		/**
		 * The default: all tools, prefixed with the name of the server; results are
		 * validated, and a model reads 50,000 characters of each.
		 */
		public static final Tools DEFAULTS = new Tools(true, null, List.of(), McpToolPolicy.UNRESTRICTED, false, true,
				null, 50_000, null, McpToolPinning.OFF, List.of(), List.of());

		public Tools {
			filter = List.copyOf(filter);
			defaultRules = List.copyOf(defaultRules);
			rules = List.copyOf(rules);
		}

	}

	/**
	 * Whether the application gets the prompts of the server. They are listed after the
	 * server has become READY; a failure to list them does not change its state.
	 *
	 * @param enabled Whether to list the prompts of the server.
	 * @param max Maximum number of prompts that the server may list.
	 */
	record Feature(boolean enabled, int max) {

		/**
		 * The default: enabled, at most 1000.
		 */
		public static final Feature DEFAULTS = new Feature(true, 1000);

	}

	/**
	 * Whether the application gets the resources of the server and their templates, which
	 * are listed like {@linkplain Feature prompts}.
	 *
	 * @param enabled Whether to list the resources and resource templates of the server.
	 * @param max Maximum number of resources that the server may list, and of resource
	 * templates.
	 * @param asTools Whether to provide the tools list_resources and read_resource, for
	 * models that only support tools.
	 */
	record Resources(boolean enabled, int max, boolean asTools) {

		/**
		 * The default: enabled, at most 1000, no tools.
		 */
		public static final Resources DEFAULTS = new Resources(true, 1000, false);

	}

	/**
	 * Whether and how a server may request messages from a language model.
	 *
	 * @param enabled Whether the server may send sampling requests, if there is a handler
	 * for them.
	 * @param timeout Time limit for a handler to process a sampling request.
	 * @param maxTokens Maximum number of tokens that the server may request. A higher
	 * number in a request is lowered to it.
	 * @param maxRequestsPerMinute Maximum number of sampling requests per minute.
	 * @param maxDepth Maximum nesting of sampling, if handlers call tools. 1 means no
	 * nesting.
	 * @param chatModel Name of the Spring AI ChatModel bean that handles the requests, if
	 * no other handler supports the server.
	 */
	record Sampling(boolean enabled, Duration timeout, int maxTokens, int maxRequestsPerMinute, int maxDepth,
			@Nullable String chatModel) {

		/**
		 * The default: enabled, 60 s, 4096 tokens, 60 requests per minute, not nested.
		 */
		public static final Sampling DEFAULTS = new Sampling(true, Duration.ofSeconds(60), 4096, 60, 1, null);

	}

	/**
	 * Whether and how a server may request input from the user.
	 *
	 * @param enabled Whether the server may send elicitation requests, if there is a
	 * handler for them.
	 * @param timeout Time limit for a handler to process an elicitation request.
	 */
	record Elicitation(boolean enabled, Duration timeout) {

		/**
		 * The default: enabled, 5 min.
		 */
		public static final Elicitation DEFAULTS = new Elicitation(true, Duration.ofMinutes(5));

	}

	/**
	 * The roots of a server, in addition to the roots of each {@link McpRootsProvider}.
	 *
	 * @param enabled Whether the server may request the roots, the directories that it
	 * may work on.
	 * @param directories Paths or file URIs of directories that the server may work on.
	 */
	record Roots(boolean enabled, List<String> directories) {

		/**
		 * The default: enabled, no directories.
		 */
		public static final Roots DEFAULTS = new Roots(true, List.of());

	}

}
