package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.management.McpServerManager;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.StringUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A Boot application that uses the client, started by a test and stopped after it.
 */
public final class ClientApplication implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private ClientApplication(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start an application without a web server. Unless told otherwise, it waits long for
	 * its servers.
	 * @param properties such as {@code mcp.servers.x.url=http://...}
	 */
	public static ClientApplication start(String... properties) {
		return start(WebApplicationType.NONE, new Class<?>[0], properties);
	}

	/**
	 * Start an application without a web server that has beans of its own.
	 */
	public static ClientApplication start(Class<?> source, String... properties) {
		return start(WebApplicationType.NONE, new Class<?>[] { source }, properties);
	}

	/**
	 * Start an application without a web server.
	 * @param properties those of a test
	 * @param more those of all tests of its class
	 */
	public static ClientApplication start(String[] properties, String... more) {
		return start(WebApplicationType.NONE, new Class<?>[0], StringUtils.concatenateStringArrays(properties, more));
	}

	public static ClientApplication start(WebApplicationType type, Class<?>[] sources, String... properties) {
		return TestDefaults.closing(run(type, sources, properties));
	}

	/**
	 * Start an application without a web server that outlives the test.
	 */
	public static ClientApplication startShared(String... properties) {
		return run(WebApplicationType.NONE, new Class<?>[0], properties);
	}

	private static ClientApplication run(WebApplicationType type, Class<?>[] sources, String... properties) {
		// servers on a busy machine are slow; those that fail are not waited for
		List<String> all = new ArrayList<>(List.of("mcp.startup.wait=30s", "mcp.defaults.initialization-timeout=60s"));
		all.addAll(List.of(properties));
		all.add("server.port=0");
		all.add("spring.main.banner-mode=off");
		// two seconds by default, in which new tasks of event loops are waited for
		all.add("spring.reactor.netty.shutdown-quiet-period=0s");
		Class<?> application = (type == WebApplicationType.NONE) ? SmallApplication.class : Application.class;
		SpringApplicationBuilder builder = new SpringApplicationBuilder(application).sources(sources)
			.web(type)
			.registerShutdownHook(false)
			.properties(all.toArray(String[]::new));
		return new ClientApplication(builder.run());
	}

	/**
	 * The properties that run the small server of the test resources as {@code name}.
	 * @param env variables for it, {@code NAME=value}
	 */
	public static String[] mini(String name, String... env) {
		Path script = ProjectFiles.of("tests/fixtures/src/main/resources/servers/mini.sh");
		String prefix = "mcp.servers." + name;
		return Stream
			.concat(Stream.of(prefix + ".command=/bin/sh", prefix + ".args=" + script),
					Stream.of(env).map((variable) -> prefix + ".env." + variable))
			.toArray(String[]::new);
	}

	public ConfigurableApplicationContext context() {
		return this.context;
	}

	public McpServerRegistry registry() {
		return this.context.getBean(McpServerRegistry.class);
	}

	public McpServerManager manager() {
		return this.context.getBean(McpServerManager.class);
	}

	public McpToolCatalog tools() {
		return this.context.getBean(McpToolCatalog.class);
	}

	public McpServerState state(String server) {
		return registry().server(server).status().state();
	}

	public String text(String tool, Map<String, Object> arguments) {
		return registry().callTool(tool, arguments).orThrow().text();
	}

	/**
	 * The answer of the application's own web server, as JSON.
	 */
	public JsonNode get(String path) {
		HttpResponse<String> response = exchange(path);
		assertThat(response.statusCode()).as(path + " answered " + response.body()).isEqualTo(200);
		return JsonMapper.builder().build().readTree(response.body());
	}

	public HttpResponse<String> exchange(String path) {
		return exchange(path, (request) -> request);
	}

	/**
	 * The status and the body with which the application's own web server answers JSON.
	 */
	public String post(String path, String json) {
		HttpResponse<String> response = exchange(path, (request) -> request.header("Content-Type", "application/json")
			.POST(HttpRequest.BodyPublishers.ofString(json)));
		return response.statusCode() + " " + response.body();
	}

	private HttpResponse<String> exchange(String path, UnaryOperator<HttpRequest.Builder> customizer) {
		String port = this.context.getEnvironment().getRequiredProperty("local.server.port");
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
		try {
			return HttpClient.newHttpClient()
				.send(customizer.apply(request).build(), HttpResponse.BodyHandlers.ofString());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	public static class Application {

	}

	@SpringBootConfiguration
	@ClientAutoConfigurations
	static class SmallApplication {

	}

}
