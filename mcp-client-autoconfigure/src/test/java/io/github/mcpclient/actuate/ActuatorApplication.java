package io.github.mcpclient.actuate;

import java.time.Duration;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.management.McpServerManager;
import io.github.mcpclient.management.McpServerReloader;
import io.github.mcpclient.testsupport.TestDefaults;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.test.web.servlet.client.RestTestClient;

/**
 * An application on a port of its own, with Actuator and a registry of the test's choice.
 */
final class ActuatorApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private ActuatorApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	static ActuatorApplication run(WebApplicationType type, FakeMcpServerRegistry registry, String... properties) {
		return run(type, registry, null, properties);
	}

	static ActuatorApplication run(WebApplicationType type, FakeMcpServerRegistry registry, McpServerReloader reloader,
			String... properties) {
		ApplicationContextInitializer<GenericApplicationContext> servers = (context) -> {
			if (reloader != null) {
				context.registerBean(McpServerReloader.class, () -> reloader);
			}
			context.registerBean(McpServerRegistry.class, () -> registry);
			context.registerBean(McpServerManager.class, registry::manager);
		};
		String[] arguments = Stream
			.concat(Stream.of("server.port=0", "spring.main.banner-mode=off", "logging.level.root=error",
					"management.endpoints.web.exposure.include=health,info,mcp"), Stream.of(properties))
			.map((property) -> "--" + property)
			.toArray(String[]::new);
		return TestDefaults.closing(new ActuatorApplication(
				new SpringApplicationBuilder(Application.class).web(type).initializers(servers).run(arguments)));
	}

	RestTestClient.ResponseSpec get(String path) {
		return client().get().uri(path).exchange();
	}

	RestTestClient.ResponseSpec act(String server, String body) {
		return client().post().uri("/mcp/" + server).contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

	RestTestClient.ResponseSpec post(String body) {
		return client().post().uri("/mcp").contentType(MediaType.APPLICATION_JSON).body(body).exchange();
	}

	private RestTestClient client() {
		return RestTestClient.bindToServer(new JdkClientHttpRequestFactory())
			.baseUrl("http://localhost:" + this.context.getEnvironment().getProperty("local.server.port") + "/actuator")
			.build();
	}

	@Override
	public void close() {
		this.context.close();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration(excludeName = "io.github.mcpclient.autoconfigure.McpClientAutoConfiguration")
	static class Application {

		// the global resources would go with the first of several applications to stop
		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			factory.setShutdownQuietPeriod(Duration.ZERO);
			return factory;
		}

	}

}
