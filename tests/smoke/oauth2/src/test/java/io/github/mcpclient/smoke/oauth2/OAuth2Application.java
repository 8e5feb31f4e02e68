package io.github.mcpclient.smoke.oauth2;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.management.McpServerManager;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/**
 * An application that uses the client.
 */
final class OAuth2Application implements AutoCloseable {

	private final ConfigurableApplicationContext context;

	private OAuth2Application(ConfigurableApplicationContext context) {
		this.context = context;
	}

	/**
	 * Start an application without a web server, which waits for its servers.
	 */
	static OAuth2Application start(String... properties) {
		return start(WebApplicationType.NONE, new Class<?>[0], properties);
	}

	static OAuth2Application start(WebApplicationType type, Class<?>[] sources, String... properties) {
		Map<String, String> all = new LinkedHashMap<>();
		// servers on a busy machine are slow; those that fail are not waited for
		Stream.concat(Stream.of("mcp.startup.wait=60s", "mcp.defaults.initialization-timeout=60s",
				"mcp.defaults.connect-timeout=30s", "server.port=0", "server.servlet.session.cookie.name=APPLICATION",
				"server.reactive.session.cookie.name=APPLICATION"), Stream.of(properties))
			.map((property) -> property.split("=", 2))
			.forEach((property) -> all.put(property[0], property[1]));
		return new OAuth2Application(new SpringApplicationBuilder(Application.class).sources(sources)
			.web(type)
			.run(all.entrySet()
				.stream()
				.map((property) -> "--" + property.getKey() + "=" + property.getValue())
				.toArray(String[]::new)));
	}

	ConfigurableApplicationContext context() {
		return this.context;
	}

	McpServerRegistry registry() {
		return this.context.getBean(McpServerRegistry.class);
	}

	McpServerManager manager() {
		return this.context.getBean(McpServerManager.class);
	}

	McpServerStatus status(String server) {
		return registry().server(server).status();
	}

	McpServerState state(String server) {
		return status(server).state();
	}

	String call(String tool) {
		return registry().callTool(tool, Map.of()).orThrow().text();
	}

	String origin() {
		// not localhost: an authorization server lets a loopback address have any port
		return "http://127.0.0.1:" + this.context.getEnvironment().getRequiredProperty("local.server.port");
	}

	@Override
	public void close() {
		this.context.close();
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	@Import(OwnEventLoops.class)
	static class Application {

	}

}
