package io.github.mcpclient.smoke;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolCatalog;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * That an application with the starter can do without a module which that brings, and
 * that the start fails where something is configured that needs it.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class StarterLessTests {

	@TempDir
	private Path directory;

	private static final List<String> OPTIONAL = List.of("mcp-client-agents", "mcp-client-audit", "mcp-client-declared",
			"mcp-client-guard", "mcp-client-import");

	/**
	 * All at once, and one after the other where tests take their time.
	 */
	static Stream<List<String>> modules() {
		Stream<List<String>> all = Stream.of(OPTIONAL);
		return Boolean.getBoolean("endurance") ? Stream.concat(all, OPTIONAL.stream().map(List::of)) : all;
	}

	@ParameterizedTest
	@MethodSource("modules")
	void anApplicationCallsTools(List<String> without) throws Exception {
		try (StubServer server = new StubServer()) {
			assertThat(output(0, without, "--mcp.servers.http.url=" + server.url())).contains("The sum is 5.");
		}
	}

	@ParameterizedTest
	@CsvSource({ "mcp-client-guard, mcp.servers.a.tools.pinning=block",
			"mcp-client-import, spring.config.import=optional:mcp:mcp.json",
			"mcp-client-agents, mcp.tools.search.enabled=true",
			"mcp-client-agents, mcp.servers.a.tools.keep-results=5m" })
	void whatNeedsTheModuleFailsTheStart(String module, String property) throws Exception {
		assertThat(output(1, List.of(module), "--mcp.servers.a.command=none", "--" + property))
			.contains("APPLICATION FAILED TO START")
			.contains("Add the dependency io.github.mcpclient:" + module);
	}

	/**
	 * Start an application in a JVM of its own.
	 * @return what it prints
	 */
	private String output(int status, List<String> without, String... arguments) throws Exception {
		List<String> all = List.of(System.getProperty("java.class.path").split(File.pathSeparator));
		List<String> classPath = all.stream()
			.filter((entry) -> without.stream().noneMatch((module) -> entry.contains(File.separator + module)))
			.toList();
		assertThat(all).hasSize(classPath.size() + without.size());
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
						"-XX:+UseSerialGC", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote", "-cp",
						String.join(File.pathSeparator, classPath), Application.class.getName()));
		Stream.of(arguments).forEach(command::add);
		Path output = this.directory.resolve("output");
		Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile()).start();
		try {
			int exit = process.waitFor();
			String text = Files.readString(output);
			assertThat(exit).as(text).isEqualTo(status);
			return text;
		}
		finally {
			process.destroyForcibly();
		}
	}

	@SpringBootConfiguration
	@EnableAutoConfiguration
	public static class Application {

		public static void main(String[] args) {
			McpToolCatalog tools = new SpringApplicationBuilder(Application.class)
				.properties(Map.of("spring.main.web-application-type", "none", "mcp.startup.wait", "60s"))
				.run(args)
				.getBean(McpToolCatalog.class);
			System.out.println("The sum is " + tools.get("http_add").call(Map.of("a", 2, "b", 3)).text() + ".");
			Runtime.getRuntime().halt(0);
		}

	}

}
