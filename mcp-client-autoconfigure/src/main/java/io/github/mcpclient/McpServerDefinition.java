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

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * The complete, immutable description of one server: all defaults are merged. Exactly one
 * of {@link #http()} and {@link #stdio()} is set, unless the type is one that a user's
 * transport factory adds.
 *
 * <p>
 * {@link #toString()} and {@link #target()} hold no secrets.
 *
 * @param name the configured name
 * @param type the transport type in its canonical spelling, such as {@code stdio} or
 * {@code streamable-http}
 * @param typeInferred whether the type was concluded from the url or the command rather
 * than given, so that an older type may be tried where this one is not answered
 * @param enabled whether the server is contacted at all
 * @param required whether the application depends on the server
 * @param http how to reach the server over HTTP, or {@code null}
 * @param stdio how to start the server as a child process, or {@code null}
 * @param timeouts the limits in time
 * @param reconnect when to try again
 * @param limits the limits in size
 * @param tools which of the server's tools the application gets, and under which names
 * @param prompts whether the application gets the server's prompts
 * @param resources whether the application gets the server's resources, and the templates
 * of such
 * @param experimentalCapabilities what the server is told of the client at
 * initialization, as {@code capabilities.experimental}: objects by the name of the
 * capability
 */
public record McpServerDefinition(String name, String type, boolean typeInferred, boolean enabled, boolean required,
		@Nullable Http http, @Nullable Stdio stdio, Timeouts timeouts, Reconnect reconnect, Limits limits, Tools tools,
		Offer prompts, Offer resources, Map<String, Object> experimentalCapabilities) {

	/**
	 * The transport type of a child process.
	 */
	public static final String STDIO = "stdio";

	/**
	 * The transport type of MCP's streamable HTTP.
	 */
	public static final String STREAMABLE_HTTP = "streamable-http";

	/**
	 * The transport type of MCP's older HTTP with server-sent events.
	 */
	public static final String SSE = "sse";

	public McpServerDefinition {
		Assert.hasText(name, "'name' must not be empty");
		Assert.hasText(type, "'type' must not be empty");
		experimentalCapabilities = Collections.unmodifiableMap(new LinkedHashMap<>(experimentalCapabilities));
	}

	/**
	 * Start to describe a server that is reached over streamable HTTP.
	 * @param name the name of the server
	 * @param url its url
	 * @return a builder with defaults for the rest
	 */
	public static Builder http(String name, URI url) {
		return new Builder(name, STREAMABLE_HTTP).url(url);
	}

	/**
	 * Start to describe a server that runs as a child process.
	 * @param name the name of the server
	 * @param command the executable
	 * @param args its arguments
	 * @return a builder with defaults for the rest
	 */
	public static Builder stdio(String name, String command, String... args) {
		return new Builder(name, STDIO).command(command).args(List.of(args));
	}

	/**
	 * Start to describe a server of any type.
	 * @param name the name of the server
	 * @param type the transport type
	 * @return a builder with defaults for the rest
	 */
	public static Builder of(String name, String type) {
		return new Builder(name, type);
	}

	/**
	 * Start to describe a server that differs from this one.
	 * @return a builder with all that this definition has
	 */
	public Builder mutate() {
		Builder builder = new Builder(this.name, this.type).typeInferred(this.typeInferred)
			.enabled(this.enabled)
			.required(this.required)
			.timeouts(this.timeouts)
			.reconnect(this.reconnect)
			.limits(this.limits)
			.tools(this.tools)
			.prompts(this.prompts)
			.resources(this.resources)
			.experimentalCapabilities(this.experimentalCapabilities);
		if (this.http != null) {
			builder.url(this.http.url())
				.headers(this.http.headers())
				.sslBundle(this.http.sslBundle())
				.terminateOnClose(this.http.terminateOnClose())
				.sseReadTimeout(this.http.sseReadTimeout());
		}
		if (this.stdio != null) {
			builder.command(this.stdio.command())
				.args(this.stdio.args())
				.env(this.stdio.env())
				.inheritEnvironment(this.stdio.inheritEnvironment())
				.workingDirectory(this.stdio.workingDirectory())
				.encoding(this.stdio.encoding());
		}
		return builder;
	}

	/**
	 * What is contacted, for people: the url without credentials and query values, or the
	 * command with secret-looking arguments masked.
	 * @return the target
	 */
	public String target() {
		if (this.http != null) {
			return Redaction.url(this.http.url());
		}
		return (this.stdio != null) ? Redaction.command(this.stdio.command(), this.stdio.args()) : this.type;
	}

	@Override
	public String toString() {
		return "McpServerDefinition[" + this.name + ", " + this.type + ", " + target() + "]";
	}

	/**
	 * How to reach a server over HTTP.
	 *
	 * @param url the MCP endpoint; arrives at the server as it stands here
	 * @param headers sent with every request; secret
	 * @param sslBundle the name of the SSL bundle, or {@code null} for the JVM's trust
	 * @param terminateOnClose whether to end the session with HTTP {@code DELETE}
	 * @param sseReadTimeout how long a stream may stay silent before it is opened anew,
	 * or {@code null} for ever
	 */
	public record Http(URI url, Map<String, String> headers, @Nullable String sslBundle, boolean terminateOnClose,
			@Nullable Duration sseReadTimeout) {

		public Http {
			headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
		}

		@Override
		public String toString() {
			return "Http[" + Redaction.url(this.url) + ", headers=" + this.headers.keySet() + "]";
		}

	}

	/**
	 * How to start a server as a child process.
	 *
	 * @param command the executable, looked up on the child's {@code PATH}; never run by
	 * a shell
	 * @param args its arguments
	 * @param env variables for the child, beside the harmless ones; values are secret
	 * @param inheritEnvironment whether the child sees the whole environment of the
	 * application
	 * @param workingDirectory the directory to start in, or {@code null} for the
	 * application's
	 * @param encoding the character encoding of the child's standard streams
	 */
	public record Stdio(String command, List<String> args, Map<String, String> env, boolean inheritEnvironment,
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
	 * Limits in time.
	 *
	 * @param request how long a request may take
	 * @param initialization how long an attempt to connect may take, from the first byte
	 * to the end of the listing of tools
	 * @param firstStart how long such an attempt may take, if that is longer, before the
	 * server was connected for the first time, where its command is one of those that may
	 * download it first, such as {@code npx}, {@code uvx} or {@code docker}
	 * @param connect how long a TCP connection and its TLS handshake may take
	 * @param keepAliveInterval how long a connection may be silent before it is tested
	 * with a ping, which may take the same time; or {@code null} for never. A server that
	 * does not answer may be busy as long as calls are under way: its connection is given
	 * up only when one of them times out, too
	 */
	public record Timeouts(Duration request, Duration initialization, Duration firstStart, Duration connect,
			@Nullable Duration keepAliveInterval) {

		/**
		 * The default limits: a request 60 s, initialization 20 s, first start 5 min,
		 * connect 10 s, no keep-alive.
		 */
		public static final Timeouts DEFAULTS = new Timeouts(Duration.ofSeconds(60), Duration.ofSeconds(20),
				Duration.ofSeconds(10), null);

		/**
		 * Create with the default limit for a first start: 5 min.
		 * @param request how long a request may take
		 * @param initialization how long an attempt to connect may take
		 * @param connect how long a TCP connection and its TLS handshake may take
		 * @param keepAliveInterval how long a connection may be silent before it is
		 * tested, or {@code null} for ever
		 */
		public Timeouts(Duration request, Duration initialization, Duration connect,
				@Nullable Duration keepAliveInterval) {
			this(request, initialization, Duration.ofMinutes(5), connect, keepAliveInterval);
		}

	}

	/**
	 * When to try again after a failed attempt or a lost connection. The delay before
	 * attempt {@code n} is {@code initialDelay * multiplier^(n-1)}, at most
	 * {@code maxDelay}, of which the part {@code jitter} is random.
	 *
	 * @param enabled whether to try again without being asked
	 * @param initialDelay the first delay
	 * @param multiplier the growth of the delay; at least 1
	 * @param maxDelay the longest delay
	 * @param jitter the random part of the delay, from 0 (none) to 1 (full)
	 */
	public record Reconnect(boolean enabled, Duration initialDelay, double multiplier, Duration maxDelay,
			double jitter) {

		/**
		 * The default: for ever, from 1 s, doubling, to 30 s, fully random.
		 */
		public static final Reconnect DEFAULTS = new Reconnect(true, Duration.ofSeconds(1), 2, Duration.ofSeconds(30),
				1);

	}

	/**
	 * Limits in size.
	 *
	 * @param maxMessageSize the largest message accepted from the server
	 * @param maxResultSize the largest result of a tool, prompt, resource or completion
	 * accepted from the server
	 * @param maxTools the largest number of tools that the server may list
	 * @param maxConcurrentCalls the largest number of calls under way at once, or
	 * {@code null} for no limit of ours
	 */
	public record Limits(DataSize maxMessageSize, DataSize maxResultSize, int maxTools,
			@Nullable Integer maxConcurrentCalls) {

		/**
		 * The default limits: messages of 16 MB, results of 5 MB, 1000 tools.
		 */
		public static final Limits DEFAULTS = new Limits(DataSize.ofMegabytes(16), DataSize.ofMegabytes(5), 1000, null);

	}

	/**
	 * Which of the server's tools the application gets, and under which names.
	 *
	 * @param enabled whether the application gets tools of this server at all
	 * @param prefix what the names of the tools begin with, followed by {@code _}; empty
	 * for neither, so that the server alone chooses the names; or {@code null} for the
	 * name of the server
	 * @param filter patterns for the prefixed or original names of tools, in which
	 * {@code *} stands for any characters and {@code ?} for one. A pattern that begins
	 * with {@code !} denies. The last pattern that matches a tool decides; a tool that
	 * none matches is denied, unless the first pattern denies, too. Empty for all tools
	 * @param policy which tools the application gets by their hints
	 * @param validateArguments whether arguments are checked against the input schema of
	 * a tool before it is called; the server does that itself, too
	 * @param validateResults whether structured results are checked against the output
	 * schema of a tool, where it has one
	 * @param hideWhenUnavailable how long the server may be away before a model is not
	 * {@linkplain McpToolCatalog#offered() offered} its tools any more, or {@code null}
	 * to offer them always
	 */
	public record Tools(boolean enabled, @Nullable String prefix, List<String> filter, McpToolPolicy policy,
			boolean validateArguments, boolean validateResults, @Nullable Duration hideWhenUnavailable) {

		/**
		 * The default: all tools, prefixed by the name of the server; results are
		 * checked.
		 */
		public static final Tools DEFAULTS = new Tools(true, null, List.of(), McpToolPolicy.UNRESTRICTED);

		public Tools {
			filter = List.copyOf(filter);
		}

		/**
		 * Create with the default checks.
		 * @param enabled whether the application gets tools of this server at all
		 * @param prefix what the names of the tools begin with, or {@code null} for the
		 * name of the server
		 * @param filter patterns for the names of tools
		 * @param policy which tools the application gets by their hints
		 */
		public Tools(boolean enabled, @Nullable String prefix, List<String> filter, McpToolPolicy policy) {
			this(enabled, prefix, filter, policy, false, true, null);
		}

	}

	/**
	 * Whether the application gets what the server has of one kind. It is listed after
	 * the server is READY, and neither keeps the server from that nor fails it.
	 *
	 * @param enabled whether the server is asked for it
	 * @param max the largest number that the server may list
	 */
	public record Offer(boolean enabled, int max) {

		/**
		 * The default: enabled, at most 1000.
		 */
		public static final Offer DEFAULTS = new Offer(true, 1000);

	}

	/**
	 * Builds a definition. Not safe for use by many threads.
	 */
	public static final class Builder {

		private final String name;

		private final String type;

		private boolean typeInferred;

		private boolean enabled = true;

		private boolean required;

		private @Nullable URI url;

		private Map<String, String> headers = Map.of();

		private @Nullable String sslBundle;

		private boolean terminateOnClose = true;

		private @Nullable Duration sseReadTimeout;

		private @Nullable String command;

		private List<String> args = List.of();

		private Map<String, String> env = Map.of();

		private boolean inheritEnvironment;

		private @Nullable Path workingDirectory;

		private Charset encoding = StandardCharsets.UTF_8;

		private Timeouts timeouts = Timeouts.DEFAULTS;

		private Reconnect reconnect = Reconnect.DEFAULTS;

		private Limits limits = Limits.DEFAULTS;

		private Tools tools = Tools.DEFAULTS;

		private Offer prompts = Offer.DEFAULTS;

		private Offer resources = Offer.DEFAULTS;

		private Map<String, Object> experimentalCapabilities = Map.of();

		private Builder(String name, String type) {
			this.name = name;
			this.type = type;
		}

		/**
		 * Set whether the type was concluded rather than given. Default {@code false}.
		 * @param typeInferred whether the type is an inference
		 * @return this builder
		 */
		public Builder typeInferred(boolean typeInferred) {
			this.typeInferred = typeInferred;
			return this;
		}

		/**
		 * Set whether the server is contacted at all. Default {@code true}.
		 * @param enabled whether the server is enabled
		 * @return this builder
		 */
		public Builder enabled(boolean enabled) {
			this.enabled = enabled;
			return this;
		}

		/**
		 * Set whether the application depends on the server. Default {@code false}.
		 * @param required whether the server is required
		 * @return this builder
		 */
		public Builder required(boolean required) {
			this.required = required;
			return this;
		}

		/**
		 * Set the url of the MCP endpoint.
		 * @param url the url
		 * @return this builder
		 */
		public Builder url(URI url) {
			this.url = url;
			return this;
		}

		/**
		 * Set the headers of every HTTP request.
		 * @param headers names and values
		 * @return this builder
		 */
		public Builder headers(Map<String, String> headers) {
			this.headers = headers;
			return this;
		}

		/**
		 * Set the SSL bundle for TLS.
		 * @param sslBundle the name of the bundle, or {@code null} for none
		 * @return this builder
		 */
		public Builder sslBundle(@Nullable String sslBundle) {
			this.sslBundle = sslBundle;
			return this;
		}

		/**
		 * Set whether to end the session with HTTP {@code DELETE}. Default {@code true}.
		 * @param terminateOnClose whether to end the session
		 * @return this builder
		 */
		public Builder terminateOnClose(boolean terminateOnClose) {
			this.terminateOnClose = terminateOnClose;
			return this;
		}

		/**
		 * Set how long a stream may stay silent. Default: for ever.
		 * @param sseReadTimeout the time, or {@code null} for ever
		 * @return this builder
		 */
		public Builder sseReadTimeout(@Nullable Duration sseReadTimeout) {
			this.sseReadTimeout = sseReadTimeout;
			return this;
		}

		/**
		 * Set the executable of a child process.
		 * @param command the executable
		 * @return this builder
		 */
		public Builder command(String command) {
			this.command = command;
			return this;
		}

		/**
		 * Set the arguments of the child process.
		 * @param args the arguments
		 * @return this builder
		 */
		public Builder args(List<String> args) {
			this.args = args;
			return this;
		}

		/**
		 * Set variables of the child's environment.
		 * @param env names and values
		 * @return this builder
		 */
		public Builder env(Map<String, String> env) {
			this.env = env;
			return this;
		}

		/**
		 * Set whether the child sees the application's environment. Default
		 * {@code false}.
		 * @param inheritEnvironment whether to inherit it
		 * @return this builder
		 */
		public Builder inheritEnvironment(boolean inheritEnvironment) {
			this.inheritEnvironment = inheritEnvironment;
			return this;
		}

		/**
		 * Set the directory in which the child starts.
		 * @param workingDirectory the directory, or {@code null} for the application's
		 * @return this builder
		 */
		public Builder workingDirectory(@Nullable Path workingDirectory) {
			this.workingDirectory = workingDirectory;
			return this;
		}

		/**
		 * Set the encoding of the child's standard streams. Default UTF-8.
		 * @param encoding the encoding
		 * @return this builder
		 */
		public Builder encoding(Charset encoding) {
			this.encoding = encoding;
			return this;
		}

		/**
		 * Set the limits in time.
		 * @param timeouts the limits
		 * @return this builder
		 */
		public Builder timeouts(Timeouts timeouts) {
			this.timeouts = timeouts;
			return this;
		}

		/**
		 * Set when to try again.
		 * @param reconnect the rules
		 * @return this builder
		 */
		public Builder reconnect(Reconnect reconnect) {
			this.reconnect = reconnect;
			return this;
		}

		/**
		 * Set the limits in size.
		 * @param limits the limits
		 * @return this builder
		 */
		public Builder limits(Limits limits) {
			this.limits = limits;
			return this;
		}

		/**
		 * Set which tools the application gets, and under which names.
		 * @param tools the rules
		 * @return this builder
		 */
		public Builder tools(Tools tools) {
			this.tools = tools;
			return this;
		}

		/**
		 * Set whether the application gets the server's prompts.
		 * @param prompts enabled or not, and how many at most
		 * @return this builder
		 */
		public Builder prompts(Offer prompts) {
			this.prompts = prompts;
			return this;
		}

		/**
		 * Set whether the application gets the server's resources, and the templates of
		 * such.
		 * @param resources enabled or not, and how many at most of each
		 * @return this builder
		 */
		public Builder resources(Offer resources) {
			this.resources = resources;
			return this;
		}

		/**
		 * Set what the server is told of the client at initialization, as
		 * {@code capabilities.experimental}.
		 * @param experimentalCapabilities objects by the name of the capability
		 * @return this builder
		 */
		public Builder experimentalCapabilities(Map<String, Object> experimentalCapabilities) {
			this.experimentalCapabilities = experimentalCapabilities;
			return this;
		}

		/**
		 * Build the definition.
		 * @return the definition
		 */
		public McpServerDefinition build() {
			Http http = (this.url != null)
					? new Http(this.url, this.headers, this.sslBundle, this.terminateOnClose, this.sseReadTimeout)
					: null;
			Stdio stdio = (this.command != null) ? new Stdio(this.command, this.args, this.env, this.inheritEnvironment,
					this.workingDirectory, this.encoding) : null;
			return new McpServerDefinition(this.name, this.type, this.typeInferred, this.enabled, this.required, http,
					stdio, this.timeouts, this.reconnect, this.limits, this.tools, this.prompts, this.resources,
					this.experimentalCapabilities);
		}

	}

}
