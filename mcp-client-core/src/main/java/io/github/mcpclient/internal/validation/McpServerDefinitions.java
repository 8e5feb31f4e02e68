package io.github.mcpclient.internal.validation;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.mcpclient.authorization.McpAuthorizer;
import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.InvalidMcpConfigurationException.Problem;
import io.github.mcpclient.definition.McpServerAuth;
import io.github.mcpclient.definition.McpServerCustomizer;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.definition.McpServerDefinitionSource;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.validation.McpServerDefinitions.Configured.Server;
import io.github.mcpclient.internal.validation.TransportTypes.ServerType;
import io.github.mcpclient.management.McpServerOrigin;
import io.github.mcpclient.management.McpServerSetting;
import io.github.mcpclient.spi.UnusableSettingsException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Combines the configured servers with the servers that code adds, applies customizers,
 * and validates the result. Thread-safe if the customizers are.
 */
public record McpServerDefinitions(TransportTypes types, Set<String> authTypes,
		Collection<McpServerCustomizer> customizers, Set<String> applied, Predicate<Class<?>> beans,
		Function<McpServerDefinition, @Nullable Collection<String>> sslBundles) {

	/**
	 * The name of the bean for OAuth 2.0 authorization.
	 */
	public static final String OAUTH2_BEAN = "mcpOAuth2Authorizer";

	private static final Log logger = LogFactory.getLog(McpServerDefinitions.class);

	/**
	 * Return the types of authorization that need a bean, without creating the bean.
	 */
	public static Set<String> authorizationTypes(ListableBeanFactory beans) {
		return Stream.of(beans.getBeanNamesForType(McpAuthorizer.class, true, false))
			.map((name) -> name.equals(OAUTH2_BEAN) ? McpServerAuth.OAUTH2 : name)
			.collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Create an instance.
	 * @param types the spellings of each transport type, the canonical one first
	 * @param allowed the allowed types of servers, in any spelling, or {@code null} for
	 * all
	 * @param authTypes the types of authorization that need a bean
	 * @param applied the settings of servers that a customizer applies, of the settings
	 * that have no effect without one
	 * @param beans whether the application has a bean of a type
	 * @param sslBundles the available SSL bundles of a server, or {@code null} if they
	 * are not known; only called if the server names one
	 */
	public McpServerDefinitions(Collection<Set<String>> types, @Nullable List<String> allowed, Set<String> authTypes,
			Collection<McpServerCustomizer> customizers, Set<String> applied, Predicate<Class<?>> beans,
			Function<McpServerDefinition, @Nullable Collection<String>> sslBundles) {
		this(new TransportTypes(types, allowed), authTypes, List.copyOf(customizers), applied, beans, sslBundles);
	}

	/**
	 * Return the definitions of all servers: the configured servers, then the added
	 * servers, and then the servers of the sources.
	 * @throws InvalidMcpConfigurationException with all errors of the configuration, and
	 * of all servers that code added or changed, except for errors that affect only one
	 * server
	 */
	public List<DefinedServer> of(Configured configured, Collection<McpServerDefinition> added,
			Collection<McpServerDefinitionSource> sources) {
		List<McpServerDefinition> ofCode = new ArrayList<>(added);
		sources.forEach((source) -> ofCode.addAll(source.definitions()));
		List<Server> servers = new ArrayList<>(configured.servers());
		// errors in the defaults are detected for each server
		Map<String, Problem> problems = new LinkedHashMap<>();
		configured.problems().forEach((problem) -> found(problem, problems));
		Map<String, String> names = new HashMap<>();
		servers.forEach(
				(server) -> names.put(PropertyNames.uniform(server.definition().name()), server.definition().name()));
		for (McpServerDefinition definition : ofCode) {
			String other = names.putIfAbsent(PropertyNames.uniform(definition.name()), definition.name());
			String problem = problemOfName(definition.name(), (other != null) ? List.of(other) : List.of());
			if (problem != null) {
				found(new Problem(subject(definition) + " of a bean", problem, null), problems);
			}
			servers.add(ofCode(definition, subject(definition) + ": "));
		}
		List<DefinedServer> definitions = defined(servers, problems);
		if (definitions.isEmpty()) {
			logger.info("No MCP servers are configured: set mcp.servers.<name>.url or mcp.servers.<name>.command");
		}
		return definitions;
	}

	/**
	 * Return the definitions of all configured servers, after the configuration has
	 * changed.
	 * @param others the names of all other servers
	 * @throws InvalidMcpConfigurationException with all errors, except for errors that
	 * affect only one server
	 */
	public List<DefinedServer> reloaded(Configured configured, Collection<String> others) {
		Map<String, Problem> problems = new LinkedHashMap<>();
		configured.problems().forEach((problem) -> found(problem, problems));
		Map<String, String> names = new HashMap<>();
		others.forEach((name) -> names.put(PropertyNames.uniform(name), name));
		for (Server server : configured.servers()) {
			String other = names.get(PropertyNames.uniform(server.definition().name()));
			if (other != null) {
				found(server.settings().problem("", ServerNames.taken(other), false), problems);
			}
		}
		return defined(configured.servers(), problems);
	}

	private List<DefinedServer> defined(List<Server> servers, Map<String, Problem> problems) {
		Map<Class<?>, Boolean> known = new HashMap<>();
		Predicate<Class<?>> beans = (type) -> known.computeIfAbsent(type, this.beans::test);
		Set<List<McpToolRule>> shared = Collections.newSetFromMap(new IdentityHashMap<>());
		List<DefinedServer> definitions = servers.stream().map((server) -> {
			McpServerDefinition definition = customized(server.definition());
			List<Problem> own = check(server, definition, beans, shared::add);
			boolean disabled = !server.definition().enabled() && !definition.enabled();
			if (!disabled && !costsServerAlone(server, definition, own)) {
				own.forEach((problem) -> found(problem, problems));
			}
			return new DefinedServer(definition, server.settings().origin(), server.settings().shown(), own);
		}).toList();
		if (!problems.isEmpty()) {
			throw new InvalidMcpConfigurationException(List.copyOf(problems.values()));
		}
		return definitions;
	}

	private static void found(Problem problem, Map<String, Problem> problems) {
		problems.putIfAbsent(problem.property() + ": " + problem.message(), problem);
	}

	/**
	 * Customize and validate a definition that is added while the application runs.
	 * @throws IllegalArgumentException with all errors in it, except for its name
	 */
	public McpServerDefinition prepare(McpServerDefinition definition) {
		return checked(customized(definition), List.of());
	}

	/**
	 * Validate a definition that is changed while the application runs.
	 * @param known the errors of the definition that it was created from
	 * @throws IllegalArgumentException with all errors in it, except for its name
	 */
	public McpServerDefinition checked(McpServerDefinition definition, List<Problem> known) {
		Server server = ofCode(definition, "");
		List<Problem> problems = check(new Server(definition, known, server.settings()), definition, this.beans,
				(rules) -> true);
		if (!problems.isEmpty()) {
			throw new IllegalArgumentException(InvalidMcpConfigurationException
				.message("Invalid definition of MCP server '" + definition.name() + "':", problems));
		}
		return definition;
	}

	/**
	 * Check that the name of a server is valid, and not in use.
	 * @throws IllegalArgumentException if it is not
	 */
	public static void checkName(String name, Collection<String> known) {
		String problem = known.contains(name)
				? "A server of that name exists: use McpServerManager.replace to change its definition."
				: problemOfName(name, known);
		if (problem != null) {
			throw new IllegalArgumentException("MCP server '" + name + "' cannot be added. " + problem);
		}
	}

	private static @Nullable String problemOfName(String name, Collection<String> known) {
		if (!ServerNames.isValid(name)) {
			return ServerNames.invalid("server");
		}
		String key = PropertyNames.uniform(name);
		return known.stream()
			.filter((other) -> PropertyNames.uniform(other).equals(key))
			.findFirst()
			.map(ServerNames::taken)
			.orElse(null);
	}

	/**
	 * Return the errors in a definition.
	 * @param news whether default rules were not checked before: many servers may share
	 * the same rules
	 */
	private List<Problem> check(Server server, McpServerDefinition definition, Predicate<Class<?>> beans,
			Predicate<List<McpToolRule>> news) {
		List<Problem> own = new ArrayList<>(server.problems());
		if (definition.enabled()) {
			DefinitionValidator validator = new DefinitionValidator(definition, server.settings(),
					!definition.equals(server.definition()), own);
			validator.check(this.types, this.authTypes, this.applied, beans, this.sslBundles);
			if (news.test(definition.tools().defaultRules())) {
				validator.checkBeans(definition.tools().defaultRules(), beans);
			}
		}
		return own;
	}

	private boolean costsServerAlone(Server server, McpServerDefinition definition, List<Problem> problems) {
		String type = this.types.find(definition.type());
		boolean refused = type != null && this.types.refusal(new ServerType(type)) != null;
		return !definition.required() && !refused && problems.stream().allMatch(server.settings()::costsServerAlone);
	}

	private McpServerDefinition customized(McpServerDefinition definition) {
		if (this.customizers.isEmpty()) {
			return definition;
		}
		McpServerDefinitionBuilder builder = definition.mutate();
		this.customizers.forEach((customizer) -> customizer.customize(definition.name(), builder));
		return builder.build();
	}

	private static Server ofCode(McpServerDefinition definition, String prefix) {
		return new Server(definition, List.of(),
				(setting, message, changed) -> new Problem(prefix + setting, message, null));
	}

	private static String subject(McpServerDefinition definition) {
		return "McpServerDefinition '" + definition.name() + "'";
	}

	/**
	 * A server with its definition and origin.
	 *
	 * @param settings reads the current settings at each call
	 * @param problems why it cannot be enabled, if it is disabled, or why it cannot be
	 * used
	 */
	public record DefinedServer(McpServerDefinition definition, McpServerOrigin origin,
			Supplier<List<McpServerSetting>> settings, List<Problem> problems) {

		/**
		 * Return the configured name.
		 */
		public String name() {
			return this.definition.name();
		}

		/**
		 * Return whether the server is enabled, but can never be connected.
		 */
		public boolean isFailed() {
			return this.definition.enabled() && !this.problems.isEmpty();
		}

		/**
		 * Fail instead of connecting the server.
		 */
		public <T> T fail() {
			InvalidMcpConfigurationException cause = new InvalidMcpConfigurationException(this.problems);
			throw new UnusableSettingsException(
					cause.getProblems()
						.stream()
						.map((problem) -> problem.property() + " (" + problem.origin() + "): " + problem.message())
						.collect(Collectors.joining(" ")),
					"Correct the file, or disable the server there, and reload the configuration.", cause);
		}

	}

	/**
	 * The rules for the name of a server, or of a selection of tools.
	 */
	public static final class ServerNames {

		// a name is a part of a URL and of the name of a health contributor
		private static final Pattern VALID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]*");

		private ServerNames() {
		}

		/**
		 * Return whether a name is valid.
		 */
		public static boolean isValid(String name) {
			return VALID.matcher(name).matches();
		}

		/**
		 * Return a message that a name is invalid.
		 * @param kind the named object, such as {@code server}
		 */
		public static String invalid(String kind) {
			return "This is not a valid name for a " + kind
					+ ": use letters, digits, '.', '_' and '-' only, and begin with a " + "letter or a digit.";
		}

		/**
		 * Return a message that a name is in use.
		 */
		public static String taken(String other) {
			return "There is also '" + other
					+ "', which is the same name: case, '-', '_' and '.' do not count. Rename one " + "of them.";
		}

	}

	/**
	 * The servers of a configuration.
	 *
	 * @param problems the errors of the configuration, without the errors of its servers
	 */
	public record Configured(List<Server> servers, List<Problem> problems) {

		/**
		 * A server of a configuration.
		 *
		 * @param definition its definition, which is not validated
		 * @param problems the settings that could not be converted, relevant only if it
		 * is enabled
		 * @param settings the settings that the definition was created from
		 */
		public record Server(McpServerDefinition definition, List<Problem> problems, Settings settings) {
		}

		/**
		 * The settings that a definition was created from, by their names below a server.
		 */
		@FunctionalInterface
		public interface Settings {

			/**
			 * Return whether the server itself has a setting, rather than the defaults.
			 */
			default boolean contains(String setting) {
				return true;
			}

			/**
			 * Return the origin of the server.
			 */
			default McpServerOrigin origin() {
				return new McpServerOrigin(McpServerOrigin.Kind.BEAN, null);
			}

			/**
			 * Return a supplier of the settings for operators, which reads them at each
			 * call.
			 */
			default Supplier<List<McpServerSetting>> shown() {
				return List::of;
			}

			/**
			 * Return whether an error affects only this server, and does not prevent the
			 * start of the application.
			 */
			default boolean costsServerAlone(Problem problem) {
				return false;
			}

			/**
			 * Describe an error at its origin.
			 * @param changed whether code has changed the definition
			 */
			Problem problem(String setting, String message, boolean changed);

		}

	}

}
