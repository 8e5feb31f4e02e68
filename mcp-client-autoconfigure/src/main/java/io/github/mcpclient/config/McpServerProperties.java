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
 * The settings of one server, at {@code mcp.servers.<name>}, and, but for url and
 * command, those of all servers, at {@code mcp.defaults}. What is absent is {@code null}:
 * a setting of a server falls back to the one for all servers, and that to the default of
 * {@link io.github.mcpclient.definition.McpServerDefinition McpServerDefinition}.
 *
 * @param url Url of the MCP endpoint, for a server that is reached over HTTP.
 * @param command Executable to start, for a server that runs as a child process.
 * @param packageName Package to run in a child process, in place of a command: npm:,
 * pypi: or oci:, followed by its name and version.
 * @param enabled Whether to connect to the server. One that is not enabled is listed, but
 * never contacted.
 * @param required Whether the application needs the server: it does not start without it,
 * and is not healthy while it is unavailable.
 * @param type Transport type. Inferred where absent: a url means streamable HTTP, a
 * command means stdio.
 * @param protocol Revisions of the protocol to speak: auto, legacy (up to 2025-11-25),
 * modern (from 2026-07-28 on), or a single one, such as 2025-06-18.
 * @param ssl TLS to a server over HTTP
 * @param proxy the HTTP proxy on the way to a server over HTTP
 * @param auth how requests to a server over HTTP are authorized
 * @param terminateOnClose Whether to end the session with an HTTP DELETE when the
 * connection is closed.
 * @param sseReadTimeout How long a stream of events may stay silent before it is
 * reopened. No limit where absent.
 * @param cookies Whether to send the cookies that the server sets, such as those of a
 * load balancer with sticky sessions. They are kept in memory, for one session.
 * @param args Arguments of the command.
 * @param env Environment variables of the child process. Added to the default ones.
 * @param envFile File of environment variables of the child process, in dotenv syntax.
 * Those in env take precedence.
 * @param inheritEnvironment Whether the child process sees the whole environment of the
 * application, rather than only PATH, HOME, LANG and the like.
 * @param memory Memory limit for the container of an oci: package. No limit where absent.
 * @param network Network for the container of an oci: package, such as 'none'. The
 * default one of the container engine where absent.
 * @param workingDirectory Directory in which the child process starts. That of the
 * application where absent.
 * @param encoding Character encoding of the standard streams of the child process.
 * @param requestTimeout How long a request to the server may take.
 * @param initializationTimeout How long an attempt to connect may take, including the
 * listing of tools.
 * @param firstStartTimeout How long an attempt to connect may take, if that is longer
 * than the initialization timeout, until the server has been connected for the first
 * time. Applies to commands that may have to download the server: npx, pnpx, bunx, uvx,
 * pipx, docker, podman, npm exec, pnpm dlx, yarn dlx, bun x, uv run, uv tool run.
 * @param connectTimeout How long a TCP connection and its TLS handshake may take.
 * @param keepAliveInterval How long a connection may be silent before it is tested with a
 * ping, which has to be answered within the same time. While calls are pending, a server
 * that does not answer may be busy with them: the connection is ended only if one of them
 * times out as well. Never tested where absent.
 * @param progressExtendsTimeoutTo How long a call of a tool may take in all if the server
 * reports progress, each of which restarts the request-timeout. Progress extends nothing
 * where absent.
 * @param maxMessageSize Largest message that is accepted from the server.
 * @param maxResultSize Largest result of a tool, prompt, resource or completion that is
 * accepted from the server. A larger one is not read: the call fails, and the connection
 * stays.
 * @param maxConcurrentCalls Largest number of pending calls to the server. Further calls
 * wait, within their timeout. No limit where absent.
 * @param loggingLevel Lowest level of log messages that the server is asked to send, if
 * it supports that. The server decides where absent.
 * @param headers Headers of every HTTP request to the server. Added to the default ones.
 * @param config Experimental capabilities of the client, by name, which it declares to
 * the server as capabilities.experimental.
 * @param options Options for a transport type that the application adds.
 * @param tools the tools of the server
 * @param prompts the prompts of the server
 * @param resources the resources of the server, and their templates
 * @param sampling the requests of the server for messages of a language model
 * @param elicitation the requests of the server for input of the user
 * @param roots the directories that the server may work on
 * @param reconnect when to try again after a failed attempt or a lost connection
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
	 * Return these settings with those for all servers where they are absent. Entries of
	 * maps are added one by one.
	 */
	McpServerProperties withDefaults(McpServerProperties defaults) {
		return Records.merge(this, defaults);
	}

	/**
	 * Make a definition, whose built-in defaults hold where a setting is absent. What
	 * cannot be read, or is not valid for a server that is not enabled, is left out.
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
		List<String> mistakes = new ArrayList<>();
		DefinitionValidator.checkPatterns("", filter, (setting, mistake) -> mistakes.add(mistake));
		// one that is not valid must not let all tools through
		return (!Boolean.FALSE.equals(this.enabled) || mistakes.isEmpty()) ? filter : List.of("!*");
	}

	private void addHttp(McpServerDefinitionBuilder builder) {
		URI url = (this.url != null) ? parsedUrl(this.url) : null;
		if (url == null || (url.getScheme() == null && Boolean.FALSE.equals(this.enabled))) {
			return;
		}
		// those of the server are after the default ones
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
	 * Read a url, its scheme in lower case so that {@code HTTPS} is not taken for another
	 * one than {@code https}. Returns {@code null} if it cannot be read.
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
	 * Return values with lists where the binder made maps with the numbers from 0. A file
	 * has an empty object as an empty text.
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
	 * Return the type of the server, or {@code null} if it is not known or not clear.
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
	 * Return whether there is something to run as a child process.
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
	 * @param bundle Name of the SSL bundle for TLS to the server. What the JVM trusts
	 * where absent.
	 */
	public record Ssl(@Nullable String bundle) {

	}

	/**
	 * The HTTP proxy on the way to a server over HTTP.
	 *
	 * @param host Host of the proxy. No proxy is used where absent.
	 * @param port Port of the proxy.
	 * @param username User name for the proxy.
	 * @param password Password for the proxy.
	 * @param nonProxyHosts Hosts that are connected to without the proxy, in which '*' is
	 * a wildcard.
	 * @param fromEnvironment Whether the environment variables HTTPS_PROXY, HTTP_PROXY
	 * and NO_PROXY say which proxy to use, where no host is set.
	 */
	public record Proxy(@Nullable String host, @Nullable Integer port, @Nullable String username,
			@Nullable String password, @Nullable List<String> nonProxyHosts, @Nullable Boolean fromEnvironment) {

	}

	/**
	 * The tools of a server.
	 *
	 * @param enabled Whether the application gets tools of the server at all.
	 * @param prefix What the names of the tools begin with, followed by an underscore.
	 * The name of the server where absent; no prefix and no underscore if empty.
	 * @param filter Patterns for the prefixed or original names of the tools that the
	 * application gets, in which '*' and '?' are wildcards. One that begins with '!'
	 * denies; the last that matches a tool decides. All tools where empty.
	 * @param access Which tools the application gets, by what they say of themselves in
	 * readOnlyHint.
	 * @param allowDestructive Whether the application gets tools that may be destructive,
	 * by destructiveHint.
	 * @param allowOpenWorld Whether the application gets tools that may interact with an
	 * open world, such as the web, by openWorldHint.
	 * @param validateArguments Whether arguments are checked against the inputSchema of a
	 * tool before it is called. Servers do that themselves, too.
	 * @param validateResults Whether structured results are checked against the
	 * outputSchema of a tool, where it has one.
	 * @param hideWhenUnavailable How long the server may be unavailable before its tools
	 * are no longer offered to models. Never hidden where absent.
	 * @param pinning What to do if the definition of a tool is not the approved one:
	 * nothing (off), report it (warn), or also withhold the tool (block).
	 * @param rules Rules for single tools. Those of the server follow the default ones;
	 * where several rules that match a tool have the same setting, the last one decides.
	 * @param max Largest number of tools that the server may list.
	 * @param maxText Largest number of characters of one result that a model reads, at
	 * least 1000, or 0 for all. Of a longer result it gets the beginning and the end.
	 * @param keepResults How long a result that a model has read only in part is kept, so
	 * that the model can read on with read_result. Not kept where absent.
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
		 * Return a rule with the lists that its arguments have, which are bound as maps
		 * by index.
		 */
		static McpToolRule withLists(McpToolRule rule) {
			return new McpToolRule(rule.tools(), rule.timeout(), rule.progressExtendsTimeoutTo(), rule.title(),
					rule.description(), rule.annotations(), McpServerProperties.withLists(rule.arguments(), false),
					McpServerProperties.withLists(rule.defaultArguments(), false), rule.approval(), rule.rate(),
					rule.ratePerCaller(), rule.cache(), rule.cacheAnyway());
		}

	}

	/**
	 * How requests to a server over HTTP are authorized.
	 *
	 * @param type Type of authorization: none, bearer, basic, oauth2, or the name of an
	 * McpAuthorizer bean. Inferred from the other settings where absent.
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
	 * @param token Token that is sent with each request, and does not change.
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
	 * @param registrationId Id of a client registration of Spring Security, which
	 * replaces the other settings of the client and the authorization server.
	 * @param grantType How tokens are obtained. That of the client registration where
	 * absent, or client-credentials without one.
	 * @param issuerUri Issuer identifier of the authorization server. Discovered from the
	 * server where absent.
	 * @param tokenUri Token endpoint. Discovered from the authorization server where
	 * absent.
	 * @param authorizationUri Authorization endpoint. Discovered from the authorization
	 * server where absent.
	 * @param clientId Client id at the authorization server.
	 * @param clientSecret Client secret at the authorization server.
	 * @param clientAuthenticationMethod How the client authenticates itself at the token
	 * endpoint. Inferred where absent.
	 * @param privateKey PEM content, or location of a PEM file, of the private key that
	 * signs client assertions.
	 * @param privateKeyId Id of the private key, for the header of client assertions.
	 * @param privateKeyBundle Name of the SSL bundle that has the private key.
	 * @param signingAlgorithm JWS algorithm of client assertions. Inferred from the key
	 * where absent.
	 * @param scopes Scopes to request. Those that the server asks for where absent.
	 * @param resource Resource indicator of the server, or none to send none. Its url
	 * where absent.
	 * @param clockSkew How long before its expiry a token is renewed at the latest; up to
	 * a tenth of its lifetime earlier, at random.
	 * @param clientMetadataUri Url of the client id metadata document, which is the
	 * client id.
	 * @param dynamicRegistration Whether the client registers itself at the authorization
	 * server if it has no client id.
	 * @param redirectUri Redirect URI that a login returns to, or a template for it.
	 * @param listing How connections and listings are authorized where calls are
	 * authorized for users.
	 * @param interactive Whether to log in through a browser on this machine, for
	 * development.
	 * @param tokenFile File that keeps the tokens of an interactive login.
	 * @param assertionFile File with the assertion for grant type jwt-bearer, which the
	 * platform renews.
	 * @param identityProvider Id of the client registration of Spring Security that users
	 * sign in with, whose identity provider gives assertions for grant type jwt-bearer.
	 * @param assumePkce Whether users log in at an authorization server that does not
	 * announce PKCE, which is used all the same.
	 * @param dpop Whether tokens are bound to a key of the client, and each request
	 * proves that it has the key (DPoP, RFC 9449). Other tokens are refused then.
	 * @param dpopKeyBundle Name of the SSL bundle that has the key of DPoP. One that is
	 * kept in memory where absent.
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
	 * When to try again after a failed attempt or a lost connection.
	 *
	 * @param enabled Whether to reconnect automatically. If not, an unavailable server
	 * stays so until it is told to reconnect.
	 * @param initialDelay Delay before the first attempt to reconnect.
	 * @param multiplier Factor by which the delay grows from one attempt to the next, at
	 * least 1.
	 * @param maxDelay Longest delay between two attempts to reconnect.
	 * @param jitter Random part of the delay, from 0 (none) to 1 (all of it), so that
	 * many clients of a server do not return together.
	 */
	public record Reconnect(@Nullable Boolean enabled, @Nullable Duration initialDelay, @Nullable Double multiplier,
			@Nullable Duration maxDelay, @Nullable Double jitter) {

	}

	/**
	 * The prompts of a server.
	 *
	 * @param enabled Whether to ask the server for its prompts.
	 * @param max Largest number of prompts that the server may list.
	 */
	public record Prompts(@Nullable Boolean enabled, @Nullable Integer max) {

	}

	/**
	 * The resources of a server, and their templates.
	 *
	 * @param enabled Whether to ask the server for its resources and resource templates.
	 * @param max Largest number of resources that the server may list, and of resource
	 * templates.
	 * @param asTools Whether to provide the tools list_resources and read_resource, for
	 * models that know only tools.
	 */
	public record Resources(@Nullable Boolean enabled, @Nullable Integer max, @Nullable Boolean asTools) {

	}

	/**
	 * The requests of a server for messages of a language model.
	 *
	 * @param enabled Whether the server may send sampling requests, if there is a handler
	 * for them.
	 * @param timeout How long a handler may take to answer a sampling request.
	 * @param maxTokens Largest number of tokens that the server may ask for. A request
	 * for more is lowered to it.
	 * @param maxRequestsPerMinute Largest number of sampling requests per minute.
	 * @param maxDepth How deep sampling may be nested, if handlers call tools. 1 means
	 * not at all.
	 * @param chatModel Name of the ChatModel bean of Spring AI that answers, if no other
	 * handler does.
	 */
	public record Sampling(@Nullable Boolean enabled, @Nullable Duration timeout, @Nullable Integer maxTokens,
			@Nullable Integer maxRequestsPerMinute, @Nullable Integer maxDepth, @Nullable String chatModel) {

	}

	/**
	 * The requests of a server for input of the user.
	 *
	 * @param enabled Whether the server may send elicitation requests, if there is a
	 * handler for them.
	 * @param timeout How long a handler may take to answer an elicitation request.
	 */
	public record Elicitation(@Nullable Boolean enabled, @Nullable Duration timeout) {

	}

	/**
	 * The directories that a server may work on.
	 *
	 * @param enabled Whether the server may ask for the roots, the directories that it
	 * may work on.
	 * @param directories Paths or file uris of directories that the server may work on.
	 */
	public record Roots(@Nullable Boolean enabled, @Nullable List<String> directories) {

	}

}
