package io.github.mcpclient.config;

import java.nio.charset.Charset;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpToolAccess;
import org.jspecify.annotations.Nullable;

import org.springframework.util.unit.DataSize;

/**
 * The settings of a server that can also be given for all servers, at
 * {@code mcp.defaults}. What is absent is {@code null}: a setting of a server is followed
 * by the one for all servers, and that by the default of
 * {@link io.github.mcpclient.McpServerDefinition McpServerDefinition}.
 */
public class McpServerSettings {

	/**
	 * Whether to connect to the server. One that is not enabled is listed, but never
	 * contacted.
	 */
	private @Nullable Boolean enabled;

	/**
	 * Whether the application needs the server: it does not start without it, and is not
	 * healthy while it is unavailable.
	 */
	private @Nullable Boolean required;

	/**
	 * Transport type. Inferred where absent: a url means streamable HTTP, or WebSocket
	 * for ws and wss; a command means stdio.
	 */
	private @Nullable String type;

	/**
	 * Headers of every HTTP request to the server. Added to the default ones.
	 */
	private Map<String, String> headers = new LinkedHashMap<>();

	private Ssl ssl = new Ssl();

	/**
	 * Whether to end the session with an HTTP DELETE when the connection is closed.
	 */
	private @Nullable Boolean terminateOnClose;

	/**
	 * How long a stream of events may stay silent before it is opened anew. For ever
	 * where absent.
	 */
	private @Nullable Duration sseReadTimeout;

	/**
	 * Arguments of the command.
	 */
	private @Nullable List<String> args;

	/**
	 * Environment variables of the child process. Added to the default ones.
	 */
	private Map<String, String> env = new LinkedHashMap<>();

	/**
	 * File of environment variables of the child process, in dotenv syntax. Those in env
	 * come first.
	 */
	private @Nullable String envFile;

	/**
	 * Whether the child process sees the whole environment of the application, rather
	 * than only PATH, HOME, LANG and the like.
	 */
	private @Nullable Boolean inheritEnvironment;

	/**
	 * Directory in which the child process starts. That of the application where absent.
	 */
	private @Nullable String workingDirectory;

	/**
	 * Character encoding of the standard streams of the child process.
	 */
	private @Nullable Charset encoding;

	/**
	 * How long a request to the server may take.
	 */
	private @Nullable Duration requestTimeout;

	/**
	 * How long an attempt to connect may take, to the end of the listing of tools.
	 */
	private @Nullable Duration initializationTimeout;

	/**
	 * How long an attempt to connect may take, instead, before the server was connected
	 * for the first time, where the command is one that may download it first: npx, pnpx,
	 * bunx, uvx, pipx, docker, podman, npm exec, pnpm dlx, yarn dlx, bun x, uv run, uv
	 * tool run.
	 */
	private @Nullable Duration firstStartTimeout;

	/**
	 * How long a TCP connection and its TLS handshake may take.
	 */
	private @Nullable Duration connectTimeout;

	/**
	 * How long a connection may be silent before it is tested with a ping, which may take
	 * the same time. A server that does not answer may be busy as long as calls are under
	 * way: its connection is given up only when one of them times out, too. Never tested
	 * where absent.
	 */
	private @Nullable Duration keepAliveInterval;

	/**
	 * Largest message that is accepted from the server.
	 */
	private @Nullable DataSize maxMessageSize;

	/**
	 * Largest result of a tool, prompt, resource or completion that is accepted from the
	 * server. A larger one is not read: the call fails, and the connection stays.
	 */
	private @Nullable DataSize maxResultSize;

	/**
	 * Largest number of calls to the server under way at once. No limit where absent.
	 */
	private @Nullable Integer maxConcurrentCalls;

	/**
	 * What the server is told when a connection begins, as experimental capabilities of
	 * the client: below the name of each its own settings.
	 */
	private Map<String, Object> config = new LinkedHashMap<>();

	private Tools tools = new Tools();

	private Prompts prompts = new Prompts();

	private Resources resources = new Resources();

	private Reconnect reconnect = new Reconnect();

	public @Nullable Boolean getEnabled() {
		return this.enabled;
	}

	public void setEnabled(@Nullable Boolean enabled) {
		this.enabled = enabled;
	}

	public @Nullable Boolean getRequired() {
		return this.required;
	}

	public void setRequired(@Nullable Boolean required) {
		this.required = required;
	}

	public @Nullable String getType() {
		return this.type;
	}

	public void setType(@Nullable String type) {
		this.type = type;
	}

	public Map<String, String> getHeaders() {
		return this.headers;
	}

	public void setHeaders(Map<String, String> headers) {
		this.headers = headers;
	}

	public Ssl getSsl() {
		return this.ssl;
	}

	public void setSsl(Ssl ssl) {
		this.ssl = ssl;
	}

	public @Nullable Boolean getTerminateOnClose() {
		return this.terminateOnClose;
	}

	public void setTerminateOnClose(@Nullable Boolean terminateOnClose) {
		this.terminateOnClose = terminateOnClose;
	}

	public @Nullable Duration getSseReadTimeout() {
		return this.sseReadTimeout;
	}

	public void setSseReadTimeout(@Nullable Duration sseReadTimeout) {
		this.sseReadTimeout = sseReadTimeout;
	}

	public @Nullable List<String> getArgs() {
		return this.args;
	}

	public void setArgs(@Nullable List<String> args) {
		this.args = args;
	}

	public Map<String, String> getEnv() {
		return this.env;
	}

	public void setEnv(Map<String, String> env) {
		this.env = env;
	}

	public @Nullable String getEnvFile() {
		return this.envFile;
	}

	public void setEnvFile(@Nullable String envFile) {
		this.envFile = envFile;
	}

	public @Nullable Boolean getInheritEnvironment() {
		return this.inheritEnvironment;
	}

	public void setInheritEnvironment(@Nullable Boolean inheritEnvironment) {
		this.inheritEnvironment = inheritEnvironment;
	}

	public @Nullable String getWorkingDirectory() {
		return this.workingDirectory;
	}

	public void setWorkingDirectory(@Nullable String workingDirectory) {
		this.workingDirectory = workingDirectory;
	}

	public @Nullable Charset getEncoding() {
		return this.encoding;
	}

	public void setEncoding(@Nullable Charset encoding) {
		this.encoding = encoding;
	}

	public @Nullable Duration getRequestTimeout() {
		return this.requestTimeout;
	}

	public void setRequestTimeout(@Nullable Duration requestTimeout) {
		this.requestTimeout = requestTimeout;
	}

	public @Nullable Duration getInitializationTimeout() {
		return this.initializationTimeout;
	}

	public void setInitializationTimeout(@Nullable Duration initializationTimeout) {
		this.initializationTimeout = initializationTimeout;
	}

	public @Nullable Duration getFirstStartTimeout() {
		return this.firstStartTimeout;
	}

	public void setFirstStartTimeout(@Nullable Duration firstStartTimeout) {
		this.firstStartTimeout = firstStartTimeout;
	}

	public @Nullable Duration getConnectTimeout() {
		return this.connectTimeout;
	}

	public void setConnectTimeout(@Nullable Duration connectTimeout) {
		this.connectTimeout = connectTimeout;
	}

	public @Nullable Duration getKeepAliveInterval() {
		return this.keepAliveInterval;
	}

	public void setKeepAliveInterval(@Nullable Duration keepAliveInterval) {
		this.keepAliveInterval = keepAliveInterval;
	}

	public @Nullable DataSize getMaxMessageSize() {
		return this.maxMessageSize;
	}

	public void setMaxMessageSize(@Nullable DataSize maxMessageSize) {
		this.maxMessageSize = maxMessageSize;
	}

	public @Nullable DataSize getMaxResultSize() {
		return this.maxResultSize;
	}

	public void setMaxResultSize(@Nullable DataSize maxResultSize) {
		this.maxResultSize = maxResultSize;
	}

	public @Nullable Integer getMaxConcurrentCalls() {
		return this.maxConcurrentCalls;
	}

	public void setMaxConcurrentCalls(@Nullable Integer maxConcurrentCalls) {
		this.maxConcurrentCalls = maxConcurrentCalls;
	}

	public Map<String, Object> getConfig() {
		return this.config;
	}

	public void setConfig(Map<String, Object> config) {
		this.config = config;
	}

	public Tools getTools() {
		return this.tools;
	}

	public void setTools(Tools tools) {
		this.tools = tools;
	}

	public Prompts getPrompts() {
		return this.prompts;
	}

	public void setPrompts(Prompts prompts) {
		this.prompts = prompts;
	}

	public Resources getResources() {
		return this.resources;
	}

	public void setResources(Resources resources) {
		this.resources = resources;
	}

	public Reconnect getReconnect() {
		return this.reconnect;
	}

	public void setReconnect(Reconnect reconnect) {
		this.reconnect = reconnect;
	}

	/**
	 * TLS to a server over HTTP.
	 */
	public static class Ssl {

		/**
		 * Name of the SSL bundle for TLS to the server. What the JVM trusts where absent.
		 */
		private @Nullable String bundle;

		public @Nullable String getBundle() {
			return this.bundle;
		}

		public void setBundle(@Nullable String bundle) {
			this.bundle = bundle;
		}

	}

	/**
	 * The tools of a server.
	 */
	public static class Tools {

		/**
		 * Whether the application gets tools of the server at all.
		 */
		private @Nullable Boolean enabled;

		/**
		 * What the names of the tools begin with, followed by an underscore. The name of
		 * the server where absent; neither where empty.
		 */
		private @Nullable String prefix;

		/**
		 * Patterns for the prefixed or original names of the tools that the application
		 * gets, in which '*' and '?' are wildcards. One that begins with '!' denies; the
		 * last that matches a tool decides. All tools where empty.
		 */
		private @Nullable List<String> filter;

		/**
		 * Which tools the application gets, by what they say of themselves in
		 * readOnlyHint.
		 */
		private @Nullable McpToolAccess access;

		/**
		 * Whether the application gets tools that may be destructive, by destructiveHint.
		 */
		private @Nullable Boolean allowDestructive;

		/**
		 * Whether the application gets tools that may interact with an open world, such
		 * as the web, by openWorldHint.
		 */
		private @Nullable Boolean allowOpenWorld;

		/**
		 * Whether arguments are checked against the inputSchema of a tool before it is
		 * called. Servers do that themselves, too.
		 */
		private @Nullable Boolean validateArguments;

		/**
		 * Whether structured results are checked against the outputSchema of a tool,
		 * where it has one.
		 */
		private @Nullable Boolean validateResults;

		/**
		 * How long the server may be away before models are not offered its tools any
		 * more. They are offered always where absent.
		 */
		private @Nullable Duration hideWhenUnavailable;

		/**
		 * Largest number of tools that the server may list.
		 */
		private @Nullable Integer max;

		public @Nullable Boolean getEnabled() {
			return this.enabled;
		}

		public void setEnabled(@Nullable Boolean enabled) {
			this.enabled = enabled;
		}

		public @Nullable String getPrefix() {
			return this.prefix;
		}

		public void setPrefix(@Nullable String prefix) {
			this.prefix = prefix;
		}

		public @Nullable List<String> getFilter() {
			return this.filter;
		}

		public void setFilter(@Nullable List<String> filter) {
			this.filter = filter;
		}

		public @Nullable McpToolAccess getAccess() {
			return this.access;
		}

		public void setAccess(@Nullable McpToolAccess access) {
			this.access = access;
		}

		public @Nullable Boolean getAllowDestructive() {
			return this.allowDestructive;
		}

		public void setAllowDestructive(@Nullable Boolean allowDestructive) {
			this.allowDestructive = allowDestructive;
		}

		public @Nullable Boolean getAllowOpenWorld() {
			return this.allowOpenWorld;
		}

		public void setAllowOpenWorld(@Nullable Boolean allowOpenWorld) {
			this.allowOpenWorld = allowOpenWorld;
		}

		public @Nullable Boolean getValidateArguments() {
			return this.validateArguments;
		}

		public void setValidateArguments(@Nullable Boolean validateArguments) {
			this.validateArguments = validateArguments;
		}

		public @Nullable Boolean getValidateResults() {
			return this.validateResults;
		}

		public void setValidateResults(@Nullable Boolean validateResults) {
			this.validateResults = validateResults;
		}

		public @Nullable Duration getHideWhenUnavailable() {
			return this.hideWhenUnavailable;
		}

		public void setHideWhenUnavailable(@Nullable Duration hideWhenUnavailable) {
			this.hideWhenUnavailable = hideWhenUnavailable;
		}

		public @Nullable Integer getMax() {
			return this.max;
		}

		public void setMax(@Nullable Integer max) {
			this.max = max;
		}

	}

	/**
	 * The prompts of a server.
	 */
	public static class Prompts {

		/**
		 * Whether the server is asked for its prompts.
		 */
		private @Nullable Boolean enabled;

		/**
		 * Largest number of prompts that the server may list.
		 */
		private @Nullable Integer max;

		public @Nullable Boolean getEnabled() {
			return this.enabled;
		}

		public void setEnabled(@Nullable Boolean enabled) {
			this.enabled = enabled;
		}

		public @Nullable Integer getMax() {
			return this.max;
		}

		public void setMax(@Nullable Integer max) {
			this.max = max;
		}

	}

	/**
	 * The resources of a server, and the templates of such.
	 */
	public static class Resources {

		/**
		 * Whether the server is asked for its resources.
		 */
		private @Nullable Boolean enabled;

		/**
		 * Largest number of resources that the server may list, and of templates of such.
		 */
		private @Nullable Integer max;

		public @Nullable Boolean getEnabled() {
			return this.enabled;
		}

		public void setEnabled(@Nullable Boolean enabled) {
			this.enabled = enabled;
		}

		public @Nullable Integer getMax() {
			return this.max;
		}

		public void setMax(@Nullable Integer max) {
			this.max = max;
		}

	}

	/**
	 * When to try again after a failed attempt or a lost connection.
	 */
	public static class Reconnect {

		/**
		 * Whether to try again without being asked.
		 */
		private @Nullable Boolean enabled;

		/**
		 * Delay before the first attempt to connect again.
		 */
		private @Nullable Duration initialDelay;

		/**
		 * Growth of the delay from one attempt to the next.
		 */
		private @Nullable Double multiplier;

		/**
		 * Longest delay between two attempts.
		 */
		private @Nullable Duration maxDelay;

		/**
		 * Random part of the delay, from 0 (none) to 1 (all of it), so that many clients
		 * of a server do not return together.
		 */
		private @Nullable Double jitter;

		public @Nullable Boolean getEnabled() {
			return this.enabled;
		}

		public void setEnabled(@Nullable Boolean enabled) {
			this.enabled = enabled;
		}

		public @Nullable Duration getInitialDelay() {
			return this.initialDelay;
		}

		public void setInitialDelay(@Nullable Duration initialDelay) {
			this.initialDelay = initialDelay;
		}

		public @Nullable Double getMultiplier() {
			return this.multiplier;
		}

		public void setMultiplier(@Nullable Double multiplier) {
			this.multiplier = multiplier;
		}

		public @Nullable Duration getMaxDelay() {
			return this.maxDelay;
		}

		public void setMaxDelay(@Nullable Duration maxDelay) {
			this.maxDelay = maxDelay;
		}

		public @Nullable Double getJitter() {
			return this.jitter;
		}

		public void setJitter(@Nullable Double jitter) {
			this.jitter = jitter;
		}

	}

}
