package io.github.mcpclient.internal.mcpjson;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;

import io.github.mcpclient.config.ImportedProperties.FileListener;
import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.validation.ValidatedDefinitions;

import org.springframework.boot.bootstrap.BootstrapRegistry.InstanceSupplier;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.config.ConfigDataLocation;
import org.springframework.boot.context.config.ConfigDataResourceNotFoundException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.SpringFactoriesLoader;
import org.springframework.core.io.support.SpringFactoriesLoader.ArgumentResolver;
import org.springframework.core.io.support.SpringFactoriesLoader.FailureHandler;

/**
 * An environment to which Boot has added what is imported, as it does when an application
 * starts.
 */
final class ImportingEnvironment {

	private static final List<Set<String>> TYPES = List.of(
			new LinkedHashSet<>(List.of("streamable-http", "http", "streamableHttp")), Set.of("stdio"), Set.of("sse"),
			new LinkedHashSet<>(List.of("websocket", "ws")));

	private static final Path FIXTURES = Path.of("src/test/resources/mcp-json").toAbsolutePath();

	private static final List<FailureAnalyzer> ANALYZERS = SpringFactoriesLoader.forDefaultResourceLocation()
		.load(FailureAnalyzer.class, ArgumentResolver.of(Environment.class, new StandardEnvironment()),
				FailureHandler.handleMessage((message, ex) -> {
					// needs a bean factory
				}));

	private final StandardEnvironment environment = new StandardEnvironment();

	private final Map<String, Object> variables = new LinkedHashMap<>();

	private final Map<String, Object> arguments = new LinkedHashMap<>();

	private final Set<Path> files = new LinkedHashSet<>();

	/**
	 * Create an environment that imports something.
	 */
	ImportingEnvironment(String location) {
		this();
		this.arguments.put("spring.config.import", location);
		this.arguments.put("spring.config.name", "none");
	}

	private ImportingEnvironment() {
		// what the machine has is of no interest
		this.environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
					new MapPropertySource(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME,
							Map.of("user.home", System.getProperty("user.home"))));
		this.environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, this.variables));
		this.environment.getPropertySources().addFirst(new MapPropertySource("commandLineArgs", this.arguments));
	}

	/**
	 * Create an environment of the files in a directory.
	 * @param directory a directory with an {@code application.yml}
	 */
	static ImportingEnvironment ofDirectory(Path directory) {
		return new ImportingEnvironment().argument("spring.config.location", directory.toUri().toString());
	}

	/**
	 * Return where a file of the test resources is.
	 * @param name the name of the file below {@code mcp-json}
	 */
	static Path fixture(String name) {
		return FIXTURES.resolve(name);
	}

	static ImportingEnvironment ofFixture(String name) {
		return new ImportingEnvironment("mcp:" + fixture(name));
	}

	ImportingEnvironment variable(String name, String value) {
		this.variables.put(name, value);
		return this;
	}

	ImportingEnvironment argument(String name, String value) {
		this.arguments.put(name, value);
		return this;
	}

	/**
	 * Need all servers, so that what is wrong with one fails the start.
	 */
	ImportingEnvironment required() {
		return argument("mcp.defaults.required", "true");
	}

	/**
	 * Return a property, once there are definitions.
	 * @return its value, or {@code null} if there is none
	 */
	String property(String name) {
		return this.environment.getProperty(name);
	}

	/**
	 * Return the files that imports have read, or would have, once there are definitions.
	 */
	Set<Path> files() {
		return this.files;
	}

	/**
	 * Import, and make definitions.
	 */
	List<McpServerDefinition> definitions() {
		ConfigurationPropertySources.attach(this.environment);
		DefaultBootstrapContext context = new DefaultBootstrapContext();
		context.register(FileListener.class, InstanceSupplier.of(this.files::add));
		ConfigDataEnvironmentPostProcessor.applyTo(this.environment, null, context);
		return configured();
	}

	/**
	 * Make definitions of a file without all that Boot does to find and load it, which is
	 * most of the work.
	 */
	List<McpServerDefinition> definitions(Resource file, String... preferred) {
		ConfigurationPropertySources.attach(this.environment);
		DefaultBootstrapContext context = new DefaultBootstrapContext();
		context.registerIfAbsent(Binder.class, (ignored) -> Binder.get(this.environment));
		ConfigDataLocation location = ConfigDataLocation.of("mcp:" + file);
		try {
			new McpJsonConfigDataLoader(Supplier::get)
				.load(() -> context, new McpJsonConfigDataResource(location, file, List.of(preferred)))
				.getPropertySources()
				.forEach(this.environment.getPropertySources()::addLast);
		}
		catch (ConfigDataResourceNotFoundException ex) {
			throw new IllegalStateException(ex);
		}
		return configured();
	}

	private List<McpServerDefinition> configured() {
		McpServersConfig config = new McpServersConfig(this.environment, List.of(), null, Set.of("oauth2"));
		return ValidatedDefinitions.of(TYPES, config.properties().transports(), config.servers(TYPES), "oauth2");
	}

	/**
	 * Import, fail, and ask the failure analyzers that there are.
	 */
	FailureAnalysis failure() {
		try {
			throw new AssertionError("no failure, but " + definitions());
		}
		catch (RuntimeException ex) {
			return analyze(ex);
		}
	}

	FailureAnalysis analyze(RuntimeException failure) {
		return ANALYZERS.stream()
			.map((analyzer) -> analyzer.analyze(failure))
			.filter(Objects::nonNull)
			.findFirst()
			.orElseThrow(() -> new AssertionError("This failure goes through no analyzer", failure));
	}

}
