package io.github.mcpclient.internal.compose;

import java.lang.reflect.Constructor;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.config.McpServersConfig;
import io.github.mcpclient.service.McpServerConnectionDetails;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.beans.BeanUtils;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetails;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.docker.compose.core.ConnectionPorts;
import org.springframework.boot.docker.compose.core.ImageReference;
import org.springframework.boot.docker.compose.core.RunningService;
import org.springframework.boot.docker.compose.service.connection.DockerComposeConnectionSource;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.mock.env.MockEnvironment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link McpDockerComposeConnectionDetailsFactory} that need no Docker.
 */
class McpDockerComposeConnectionDetailsFactoryTests {

	@Test
	void aServiceWithTheLabelIsTheServerOfItsName() {
		McpServerConnectionDetails details = details(
				new Service(Map.of(3001, 49153)).label("com.docker.compose.service", "weather"));
		assertThat(details.getName()).isEqualTo("weather");
		assertThat(details.getUrl()).isEqualTo(URI.create("http://docker.example:49153"));
		assertThat(details.getType()).isNull();
		assertThat(details.getHeaders()).isEmpty();
		assertThat(details.getSslBundle()).isNull();
	}

	@Test
	void labelsSayWhatIsNotClearFromTheService() {
		McpServerConnectionDetails details = details(
				new Service(Map.of(80, 1080, 3001, 49153)).label("com.docker.compose.service", "weather")
					.label("io.github.mcpclient.name", "sky")
					.label("io.github.mcpclient.port", "3001")
					.label("io.github.mcpclient.path", "api/sse")
					.label("io.github.mcpclient.type", "sse")
					.label("io.github.mcpclient.headers.X-Api-Key", "s3cr3t")
					.label("io.github.mcpclient.headers.X.Tenant", "a"));
		assertThat(details.getName()).isEqualTo("sky");
		assertThat(details.getUrl()).isEqualTo(URI.create("http://docker.example:49153/api/sse"));
		assertThat(details.getType()).isEqualTo("sse");
		assertThat(details.getHeaders()).containsOnly(Map.entry("X-Api-Key", "s3cr3t"), Map.entry("X.Tenant", "a"));
		assertThat(details.toString()).doesNotContain("s3cr3t");
	}

	@Test
	void theContainersOfAServiceAreOneServer() {
		McpServerConnectionDetails first = details(
				new Service(Map.of(3001, 49153)).label("com.docker.compose.service", "weather"));
		McpServerConnectionDetails second = details(
				new Service(Map.of(3001, 49154)).label("com.docker.compose.service", "weather"));
		McpServerConnectionDetails another = details(
				new Service(Map.of(3001, 49155)).label("com.docker.compose.service", "rain")
					.label("io.github.mcpclient.name", "weather"));
		assertThat(new McpServersConfig(new MockEnvironment(), List.of(first, second), null, Set.of()).properties()
			.servers()
			.get("weather")
			.url()).isEqualTo("http://docker.example:49153/mcp");
		assertThatIllegalStateException()
			.isThrownBy(() -> new McpServersConfig(new MockEnvironment(), List.of(first, another), null, Set.of()))
			.withMessageContaining("more than one");
	}

	@ParameterizedTest
	@CsvSource({ "redis", "example/mcp" })
	void oneWithoutTheLabelIsNone(String image) {
		Service service = new Service(Map.of(3001, 49153));
		service.labels.clear();
		assertThat(all(service, image)).isEmpty();
	}

	@Test
	void withoutAClearPortItIsSaidWhatToAdd() {
		assertThatIllegalStateException().isThrownBy(() -> details(new Service(Map.of())))
			.withMessageContaining("demo-weather-1")
			.withMessageContaining("'ports'");
		assertThatIllegalStateException().isThrownBy(() -> details(new Service(Map.of(80, 1080, 81, 1081))))
			.withMessageContaining("2 ports")
			.withMessageContaining("io.github.mcpclient.port");
		Service named = new Service(Map.of(80, 1080)).label("io.github.mcpclient.port", "http");
		assertThatIllegalStateException().isThrownBy(() -> details(named))
			.withMessageContaining("demo-weather-1")
			.withMessageContaining("'io.github.mcpclient.port'");
	}

	@Test
	void whenDockerComposeSupportIsMissingThenOtherFactoriesWork() {
		ClassLoader without = new FilteredClassLoader("org.springframework.boot.docker.compose");
		assertThat(new ConnectionDetailsFactories(without).getConnectionDetails("source", false)).isEmpty();
	}

	private static McpServerConnectionDetails details(Service service) {
		return (McpServerConnectionDetails) all(service, "example/weather-mcp:1.0")
			.get(McpServerConnectionDetails.class);
	}

	private static Map<Class<?>, ConnectionDetails> all(Service service, String image) {
		Constructor<?> constructor = DockerComposeConnectionSource.class.getDeclaredConstructors()[0];
		Object source = BeanUtils.instantiateClass(constructor, service.of(image), new MockEnvironment());
		return new ConnectionDetailsFactories(null).getConnectionDetails(source, false);
	}

	/**
	 * What Boot makes of a container.
	 *
	 * @param ports those of the container, with those that they are mapped to
	 */
	private record Service(ImageReference image, Map<Integer, Integer> mapped,
			Map<String, String> labels) implements RunningService, ConnectionPorts {

		Service(Map<Integer, Integer> mapped) {
			this(ImageReference.of("example/weather-mcp:1.0"), mapped,
					new HashMap<>(Map.of("org.springframework.boot.service-connection", "mcp")));
		}

		Service of(String image) {
			return new Service(ImageReference.of(image), this.mapped, this.labels);
		}

		Service label(String name, String value) {
			this.labels.put(name, value);
			return this;
		}

		@Override
		public String name() {
			return "demo-weather-1";
		}

		@Override
		public String host() {
			return "docker.example";
		}

		@Override
		public ConnectionPorts ports() {
			return this;
		}

		@Override
		public Map<String, String> env() {
			return Map.of();
		}

		@Override
		public int get(int containerPort) {
			return this.mapped.get(containerPort);
		}

		@Override
		public List<Integer> getAll() {
			return new ArrayList<>(this.mapped.values());
		}

		@Override
		public List<Integer> getAll(String protocol) {
			return getAll();
		}

	}

}
