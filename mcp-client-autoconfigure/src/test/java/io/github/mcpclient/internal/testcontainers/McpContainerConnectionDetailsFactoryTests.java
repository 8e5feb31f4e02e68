package io.github.mcpclient.internal.testcontainers;

import java.net.URI;

import io.github.mcpclient.service.McpServerConnectionDetails;
import org.junit.jupiter.api.Test;
import org.testcontainers.containers.GenericContainer;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.service.connection.ConnectionDetailsFactories;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.testcontainers.service.connection.ServiceConnection;
import org.springframework.boot.testcontainers.service.connection.ServiceConnectionAutoConfiguration;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

/**
 * Tests for {@link McpContainerConnectionDetailsFactory} that need no Docker.
 */
class McpContainerConnectionDetailsFactoryTests {

	private final ApplicationContextRunner runner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(ServiceConnectionAutoConfiguration.class));

	@Test
	void eachContainerIsTheServerOfItsName() {
		this.runner.withUserConfiguration(TwoServers.class)
			.run((context) -> assertThat(context.getBeansOfType(McpServerConnectionDetails.class).values())
				.extracting(McpServerConnectionDetails::getName, McpServerConnectionDetails::getUrl)
				.containsExactlyInAnyOrder(tuple("weather", URI.create("http://docker.example:1001")),
						tuple("Other.Server", URI.create("http://docker.example:1002"))));
	}

	@Test
	void aContainerThatAnotherFactoryKnowsIsNoServer() {
		this.runner.withUserConfiguration(Cache.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(McpServerConnectionDetails.class)
				.hasSingleBean(CacheConnectionDetailsFactory.CacheConnectionDetails.class));
	}

	@Test
	void unlessItIsSaidToBeOne() {
		this.runner.withUserConfiguration(ServerNamedCache.class)
			.run((context) -> assertThat(context).hasNotFailed()
				.doesNotHaveBean(CacheConnectionDetailsFactory.CacheConnectionDetails.class)
				.getBean(McpServerConnectionDetails.class)
				.extracting(McpServerConnectionDetails::getName)
				.isEqualTo("cache"));
	}

	@Test
	void whenTestcontainersIsMissingThenOtherFactoriesWork() {
		ClassLoader without = new FilteredClassLoader("org.testcontainers", "org.springframework.boot.testcontainers");
		assertThat(new ConnectionDetailsFactories(without).getConnectionDetails("source", false)).isEmpty();
	}

	static class TwoServers {

		@Bean
		@ServiceConnection("weather")
		GenericContainer<?> weather() {
			return new StandInContainer(1001);
		}

		@Bean
		@ServiceConnection("Other.Server")
		GenericContainer<?> other() {
			return new StandInContainer(1002);
		}

	}

	static class Cache {

		@Bean
		@ServiceConnection("cache")
		GenericContainer<?> container() {
			return new StandInContainer(1001);
		}

	}

	static class ServerNamedCache {

		@Bean
		@ServiceConnection(name = "cache", type = McpServerConnectionDetails.class)
		GenericContainer<?> container() {
			return new StandInContainer(1001);
		}

	}

	private static final class StandInContainer extends GenericContainer<StandInContainer> {

		private final int port;

		StandInContainer(int port) {
			super("stand-in");
			this.port = port;
		}

		@Override
		public void start() {
		}

		@Override
		public void stop() {
		}

		@Override
		public String getHost() {
			return "docker.example";
		}

		@Override
		public Integer getFirstMappedPort() {
			return this.port;
		}

	}

}
