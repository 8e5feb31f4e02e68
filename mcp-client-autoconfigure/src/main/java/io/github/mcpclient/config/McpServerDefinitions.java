package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.mcpclient.McpServerCustomizer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinitionSource;
import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Brings the servers that are configured and those that code adds together, lets
 * customizers change them, and checks the result. Safe for use by many threads as far as
 * the customizers are.
 */
public final class McpServerDefinitions {

	private static final Log logger = LogFactory.getLog(McpServerDefinitions.class);

	private final TransportTypes types;

	private final List<McpServerCustomizer> customizers;

	/**
	 * Creates an instance.
	 * @param types the transport types that there are: one set for each, its canonical
	 * spelling first
	 * @param allowed the types that servers may have, in any spelling, or {@code null}
	 * for all
	 * @param customizers change each server, in this order
	 */
	public McpServerDefinitions(Collection<Set<String>> types, @Nullable List<String> allowed,
			Collection<McpServerCustomizer> customizers) {
		this.types = new TransportTypes(types, allowed);
		this.customizers = List.copyOf(customizers);
	}

	/**
	 * Return the definitions of all servers.
	 * @param configured the servers that are configured
	 * @param added servers to add after these
	 * @param sources more servers to add, after all others
	 * @return the definitions, in order
	 * @throws InvalidMcpConfigurationException with all mistakes of all servers that code
	 * added or changed
	 */
	public List<McpServerDefinition> of(Collection<McpServerDefinition> configured,
			Collection<McpServerDefinition> added, Collection<McpServerDefinitionSource> sources) {
		List<McpServerDefinition> ofCode = new ArrayList<>(added);
		sources.forEach((source) -> ofCode.addAll(source.definitions()));
		List<McpServerDefinition> definitions = new ArrayList<>(configured);
		Map<String, String> names = new HashMap<>();
		configured.forEach((definition) -> names.put(PropertyTarget.uniform(definition.name()), definition.name()));
		Problems problems = new Problems();
		for (McpServerDefinition definition : ofCode) {
			String other = names.putIfAbsent(PropertyTarget.uniform(definition.name()), definition.name());
			String mistake = mistake(definition.name(), (other != null) ? List.of(other) : List.of());
			if (mistake != null) {
				problems.add(new Problem("McpServerDefinition '" + definition.name() + "' of a bean", mistake, null));
			}
			definitions.add(definition);
		}
		List<McpServerDefinition> customized = definitions.stream().map(this::customized).toList();
		for (McpServerDefinition definition : customized) {
			problems.addAll(problems(definition, "McpServerDefinition '" + definition.name() + "': "));
		}
		if (!problems.isEmpty()) {
			throw new InvalidMcpConfigurationException(problems.asList());
		}
		if (customized.isEmpty()) {
			logger.info("No MCP servers are configured: set mcp.servers.<name>.url or mcp.servers.<name>.command");
		}
		return customized;
	}

	/**
	 * Make a definition that comes while the application runs ready for use.
	 * @param definition the definition
	 * @return the definition as the customizers leave it
	 * @throws IllegalArgumentException with all mistakes in it, but for its name
	 */
	public McpServerDefinition prepare(McpServerDefinition definition) {
		McpServerDefinition customized = customized(definition);
		Problems problems = problems(customized, "");
		if (!problems.isEmpty()) {
			throw new IllegalArgumentException(problems.asList()
				.stream()
				.map((problem) -> problem.property() + ": " + problem.message())
				.collect(Collectors.joining("\n- ", "Invalid definition of MCP server '" + definition.name() + "':\n- ",
						"")));
		}
		return customized;
	}

	/**
	 * Check that a server can be added for its name.
	 * @param name the name of the server
	 * @param known the names of the servers that there are
	 * @throws IllegalArgumentException if it cannot
	 */
	public static void checkName(String name, Collection<String> known) {
		String mistake = mistake(name, known);
		if (mistake != null) {
			throw new IllegalArgumentException("MCP server '" + name + "' cannot be added. " + mistake);
		}
	}

	private static @Nullable String mistake(String name, Collection<String> known) {
		if (!ServerName.isValid(name)) {
			return ServerName.invalid("server");
		}
		String key = PropertyTarget.uniform(name);
		return known.stream()
			.filter((other) -> PropertyTarget.uniform(other).equals(key))
			.findFirst()
			.map(ServerName::taken)
			.orElse(null);
	}

	private Problems problems(McpServerDefinition definition, String prefix) {
		Problems problems = new Problems();
		if (definition.enabled()) {
			DefinitionRules rules = new DefinitionRules(definition, (setting) -> true,
					(setting, message) -> problems.add(new Problem(prefix + setting, message, null)));
			String type = this.types.find(definition.type());
			if (type != null) {
				rules.checkTarget(new ServerType(type, definition.typeInferred()), this.types);
			}
			else {
				problems.add(new Problem(prefix + "type", this.types.unknown(definition.type()), null));
			}
			rules.checkSettings();
		}
		return problems;
	}

	private McpServerDefinition customized(McpServerDefinition definition) {
		if (this.customizers.isEmpty()) {
			return definition;
		}
		McpServerDefinition.Builder builder = definition.mutate();
		this.customizers.forEach((customizer) -> customizer.customize(definition.name(), builder));
		return builder.build();
	}

}
