package io.github.mcpclient.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.github.mcpclient.McpServerConnectionDetails;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * The configuration of the MCP servers, read from the properties {@code mcp.startup},
 * {@code mcp.tools}, {@code mcp.selections}, {@code mcp.import}, {@code mcp.defaults} and
 * {@code mcp.servers} of an environment. A snapshot; safe for use by many threads as long
 * as nobody changes what it returns.
 *
 * <p>
 * Boot's own binding of a map is not enough for servers: it takes
 * {@code MCP_SERVERS_MYSERVER_URL} and {@code my-server} for two of them, moves those
 * that are overridden to the front, and reads {@code bad/name} as {@code badname}. Here,
 * names that differ only in case, {@code -}, {@code _} and {@code .} are one server, with
 * the spelling and at the place of the source of lowest precedence; overriding moves
 * nothing. Servers that only environment variables name are last.
 */
public final class McpServersConfig {

	private final McpStartupProperties startup;

	private final Settings startupSettings;

	private final McpToolsProperties tools;

	private final Settings toolSettings;

	private final Transports transports;

	private final Settings transportSettings;

	private final McpImportProperties imports;

	private final Settings importSettings;

	private final McpServerSettings defaults;

	private final Settings defaultSettings;

	private final List<ServerName> selectionNames;

	private final Settings selectionSettings;

	private final Map<String, List<String>> selections = new LinkedHashMap<>();

	private final List<Server> servers;

	private final Map<String, SslBundle> sslBundles;

	private McpServersConfig(McpPropertySources sources, ServerConnections connections,
			@Nullable Duration connectTimeout) {
		this.startupSettings = sources.settings("startup");
		this.startup = this.startupSettings.bind(McpStartupProperties.class);
		this.toolSettings = sources.settings("tools");
		this.tools = this.toolSettings.bind(McpToolsProperties.class);
		this.transportSettings = sources.settings();
		this.transports = this.transportSettings.bind(Transports.class);
		this.importSettings = sources.settings("import");
		this.imports = this.importSettings.bind(McpImportProperties.class);
		this.defaultSettings = sources.settings("defaults");
		this.defaults = read(this.defaultSettings, McpServerSettings.class);
		if (this.defaults.getConnectTimeout() == null) {
			this.defaults.setConnectTimeout(connectTimeout);
		}
		this.selectionNames = sources.selectionNames();
		this.selectionSettings = sources.selections();
		this.selectionNames.stream()
			.filter(ServerName::isValid)
			.forEach((name) -> this.selections.put(name.name(), this.selectionSettings.list(name.key())));
		List<Server> servers = new ArrayList<>();
		Map<String, SslBundle> sslBundles = new HashMap<>();
		for (ServerName name : connections.addTo(sources.serverNames())) {
			Settings settings = sources.settings(name);
			McpServerProperties properties = read(settings, McpServerProperties.class);
			McpServerConnectionDetails connection = connections.find(name);
			if (connection != null) {
				ServerConnections.apply(connection, properties);
			}
			if (connection != null && connection.getSslBundle() != null) {
				sslBundles.put(name.name(), connection.getSslBundle());
			}
			// Kubernetes sets variables such as MCP_SERVERS_SERVICE_HOST for a service
			if (name.declared() || settings.isUsed() || settings.misplaced("url") != null
					|| settings.misplaced("command") != null) {
				servers.add(new Server(name, settings, properties));
			}
		}
		this.servers = List.copyOf(servers);
		this.sslBundles = Map.copyOf(sslBundles);
	}

	/**
	 * Read the configuration. Does not fail: mistakes are reported by
	 * {@link #definitions(Collection)}, and what cannot be read is absent until then.
	 * @param environment the environment to read
	 * @return the configuration
	 */
	public static McpServersConfig from(ConfigurableEnvironment environment) {
		return from(environment, List.of(), null);
	}

	/**
	 * Read the configuration of an application of which some servers are elsewhere than
	 * its properties say. Does not fail for mistakes in properties, as
	 * {@link #from(ConfigurableEnvironment)}.
	 * @param environment the environment to read
	 * @param connections where these servers are
	 * @param connectTimeout the default of {@code connect-timeout}, or {@code null} for
	 * the built-in one
	 * @return the configuration
	 * @throws IllegalStateException if there are two connections for one server
	 */
	public static McpServersConfig from(ConfigurableEnvironment environment,
			Collection<McpServerConnectionDetails> connections, @Nullable Duration connectTimeout) {
		return new McpServersConfig(McpPropertySources.of(environment), new ServerConnections(connections),
				connectTimeout);
	}

	/**
	 * Return how servers are connected at the start.
	 * @return the properties at {@code mcp.startup}
	 */
	public McpStartupProperties startup() {
		return this.startup;
	}

	/**
	 * Return what holds for the tools of all servers.
	 * @return the properties at {@code mcp.tools}
	 */
	public McpToolsProperties tools() {
		return this.tools;
	}

	/**
	 * Return the transport types that servers may have.
	 * @return the property {@code mcp.transports}, or {@code null} for all types
	 */
	public @Nullable List<String> transports() {
		return this.transports.getTransports();
	}

	/**
	 * Return what holds for servers of imported files.
	 * @return the properties at {@code mcp.import}
	 */
	public McpImportProperties imports() {
		return this.imports;
	}

	/**
	 * Return the settings for all servers.
	 * @return the properties at {@code mcp.defaults}
	 */
	public McpServerSettings defaults() {
		return this.defaults;
	}

	/**
	 * Return the selections of tools.
	 * @return the patterns of each, by name, in the order of declaration
	 */
	public Map<String, List<String>> selections() {
		return Collections.unmodifiableMap(this.selections);
	}

	/**
	 * Return the names of the selections, for beans that are to stand for them.
	 * @param environment the environment to read
	 * @return the names that are valid, in the order of declaration
	 */
	public static List<String> selectionNames(ConfigurableEnvironment environment) {
		return McpPropertySources.of(environment)
			.selectionNames()
			.stream()
			.filter(ServerName::isValid)
			.map(ServerName::name)
			.toList();
	}

	/**
	 * Return the settings of each server, those that are not enabled included, without
	 * the ones for all servers.
	 * @return the properties at {@code mcp.servers}, by name, in the order of declaration
	 */
	public Map<String, McpServerProperties> servers() {
		Map<String, McpServerProperties> servers = new LinkedHashMap<>();
		this.servers.forEach((server) -> servers.put(server.name.name(), server.properties));
		return Collections.unmodifiableMap(servers);
	}

	/**
	 * Return the SSL bundles of servers that have one without a name.
	 * @return the bundles, by the name of the server
	 */
	public Map<String, SslBundle> sslBundles() {
		return this.sslBundles;
	}

	/**
	 * Return the complete definition of each server, those that are not enabled included.
	 * @param types the transport types that there are: one set for each, its canonical
	 * spelling first. Types are compared without regard to case, {@code -} and {@code _}
	 * @return the definitions, in the order of declaration
	 * @throws InvalidMcpConfigurationException with all mistakes of all servers that are
	 * enabled
	 */
	public List<McpServerDefinition> definitions(Collection<Set<String>> types) {
		TransportTypes transportTypes = new TransportTypes(types, transports());
		Map<String, EnvFile> files = new HashMap<>();
		Function<String, EnvFile> envFiles = (location) -> files.computeIfAbsent(location, EnvFile::read);
		Problems problems = problems(transportTypes, envFiles);
		if (!problems.isEmpty()) {
			throw new InvalidMcpConfigurationException(problems.asList());
		}
		return this.servers.stream().map((server) -> definition(server, transportTypes, envFiles)).toList();
	}

	private Problems problems(TransportTypes types, Function<String, EnvFile> envFiles) {
		Problems problems = new Problems();
		problems.addAll(this.startupSettings.problems());
		new SettingsRules(this.startupSettings, problems).checkWait(this.startup.getWait());
		problems.addAll(this.toolSettings.problems());
		new SettingsRules(this.toolSettings, problems).checkPatterns("filter", this.tools.getFilter());
		problems.addAll(this.selectionSettings.problems());
		this.selectionNames.forEach((name) -> checkSelection(name, problems));
		problems.addAll(this.transportSettings.problems());
		new SettingsRules(this.transportSettings, problems).checkTransports(transports(), types);
		problems.addAll(this.importSettings.problems());
		if (this.servers.stream().anyMatch(this::isEnabled)) {
			problems.addAll(this.defaultSettings.problems());
			SettingsRules rules = new SettingsRules(this.defaultSettings, problems);
			rules.check(this.defaults);
			rules.checkType(this.defaults, types);
			rules.checkDelays(this.defaults.getReconnect(), Definitions.reconnect(null, this.defaults.getReconnect()));
		}
		this.servers.forEach((server) -> addProblems(server, types, envFiles, problems));
		return problems;
	}

	private void checkSelection(ServerName name, Problems problems) {
		Place place = new Selection(name);
		List<String> patterns = this.selections.get(name.name());
		if (patterns == null) {
			problems.add(place.problem("", ServerName.invalid("selection")));
		}
		else if (name.otherSpelling() != null) {
			problems.add(place.problem("", ServerName.taken(name.otherSpelling())));
		}
		else if (patterns.isEmpty()) {
			problems.add(place.problem("", "A selection needs a pattern: '*' selects all tools."));
		}
		else {
			new SettingsRules(place, problems).checkPatterns("", patterns);
		}
	}

	private void addProblems(Server server, TransportTypes types, Function<String, EnvFile> envFiles,
			Problems problems) {
		ServerRules serverRules = new ServerRules(server.name, server.settings, problems);
		serverRules.checkName();
		if (isEnabled(server) && server.name.isValid()) {
			McpServerProperties properties = server.properties;
			problems.addAll(server.settings.problems());
			ServerType type = ServerType.of(properties, this.defaults, types);
			if (!this.imports.isAllowStdio()) {
				serverRules.checkNotImported(properties, type);
			}
			serverRules.check(properties, type, types);
			SettingsRules rules = new SettingsRules(server.settings, problems);
			rules.check(properties);
			rules.checkDelays(properties.getReconnect(),
					Definitions.reconnect(properties.getReconnect(), this.defaults.getReconnect()));
			String envFile = Definitions.envFile(properties, this.defaults);
			if (envFile != null && type != null && !type.isHttp()) {
				new SettingsRules((properties.getEnvFile() != null) ? server.settings : this.defaultSettings, problems)
					.checkEnvFile(envFiles.apply(envFile));
			}
		}
	}

	private McpServerDefinition definition(Server server, TransportTypes types, Function<String, EnvFile> envFiles) {
		ServerType type = ServerType.of(server.properties, this.defaults, types);
		return Definitions.of(server.name.name(), type, isEnabled(server), server.properties, this.defaults, envFiles);
	}

	private boolean isEnabled(Server server) {
		Boolean enabled = (server.properties.getEnabled() != null) ? server.properties.getEnabled()
				: this.defaults.getEnabled();
		return !Boolean.FALSE.equals(enabled);
	}

	private static <T extends McpServerSettings> T read(Settings settings, Class<T> type) {
		T properties = settings.bind(type);
		properties.setHeaders(settings.headers());
		properties.setEnv(settings.env());
		properties.setConfig(settings.config());
		return properties;
	}

	private record Selection(ServerName name) implements Place {

		@Override
		public Problem problem(String setting, String message) {
			return new Problem(this.name.property("mcp.selections"), message, this.name.origin());
		}

		@Override
		public Problem problem(String map, String key, String message) {
			return problem(map, message);
		}

	}

	/**
	 * What is bound of {@code mcp} itself.
	 */
	static class Transports {

		private @Nullable List<String> transports;

		@Nullable List<String> getTransports() {
			return this.transports;
		}

		void setTransports(List<String> transports) {
			this.transports = List.copyOf(transports);
		}

	}

	private record Server(ServerName name, Settings settings, McpServerProperties properties) {
	}

}
