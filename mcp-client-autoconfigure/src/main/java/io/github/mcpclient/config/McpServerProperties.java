package io.github.mcpclient.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.Charset;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerAuth.ClientAuthenticationMethod;
import io.github.mcpclient.definition.McpServerAuth.GrantType;
import io.github.mcpclient.definition.McpServerAuth.Listing;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpToolAccess;
import io.github.mcpclient.definition.McpToolPinning;
import io.github.mcpclient.definition.McpToolPolicy;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.internal.validation.DefinitionValidator;
import io.github.mcpclient.internal.validation.TransportTypes;
import io.github.mcpclient.internal.validation.TransportTypes.ServerType;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.PropertyMapper;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.LinkedCaseInsensitiveMap;
import org.springframework.util.StringUtils;
import org.springframework.util.unit.DataSize;

/**
 * The settings of one server, at {@code mcp.servers.<name>}, and the defaults for all
 * servers, at {@code mcp.defaults}, which have no URL, command or package. An absent
 * setting is {@code null}: a setting of a server falls back to the default for all
 * servers, and then to the default of
 * {@link io.github.mcpclient.definition.McpServerDefinition McpServerDefinition}.
 *
 * @param url URL of the MCP endpoint, for a server that is reached over HTTP or
 * WebSocket.
 * @param command Executable to start as a child process, without a shell.
 * @param packageName Package to run as a child process, as an alternative to a command:
 * npm:, pypi: or oci:, followed by its name and version.
 * @param enabled Whether to connect to the server. A disabled server is listed but never
 * contacted.
 * @param required Whether the application requires the server. If the server is
 * unavailable, startup fails, and health is DOWN.
 * @param type Transport type. Inferred from the URL, command or package if not set.
 * @param protocol MCP protocol versions to use, or a single version such as 2025-06-18.
 * @param ssl TLS to a server over HTTP
 * @param proxy the HTTP proxy of a server over HTTP
 * @param auth the authorization of requests to a server over HTTP
 * @param terminateOnClose Whether to end the session with an HTTP DELETE request when the
 * connection is closed.
 * @param sseReadTimeout Maximum time that an event stream may be silent before it is
 * reopened. No limit by default.
 * @param cookies Whether to send the cookies that the server sets, as load balancers with
 * sticky sessions require. Cookies are stored in memory, for one session.
 * @param args Arguments of the command or package.
 * @param env Environment variables of the child process. Added to the default entries.
 * @param envFile File with environment variables of the child process, in dotenv syntax.
 * Variables in env take precedence.
 * @param inheritEnvironment Whether the child process inherits all environment variables
 * of the application. By default, it gets only PATH, HOME, LANG and similar variables.
 * @param memory Memory limit of the container of an oci: package. No limit by default.
 * @param network Network of the container of an oci: package, such as none. The default
 * network of the container engine is used if not set.
 * @param workingDirectory Working directory of the child process. The directory of the
 * application by default.
 * @param encoding Character encoding of the standard streams of the child process.
 * @param requestTimeout Maximum time to wait for the response to a request, such as a
 * tool call.
 * @param initializationTimeout Maximum time for an attempt to connect, including the
 * listing of tools.
 * @param firstStartTimeout Maximum time for attempts to connect until the server has
 * connected for the first time, if longer than the initialization timeout. Applies to
 * commands that may download the server: npx, pnpx, bunx, uvx, pipx, docker, podman, npm
 * exec, pnpm dlx, yarn dlx, bun x, uv run, uv tool run.
 * @param connectTimeout Maximum time to establish a TCP connection, including the TLS
 * handshake. If not set, spring.http.clients.connect-timeout applies.
 * @param keepAliveInterval Time without traffic after which a connection is tested with a
 * ping. If no response arrives within the same time, the connection is closed; while
 * calls are in flight, only when one of them times out as well. Never tested by default.
 * @param progressExtendsTimeoutTo Maximum total time of a tool call if the server reports
 * progress; each notification restarts the request timeout. Progress extends nothing by
 * default.
 * @param maxMessageSize Maximum size of a message from the server. A larger message fails
 * the call over HTTP, and closes the connection to a child process or over a WebSocket.
 * @param maxResultSize Maximum size of a result of a tool, prompt, resource or
 * completion. A larger result fails its call; the connection stays open.
 * @param maxConcurrentCalls Maximum number of concurrent calls to the server. Further
 * calls wait, within their timeout; no limit by default.
 * @param loggingLevel Minimum level of the log messages to request from the server:
 * debug, info, notice, warning, error, critical, alert or emergency. The server decides
 * by default.
 * @param headers Headers of each HTTP request to the server. Added to the default
 * entries.
 * @param config Experimental capabilities to declare to the server as
 * capabilities.experimental, by name.
 * @param options Options of a custom transport type.
 * @param tools the tools of the server
 * @param prompts the prompts of the server
 * @param resources the resources of the server, and their templates
 * @param sampling the requests of the server for messages of a language model
 * @param elicitation the requests of the server for user input
 * @param roots the directories that the server may work on
 * @param reconnect the attempts after a failed attempt or a lost connection
 */
public record McpServerProperties(@Nullable String url, @Nullable String command,
		@Name("package") @JsonProperty("package") @Nullable String packageName, @Nullable Boolean enabled,
		@Nullable Boolean required, @Nullable String type, @Nullable String protocol, @DefaultValue Ssl ssl,
		@DefaultValue Proxy proxy, @DefaultValue Auth auth, @Nullable Boolean terminateOnClose,
		@Nullable Duration sseReadTimeout, @Nullable Boolean cookies, @Nullable List<String> args,
		@Nullable String envFile, @Nullable Boolean inheritEnvironment, @Nullable DataSize memory,
		@Nullable String network, @Nullable String workingDirectory, @Nullable Charset encoding,
		@Nullable Duration requestTimeout, @Nullable Duration initializationTimeout,
		@Nullable Duration firstStartTimeout, @Nullable Duration connectTimeout, @Nullable Duration keepAliveInterval,
		@Nullable Duration progressExtendsTimeoutTo, @Nullable DataSize maxMessageSize,
		@Nullable DataSize maxResultSize, @Nullable Integer maxConcurrentCalls, @Nullable LoggingLevel loggingLevel,
		@DefaultValue Map<String, String> headers, @DefaultValue Map<String, String> env,
		@DefaultValue Map<String, Object> config, @DefaultValue Map<String, Object> options, @DefaultValue Tools tools,
		@DefaultValue Prompts prompts, @DefaultValue Resources resources, @DefaultValue Sampling sampling,
		@DefaultValue Elicitation elicitation, @DefaultValue Roots roots, @DefaultValue Reconnect reconnect) {

	private static final String UNKNOWN_TYPE = "unknown";

	/**
	 * Return these settings with the defaults for absent settings. The entries of maps
	 * are merged.
	 */
	McpServerProperties withDefaults(McpServerProperties defaults) {
		return Records.merge(this, defaults);
	}

	/**
	 * Create a definition, whose built-in defaults apply to absent settings. A setting
	 * that cannot be read, or that is invalid for a disabled server, is omitted.
	 * @param fromFile the environment variables of the file
	 */
	McpServerDefinition definition(String name, @Nullable ServerType type, Map<String, String> fromFile,
			Collection<String> secrets, McpProperties.Runtimes runtimes) {
		McpServerDefinitionBuilder builder = McpServerDefinition.of(name, (type != null) ? type.name() : UNKNOWN_TYPE);
		builder.typeInferred(type != null && type.inferred())
			.secrets(secrets)
			.auth(this.auth.complete())
			.sslBundle(this.ssl.bundle)
			.sseReadTimeout(this.sseReadTimeout)
			.keepAliveInterval(this.keepAliveInterval)
			.progressExtendsTimeoutTo(this.progressExtendsTimeoutTo)
			.maxConcurrentCalls(this.maxConcurrentCalls)
			.loggingLevel(this.loggingLevel)
			.toolPrefix(this.tools.prefix)
			.hideWhenUnavailable(this.tools.hideWhenUnavailable)
			.keepResults(this.tools.keepResults)
			.prompts(Records.merge(this.prompts, McpServerDefinition.Feature.DEFAULTS))
			.resources(Records.merge(this.resources, McpServerDefinition.Resources.DEFAULTS))
			.sampling(Records.merge(this.sampling, McpServerDefinition.Sampling.DEFAULTS))
			.elicitation(Records.merge(this.elicitation, McpServerDefinition.Elicitation.DEFAULTS))
			.roots(Records.merge(this.roots, McpServerDefinition.Roots.DEFAULTS))
			.reconnect(Records.merge(this.reconnect, McpServerDefinition.Reconnect.DEFAULTS))
			.toolFilter(filter())
			.toolRules(Objects.requireNonNullElse(this.tools.rules, List.of()))
			.toolPolicy(new McpToolPolicy(Objects.requireNonNullElse(this.tools.access, McpToolAccess.ALL),
					!Boolean.FALSE.equals(this.tools.allowDestructive),
					!Boolean.FALSE.equals(this.tools.allowOpenWorld)))
			.experimentalCapabilities(withLists(this.config, true))
			.options(withLists(this.options, false));
		PropertyMapper map = PropertyMapper.get();
		map.from(this.protocol).to(builder::protocol);
		map.from(this.enabled).to(builder::enabled);
		map.from(this.required).to(builder::required);
		map.from(this.terminateOnClose).to(builder::terminateOnClose);
		map.from(this.cookies).to(builder::cookies);
		map.from(this.inheritEnvironment).to(builder::inheritEnvironment);
		map.from(this.encoding).to(builder::encoding);
		map.from(this.requestTimeout).to(builder::requestTimeout);
		map.from(this.initializationTimeout).to(builder::initializationTimeout);
		map.from(this.firstStartTimeout).to(builder::firstStartTimeout);
		map.from(this.connectTimeout).to(builder::connectTimeout);
		map.from(this.maxMessageSize).to(builder::maxMessageSize);
		map.from(this.maxResultSize).to(builder::maxResultSize);
		map.from(this.tools.enabled).to(builder::toolsEnabled);
		map.from(this.tools.max).to(builder::maxTools);
		map.from(this.tools.maxText).to(builder::maxText);
		map.from(this.tools.validateArguments).to(builder::validateArguments);
		map.from(this.tools.validateResults).to(builder::validateResults);
		map.from(this.tools.pinning).to(builder::toolPinning);
		if (type == null || !type.isStdio()) {
			addHttp(builder);
		}
		if (type == null || !type.isHttp()) {
			addStdio(builder, fromFile, runtimes);
		}
		return builder.build();
	}

	private List<String> filter() {
		List<String> filter = Objects.requireNonNullElse(this.tools.filter, List.of());
		List<String> errors = new ArrayList<>();
		DefinitionValidator.checkPatterns("", filter, (setting, error) -> errors.add(error));
		// an invalid filter must exclude all tools
		return (!Boolean.FALSE.equals(this.enabled) || errors.isEmpty()) ? filter : List.of("!*");
	}

	private void addHttp(McpServerDefinitionBuilder builder) {
		URI url = (this.url != null) ? parsedUrl(this.url) : null;
		if (url == null || (url.getScheme() == null && Boolean.FALSE.equals(this.enabled))) {
			return;
		}
		// the headers of the server follow the default headers
		Map<String, String> headers = new LinkedCaseInsensitiveMap<>(Locale.ROOT);
		headers.putAll(this.headers);
		builder.url(url).headers(headers).proxy(ServerProxy.of(this.proxy, url, System::getenv));
	}

	private void addStdio(McpServerDefinitionBuilder builder, Map<String, String> fromFile,
			McpProperties.Runtimes runtimes) {
		ServerPackage of = ServerPackage.of(this);
		List<String> words = new ArrayList<>();
		if (of != null) {
			words.addAll(of.commandLine(this, runtimes));
		}
		else if (this.command != null) {
			words.add(this.command);
			words.addAll(Objects.requireNonNullElse(this.args, List.of()));
		}
		if (words.isEmpty() || !StringUtils.hasText(words.get(0))) {
			return;
		}
		Map<String, String> variables = new LinkedHashMap<>(fromFile);
		variables.putAll(this.env);
		builder.command(words.get(0))
			.packageName((of != null) ? of.kind() + ":" + of.name() : null)
			.args(words.subList(1, words.size()))
			.env(variables)
			.workingDirectory(path(this.workingDirectory));
	}

	/**
	 * Parse a URL, with its scheme in lower case so that {@code HTTPS} equals
	 * {@code https}. Returns {@code null} if it cannot be parsed.
	 */
	static @Nullable URI parsedUrl(String url) {
		int scheme = url.indexOf(':') + 1;
		try {
			return new URI(url.substring(0, scheme).toLowerCase(Locale.ROOT) + url.substring(scheme));
		}
		catch (URISyntaxException ex) {
			return null;
		}
	}

	private static @Nullable Path path(@Nullable String path) {
		try {
			return StringUtils.hasText(path) ? Path.of(path) : null;
		}
		catch (InvalidPathException ex) {
			return null;
		}
	}

	/**
	 * Return values with lists in place of the maps that the binder creates for lists. A
	 * file represents an empty object as empty text.
	 */
	private static Map<String, Object> withLists(Map<?, ?> values, boolean top) {
		Map<String, Object> map = new LinkedHashMap<>();
		values.forEach((name, value) -> map.put(String.valueOf(name), (top && "".equals(value)) ? Map.of()
				: (value instanceof Map<?, ?> below) ? listOrMap(withLists(below, false)) : value));
		return map;
	}

	private static Object listOrMap(Map<String, Object> map) {
		List<Object> items = new ArrayList<>();
		for (Object item = map.get("0"); item != null; item = map.get(Integer.toString(items.size()))) {
			items.add(item);
		}
		return (items.size() == map.size() && !items.isEmpty()) ? items : map;
	}

	/**
	 * Return the type of the server, or {@code null} if it is unknown or ambiguous.
	 * @param shared the settings of all servers
	 */
	@Nullable ServerType transport(McpServerProperties shared, TransportTypes types) {
		if (StringUtils.hasText(this.type)) {
			String given = types.find(this.type);
			return (given != null) ? new ServerType(given) : null;
		}
		if (runs() == StringUtils.hasText(this.url)) {
			return null;
		}
		if (runs()) {
			return new ServerType(McpServerDefinition.STDIO, StringUtils.hasText(this.command) ? "command" : "package");
		}
		String ofAll = StringUtils.hasText(shared.type) ? types.find(shared.type) : null;
		return (ofAll != null && !ofAll.equals(McpServerDefinition.STDIO)) ? new ServerType(ofAll) : new ServerType(
				isWebSocket() ? McpServerDefinition.WEBSOCKET : McpServerDefinition.STREAMABLE_HTTP, "url");
	}

	/**
	 * Return whether the server has a command or package to run as a child process.
	 */
	boolean runs() {
		return StringUtils.hasText(this.command) || StringUtils.hasText(this.packageName);
	}

	boolean isWebSocket() {
		return StringUtils.hasText(this.type)
				? List.of(McpServerDefinition.WEBSOCKET, "ws").contains(PropertyNames.uniform(this.type.strip()))
				: this.url != null && this.url.toLowerCase(Locale.ROOT).matches("(?s)wss?://.*");
	}

	@Override
	public String toString() {
		// most values may hold secrets
		return "McpServerProperties[type=" + this.type + ", enabled=" + this.enabled + "]";
	}

	/**
	 * TLS to a server over HTTP.
	 *
	 * @param bundle Name of the SSL bundle for TLS to the server. The certificates that
	 * the JVM trusts apply if not set.
	 */
	public record Ssl(@Nullable String bundle) {

	}

	/**
	 * The HTTP proxy of a server over HTTP.
	 *
	 * @param host Host of the HTTP proxy. No proxy is used if not set.
	 * @param port Port of the HTTP proxy.
	 * @param username User name for the HTTP proxy.
	 * @param password Password for the HTTP proxy.
	 * @param nonProxyHosts Hosts to connect to without the proxy, with the wildcard '*'.
	 * @param fromEnvironment Whether to use the proxy of the environment variables
	 * HTTPS_PROXY, HTTP_PROXY and NO_PROXY if no host is set.
	 */
	public record Proxy(@Nullable String host, @Nullable Integer port, @Nullable String username,
			@Nullable String password, @Nullable List<String> nonProxyHosts, @Nullable Boolean fromEnvironment) {

	}

	/**
	 * The tools of a server.
	 *
	 * @param enabled Whether the application uses the tools of the server.
	 * @param prefix Prefix of the tool names, followed by an underscore. The name of the
	 * server by default; an empty value disables the prefix.
	 * @param filter Patterns for the prefixed or original names of the tools to include,
	 * with the wildcards '*' and '?'. A pattern that begins with '!' excludes tools; the
	 * last matching pattern decides. All tools by default.
	 * @param access Tools to include, by their readOnlyHint annotation.
	 * @param allowDestructive Whether to include tools that may be destructive. If false,
	 * only tools that declare destructiveHint: false or readOnlyHint: true are included.
	 * @param allowOpenWorld Whether to include tools that may interact with an open
	 * world, such as the web. If false, only tools that declare openWorldHint: false are
	 * included.
	 * @param validateArguments Whether to validate arguments against the inputSchema of a
	 * tool before it is called, in addition to the validation by the server.
	 * @param validateResults Whether to validate structured results against the
	 * outputSchema of a tool, if it has one.
	 * @param hideWhenUnavailable Time that the server may be unavailable before its tools
	 * are no longer offered to models. Never hidden by default.
	 * @param pinning Action for a tool whose definition is not approved.
	 * @param rules Rules for individual tools. The rules of the server follow the default
	 * rules; if several rules that match a tool have the same setting, the last one
	 * applies.
	 * @param max Maximum number of tools that the server may list.
	 * @param maxText Maximum number of characters of one result that a model reads, at
	 * least 1000, or 0 for no limit. Of a longer result, the model reads the beginning
	 * and the end.
	 * @param keepResults Time to retain a result that a model has read in part, so that
	 * the model can continue with read_result. Results are not retained by default.
	 */
	public record Tools(@Nullable Boolean enabled, @Nullable String prefix, @Nullable List<String> filter,
			@Nullable McpToolAccess access, @Nullable Boolean allowDestructive, @Nullable Boolean allowOpenWorld,
			@Nullable Boolean validateArguments, @Nullable Boolean validateResults,
			@Nullable Duration hideWhenUnavailable, @Nullable McpToolPinning pinning, @Nullable List<McpToolRule> rules,
			@Nullable Integer max, @Nullable Integer maxText, @Nullable Duration keepResults) {

		public Tools {
			rules = (rules != null) ? List.copyOf(rules) : null;
		}

		/**
		 * Return a rule with the lists of its arguments, which are bound as maps by
		 * index.
		 */
		static McpToolRule withLists(McpToolRule rule) {
			return new McpToolRule(rule.tools(), rule.timeout(), rule.progressExtendsTimeoutTo(), rule.title(),
					rule.description(), rule.annotations(), McpServerProperties.withLists(rule.arguments(), false),
					McpServerProperties.withLists(rule.defaultArguments(), false), rule.approval(), rule.rate(),
					rule.ratePerCaller(), rule.cache(), rule.cacheRegardlessOfHints());
		}

	}

	/**
	 * The authorization of requests to a server over HTTP.
	 *
	 * @param type Type of authorization, or the name of an McpAuthorizer bean. Inferred
	 * from the other settings if not set.
	 * @param allowInsecure Whether credentials may be sent over plain HTTP to a host
	 * other than this machine.
	 * @param bearer a token that does not change
	 * @param basic HTTP basic authentication
	 * @param oauth2 OAuth 2.0
	 */
	public record Auth(@Nullable String type, @Nullable Boolean allowInsecure, @Nullable Bearer bearer,
			@Nullable Basic basic, @Nullable OAuth2 oauth2) {

		/**
		 * Infers a type that is absent, so that the settings of a server override the
		 * type at {@code mcp.defaults}.
		 */
		public Auth {
			if (!StringUtils.hasText(type)) {
				type = (bearer != null) ? McpServerAuth.BEARER
						: (basic != null) ? McpServerAuth.BASIC : (oauth2 != null) ? McpServerAuth.OAUTH2 : type;
			}
		}

		McpServerAuth complete() {
			return Records.merge(this, McpServerAuth.of(McpServerAuth.NONE));
		}

		@Override
		public String toString() {
			return "Auth[" + this.type + "]";
		}

	}

	/**
	 * A token that does not change.
	 *
	 * @param token Bearer token to send with each request.
	 */
	public record Bearer(@Nullable String token) {

		@Override
		public String toString() {
			return "Bearer[]";
		}

	}

	/**
	 * HTTP basic authentication.
	 *
	 * @param username User name for HTTP basic authentication.
	 * @param password Password for HTTP basic authentication.
	 */
	public record Basic(@Nullable String username, @Nullable String password) {

		@Override
		public String toString() {
			return "Basic[]";
		}

	}

	/**
	 * OAuth 2.0.
	 *
	 * @param registrationId ID of a client registration of Spring Security, which
	 * replaces the other settings of the client and the authorization server.
	 * @param grantType Grant type for tokens. If not set, the grant type of the client
	 * registration applies, or client-credentials without one.
	 * @param issuerUri Issuer URI of the authorization server. Discovered from the server
	 * if not set.
	 * @param tokenUri Token endpoint. Discovered from the authorization server if not
	 * set.
	 * @param authorizationUri Authorization endpoint. Discovered from the authorization
	 * server if not set.
	 * @param clientId Client ID at the authorization server.
	 * @param clientSecret Client secret at the authorization server.
	 * @param clientAuthenticationMethod Method of client authentication at the token
	 * endpoint. Inferred if not set.
	 * @param privateKey Private key that signs client assertions, as PEM content or the
	 * location of a PEM file.
	 * @param privateKeyId ID of the private key, for the header of client assertions.
	 * @param privateKeyBundle Name of the SSL bundle that contains the private key.
	 * @param signingAlgorithm JWS algorithm of client assertions. Inferred from the key
	 * if not set.
	 * @param scopes Scopes to request. If not set, the scopes that the server requires.
	 * @param resource Resource indicator of the server, or none to omit it. The URL of
	 * the server if not set.
	 * @param clockSkew Minimum time between the renewal of a token and its expiry. A
	 * token may be renewed earlier, by a random part of up to a tenth of its lifetime.
	 * @param clientMetadataUri URL of the client ID metadata document, which is also the
	 * client ID.
	 * @param dynamicRegistration Whether to register the client dynamically at the
	 * authorization server if it has no client ID.
	 * @param redirectUri Redirect URI of a login, or a template for it.
	 * @param listing Authorization of connections and listings if calls are authorized
	 * for users. Defaults to user.
	 * @param interactive Whether to log in through a browser on this machine, for
	 * development.
	 * @param tokenFile File that stores the tokens of an interactive login.
	 * @param assertionFile File with the assertion for the grant type jwt-bearer, which
	 * the platform renews.
	 * @param identityProvider ID of the client registration of Spring Security with which
	 * users sign in. Its identity provider issues assertions for the grant type
	 * jwt-bearer.
	 * @param assumePkce Whether users may log in at an authorization server that does not
	 * announce PKCE. The client uses PKCE in any case.
	 * @param dpop Whether to bind tokens to a key of the client, whose possession each
	 * request proves (DPoP, RFC 9449). Tokens that are not bound are rejected.
	 * @param dpopKeyBundle Name of the SSL bundle that contains the DPoP key. If not set,
	 * a key is generated and stored in memory.
	 */
	public record OAuth2(@Nullable String registrationId, @Nullable GrantType grantType, @Nullable String issuerUri,
			@Nullable String tokenUri, @Nullable String authorizationUri, @Nullable String clientId,
			@Nullable String clientSecret, @Nullable ClientAuthenticationMethod clientAuthenticationMethod,
			@Nullable String privateKey, @Nullable String privateKeyId, @Nullable String privateKeyBundle,
			@Nullable String signingAlgorithm, @Nullable List<String> scopes, @Nullable String resource,
			@Nullable Duration clockSkew, @Nullable String clientMetadataUri, @Nullable Boolean dynamicRegistration,
			@Nullable String redirectUri, @Nullable Listing listing, @Nullable Boolean interactive,
			@Nullable String tokenFile, @Nullable String assertionFile, @Nullable String identityProvider,
			@Nullable Boolean assumePkce, @Nullable Boolean dpop, @Nullable String dpopKeyBundle) {

		@Override
		public String toString() {
			return "OAuth2[" + this.grantType + "]";
		}

	}

	/**
	 * The attempts after a failed attempt or a lost connection.
	 *
	 * @param enabled Whether to reconnect automatically. If false, an unavailable server
	 * stays unavailable until you reconnect it.
	 * @param initialDelay Delay before the first attempt to reconnect.
	 * @param multiplier Factor by which the delay grows from one attempt to the next, at
	 * least 1.
	 * @param maxDelay Maximum delay between two attempts to reconnect.
	 * @param jitter Random part of the delay, from 0 (none) to 1 (all of it), so that
	 * clients do not reconnect to a server at the same time.
	 */
	public record Reconnect(@Nullable Boolean enabled, @Nullable Duration initialDelay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Double jitter) {

	}

	/**
	 * The prompts of a server.
	 *
	 * @param enabled Whether to list the prompts of the server.
	 * @param max Maximum number of prompts that the server may list.
	 */
	public record Prompts(@Nullable Boolean enabled, @Nullable Integer max) {

	}

	/**
	 * The resources of a server, and their templates.
	 *
	 * @param enabled Whether to list the resources and resource templates of the server.
	 * @param max Maximum number of resources, and of resource templates, that the server
	 * may list.
	 * @param asTools Whether to provide the tools list_resources and read_resource, for
	 * models that support only tools.
	 */
	public record Resources(@Nullable Boolean enabled, @Nullable Integer max, @Nullable Boolean asTools) {

	}

	/**
	 * The requests of a server for messages of a language model.
	 *
	 * @param enabled Whether to accept sampling requests of the server, if there is a
	 * handler for them.
	 * @param timeout Maximum time that a handler may take for a sampling request.
	 * @param maxTokens Maximum number of tokens that the server may request. A larger
	 * number is reduced to this maximum.
	 * @param maxRequestsPerMinute Maximum number of sampling requests per minute.
	 * @param maxDepth Maximum depth of nested sampling, if handlers call tools. With 1,
	 * sampling is not nested.
	 * @param chatModel Name of the ChatModel bean of Spring AI that handles sampling
	 * requests. Ignored if another handler supports the server.
	 */
	public record Sampling(@Nullable Boolean enabled, @Nullable Duration timeout, @Nullable Integer maxTokens,
			@Nullable Integer maxRequestsPerMinute, @Nullable Integer maxDepth, @Nullable String chatModel) {

	}

	/**
	 * The requests of a server for user input.
	 *
	 * @param enabled Whether to accept elicitation requests of the server, if there is a
	 * handler for them.
	 * @param timeout Maximum time that a handler may take for an elicitation request.
	 */
	public record Elicitation(@Nullable Boolean enabled, @Nullable Duration timeout) {

	}

	/**
	 * The directories that a server may work on.
	 *
	 * @param enabled Whether the server may request the roots, the directories that it
	 * may work on.
	 * @param directories Paths or file URIs of the directories that the server may work
	 * on.
	 */
	public record Roots(@Nullable Boolean enabled, @Nullable List<String> directories) {

	}

}
