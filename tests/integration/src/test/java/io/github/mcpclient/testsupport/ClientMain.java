package io.github.mcpclient.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerRegistry;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * An application in a JVM of its own, for tests that end the JVM, or need another one.
 * Its arguments are those of Spring Boot; it calls the tools of {@code --test.call} on
 * Boot's task executor, prints the thread and the result of each, prints {@code UP} when
 * it has started, and exits at end of input.
 */
public final class ClientMain {

	private ClientMain() {
	}

	/**
	 * Start this application, without a web server, and wait long for its servers.
	 * @param java the command
	 * @param properties such as {@code mcp.servers.x.url=http://...}
	 */
	public static Process start(String java, String... properties) throws IOException {
		List<String> arguments = new ArrayList<>(
				List.of("--spring.main.web-application-type=none", "--mcp.startup.wait=60s"));
		Stream.of(properties).map((property) -> "--" + property).forEach(arguments::add);
		return start(java, List.of(), ClientMain.class, arguments.toArray(String[]::new));
	}

	/**
	 * Start a class in a JVM of its own, which starts in half the time.
	 */
	public static Process start(String java, List<String> options, Class<?> main, String... arguments)
			throws IOException {
		List<String> command = new ArrayList<>(List.of(java, "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
				"-Xshare:auto", "-XX:+UnlockDiagnosticVMOptions", "-XX:-BytecodeVerificationRemote"));
		command.addAll(options);
		command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

	/**
	 * The command of the JVM of the tests.
	 */
	public static String java() {
		return Path.of(System.getProperty("java.home"), "bin", "java").toString();
	}

	/**
	 * Wait until it is up.
	 * @return what it has printed
	 */
	public static String awaitUp(Process jvm) throws IOException {
		BufferedReader reader = jvm.inputReader();
		StringBuilder output = new StringBuilder();
		for (String line = reader.readLine(); !"UP".equals(line); line = reader.readLine()) {
			assertThat(line).as(output.toString()).isNotNull();
			output.append(line).append('\n');
		}
		return output.toString();
	}

	public static void main(String[] args) throws Exception {
		ConfigurableApplicationContext context = SpringApplication.run(ClientApplication.SmallApplication.class, args);
		McpServerRegistry registry = context.getBean(McpServerRegistry.class);
		registry.servers().forEach((server) -> System.out.println(server.status()));
		for (String tool : context.getEnvironment().getProperty("test.call", String[].class, new String[0])) {
			context.getBean(AsyncTaskExecutor.class)
				.submitCompletable(() -> System.out.println("CALLED " + tool + " ON " + Thread.currentThread() + ": "
						+ registry.callTool(tool, Map.of()).orThrow().text()))
				.join();
		}
		System.out.println("UP");
		while (System.in.read() != -1) {
			Thread.onSpinWait();
		}
		System.exit(SpringApplication.exit(context));
	}

}
