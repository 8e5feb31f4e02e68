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

import io.github.mcpclient.McpServerConnectionDetails;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.StringUtils;

/**
 * The configuration of the MCP client, read from the properties below {@code mcp} of an
 * environment. A snapshot; safe for use by many threads.
 */
public final class McpServersConfig {

	private final McpPropertySources sources;

	private final McpProperties properties;

	private final List<Server> servers = new ArrayList<>();

	private final Map<String, SslBundle> sslBundles = new HashMap<>();

	private final Definitions definitions;

	private final UnknownProperties unknown = new UnknownProperties();

	private McpServersConfig(ConfigurableEnvironment environment, ServerConnections connections,
			@Nullable Duration connectTimeout) {
		this.sources = new McpPropertySources(environment);
		this.definitions = new Definitions(connectTimeout);
		Map<String, McpServerProperties> servers = new LinkedHashMap<>();
		for (ServerName name : connections.allNames(this.sources.serverNames())) {
			Section section = this.sources.server(name);
			McpServerProperties settings = section.bind(McpServerProperties.class);
			McpServerConnectionDetails connection = connections.find(name);
			if (connection != null) {
				settings = withUrl(ServerConnections.url(connection, settings.url()), settings);
			}
			if (connection != null && connection.getSslBundle() != null) {
				this.sslBundles.put(name.name(), connection.getSslBundle());
			}
			servers.put(name.name(), settings);
			this.servers.add(new Server(name, section, settings));
		}
		Map<String, List<String>> selections = new LinkedHashMap<>();
		this.sources.selectionNames()
			.stream()
			.filter(ServerName::isValid)
			.forEach((name) -> selections.put(name.name(), this.sources.selection(name).list()));
		Section transports = this.sources.section("transports");
		this.properties = new McpProperties(environment.getProperty("mcp.enabled", Boolean.class, true),
				transports.isEmpty() ? null : transports.list(),
				this.sources.section("startup").bind(McpProperties.Startup.class),
				this.sources.section("tools").bind(McpProperties.Tools.class), Collections.unmodifiableMap(selections),
				this.sources.section("import").bind(McpProperties.Import.class),
				this.sources.section("defaults").bind(McpServerProperties.class), Collections.unmodifiableMap(servers));
	}

	/**
	 * Reads the configuration. Does not fail: mistakes are reported by
	 * {@link #definitions(Collection)}, and what cannot be read is absent until then.
	 * @param environment the environment to read
	 * @return the configuration
	 */
	public static McpServersConfig from(ConfigurableEnvironment environment) {
		return from(environment, List.of(), null);
	}

	/**
	 * Reads the configuration of an application of which some servers are elsewhere than
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
		return new McpServersConfig(environment, new ServerConnections(connections), connectTimeout);
	}

	/**
	 * Returns the names of the selections, for beans that are to stand for them.
	 * @param environment the environment to read
	 * @return the names that are valid, in the order of declaration
	 */
	public static List<String> selectionNames(ConfigurableEnvironment environment) {
		return new McpPropertySources(environment).selectionNames()
			.stream()
			.filter(ServerName::isValid)
			.map(ServerName::name)
			.toList();
	}

	/**
	 * Warns of properties that do not exist, where the client is switched off.
	 * @param environment the environment to read
	 */
	public static void warnOfUnknown(ConfigurableEnvironment environment) {
		UnknownProperties unknown = new UnknownProperties();
		McpPropertySources sources = new McpPropertySources(environment);
		unknown.ignore(sources.strays());
		sources.sections().forEach((section) -> unknown.ignore(section.unknown()));
		unknown.log();
	}

	/**
	 * Returns what is configured. Servers and selections are in the order of declaration;
	 * those that are not enabled are included. What all servers share is not merged into
	 * the settings of each.
	 * @return the properties
	 */
	public McpProperties properties() {
		return this.properties;
	}

	/**
	 * Returns the SSL bundles of servers that have one without a name.
	 * @return the bundles, by the name of the server
	 */
	public Map<String, SslBundle> sslBundles() {
		return Collections.unmodifiableMap(this.sslBundles);
	}

	/**
	 * Returns the complete definition of each server, those that are not enabled
	 * included.
	 * @param types the transport types that there are: one set for each, its canonical
	 * spelling first. Types are compared without regard to case, {@code -} and {@code _}
	 * @return the definitions, in the order of declaration
	 * @throws InvalidMcpConfigurationException with all mistakes of all servers that are
	 * enabled
	 */
	public List<McpServerDefinition> definitions(Collection<Set<String>> types) {
		TransportTypes transportTypes = new TransportTypes(types, this.properties.transports());
		Problems problems = new Problems();
		addProblems(transportTypes, problems);
		Map<String, EnvFile> envFiles = new HashMap<>();
		List<McpServerDefinition> definitions = new ArrayList<>();
		for (Server server : this.servers) {
			String mistake = server.name.mistake("server");
			if (mistake != null) {
				problems.add(new Problem(server.name.property("mcp.servers"), mistake, server.name.origin()));
			}
			if (server.name.isValid()) {
				definitions.add(definition(server, transportTypes, envFiles, problems));
			}
		}
		if (!problems.isEmpty()) {
			throw new InvalidMcpConfigurationException(problems.asList());
		}
		this.unknown.log();
		return definitions;
	}

	private void addProblems(TransportTypes types, Problems problems) {
		if (this.sources.listOfServers() != null) {
			problems.add(this.sources.listOfServers());
		}
		this.unknown.ignore(this.sources.strays());
		for (String part : List.of("startup", "tools", "import", "defaults")) {
			this.unknown.check(this.sources.section(part), problems);
		}
		Section startup = this.sources.section("startup");
		problems.addAll(startup.problems());
		Duration wait = this.properties.startup().firstAttempts();
		if (wait.isNegative()) {
			problems.add(startup.problem("wait", "The duration must not be negative."));
		}
		DefinitionRules.checkLength("wait", wait,
				(setting, message) -> problems.add(startup.problem(setting, message)));
		Section tools = this.sources.section("tools");
		problems.addAll(tools.problems());
		DefinitionRules.checkPatterns("filter", this.properties.tools().filter(),
				(setting, message) -> problems.add(tools.problem(setting, message)));
		this.sources.selectionNames().forEach((name) -> checkSelection(name, problems));
		Section transports = this.sources.section("transports");
		problems.addAll(transports.problems());
		types.check(this.properties.transports(), (message) -> problems.add(transports.problem("", message)));
		problems.addAll(this.sources.section("import").problems());
		if (this.servers.stream().anyMatch(this::isEnabled)) {
			checkDefaults(types, problems);
		}
	}

	private void checkSelection(ServerName name, Problems problems) {
		Section section = this.sources.selection(name);
		List<String> patterns = this.properties.selections().get(name.name());
		problems.addAll(section.problems());
		String mistake = (name.mistake("selection") == null && patterns != null && patterns.isEmpty())
				? "A selection needs a pattern: '*' selects all tools." : name.mistake("selection");
		if (mistake != null) {
			problems.add(new Problem(name.property("mcp.selections"), mistake, name.origin()));
		}
		else if (patterns != null) {
			DefinitionRules.checkPatterns("", patterns,
					(setting, message) -> problems.add(section.problem(setting, message)));
		}
	}

	/**
	 * Checks the settings for all servers, whether or not there is a server for them.
	 */
	private void checkDefaults(TransportTypes types, Problems problems) {
		Section section = this.sources.section("defaults");
		McpServerProperties defaults = this.properties.defaults();
		problems.addAll(section.problems());
		this.unknown.warn(section.warnings());
		if (StringUtils.hasText(defaults.type()) && types.find(defaults.type()) == null) {
			problems.add(section.problem("type", types.unknown(defaults.type())));
		}
		McpServerProperties any = bound(Map.of("server.url", "http://localhost", "server.command", "any"));
		new DefinitionRules(this.definitions.of("any", null, any.withDefaults(defaults), Map.of()), section::contains,
				(setting, message) -> problems.add(section.problem(setting, message)))
			.checkSettings();
	}

	private McpServerDefinition definition(Server server, TransportTypes types, Map<String, EnvFile> envFiles,
			Problems problems) {
		Section defaults = this.sources.section("defaults");
		ServerName name = server.name;
		ServerType type = ServerType.of(server.settings, this.properties.defaults(), types);
		McpServerProperties values = server.settings.withDefaults(this.properties.defaults());
		if (!isEnabled(server)) {
			this.unknown.ignore(server.section.unknown());
			return this.definitions.of(name.name(), type, values, Map.of());
		}
		// what stands in the place of a url or a command is told with the one that is
		// missing
		this.unknown.check(server.section,
				server.section.unknown()
					.stream()
					.filter((unknown) -> type != null || !ServerRules.isMisplaced(unknown))
					.toList(),
				problems);
		problems.addAll(server.section.problems());
		this.unknown.warn(server.section.warnings());
		new ServerRules(name, server.section, server.settings, problems).check(type, types,
				this.properties.imports().allowStdio());
		Map<String, String> fromFile = Map.of();
		if (type != null && !type.isHttp() && StringUtils.hasText(values.envFile())
				&& StringUtils.hasText(values.command())) {
			EnvFile file = envFiles.computeIfAbsent(values.envFile(), EnvFile::read);
			fromFile = file.variables();
			if (file.mistake() != null) {
				problems.add((server.section.contains("env-file") ? server.section : defaults).problem("env-file",
						file.mistake()));
			}
		}
		McpServerDefinition definition = this.definitions.of(name.name(), type, values, fromFile);
		DefinitionRules rules = new DefinitionRules(definition, server.section::contains, (setting, message) -> {
			boolean shared = !server.section.contains(setting) && defaults.contains(setting);
			problems.add((shared ? defaults : server.section).problem(setting, message));
		});
		if (type != null) {
			rules.checkTarget(type, types);
		}
		rules.checkSettings();
		return definition;
	}

	private boolean isEnabled(Server server) {
		Boolean enabled = (server.settings.enabled() != null) ? server.settings.enabled()
				: this.properties.defaults().enabled();
		return !Boolean.FALSE.equals(enabled);
	}

	private static McpServerProperties withUrl(String url, McpServerProperties settings) {
		return bound(Map.of("server.url", url)).withDefaults(settings);
	}

	private static McpServerProperties bound(Map<String, String> settings) {
		return new Binder(new MapConfigurationPropertySource(settings)).bindOrCreate("server",
				McpServerProperties.class);
	}

	private record Server(ServerName name, Section section, McpServerProperties settings) {
	}

}
