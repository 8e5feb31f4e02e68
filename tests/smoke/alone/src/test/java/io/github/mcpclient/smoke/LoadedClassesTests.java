package io.github.mcpclient.smoke;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.Lifecycle;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * That the start of an application loads no classes of what it does not use.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class LoadedClassesTests {

	private static final String OURS = "io.github.mcpclient.";

	private static final String BOOT_METRICS = "org.springframework.boot.micrometer.";

	private static final List<String> NEVER = List.of(OURS + "auth.", OURS + "springai.", OURS + "langchain4j.",
			OURS + "internal.testcontainers.", OURS + "internal.mcpjson.", OURS + "internal.transport.stdio.",
			OURS + "internal.transport.http.WebSocket", OURS + "internal.transport.http.SseProtocol",
			OURS + "internal.handler.", "org.springframework.security.", "com.google.re2j.", "com.networknt.",
			"java.net.http.", "io.netty.handler.codec.http.websocketx.WebSocketClientHandshaker",
			"io.netty.handler.codec.http.websocketx.WebSocketFrame");

	// what looks whether there are handlers or files to import, with the exceptions that
	// it may throw, what tells servers that there are no handlers, and what is looked for
	// to leave the application its HTTP clients, as Boot does where there is no Reactor
	// Netty
	private static final List<String> ALWAYS = List.of(OURS + "internal.handler.AllBeans",
			OURS + "internal.handler.AnnotatedHandlers", OURS + "internal.handler.HandledRequests",
			OURS + "internal.handler.ServerRequestHandlers", OURS + "internal.mcpjson.McpJsonConfigData",
			OURS + "internal.mcpjson.InvalidMcpFileException", OURS + "internal.mcpjson.JsonFileException",
			"java.net.http.HttpClient");

	// what is in the signatures of what is loaded
	private static final List<String> NAMED = List.of(OURS + "internal.session.McpSession$Factory",
			OURS + "internal.session.ServerRequests", OURS + "internal.session.Call$Check",
			OURS + "internal.transport.http.McpHttpClients");

	// the operators, all of which the first use of one loads, threads, and what reads
	// JSON
	private static final List<String> WITH_SERVERS = List.of("reactor.core.publisher.MonoZip",
			"reactor.core.scheduler.ParallelScheduler", "reactor.core.scheduler.BoundedElasticScheduler",
			"tools.jackson.databind.deser.jdk.UntypedObjectDeserializerNR");

	private static final String EVENT_LOOPS = "io.netty.channel.MultiThreadIoEventLoopGroup";

	@TempDir
	private Path directory;

	@Test
	void withoutServersNothingThatConnectsIsLoaded() throws Exception {
		List<String> loaded = start("--spring.autoconfigure.exclude=" + BOOT_METRICS
				+ "observation.autoconfigure.ObservationAutoConfiguration," + BOOT_METRICS
				+ "metrics.autoconfigure.MetricsAutoConfiguration," + BOOT_METRICS
				+ "metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration," + BOOT_METRICS
				+ "metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration");
		assertThat(of(loaded, NEVER)).isEmpty();
		assertThat(of(loaded, WITH_SERVERS)).isEmpty();
		assertThat(of(loaded,
				List.of(OURS + "internal.session.", OURS + "internal.transport.http.", OURS + "observation.McpClient",
						"reactor.netty.http.client.HttpClientConfig", "io.micrometer.core.instrument.Timer")))
			.isSubsetOf(NAMED);
	}

	@Test
	void withServersOverHttpNothingElseIsLoaded() throws Exception {
		try (StubServer server = new StubServer()) {
			List<String> loaded = start("--mcp.servers.http.url=" + server.url());
			assertThat(of(loaded, NEVER)).isEmpty();
			assertThat(loaded).containsAll(WITH_SERVERS.subList(0, 2))
				.contains(OURS + "internal.transport.http.HttpTransport");
		}
	}

	@Test
	void whatHttpNeedsIsLoadedWhileTheApplicationStarts() throws Exception {
		List<String> loaded = start("--mcp.servers.http.url=http://localhost:1/mcp",
				"--test.instead-of-connecting=" + EVENT_LOOPS);
		assertThat(loaded).contains(EVENT_LOOPS).doesNotContain(OURS + "internal.transport.http.HttpExchange");
	}

	private static List<String> of(List<String> loaded, List<String> prefixes) {
		return loaded.stream()
			.filter((name) -> prefixes.stream().anyMatch(name::startsWith))
			.filter((name) -> ALWAYS.stream().noneMatch(name::startsWith))
			.toList();
	}

	/**
	 * Start an application in a JVM of its own.
	 * @return the names of the classes that it loads
	 */
	private List<String> start(String... arguments) throws IOException, InterruptedException {
		Path log = this.directory.resolve("classes");
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "--add-opens=java.base/java.lang=ALL-UNNAMED",
						"-Xlog:class+load:file=" + log + ":none", "-cp", System.getProperty("java.class.path"),
						Application.class.getName()));
		command.addAll(List.of(arguments));
		Path output = this.directory.resolve("output");
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			assertThat(process.waitFor()).as(() -> read(output)).isZero();
		}
		finally {
			process.destroyForcibly();
		}
		try (Stream<String> lines = Files.lines(log)) {
			return lines.map((line) -> line.replaceFirst("[ /].*", "")).toList();
		}
	}

	private static String read(Path file) {
		try {
			return Files.readString(file);
		}
		catch (IOException ex) {
			return ex.toString();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	public static class Application {

		// ends the start before servers are connected, once a class is loaded
		@Bean
		@ConditionalOnProperty("test.instead-of-connecting")
		Lifecycle insteadOfConnecting(@Value("${test.instead-of-connecting}") String name) throws Exception {
			Method find = ClassLoader.class.getDeclaredMethod("findLoadedClass", String.class);
			find.setAccessible(true);
			return new First(() -> {
				await().atMost(Duration.ofMinutes(1))
					.until(() -> find.invoke(getClass().getClassLoader(), name) != null);
				Runtime.getRuntime().halt(0);
			});
		}

		public static void main(String[] args) {
			McpServerRegistry registry = new SpringApplicationBuilder(Application.class)
				.properties(Map.of("spring.main.web-application-type", "none", "mcp.startup.wait", "60s"))
				.run(args)
				.getBean(McpServerRegistry.class);
			boolean ready = registry.servers()
				.stream()
				.allMatch((server) -> server.status().state() == McpServerState.READY);
			// what the end of the application loads does not count
			Runtime.getRuntime().halt(ready ? 0 : 1);
		}

	}

	private record First(Runnable task) implements SmartLifecycle {

		@Override
		public void start() {
			this.task.run();
		}

		@Override
		public void stop() {
		}

		@Override
		public boolean isRunning() {
			return false;
		}

		@Override
		public int getPhase() {
			return Integer.MIN_VALUE;
		}

	}

}
