package io.github.mcpclient.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.definition.InvalidMcpConfigurationException;
import io.github.mcpclient.definition.McpServerDefinition;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.Resource;

/**
 * An environment of files, environment variables and arguments, in Boot's order of
 * precedence, and what is read from it.
 */
final class TestEnvironment {

	static final List<Set<String>> TYPES = List.of(
			new LinkedHashSet<>(List.of("streamable-http", "http", "streamableHttp")),
			new LinkedHashSet<>(List.of("stdio", "local")), Set.of("sse"),
			new LinkedHashSet<>(List.of("websocket", "ws")), Set.of("carrier-pigeon"));

	private final StandardEnvironment environment = new StandardEnvironment();

	private final Map<String, Object> variables = new LinkedHashMap<>();

	TestEnvironment() {
		// what the machine has is of no interest
		this.environment.getPropertySources().remove(StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);
		this.environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, this.variables));
	}

	static TestEnvironment yaml(String yaml) {
		return new TestEnvironment().file("application.yml", yaml);
	}

	/**
	 * Add a file of lower precedence than what is there.
	 */
	TestEnvironment file(String name, String yaml) {
		Resource resource = new ByteArrayResource(yaml.getBytes(StandardCharsets.UTF_8), name) {

			@Override
			public String toString() {
				return getDescription();
			}

			@Override
			public String getDescription() {
				return name;
			}

		};
		try {
			List<PropertySource<?>> documents = new YamlPropertySourceLoader().load(name, resource);
			// the last document of a file wins
			for (int i = documents.size() - 1; i >= 0; i--) {
				this.environment.getPropertySources().addLast(documents.get(i));
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		return this;
	}

	TestEnvironment variable(String name, String value) {
		this.variables.put(name, value);
		return this;
	}

	TestEnvironment arguments(Map<String, Object> arguments) {
		this.environment.getPropertySources().addFirst(new MapPropertySource("commandLineArgs", arguments));
		return this;
	}

	TestEnvironment source(PropertySource<?> source) {
		this.environment.getPropertySources().addFirst(source);
		return this;
	}

	StandardEnvironment environment() {
		return this.environment;
	}

	McpServersConfig config() {
		return new McpServersConfig(this.environment, List.of(), null, Set.of("oauth2"));
	}

	List<McpServerDefinition> definitions() {
		return ConfiguredDefinitions.of(this.environment, TYPES, "oauth2");
	}

	McpServerDefinition definition(String name) {
		return definitions().stream()
			.filter((definition) -> definition.name().equals(name))
			.findFirst()
			.orElseThrow(() -> new AssertionError("no server " + name));
	}

	List<String> names() {
		return definitions().stream().map(McpServerDefinition::name).toList();
	}

	/**
	 * Return each mistake as its property and its message.
	 */
	List<String> mistakes() {
		return problems().stream().map((problem) -> problem.property() + ": " + problem.message()).toList();
	}

	List<InvalidMcpConfigurationException.Problem> problems() {
		try {
			definitions();
			return List.of();
		}
		catch (InvalidMcpConfigurationException ex) {
			return ex.getProblems();
		}
	}

}
