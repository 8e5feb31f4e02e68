package io.github.mcpclient.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.mcpclient.config.McpServerProperties.Auth;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.Records;
import io.github.mcpclient.internal.validation.DefinitionValidator;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.internal.validation.TransportTypes;
import io.github.mcpclient.internal.validation.TransportTypes.ServerType;
import io.github.mcpclient.service.McpServerConnectionDetails;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * The configuration of the MCP client, read from the properties below {@code mcp} of an
 * environment. A snapshot.
 */
public final class McpServersConfig {

	// what is not of a server
	private static final Map<String, Function<McpProperties, @Nullable Object>> OF_START = Map.of("mcp.enabled",
			McpProperties::enabled, "mcp.transports", McpProperties::transports, "mcp.startup", McpProperties::startup,
			"mcp.tools", McpProperties::tools, "mcp.selections", McpProperties::selections, "mcp.observations",
			McpProperties::observations, "mcp.reload", McpProperties::reload);

	private static final String OF_SPRING_AI = "There are connections below spring.ai.mcp.client, which nothing reads: "
			+ "Spring AI's MCP client is not on the class path, and this client has no servers below mcp.servers. "
			+ "docs/migration.md has what to write for each property, and how to have it written.";

	private final McpPropertySources sources;

	private final McpProperties properties;

	private List<ServerSettingsValidator> servers = new ArrayList<>();

	private boolean read;

	private final Map<String, SslBundle> sslBundles = new HashMap<>();

	// the defaults of all servers, with the settings of all HTTP clients
	private final McpServerProperties shared;

	private final UnknownProperties unknown = new UnknownProperties();

	private final Map<String, Map<String, String>> ofModules;

	private final Collection<McpServerConnectionDetails> connections;

	private final @Nullable Duration connectTimeout;

	private final Set<String> authTypes;

	private Collection<Set<String>> types = List.of();

	private volatile List<String> warnings = List.of();

	private boolean reread;

	/**
	 * Read the configuration. Only {@link #servers(Collection)} reports errors; settings
	 * that cannot be read are absent until then.
	 * @param connections the connection details, which override the URLs and commands of
	 * servers
	 * @param connectTimeout the default of {@code connect-timeout}, or {@code null} for
	 * the built-in one
	 * @param authTypes the types of authorization that beans provide
	 * @throws IllegalStateException if there are two connections for one server
	 */
	public McpServersConfig(ConfigurableEnvironment environment, Collection<McpServerConnectionDetails> connections,
			@Nullable Duration connectTimeout, Set<String> authTypes) {
		this.connections = connections;
		this.connectTimeout = connectTimeout;
		this.authTypes = authTypes;
		this.sources = new McpPropertySources(environment);
		this.ofModules = this.sources.ofModules();
		Map<String, McpServerProperties> servers = new LinkedHashMap<>();
		ServerConnections elsewhere = new ServerConnections(connections);
		for (ServerName name : elsewhere.allNames(this.sources.serverNames())) {
			PropertyGroup group = this.sources.server(name);
			McpServerProperties settings = group.bind(McpServerProperties.class);
			McpServerConnectionDetails connection = elsewhere.find(name);
			boolean replaced = connection != null && ServerConnections.isChildProcess(settings);
			if (connection != null) {
				settings = ServerConnections.settings(connection, settings);
				if (connection.getSslBundle() != null) {
					this.sslBundles.put(name.name(), connection.getSslBundle());
				}
			}
			servers.put(name.name(), settings);
			this.servers
				.add(new ServerSettingsValidator(name, group, settings, replaced, this.sources, new ArrayList<>()));
		}
		Map<String, List<String>> selections = new LinkedHashMap<>();
		validSelections(this.sources)
			.forEach((name) -> selections.put(name.name(), this.sources.selection(name).list()));
		PropertyGroup transports = this.sources.group("transports");
		this.properties = new McpProperties(environment.getProperty("mcp.enabled", Boolean.class, true),
				transports.isEmpty() ? null : transports.list(),
				this.sources.group("startup").bind(McpProperties.Startup.class),
				this.sources.group("tools").bind(McpProperties.Tools.class), Collections.unmodifiableMap(selections),
				this.sources.group("observations").bind(McpProperties.Observations.class),
				this.sources.group("runtimes").bind(McpProperties.Runtimes.class),
				this.sources.group("import").bind(McpProperties.Import.class),
				this.sources.group("reload").bind(McpProperties.Reload.class),
				this.sources.group("defaults").bind(McpServerProperties.class), Collections.unmodifiableMap(servers));
		McpServerProperties defaults = this.properties.defaults();
		this.shared = (connectTimeout != null)
				? defaults.withDefaults(
						Records.of(McpServerProperties.class, Map.of("connect-timeout", connectTimeout.toString())))
				: defaults;
	}

	/**
	 * Read the configuration of another environment. Everything else is the same.
	 * @see #servers()
	 */
	public McpServersConfig reread(ConfigurableEnvironment environment) {
		McpServersConfig other = new McpServersConfig(environment, this.connections, this.connectTimeout,
				this.authTypes);
		other.types = this.types;
		other.warnings = this.warnings;
		other.reread = true;
		return other;
	}

	/**
	 * Return the valid names of selections, in the order of declaration.
	 */
	public static List<String> selectionNames(ConfigurableEnvironment environment) {
		return validSelections(new McpPropertySources(environment)).map(ServerName::name).toList();
	}

	/**
	 * Return the authorization of requests: the default, and the authorization of each
	 * configured server, including disabled servers, by the prefix of the properties. A
	 * setting that cannot be read, or is not set, has its default.
	 */
	public static Map<String, McpServerAuth> authorizations(ConfigurableEnvironment environment) {
		McpPropertySources sources = new McpPropertySources(environment);
		Auth shared = sources.group("defaults").bind("auth", Auth.class);
		Map<String, McpServerAuth> all = new LinkedHashMap<>(Map.of("mcp.defaults.auth", shared.complete()));
		sources.serverNames()
			.forEach((name) -> all.put(name.property("mcp.servers") + ".auth",
					Records.merge(sources.server(name).bind("auth", Auth.class), shared).complete()));
		return all;
	}

	private static Stream<ServerName> validSelections(McpPropertySources sources) {
		return sources.selectionNames().stream().filter(ServerName::isValid);
	}

	/**
	 * Warn of properties that do not exist, for a client that is disabled.
	 */
	public static void warnOfUnknown(ConfigurableEnvironment environment) {
		UnknownProperties unknown = new UnknownProperties();
		McpPropertySources sources = new McpPropertySources(environment);
		sources.strays().forEach(unknown::ignore);
		sources.groups().forEach((group) -> group.unknown().forEach(unknown::ignore));
		unknown.log(List.of());
	}

	/**
	 * Return the warnings that were logged when the servers were read, from this
	 * configuration or the configuration that was {@linkplain #adopt adopted}.
	 */
	public List<String> warnings() {
		return this.warnings;
	}

	/**
	 * Describe errors, each with its origin.
	 */
	public static String describe(InvalidMcpConfigurationException errors) {
		List<Problem> problems = errors.getProblems();
		StringBuilder description = new StringBuilder("Invalid MCP server configuration (")
			.append((problems.size() != 1) ? problems.size() + " errors):" : "1 error):");
		int shown = Math.min(problems.size(), InvalidMcpConfigurationException.MOST_SHOWN);
		for (Problem problem : problems.subList(0, shown)) {
			description.append(String.format("%n%n    Property: %s", problem.property()));
			if (problem.origin() != null) {
				description.append(String.format("%n    Origin: %s", problem.origin()));
			}
			description.append(String.format("%n    Reason: %s", problem.message()));
		}
		if (shown < problems.size()) {
			description.append(String.format("%n%n    and %d more", problems.size() - shown));
		}
		return description.toString();
	}

	/**
	 * Record that the servers now have a configuration that was read from this one.
	 * @return the properties that differ and only apply after a restart
	 */
	public List<String> adopt(McpServersConfig reread) {
		this.warnings = reread.warnings;
		Stream<String> own = OF_START.entrySet()
			.stream()
			.filter((part) -> !Objects.equals(part.getValue().apply(reread.properties),
					part.getValue().apply(this.properties)))
			.map(Map.Entry::getKey);
		Stream<String> ofModules = this.ofModules.keySet()
			.stream()
			.filter((part) -> !Objects.equals(reread.ofModules.get(part), this.ofModules.get(part)));
		return Stream.concat(own, ofModules).sorted().toList();
	}

	/**
	 * Return the configuration, in the order of declaration and including disabled
	 * servers. The defaults are not merged into the settings of each server.
	 */
	public McpProperties properties() {
		return this.properties;
	}

	/**
	 * Return the SSL bundles that have no name, by the name of their server.
	 */
	public Map<String, SslBundle> sslBundles() {
		return Collections.unmodifiableMap(this.sslBundles);
	}

	/**
	 * Return the configured servers, including disabled servers, in the order of
	 * declaration, and all errors. The properties of servers are not retained.
	 * @param types the spellings of each transport type, the canonical one first
	 * @throws IllegalStateException if it is called again
	 */
	public McpServerDefinitions.Configured servers(Collection<Set<String>> types) {
		this.types = types;
		return servers();
	}

	/**
	 * Return the configured servers, with the transport types of the configuration that
	 * this one was {@linkplain #reread read from}.
	 */
	public McpServerDefinitions.Configured servers() {
		Assert.state(!this.read, "The configuration of the servers can be read only once");
		this.read = true;
		TransportTypes transportTypes = new TransportTypes(this.types, this.properties.transports());
		List<Problem> problems = new ArrayList<>();
		addProblems(transportTypes, problems);
		Map<String, EnvFile> envFiles = new HashMap<>();
		List<McpServerDefinitions.Configured.Server> servers = new ArrayList<>();
		for (ServerSettingsValidator server : this.servers) {
			server.checkName();
			problems.addAll(server.problems());
			server.problems().clear();
			if (server.name().isValid()) {
				servers.add(new McpServerDefinitions.Configured.Server(definition(server, transportTypes, envFiles),
						List.copyOf(server.problems()), server));
			}
		}
		this.warnings = this.unknown.log(this.warnings);
		this.servers = List.of();
		this.sources.forgetServers();
		return new McpServerDefinitions.Configured(servers, problems);
	}

	private void addProblems(TransportTypes types, List<Problem> problems) {
		problems.addAll(this.sources.problems());
		// an application may have its own settings below mcp
		this.sources.strays().forEach(this.unknown::ignore);
		if (this.sources.lacksConsole()) {
			this.unknown.warn("mcp.console has no effect without the console. Add the dependency "
					+ "io.github.mcpclient:mcp-client-console, or remove these settings.");
		}
		// no advice if all servers are removed later
		if (this.servers.isEmpty() && (!this.reread || this.warnings.contains(OF_SPRING_AI))
				&& this.sources.lacksClientOfSpringAi()) {
			this.unknown.warn(OF_SPRING_AI);
		}
		this.sources.parts().forEach((group) -> this.unknown.report(group, true, problems));
		PropertyGroup startup = this.sources.group("startup");
		Duration wait = this.properties.startup().firstAttempts();
		if (wait.isNegative()) {
			problems.add(startup.problem("wait", "The duration must not be negative."));
		}
		DefinitionValidator.checkLength("wait", wait, startup.reporter(problems));
		Duration interval = this.properties.reload().interval();
		if (interval.toMillis() < 100) {
			problems.add(this.sources.group("reload").problem("interval", "The duration must be at least 100ms."));
		}
		DefinitionValidator.checkLength("interval", interval, this.sources.group("reload").reporter(problems));
		PropertyGroup tools = this.sources.group("tools");
		DefinitionValidator.checkPatterns("filter", this.properties.tools().filter(), tools.reporter(problems));
		if (this.properties.tools().beans().max() < 1) {
			problems.add(tools.problem("beans.max",
					"The number must be at least 1. Set mcp.tools.beans.enabled to false to have no beans of tools."));
		}
		this.sources.selectionNames().forEach((name) -> checkSelection(name, problems));
		types.check(this.properties.transports(),
				(message) -> problems.add(this.sources.group("transports").problem("", message)));
		PropertyGroup defaults = this.sources.group("defaults");
		if (this.servers.stream().anyMatch(this::isEnabled)) {
			this.unknown.report(defaults, true, problems);
			checkDefaults(defaults, types, problems);
		}
		else {
			this.unknown.check(defaults::property, defaults.unknown(), problems);
		}
	}

	private void checkSelection(ServerName name, List<Problem> problems) {
		PropertyGroup group = this.sources.selection(name);
		List<String> patterns = this.properties.selections().get(name.name());
		problems.addAll(group.problems());
		String error = (name.error("selection") == null && patterns != null && patterns.isEmpty())
				? "A selection needs a pattern: '*' selects all tools." : name.error("selection");
		if (error != null) {
			problems.add(new Problem(name.property("mcp.selections"), error, name.origin()));
		}
		else if (patterns != null) {
			DefinitionValidator.checkPatterns("", patterns, group.reporter(problems));
		}
	}

	/**
	 * Check the settings for all servers, even if there is no server.
	 */
	private void checkDefaults(PropertyGroup group, TransportTypes types, List<Problem> problems) {
		if (StringUtils.hasText(this.shared.type()) && types.find(this.shared.type()) == null) {
			problems.add(group.problem("type", types.unknown(this.shared.type())));
		}
		McpServerProperties any = Records.of(McpServerProperties.class,
				Map.of("url", "http://localhost", "command", "any"));
		new DefinitionValidator(
				any.withDefaults(this.shared).definition("any", null, Map.of(), Set.of(), this.properties.runtimes()),
				group, false, problems)
			.checkDefaults(this.authTypes);
	}

	private McpServerDefinition definition(ServerSettingsValidator server, TransportTypes types,
			Map<String, EnvFile> envFiles) {
		ServerType type = server.values().transport(this.shared, types);
		McpServerProperties values = server.values().withDefaults(this.shared);
		Set<String> secrets = new LinkedHashSet<>(server.group().inputs());
		secrets.addAll(this.sources.group("defaults").inputs());
		boolean enabled = isEnabled(server);
		if (enabled) {
			// a misplaced URL or command is reported with the missing one
			this.unknown.report(server.group(), type != null, server.problems());
		}
		else {
			noteProblems(server);
		}
		server.check(type, types, this.properties.imports().allowStdio());
		Map<String, String> fromFile = Map.of();
		if (type != null && !type.isHttp() && StringUtils.hasText(values.envFile()) && values.runs()) {
			EnvFile file = envFiles.computeIfAbsent(values.envFile(), EnvFile::read);
			fromFile = file.variables();
			if (file.error() != null) {
				server.problems().add(server.problem("env-file", file.error(), false));
			}
		}
		McpServerDefinition definition = withRules(
				values.definition(server.name().name(), type, fromFile, secrets, this.properties.runtimes()),
				server.values().tools().rules());
		ServerPackage of = ServerPackage.of(server.values());
		if (enabled && of != null && !of.hasVersion()) {
			this.unknown.warn(
					server.group().property("package") + " has no version, so each start may run a different version.");
		}
		if (definition.http() != null && server.group().imported() == null) {
			server.checkSecret(definition.auth());
		}
		return definition;
	}

	/**
	 * The errors of a disabled server matter if code enables it.
	 */
	private void noteProblems(ServerSettingsValidator server) {
		PropertyGroup group = server.group();
		group.unknown().forEach(this.unknown::ignore);
		this.unknown.check(group::property, group.unknown(), server.problems());
		server.problems().addAll(group.problems());
		List<String> filter = Objects.requireNonNullElse(server.values().tools().filter(), List.of());
		DefinitionValidator.checkPatterns("tools.filter", filter, group.reporter(server.problems()));
	}

	private McpServerDefinition withRules(McpServerDefinition definition, @Nullable List<McpToolRule> own) {
		List<McpToolRule> shared = this.shared.tools().rules();
		if (shared == null) {
			return definition;
		}
		return definition.mutate()
			.defaultToolRules(shared)
			.toolRules(Objects.requireNonNullElse(own, List.of()))
			.build();
	}

	private boolean isEnabled(ServerSettingsValidator server) {
		Boolean enabled = (server.values().enabled() != null) ? server.values().enabled() : this.shared.enabled();
		return !Boolean.FALSE.equals(enabled);
	}

}
