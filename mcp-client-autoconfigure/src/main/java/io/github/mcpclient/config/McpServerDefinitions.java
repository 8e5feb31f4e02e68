package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

import io.github.mcpclient.McpServerCustomizer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinitionSource;
import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.jspecify.annotations.Nullable;

/**
 * Brings the servers that are configured and those that code adds together.
 */
public final class McpServerDefinitions {

	private McpServerDefinitions() {
	}

	/**
	 * Return the definitions of all servers.
	 * @param configured the servers that are configured
	 * @param added servers to add after these
	 * @param sources more servers to add, after all others
	 * @param customizers change each of them
	 * @return the definitions, in order
	 * @throws InvalidMcpConfigurationException with all servers that cannot be added for
	 * their name
	 */
	public static List<McpServerDefinition> of(Collection<McpServerDefinition> configured,
			Collection<McpServerDefinition> added, Collection<McpServerDefinitionSource> sources,
			Collection<McpServerCustomizer> customizers) {
		List<McpServerDefinition> ofCode = new ArrayList<>(added);
		sources.forEach((source) -> ofCode.addAll(source.definitions()));
		List<McpServerDefinition> definitions = new ArrayList<>(configured);
		Problems problems = new Problems();
		for (McpServerDefinition definition : ofCode) {
			String mistake = mistake(definition.name(), definitions.stream().map(McpServerDefinition::name).toList());
			if (mistake != null) {
				problems.add(new Problem("McpServerDefinition '" + definition.name() + "' of a bean", mistake, null));
			}
			definitions.add(definition);
		}
		if (!problems.isEmpty()) {
			throw new InvalidMcpConfigurationException(problems.asList());
		}
		return definitions.stream().map((definition) -> customized(definition, customizers)).toList();
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
			return ServerName.INVALID;
		}
		String key = PropertyPath.uniform(name);
		return known.stream()
			.filter((other) -> PropertyPath.uniform(other).equals(key))
			.findFirst()
			.map(ServerName::taken)
			.orElse(null);
	}

	private static McpServerDefinition customized(McpServerDefinition definition,
			Collection<McpServerCustomizer> customizers) {
		if (customizers.isEmpty()) {
			return definition;
		}
		McpServerDefinition.Builder builder = definition.mutate();
		customizers.forEach((customizer) -> customizer.customize(definition.name(), builder));
		return builder.build();
	}

}
