package io.github.mcpclient.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

import io.github.mcpclient.McpServerCustomizer;
import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinitionBuilder;
import io.github.mcpclient.McpServerDefinitionSource;
import io.github.mcpclient.config.InvalidMcpConfigurationException.Problem;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Combines the servers that are configured with those that code adds, lets customizers
 * change them, and validates the result. Safe for use by many threads as far as the
 * customizers are.
 */
public final class McpServerDefinitions {

	private static final Log logger = LogFactory.getLog(McpServerDefinitions.class);

	private final TransportTypes types;

	private final Set<String> authTypes;

	private final List<McpServerCustomizer> customizers;

	/**
	 * Creates an instance.
	 * @param types the spellings of each transport type, the canonical one first
	 * @param allowed the types that servers may have, in any spelling, or {@code null}
	 * for all
	 * @param authTypes the types of authorization beside those that need no bean
	 */
	public McpServerDefinitions(Collection<Set<String>> types, @Nullable List<String> allowed, Set<String> authTypes,
			Collection<McpServerCustomizer> customizers) {
		this.types = new TransportTypes(types, allowed);
		this.authTypes = authTypes;
		this.customizers = List.copyOf(customizers);
	}

	/**
	 * Returns the definitions of all servers: those configured, then those added, and
	 * those of the sources.
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
		List<Problem> problems = new ArrayList<>();
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
			throw new InvalidMcpConfigurationException(problems);
		}
		if (customized.isEmpty()) {
			logger.info("No MCP servers are configured: set mcp.servers.<name>.url or mcp.servers.<name>.command");
		}
		return customized;
	}

	/**
	 * Customizes and validates a definition that is added while the application runs.
	 * @throws IllegalArgumentException with all mistakes in it, but for its name
	 */
	public McpServerDefinition prepare(McpServerDefinition definition) {
		McpServerDefinition customized = customized(definition);
		List<Problem> problems = problems(customized, "");
		if (!problems.isEmpty()) {
			throw new IllegalArgumentException(InvalidMcpConfigurationException
				.message("Invalid definition of MCP server '" + definition.name() + "':", problems));
		}
		return customized;
	}

	/**
	 * Checks that the name of a server is valid, and not that of a known server.
	 * @throws IllegalArgumentException if it is not
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

	private List<Problem> problems(McpServerDefinition definition, String prefix) {
		List<Problem> problems = new ArrayList<>();
		if (definition.enabled()) {
			BiConsumer<String, String> reject = (setting, message) -> problems
				.add(new Problem(prefix + setting, message, null));
			new AuthRules(definition, this.authTypes, reject).check();
			DefinitionRules rules = new DefinitionRules(definition, (setting) -> true, reject);
			String type = this.types.find(definition.type());
			if (type != null) {
				String target = type.equals(McpServerDefinition.STDIO) ? "command" : "url";
				rules.checkTarget(new ServerType(type, definition.typeInferred() ? target : "type"), this.types);
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
		McpServerDefinitionBuilder builder = definition.mutate();
		this.customizers.forEach((customizer) -> customizer.customize(definition.name(), builder));
		return builder.build();
	}

}
