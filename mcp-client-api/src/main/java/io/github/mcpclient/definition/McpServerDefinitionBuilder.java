package io.github.mcpclient.definition;

import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.definition.McpServerDefinition.Elicitation;
import io.github.mcpclient.definition.McpServerDefinition.Feature;
import io.github.mcpclient.definition.McpServerDefinition.Http;
import io.github.mcpclient.definition.McpServerDefinition.Limits;
import io.github.mcpclient.definition.McpServerDefinition.Proxy;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinition.Resources;
import io.github.mcpclient.definition.McpServerDefinition.Roots;
import io.github.mcpclient.definition.McpServerDefinition.Sampling;
import io.github.mcpclient.definition.McpServerDefinition.Stdio;
import io.github.mcpclient.definition.McpServerDefinition.Timeouts;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.internal.support.ProtocolRevisions;
import io.github.mcpclient.internal.support.Records;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/**
 * Builder for {@link McpServerDefinition}. Every setter returns this builder. Not
 * thread-safe.
 */
public final class McpServerDefinitionBuilder implements Cloneable {

	private final String name;

	private final String type;

	private boolean typeInferred;

	private String protocol = ProtocolRevisions.AUTO;

	private boolean enabled = true;

	private boolean required;

	private @Nullable URI url;

	private Map<String, String> headers = Map.of();

	private @Nullable String sslBundle;

	private @Nullable Proxy proxy;

	private boolean terminateOnClose = true;

	private @Nullable Duration sseReadTimeout;

	private boolean cookies;

	private McpServerAuth auth = McpServerAuth.of(McpServerAuth.NONE);

	private @Nullable String command;

	private @Nullable String packageName;

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

	private @Nullable Duration progressExtendsTimeoutTo;

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

	private int maxText = Tools.DEFAULTS.maxText();

	private @Nullable Duration keepResults;

	private McpToolPinning toolPinning = McpToolPinning.OFF;

	private List<McpToolRule> defaultToolRules = List.of();

	private List<McpToolRule> toolRules = List.of();

	private Feature prompts = Feature.DEFAULTS;

	private Resources resources = Resources.DEFAULTS;

	private @Nullable LoggingLevel loggingLevel;

	private Sampling sampling = Sampling.DEFAULTS;

	private Elicitation elicitation = Elicitation.DEFAULTS;

	private Roots roots = Roots.DEFAULTS;

	private Map<String, Object> experimentalCapabilities = Map.of();

	private Map<String, Object> options = Map.of();

	private Set<String> secrets = Set.of();

	McpServerDefinitionBuilder(String name, String type) {
		Assert.hasText(name, "'name' must not be empty");
		Assert.hasText(type, "'type' must not be empty");
		this.name = name;
		this.type = type;
	}

	/**
	 * Set whether the type was inferred from the URL or the command. Default
	 * {@code false}.
	 */
	public McpServerDefinitionBuilder typeInferred(boolean typeInferred) {
		this.typeInferred = typeInferred;
		return this;
	}

	/**
	 * Set the protocol versions to use: {@code auto}, {@code legacy}, {@code modern}, or
	 * a single version. Default {@code auto}.
	 */
	public McpServerDefinitionBuilder protocol(String protocol) {
		this.protocol = protocol;
		return this;
	}

	/**
	 * Set whether the client connects to the server. Default {@code true}.
	 */
	public McpServerDefinitionBuilder enabled(boolean enabled) {
		this.enabled = enabled;
		return this;
	}

	/**
	 * Set whether the application requires the server. Default {@code false}.
	 */
	public McpServerDefinitionBuilder required(boolean required) {
		this.required = required;
		return this;
	}

	/**
	 * Set the URL of the MCP endpoint.
	 */
	public McpServerDefinitionBuilder url(URI url) {
		this.url = url;
		return this;
	}

	/**
	 * Set the headers of every HTTP request, replacing earlier ones. Default none.
	 */
	public McpServerDefinitionBuilder headers(Map<String, String> headers) {
		this.headers = Records.copy(headers);
		return this;
	}

	/**
	 * Set the name of the SSL bundle for TLS, or {@code null} for the defaults of the
	 * JVM. Default {@code null}.
	 */
	public McpServerDefinitionBuilder sslBundle(@Nullable String sslBundle) {
		this.sslBundle = sslBundle;
		return this;
	}

	/**
	 * Set the proxy to use for the server, or {@code null} for none. Default
	 * {@code null}.
	 */
	public McpServerDefinitionBuilder proxy(@Nullable Proxy proxy) {
		this.proxy = proxy;
		return this;
	}

	/**
	 * Set whether to end the session with HTTP {@code DELETE}. Default {@code true}.
	 */
	public McpServerDefinitionBuilder terminateOnClose(boolean terminateOnClose) {
		this.terminateOnClose = terminateOnClose;
		return this;
	}

	/**
	 * Set how long a stream may be silent before it is reopened, or {@code null} for no
	 * limit. Default {@code null}.
	 */
	public McpServerDefinitionBuilder sseReadTimeout(@Nullable Duration sseReadTimeout) {
		this.sseReadTimeout = sseReadTimeout;
		return this;
	}

	/**
	 * Set whether to send the cookies that the server sets, such as the cookies with
	 * which a load balancer routes the requests of a session to the same node. They are
	 * stored in memory, for one session. Default {@code false}.
	 */
	public McpServerDefinitionBuilder cookies(boolean cookies) {
		this.cookies = cookies;
		return this;
	}

	/**
	 * Set how HTTP requests are authorized. Default {@link McpServerAuth#NONE}.
	 */
	public McpServerDefinitionBuilder auth(McpServerAuth auth) {
		this.auth = auth;
		return this;
	}

	/**
	 * Set how HTTP requests are authorized, replacing earlier settings:
	 * {@code auth((auth) -> auth.oauth2((oauth2) -> oauth2.clientId("me")))}.
	 * @param auth sets what differs from the defaults
	 * @throws IllegalArgumentException if two settings are mutually exclusive
	 */
	public McpServerDefinitionBuilder auth(Consumer<McpServerAuthBuilder> auth) {
		McpServerAuthBuilder builder = McpServerAuth.builder();
		auth.accept(builder);
		return auth(builder.build());
	}

	/**
	 * Set the executable of a child process, and clear the {@linkplain #packageName
	 * package}.
	 */
	public McpServerDefinitionBuilder command(String command) {
		this.command = command;
		this.packageName = null;
		return this;
	}

	/**
	 * Set the package that the command runs, such as {@code npm:name@1.0}, or
	 * {@code null} for none. Default {@code null}. Call {@link #command} first, since it
	 * clears the package.
	 */
	public McpServerDefinitionBuilder packageName(@Nullable String packageName) {
		this.packageName = packageName;
		return this;
	}

	/**
	 * Set the arguments of the child process. Default none.
	 */
	public McpServerDefinitionBuilder args(List<String> args) {
		this.args = List.copyOf(args);
		return this;
	}

	/**
	 * Set variables of the child's environment, replacing earlier ones. Default none.
	 */
	public McpServerDefinitionBuilder env(Map<String, String> env) {
		this.env = Records.copy(env);
		return this;
	}

	/**
	 * Set whether the child gets the application's environment. Default {@code false}.
	 */
	public McpServerDefinitionBuilder inheritEnvironment(boolean inheritEnvironment) {
		this.inheritEnvironment = inheritEnvironment;
		return this;
	}

	/**
	 * Set the directory in which the child starts, or {@code null} for the directory of
	 * the application. Default {@code null}.
	 */
	public McpServerDefinitionBuilder workingDirectory(@Nullable Path workingDirectory) {
		this.workingDirectory = workingDirectory;
		return this;
	}

	/**
	 * Set the encoding of the child's standard streams. Default UTF-8.
	 */
	public McpServerDefinitionBuilder encoding(Charset encoding) {
		this.encoding = encoding;
		return this;
	}

	/**
	 * Set the time limit for a request. Default 60 s.
	 */
	public McpServerDefinitionBuilder requestTimeout(Duration requestTimeout) {
		this.requestTimeout = requestTimeout;
		return this;
	}

	/**
	 * Set the time limit for a connection attempt. Default 20 s.
	 */
	public McpServerDefinitionBuilder initializationTimeout(Duration initializationTimeout) {
		this.initializationTimeout = initializationTimeout;
		return this;
	}

	/**
	 * Set the time limit for a connection attempt until the first one succeeds, for
	 * commands that may download the server. Default 5 min.
	 */
	public McpServerDefinitionBuilder firstStartTimeout(Duration firstStartTimeout) {
		this.firstStartTimeout = firstStartTimeout;
		return this;
	}

	/**
	 * Set the time limit for a TCP connection and its TLS handshake. Default 10 s.
	 */
	public McpServerDefinitionBuilder connectTimeout(Duration connectTimeout) {
		this.connectTimeout = connectTimeout;
		return this;
	}

	/**
	 * Set how long a connection may be silent before it is tested with a ping, or
	 * {@code null} for never. Default {@code null}.
	 */
	public McpServerDefinitionBuilder keepAliveInterval(@Nullable Duration keepAliveInterval) {
		this.keepAliveInterval = keepAliveInterval;
		return this;
	}

	/**
	 * Set the total time limit for a call of a tool if the server reports progress, each
	 * report of which restarts the request timeout; or {@code null} if progress does not
	 * extend it. Default {@code null}.
	 */
	public McpServerDefinitionBuilder progressExtendsTimeoutTo(@Nullable Duration progressExtendsTimeoutTo) {
		this.progressExtendsTimeoutTo = progressExtendsTimeoutTo;
		return this;
	}

	/**
	 * Set when to reconnect. Default {@link Reconnect#DEFAULTS}.
	 */
	public McpServerDefinitionBuilder reconnect(Reconnect reconnect) {
		this.reconnect = reconnect;
		return this;
	}

	/**
	 * Set the largest message accepted from the server. Default 16 MB.
	 */
	public McpServerDefinitionBuilder maxMessageSize(DataSize maxMessageSize) {
		this.maxMessageSize = maxMessageSize;
		return this;
	}

	/**
	 * Set the largest result accepted from the server. Default 5 MB.
	 */
	public McpServerDefinitionBuilder maxResultSize(DataSize maxResultSize) {
		this.maxResultSize = maxResultSize;
		return this;
	}

	/**
	 * Set the maximum number of tools that the server may list. Default 1000.
	 */
	public McpServerDefinitionBuilder maxTools(int maxTools) {
		this.maxTools = maxTools;
		return this;
	}

	/**
	 * Set the maximum number of pending calls, or {@code null} for no limit. Default
	 * {@code null}.
	 */
	public McpServerDefinitionBuilder maxConcurrentCalls(@Nullable Integer maxConcurrentCalls) {
		this.maxConcurrentCalls = maxConcurrentCalls;
		return this;
	}

	/**
	 * Set whether the application gets tools of this server at all. Default {@code true}.
	 */
	public McpServerDefinitionBuilder toolsEnabled(boolean toolsEnabled) {
		this.toolsEnabled = toolsEnabled;
		return this;
	}

	/**
	 * Set the prefix of tool names; empty for none, or {@code null} for the name of the
	 * server. Default {@code null}.
	 */
	public McpServerDefinitionBuilder toolPrefix(@Nullable String toolPrefix) {
		this.toolPrefix = toolPrefix;
		return this;
	}

	/**
	 * Set patterns for the names of the tools that the application gets, as described at
	 * {@link Tools#filter()}. Default all tools.
	 */
	public McpServerDefinitionBuilder toolFilter(List<String> toolFilter) {
		this.toolFilter = List.copyOf(toolFilter);
		return this;
	}

	/**
	 * Set the policy that selects the tools that the application gets by their hints.
	 * Default all tools.
	 */
	public McpServerDefinitionBuilder toolPolicy(McpToolPolicy toolPolicy) {
		this.toolPolicy = toolPolicy;
		return this;
	}

	/**
	 * Set whether to validate arguments before a call. Default {@code false}.
	 */
	public McpServerDefinitionBuilder validateArguments(boolean validateArguments) {
		this.validateArguments = validateArguments;
		return this;
	}

	/**
	 * Set whether to validate structured results. Default {@code true}.
	 */
	public McpServerDefinitionBuilder validateResults(boolean validateResults) {
		this.validateResults = validateResults;
		return this;
	}

	/**
	 * Set how long the server may be unavailable before its tools are
	 * {@linkplain McpTool#hidden() hidden} from models, or {@code null} to always offer
	 * them. Default {@code null}.
	 */
	public McpServerDefinitionBuilder hideWhenUnavailable(@Nullable Duration hideWhenUnavailable) {
		this.hideWhenUnavailable = hideWhenUnavailable;
		return this;
	}

	/**
	 * Set the maximum number of characters of one result that a model reads, at least
	 * 1,000, or 0 for no limit. Default 50,000.
	 */
	public McpServerDefinitionBuilder maxText(int maxText) {
		this.maxText = maxText;
		return this;
	}

	/**
	 * Set how long a result that a model has read in part is retained so that it can read
	 * the remaining text, or {@code null} to discard it. Default {@code null}.
	 */
	public McpServerDefinitionBuilder keepResults(@Nullable Duration keepResults) {
		this.keepResults = keepResults;
		return this;
	}

	/**
	 * Set how to handle a tool whose definition is not the approved one. Default
	 * {@link McpToolPinning#OFF}.
	 */
	public McpServerDefinitionBuilder toolPinning(McpToolPinning toolPinning) {
		this.toolPinning = toolPinning;
		return this;
	}

	/**
	 * Set the rules for single tools. Default none.
	 */
	public McpServerDefinitionBuilder toolRules(List<McpToolRule> toolRules) {
		this.toolRules = List.copyOf(toolRules);
		return this;
	}

	/**
	 * Add a rule for single tools, after earlier rules: {@code toolRule("delete_*",
	 * (rule) -> rule.approval(Approval.ALWAYS))}.
	 * @param tools the pattern for the prefixed or original names of the tools that the
	 * rule applies to, see {@link Tools#filter()}; for several patterns, see
	 * {@link McpToolRule#builder}
	 * @param rule sets the values of the rule
	 */
	public McpServerDefinitionBuilder toolRule(String tools, Consumer<McpToolRuleBuilder> rule) {
		McpToolRuleBuilder builder = McpToolRule.builder(tools);
		rule.accept(builder);
		List<McpToolRule> rules = new ArrayList<>(this.toolRules);
		rules.add(builder.build());
		return toolRules(rules);
	}

	/**
	 * Set rules for single tools that are applied before {@link #toolRules}, and need not
	 * match any tool. Default none; for a configured server, the rules of
	 * {@code mcp.defaults}.
	 */
	public McpServerDefinitionBuilder defaultToolRules(List<McpToolRule> defaultToolRules) {
		this.defaultToolRules = List.copyOf(defaultToolRules);
		return this;
	}

	/**
	 * Set whether the application gets the server's prompts, and the maximum number.
	 * Default {@link Feature#DEFAULTS}.
	 */
	public McpServerDefinitionBuilder prompts(Feature prompts) {
		this.prompts = prompts;
		return this;
	}

	/**
	 * Set whether the application gets the server's resources and resource templates, the
	 * maximum number of each, and whether tools provide access to them. Default
	 * {@link Resources#DEFAULTS}.
	 */
	public McpServerDefinitionBuilder resources(Resources resources) {
		this.resources = resources;
		return this;
	}

	/**
	 * Set the lowest level of log messages that the client requests from the server, if
	 * it supports that, or {@code null} to use the level of the server. Default
	 * {@code null}.
	 */
	public McpServerDefinitionBuilder loggingLevel(@Nullable LoggingLevel loggingLevel) {
		this.loggingLevel = loggingLevel;
		return this;
	}

	/**
	 * Set whether and how the server may use sampling. Default {@link Sampling#DEFAULTS}.
	 */
	public McpServerDefinitionBuilder sampling(Sampling sampling) {
		this.sampling = sampling;
		return this;
	}

	/**
	 * Set whether and how the server may use elicitation. Default
	 * {@link Elicitation#DEFAULTS}.
	 */
	public McpServerDefinitionBuilder elicitation(Elicitation elicitation) {
		this.elicitation = elicitation;
		return this;
	}

	/**
	 * Set the directories that the server may work on. Default {@link Roots#DEFAULTS}.
	 */
	public McpServerDefinitionBuilder roots(Roots roots) {
		this.roots = roots;
		return this;
	}

	/**
	 * Set the experimental capabilities that the client declares to the server, with the
	 * name of the capability as key. Default none.
	 */
	public McpServerDefinitionBuilder experimentalCapabilities(Map<String, Object> experimentalCapabilities) {
		this.experimentalCapabilities = Records.copy(experimentalCapabilities);
		return this;
	}

	/**
	 * Set the options for an application's own transport factory. Default none.
	 */
	public McpServerDefinitionBuilder options(Map<String, Object> options) {
		this.options = Records.copy(options);
		return this;
	}

	/**
	 * Set additional values that are masked in logs, messages and status, such as a part
	 * of the path of the URL. Values of less than four characters are not masked. Default
	 * none.
	 */
	public McpServerDefinitionBuilder secrets(Collection<String> secrets) {
		this.secrets = Set.copyOf(secrets);
		return this;
	}

	/**
	 * Build the definition. Errors in it are reported when it is used: when the
	 * application starts, or when the server is added.
	 */
	public McpServerDefinition build() {
		Http http = (this.url != null) ? new Http(this.url, this.headers, this.sslBundle, this.proxy,
				this.terminateOnClose, this.sseReadTimeout, this.cookies) : null;
		Stdio stdio = (this.command != null) ? new Stdio(this.command, this.args, this.env, this.inheritEnvironment,
				this.workingDirectory, this.encoding, this.packageName) : null;
		Timeouts timeouts = new Timeouts(this.requestTimeout, this.initializationTimeout, this.firstStartTimeout,
				this.connectTimeout, this.keepAliveInterval, this.progressExtendsTimeoutTo);
		Limits limits = new Limits(this.maxMessageSize, this.maxResultSize, this.maxTools, this.maxConcurrentCalls);
		Tools tools = new Tools(this.toolsEnabled, this.toolPrefix, this.toolFilter, this.toolPolicy,
				this.validateArguments, this.validateResults, this.hideWhenUnavailable, this.maxText, this.keepResults,
				this.toolPinning, this.defaultToolRules, this.toolRules);
		return new Definition(this.name, this.type, this.typeInferred, this.protocol, this.enabled, this.required, http,
				this.auth, stdio, timeouts, this.reconnect, limits, tools, this.prompts, this.resources,
				this.loggingLevel, this.sampling, this.elicitation, this.roots, this.experimentalCapabilities,
				this.options, this.secrets, new Snapshot(clone()));
	}

	@Override
	protected McpServerDefinitionBuilder clone() {
		try {
			return (McpServerDefinitionBuilder) super.clone();
		}
		catch (CloneNotSupportedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	record Definition(String name, String type, boolean typeInferred, String protocol, boolean enabled,
			boolean required, @Nullable Http http, McpServerAuth auth, @Nullable Stdio stdio, Timeouts timeouts,
			Reconnect reconnect, Limits limits, Tools tools, Feature prompts, Resources resources,
			@Nullable LoggingLevel loggingLevel, Sampling sampling, Elicitation elicitation, Roots roots,
			Map<String, Object> experimentalCapabilities, Map<String, Object> options, Set<String> secrets,
			Snapshot snapshot) implements McpServerDefinition {

		@Override
		public McpServerDefinitionBuilder mutate() {
			return this.snapshot.values.clone();
		}

		@Override
		public boolean equalsButTools(McpServerDefinition other) {
			return new Definition(this.name, this.type, this.typeInferred, this.protocol, this.enabled, this.required,
					this.http, this.auth, this.stdio, this.timeouts, this.reconnect, this.limits, other.tools(),
					this.prompts, this.resources, this.loggingLevel, this.sampling, this.elicitation, this.roots,
					this.experimentalCapabilities, this.options, this.secrets, this.snapshot)
				.equals(other);
		}

		@Override
		public String toString() {
			return "McpServerDefinition[" + this.name + ", " + this.type + ", " + target() + "]";
		}

	}

	/**
	 * The builder's values, for {@code mutate()}. Any two are equal, since the definition
	 * contains all of these values itself.
	 */
	record Snapshot(McpServerDefinitionBuilder values) {

		@Override
		public boolean equals(@Nullable Object other) {
			return other instanceof Snapshot;
		}

		@Override
		public int hashCode() {
			return 0;
		}

	}

}
