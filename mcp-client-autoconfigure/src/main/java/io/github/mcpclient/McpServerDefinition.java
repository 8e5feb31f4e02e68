package io.github.mcpclient;

import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.support.Records;
import io.github.mcpclient.support.Redaction;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * The complete, immutable description of one server, with all defaults merged. Exactly
 * one of {@link #http()} and {@link #stdio()} is set, unless the type is one that an
 * application's transport factory adds. {@link #toString()} and {@link #target()} contain
 * no secrets. Definitions are created with a {@link Builder}; later versions may add
 * accessors, and components to the nested records.
 *
 * @see McpServerDefinitionSource
 * @see McpServerRegistrar
 */
public sealed interface McpServerDefinition {

	/**
	 * The transport type of a child process.
	 */
	String STDIO = "stdio";

	/**
	 * The transport type of MCP's streamable HTTP.
	 */
	String STREAMABLE_HTTP = "streamable-http";

	/**
	 * The transport type of MCP's older HTTP with server-sent events.
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
	 * Return whether the type was inferred from the url or the command rather than given.
	 * An inferred {@code streamable-http} falls back to {@code sse} where the server does
	 * not support it.
	 */
	boolean typeInferred();

	/**
	 * Return whether the server is contacted at all.
	 */
	boolean enabled();

	/**
	 * Return whether the application depends on the server: startup fails if it is
	 * unavailable.
	 */
	boolean required();

	/**
	 * Return how to reach the server over HTTP, or {@code null} for a server of another
	 * kind.
	 */
	@Nullable Http http();

	/**
	 * Return how HTTP requests to the server are authorized.
	 */
	McpServerAuth auth();

	/**
	 * Return how to start the server as a child process, or {@code null} for a server of
	 * another kind.
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
	 * Return which tools of the server the application gets, and under which names.
	 */
	Tools tools();

	/**
	 * Return whether the application gets the server's prompts, and how many at most.
	 */
	Feature prompts();

	/**
	 * Return whether the application gets the server's resources and resource templates,
	 * and how many of each at most.
	 */
	Feature resources();

	/**
	 * Return the lowest level of log messages that the server is asked to send, or
	 * {@code null} to leave that to the server.
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
	 * Return which roots the server has.
	 */
	Roots roots();

	/**
	 * Return the experimental capabilities that the client declares at initialization, as
	 * {@code capabilities.experimental}: values by the name of the capability.
	 */
	Map<String, Object> experimentalCapabilities();

	/**
	 * Return the options of the transport, for an application's own transport factory:
	 * maps, lists and values by name, as configured; may be secret. The built-in
	 * transports have none.
	 */
	Map<String, Object> options();

	/**
	 * Return what is contacted, in a form fit for logs: the url without credentials and
	 * query values, or the command with arguments that look secret masked.
	 */
	default String target() {
		Http http = http();
		if (http != null) {
			return Redaction.url(http.url());
		}
		Stdio stdio = stdio();
		return (stdio != null) ? Redaction.command(stdio.command(), stdio.args()) : type();
	}

	/**
	 * Create a builder for a server that is reached over streamable HTTP.
	 */
	static Builder http(String name, URI url) {
		return new Builder(name, STREAMABLE_HTTP).url(url);
	}

	/**
	 * Create a builder for a server that runs as a child process.
	 */
	static Builder stdio(String name, String command, String... args) {
		return new Builder(name, STDIO).command(command).args(List.of(args));
	}

	/**
	 * Create a builder for a server of any type.
	 */
	static Builder of(String name, String type) {
		return new Builder(name, type);
	}

	/**
	 * Create a builder that starts with the values of this definition.
	 */
	default Builder mutate() {
		Builder builder = new Builder(name(), type()).typeInferred(typeInferred())
			.enabled(enabled())
			.required(required())
			.auth(auth())
			.requestTimeout(timeouts().request())
			.initializationTimeout(timeouts().initialization())
			.firstStartTimeout(timeouts().firstStart())
			.connectTimeout(timeouts().connect())
			.keepAliveInterval(timeouts().keepAliveInterval())
			.reconnect(reconnect())
			.maxMessageSize(limits().maxMessageSize())
			.maxResultSize(limits().maxResultSize())
			.maxTools(limits().maxTools())
			.maxConcurrentCalls(limits().maxConcurrentCalls())
			.toolsEnabled(tools().enabled())
			.toolPrefix(tools().prefix())
			.toolFilter(tools().filter())
			.toolPolicy(tools().policy())
			.validateArguments(tools().validateArguments())
			.validateResults(tools().validateResults())
			.hideWhenUnavailable(tools().hideWhenUnavailable())
			.prompts(prompts())
			.resources(resources())
			.loggingLevel(loggingLevel())
			.sampling(sampling())
			.elicitation(elicitation())
			.roots(roots())
			.experimentalCapabilities(experimentalCapabilities())
			.options(options());
		Http http = http();
		if (http != null) {
			builder.url(http.url())
				.headers(http.headers())
				.sslBundle(http.sslBundle())
				.proxy(http.proxy())
				.terminateOnClose(http.terminateOnClose())
				.sseReadTimeout(http.sseReadTimeout());
		}
		Stdio stdio = stdio();
		if (stdio != null) {
			builder.command(stdio.command())
				.args(stdio.args())
				.env(stdio.env())
				.inheritEnvironment(stdio.inheritEnvironment())
				.workingDirectory(stdio.workingDirectory())
				.encoding(stdio.encoding());
		}
		return builder;
	}

	/**
	 * How to reach a server over HTTP.
	 *
	 * @param url the MCP endpoint, sent to the server unchanged
	 * @param headers headers of every request; secret
	 * @param sslBundle the name of the SSL bundle, or {@code null} for the JVM's defaults
	 * @param proxy the proxy on the way, or {@code null} for none
	 * @param terminateOnClose whether to end the session with HTTP {@code DELETE}
	 * @param sseReadTimeout how long a stream may be silent before it is reopened, or
	 * {@code null} for no limit
	 */
	record Http(URI url, Map<String, String> headers, @Nullable String sslBundle, @Nullable Proxy proxy,
			boolean terminateOnClose, @Nullable Duration sseReadTimeout) {

		public Http {
			headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
		}

		@Override
		public String toString() {
			return "Http[" + Redaction.url(this.url) + ", headers=" + this.headers.keySet() + "]";
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
	 * @param command the executable, looked up on the child's {@code PATH}; never run by
	 * a shell
	 * @param args its arguments
	 * @param env variables for the child, in addition to the harmless ones; values are
	 * secret
	 * @param inheritEnvironment whether the child gets the entire environment of the
	 * application
	 * @param workingDirectory the directory to start in, or {@code null} for that of the
	 * application
	 * @param encoding the character encoding of the child's standard streams
	 */
	record Stdio(String command, List<String> args, Map<String, String> env, boolean inheritEnvironment,
			@Nullable Path workingDirectory, Charset encoding) {

		public Stdio {
			args = List.copyOf(args);
			env = Collections.unmodifiableMap(new LinkedHashMap<>(env));
		}

		@Override
		public String toString() {
			return "Stdio[" + Redaction.command(this.command, this.args) + ", env=" + this.env.keySet() + "]";
		}

	}

	/**
	 * Time limits.
	 *
	 * @param request how long a request may take
	 * @param initialization how long an attempt to connect may take, including the
	 * listing of tools
	 * @param firstStart how long such an attempt may take until the first one succeeds,
	 * if that is longer, for commands that may download the server, such as {@code npx},
	 * {@code uvx} or {@code docker}
	 * @param connect how long a TCP connection and its TLS handshake may take
	 * @param keepAliveInterval how long a connection may be silent before it is tested
	 * with a ping, which may take the same time; or {@code null} for never. While calls
	 * are pending, a server that does not answer may be busy: its connection is only
	 * dropped once a call has timed out, too
	 */
	record Timeouts(Duration request, Duration initialization, Duration firstStart, Duration connect,
			@Nullable Duration keepAliveInterval) {

		/**
		 * The default limits: request 60 s, initialization 20 s, first start 5 min,
		 * connect 10 s, no keep-alive.
		 */
		public static final Timeouts DEFAULTS = new Timeouts(Duration.ofSeconds(60), Duration.ofSeconds(20),
				Duration.ofMinutes(5), Duration.ofSeconds(10), null);

	}

	/**
	 * When to reconnect after a failed attempt or a lost connection. The delay before
	 * attempt {@code n} is {@code initialDelay * multiplier^(n-1)}, at most
	 * {@code maxDelay}, of which the fraction {@code jitter} is random.
	 *
	 * @param enabled whether to reconnect automatically
	 * @param initialDelay the first delay
	 * @param multiplier the growth of the delay; at least 1
	 * @param maxDelay the longest delay
	 * @param jitter the random fraction of the delay, from 0 (none) to 1 (all of it)
	 */
	record Reconnect(boolean enabled, Duration initialDelay, double multiplier, Duration maxDelay, double jitter) {

		/**
		 * The default: indefinitely, from 1 s, doubling, up to 30 s, fully random.
		 */
		public static final Reconnect DEFAULTS = new Reconnect(true, Duration.ofSeconds(1), 2, Duration.ofSeconds(30),
				1);

	}

	/**
	 * Size limits.
	 *
	 * @param maxMessageSize the largest message accepted from the server
	 * @param maxResultSize the largest result of a tool, prompt, resource or completion
	 * accepted from the server
	 * @param maxTools how many tools the server may list
	 * @param maxConcurrentCalls how many calls may be pending at a time, or {@code null}
	 * for no limit
	 */
	record Limits(DataSize maxMessageSize, DataSize maxResultSize, int maxTools, @Nullable Integer maxConcurrentCalls) {

		/**
		 * The default limits: messages of 16 MB, results of 5 MB, 1000 tools.
		 */
		public static final Limits DEFAULTS = new Limits(DataSize.ofMegabytes(16), DataSize.ofMegabytes(5), 1000, null);

	}

	/**
	 * Which of the server's tools the application gets, and under which names.
	 *
	 * @param enabled whether the application gets tools of this server at all
	 * @param prefix the prefix of tool names, which {@code _} follows; empty for neither,
	 * so that the server alone determines the names; or {@code null} for the name of the
	 * server
	 * @param filter patterns for the prefixed or original names of tools, in which
	 * {@code *} stands for any characters and {@code ?} for one. A pattern that begins
	 * with {@code !} denies. The last pattern that matches a tool decides; a tool that
	 * none matches is denied, unless the first pattern denies. Empty for all tools
	 * @param policy which tools the application gets by their hints
	 * @param validateArguments whether to validate arguments against the input schema of
	 * a tool before it is called, which the server does, too
	 * @param validateResults whether to validate structured results against the output
	 * schema of a tool, if it has one
	 * @param hideWhenUnavailable how long the server may be unavailable before its tools
	 * are no longer {@linkplain McpToolCatalog#offered() offered} to a model, or
	 * {@code null} to offer them always
	 */
	record Tools(boolean enabled, @Nullable String prefix, List<String> filter, McpToolPolicy policy,
			boolean validateArguments, boolean validateResults, @Nullable Duration hideWhenUnavailable) {

		/**
		 * The default: all tools, prefixed with the name of the server; results are
		 * validated.
		 */
		public static final Tools DEFAULTS = new Tools(true, null, List.of(), McpToolPolicy.UNRESTRICTED, false, true,
				null);

		public Tools {
			filter = List.copyOf(filter);
		}

	}

	/**
	 * Whether the application gets the prompts or resources of the server. They are
	 * listed after the server has become READY; a failure to list them does not change
	 * that.
	 *
	 * @param enabled whether to list and use them
	 * @param max how many the server may list
	 */
	record Feature(boolean enabled, int max) {

		/**
		 * The default: enabled, at most 1000.
		 */
		public static final Feature DEFAULTS = new Feature(true, 1000);

	}

	/**
	 * Whether and how a server may ask for messages of a language model. Settings that
	 * are {@code null} get the default when a definition is built.
	 *
	 * @param enabled Whether the server may ask, where there is a handler for it.
	 * @param timeout How long a handler may take.
	 * @param maxTokens Largest number of tokens that the server may ask for.
	 * @param maxRequestsPerMinute Largest number of requests in a minute.
	 * @param maxDepth Largest depth of requests that are nested in calls of handlers; 1
	 * for not nested.
	 * @param chatModel Name of the ChatModel bean of Spring AI that answers, if no other
	 * handler does.
	 */
	record Sampling(Boolean enabled, Duration timeout, Integer maxTokens, Integer maxRequestsPerMinute,
			Integer maxDepth, @Nullable String chatModel) {

		/**
		 * The default: 60 s, 4096 tokens, 60 requests in a minute, not nested.
		 */
		public static final Sampling DEFAULTS = new Sampling(true, Duration.ofSeconds(60), 4096, 60, 1, null);

	}

	/**
	 * Whether and how a server may ask for input of the user. Settings that are
	 * {@code null} get the default when a definition is built.
	 *
	 * @param enabled Whether the server may ask, where there is a handler for it.
	 * @param timeout How long a handler may take.
	 */
	record Elicitation(Boolean enabled, Duration timeout) {

		/**
		 * The default: 5 min.
		 */
		public static final Elicitation DEFAULTS = new Elicitation(true, Duration.ofMinutes(5));

	}

	/**
	 * The roots of a server, beside those of each {@link McpRootsProvider}. Settings that
	 * are {@code null} get the default when a definition is built.
	 *
	 * @param enabled Whether the server may ask for its roots.
	 * @param directories Paths or file uris of directories that the server may work on.
	 */
	record Roots(Boolean enabled, List<String> directories) {

		/**
		 * The default: those of providers.
		 */
		public static final Roots DEFAULTS = new Roots(true, List.of());

	}

	/**
	 * Builds a definition. Every setter returns this builder. Not safe for use by many
	 * threads.
	 */
	final class Builder {

		private final String name;

		private final String type;

		private boolean typeInferred;

		private boolean enabled = true;

		private boolean required;

		private @Nullable URI url;

		private Map<String, String> headers = Map.of();

		private @Nullable String sslBundle;

		private @Nullable Proxy proxy;

		private boolean terminateOnClose = true;

		private @Nullable Duration sseReadTimeout;

		private McpServerAuth auth = McpServerAuth.DEFAULTS;

		private @Nullable String command;

		private List<String> args = List.of();

		private Map<String, String> env = Map.of();

		private boolean inheritEnvironment;

		private @Nullable Path workingDirectory;

		private Charset encoding = StandardCharsets.UTF_8;

		private Duration requestTimeout = Timeouts.DEFAULTS.request();

		private Duration initializationTimeout = Timeouts.DEFAULTS.initialization();

		private Duration firstStartTimeout = Timeouts.DEFAULTS.firstStart();

		private Duration connectTimeout = Timeouts.DEFAULTS.connect();

		private @Nullable Duration keepAliveInterval;

		private Reconnect reconnect = Reconnect.DEFAULTS;

		private DataSize maxMessageSize = Limits.DEFAULTS.maxMessageSize();

		private DataSize maxResultSize = Limits.DEFAULTS.maxResultSize();

		private int maxTools = Limits.DEFAULTS.maxTools();

		private @Nullable Integer maxConcurrentCalls;

		private boolean toolsEnabled = true;

		private @Nullable String toolPrefix;

		private List<String> toolFilter = List.of();

		private McpToolPolicy toolPolicy = McpToolPolicy.UNRESTRICTED;

		private boolean validateArguments;

		private boolean validateResults = true;

		private @Nullable Duration hideWhenUnavailable;

		private Feature prompts = Feature.DEFAULTS;

		private Feature resources = Feature.DEFAULTS;

		private @Nullable LoggingLevel loggingLevel;

		private Sampling sampling = Sampling.DEFAULTS;

		private Elicitation elicitation = Elicitation.DEFAULTS;

		private Roots roots = Roots.DEFAULTS;

		private Map<String, Object> experimentalCapabilities = Map.of();

		private Map<String, Object> options = Map.of();

		private Builder(String name, String type) {
			Assert.hasText(name, "'name' must not be empty");
			Assert.hasText(type, "'type' must not be empty");
			this.name = name;
			this.type = type;
		}

		/**
		 * Set whether the type was inferred rather than given. Default {@code false}.
		 */
		public Builder typeInferred(boolean typeInferred) {
			this.typeInferred = typeInferred;
			return this;
		}

		/**
		 * Set whether the server is contacted at all. Default {@code true}.
		 */
		public Builder enabled(boolean enabled) {
			this.enabled = enabled;
			return this;
		}

		/**
		 * Set whether the application depends on the server. Default {@code false}.
		 */
		public Builder required(boolean required) {
			this.required = required;
			return this;
		}

		/**
		 * Set the url of the MCP endpoint.
		 */
		public Builder url(URI url) {
			this.url = url;
			return this;
		}

		/**
		 * Set the headers of every HTTP request, replacing those set before.
		 */
		public Builder headers(Map<String, String> headers) {
			this.headers = headers;
			return this;
		}

		/**
		 * Set the name of the SSL bundle for TLS, or {@code null} for the JVM's defaults.
		 */
		public Builder sslBundle(@Nullable String sslBundle) {
			this.sslBundle = sslBundle;
			return this;
		}

		/**
		 * Set the proxy on the way to the server, or {@code null} for none, which is the
		 * default.
		 */
		public Builder proxy(@Nullable Proxy proxy) {
			this.proxy = proxy;
			return this;
		}

		/**
		 * Set whether to end the session with HTTP {@code DELETE}. Default {@code true}.
		 */
		public Builder terminateOnClose(boolean terminateOnClose) {
			this.terminateOnClose = terminateOnClose;
			return this;
		}

		/**
		 * Set how long a stream may be silent before it is reopened, or {@code null} for
		 * no limit, which is the default.
		 */
		public Builder sseReadTimeout(@Nullable Duration sseReadTimeout) {
			this.sseReadTimeout = sseReadTimeout;
			return this;
		}

		/**
		 * Set how HTTP requests are authorized. Default {@link McpServerAuth#NONE}.
		 */
		public Builder auth(McpServerAuth auth) {
			this.auth = auth.withDefaults();
			return this;
		}

		/**
		 * Set the executable of a child process.
		 */
		public Builder command(String command) {
			this.command = command;
			return this;
		}

		/**
		 * Set the arguments of the child process.
		 */
		public Builder args(List<String> args) {
			this.args = args;
			return this;
		}

		/**
		 * Set variables of the child's environment, replacing those set before.
		 */
		public Builder env(Map<String, String> env) {
			this.env = env;
			return this;
		}

		/**
		 * Set whether the child gets the application's environment. Default {@code
		 * false}.
		 */
		public Builder inheritEnvironment(boolean inheritEnvironment) {
			this.inheritEnvironment = inheritEnvironment;
			return this;
		}

		/**
		 * Set the directory in which the child starts, or {@code null} for that of the
		 * application.
		 */
		public Builder workingDirectory(@Nullable Path workingDirectory) {
			this.workingDirectory = workingDirectory;
			return this;
		}

		/**
		 * Set the encoding of the child's standard streams. Default UTF-8.
		 */
		public Builder encoding(Charset encoding) {
			this.encoding = encoding;
			return this;
		}

		/**
		 * Set how long a request may take. Default 60 s.
		 */
		public Builder requestTimeout(Duration requestTimeout) {
			this.requestTimeout = requestTimeout;
			return this;
		}

		/**
		 * Set how long an attempt to connect may take. Default 20 s.
		 */
		public Builder initializationTimeout(Duration initializationTimeout) {
			this.initializationTimeout = initializationTimeout;
			return this;
		}

		/**
		 * Set how long an attempt to connect may take until the first one succeeds, for
		 * commands that may download the server. Default 5 min.
		 */
		public Builder firstStartTimeout(Duration firstStartTimeout) {
			this.firstStartTimeout = firstStartTimeout;
			return this;
		}

		/**
		 * Set how long a TCP connection and its TLS handshake may take. Default 10 s.
		 */
		public Builder connectTimeout(Duration connectTimeout) {
			this.connectTimeout = connectTimeout;
			return this;
		}

		/**
		 * Set how long a connection may be silent before it is tested with a ping, or
		 * {@code null} for never, which is the default.
		 */
		public Builder keepAliveInterval(@Nullable Duration keepAliveInterval) {
			this.keepAliveInterval = keepAliveInterval;
			return this;
		}

		/**
		 * Set when to reconnect. Default {@link Reconnect#DEFAULTS}.
		 */
		public Builder reconnect(Reconnect reconnect) {
			this.reconnect = reconnect;
			return this;
		}

		/**
		 * Set the largest message accepted from the server. Default 16 MB.
		 */
		public Builder maxMessageSize(DataSize maxMessageSize) {
			this.maxMessageSize = maxMessageSize;
			return this;
		}

		/**
		 * Set the largest result accepted from the server. Default 5 MB.
		 */
		public Builder maxResultSize(DataSize maxResultSize) {
			this.maxResultSize = maxResultSize;
			return this;
		}

		/**
		 * Set how many tools the server may list. Default 1000.
		 */
		public Builder maxTools(int maxTools) {
			this.maxTools = maxTools;
			return this;
		}

		/**
		 * Set how many calls may be pending at a time, or {@code null} for no limit,
		 * which is the default.
		 */
		public Builder maxConcurrentCalls(@Nullable Integer maxConcurrentCalls) {
			this.maxConcurrentCalls = maxConcurrentCalls;
			return this;
		}

		/**
		 * Set whether the application gets tools of this server at all. Default {@code
		 * true}.
		 */
		public Builder toolsEnabled(boolean toolsEnabled) {
			this.toolsEnabled = toolsEnabled;
			return this;
		}

		/**
		 * Set the prefix of tool names; empty for none, or {@code null} for the name of
		 * the server, which is the default.
		 */
		public Builder toolPrefix(@Nullable String toolPrefix) {
			this.toolPrefix = toolPrefix;
			return this;
		}

		/**
		 * Set which tools the application gets by their names, as described at
		 * {@link Tools#filter()}. Default all tools.
		 */
		public Builder toolFilter(List<String> toolFilter) {
			this.toolFilter = toolFilter;
			return this;
		}

		/**
		 * Set which tools the application gets by their hints. Default all tools.
		 */
		public Builder toolPolicy(McpToolPolicy toolPolicy) {
			this.toolPolicy = toolPolicy;
			return this;
		}

		/**
		 * Set whether to validate arguments before a call. Default {@code false}.
		 */
		public Builder validateArguments(boolean validateArguments) {
			this.validateArguments = validateArguments;
			return this;
		}

		/**
		 * Set whether to validate structured results. Default {@code true}.
		 */
		public Builder validateResults(boolean validateResults) {
			this.validateResults = validateResults;
			return this;
		}

		/**
		 * Set how long the server may be unavailable before its tools are no longer
		 * {@linkplain McpToolCatalog#offered() offered} to a model, or {@code null} to
		 * offer them always, which is the default.
		 */
		public Builder hideWhenUnavailable(@Nullable Duration hideWhenUnavailable) {
			this.hideWhenUnavailable = hideWhenUnavailable;
			return this;
		}

		/**
		 * Set whether the application gets the server's prompts, and how many at most.
		 * Default {@link Feature#DEFAULTS}.
		 */
		public Builder prompts(Feature prompts) {
			this.prompts = prompts;
			return this;
		}

		/**
		 * Set whether the application gets the server's resources and resource templates,
		 * and how many of each at most. Default {@link Feature#DEFAULTS}.
		 */
		public Builder resources(Feature resources) {
			this.resources = resources;
			return this;
		}

		/**
		 * Set the lowest level of log messages that the server is asked to send, if it
		 * supports that, or {@code null} to leave it to the server, which is the default.
		 */
		public Builder loggingLevel(@Nullable LoggingLevel loggingLevel) {
			this.loggingLevel = loggingLevel;
			return this;
		}

		/**
		 * Set whether and how the server may use sampling. Default
		 * {@link Sampling#DEFAULTS}.
		 */
		public Builder sampling(Sampling sampling) {
			this.sampling = Records.merge(sampling, Sampling.DEFAULTS);
			return this;
		}

		/**
		 * Set whether and how the server may use elicitation. Default
		 * {@link Elicitation#DEFAULTS}.
		 */
		public Builder elicitation(Elicitation elicitation) {
			this.elicitation = Records.merge(elicitation, Elicitation.DEFAULTS);
			return this;
		}

		/**
		 * Set the roots of the server. Default {@link Roots#DEFAULTS}.
		 */
		public Builder roots(Roots roots) {
			this.roots = Records.merge(roots, Roots.DEFAULTS);
			return this;
		}

		/**
		 * Set the experimental capabilities that the client declares at initialization:
		 * values by the name of the capability.
		 */
		public Builder experimentalCapabilities(Map<String, Object> experimentalCapabilities) {
			this.experimentalCapabilities = experimentalCapabilities;
			return this;
		}

		/**
		 * Set the options for an application's own transport factory. Default none.
		 */
		public Builder options(Map<String, Object> options) {
			this.options = options;
			return this;
		}

		/**
		 * Build the definition.
		 */
		public McpServerDefinition build() {
			Http http = (this.url != null) ? new Http(this.url, this.headers, this.sslBundle, this.proxy,
					this.terminateOnClose, this.sseReadTimeout) : null;
			Stdio stdio = (this.command != null) ? new Stdio(this.command, this.args, this.env, this.inheritEnvironment,
					this.workingDirectory, this.encoding) : null;
			Timeouts timeouts = new Timeouts(this.requestTimeout, this.initializationTimeout, this.firstStartTimeout,
					this.connectTimeout, this.keepAliveInterval);
			Limits limits = new Limits(this.maxMessageSize, this.maxResultSize, this.maxTools, this.maxConcurrentCalls);
			Tools tools = new Tools(this.toolsEnabled, this.toolPrefix, this.toolFilter, this.toolPolicy,
					this.validateArguments, this.validateResults, this.hideWhenUnavailable);
			return new Definition(this.name, this.type, this.typeInferred, this.enabled, this.required, http, this.auth,
					stdio, timeouts, this.reconnect, limits, tools, this.prompts, this.resources, this.loggingLevel,
					this.sampling, this.elicitation, this.roots,
					Collections.unmodifiableMap(new LinkedHashMap<>(this.experimentalCapabilities)),
					Collections.unmodifiableMap(new LinkedHashMap<>(this.options)));
		}

		private record Definition(String name, String type, boolean typeInferred, boolean enabled, boolean required,
				@Nullable Http http, McpServerAuth auth, @Nullable Stdio stdio, Timeouts timeouts, Reconnect reconnect,
				Limits limits, Tools tools, Feature prompts, Feature resources, @Nullable LoggingLevel loggingLevel,
				Sampling sampling, Elicitation elicitation, Roots roots, Map<String, Object> experimentalCapabilities,
				Map<String, Object> options) implements McpServerDefinition {

			@Override
			public String toString() {
				return "McpServerDefinition[" + this.name + ", " + this.type + ", " + target() + "]";
			}

		}

	}

}
