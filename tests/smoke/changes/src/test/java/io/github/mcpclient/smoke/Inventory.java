package io.github.mcpclient.smoke;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.actuate.endpoint.ExposableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.WebEndpointsSupplier;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.util.ClassUtils;
import org.springframework.web.client.RestClient;

/**
 * An application with nothing of its own, which writes down what it has.
 */
public final class Inventory {

	private final List<String> lines = new ArrayList<>();

	private Inventory() {
	}

	/**
	 * Start the application, and stop it.
	 * @param args the type of the application, and the file for what it has
	 */
	public static void main(String[] args) throws Exception {
		Inventory inventory = new Inventory();
		try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
			.web(WebApplicationType.valueOf(args[0]))
			.run("--server.port=0", "--spring.main.banner-mode=off", "--logging.pattern.console=%p %logger: %m%n",
					"--management.endpoints.web.exposure.include=*")) {
			inventory.add("thread",
					Thread.getAllStackTraces()
						.keySet()
						.stream()
						.map((thread) -> thread.getName().replaceAll("\\d+", "#")));
			inventory.classPath();
			inventory.properties(context);
			inventory.beans(context);
			inventory.endpoints(context);
			inventory.httpClients(context);
		}
		Files.write(Path.of(args[1]), inventory.lines);
	}

	private void add(String kind, Stream<String> what) {
		what.map((line) -> kind + " " + line).forEach(this.lines::add);
	}

	private void classPath() {
		add("jar",
				Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
					.filter((entry) -> entry.endsWith(".jar") || entry.endsWith("classes"))
					.map((entry) -> entry.replaceFirst("/target/.*", ".jar"))
					.map((entry) -> Path.of(entry).getFileName().toString().replaceFirst("(-\\d.*)?\\.jar$", ""))
					.distinct());
	}

	private void properties(ConfigurableApplicationContext context) {
		PropertySource<?> defaults = context.getEnvironment()
			.getPropertySources()
			.get(DefaultPropertiesPropertySource.NAME);
		if (defaults instanceof EnumerablePropertySource<?> source) {
			add("default", Stream.of(source.getPropertyNames()).map((name) -> name + "=" + source.getProperty(name)));
		}
		add("system property", System.getProperties().stringPropertyNames().stream());
	}

	private void beans(ConfigurableApplicationContext context) {
		add("bean",
				Stream.of(context.getBeanDefinitionNames())
					.map((name) -> ClassUtils.getUserClass(context.getType(name)).getName())
					.map((type) -> type.replaceFirst("\\$\\$Lambda.*", "\\$\\$Lambda")));
	}

	private void endpoints(ConfigurableApplicationContext context) {
		add("endpoint", Stream.of(context.getBeanNamesForAnnotation(Endpoint.class))
			.map((name) -> context.findAnnotationOnBean(name, Endpoint.class).id()));
		add("exposed endpoint",
				context.getBeanProvider(WebEndpointsSupplier.class)
					.stream()
					.flatMap((endpoints) -> endpoints.getEndpoints().stream())
					.map(ExposableEndpoint::getEndpointId)
					.map(Object::toString));
	}

	private void httpClients(ConfigurableApplicationContext context) throws Exception {
		add("RestClient.Builder on",
				context.getBeanProvider(RestClient.Builder.class)
					.stream()
					.map((builder) -> field(builder.build(), "clientRequestFactory")));
		add("RestClient.create() on", Stream.of(field(RestClient.create(), "clientRequestFactory")));
		String webClient = "org.springframework.web.reactive.function.client.WebClient";
		if (ClassUtils.isPresent(webClient, null)) {
			add("WebClient.Builder on",
					context.getBeanProvider(Class.forName(webClient + "$Builder"))
						.stream()
						.map((builder) -> ReflectionTestUtils.invokeMethod(builder, "build"))
						.map((client) -> field(client, "exchangeFunction", "connector")));
			add("WebClient.create() on", Stream
				.of(field(Class.forName(webClient).getMethod("create").invoke(null), "exchangeFunction", "connector")));
		}
	}

	private static String field(Object client, String... path) {
		Object value = client;
		for (String name : path) {
			value = ReflectionTestUtils.getField(value, name);
		}
		return value.getClass().getSimpleName();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	static class Application {

	}

}
