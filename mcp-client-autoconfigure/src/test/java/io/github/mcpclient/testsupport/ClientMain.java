package io.github.mcpclient.testsupport;

import java.util.List;
import java.util.Map;

import io.github.mcpclient.McpServerRegistry;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;

/**
 * An application in a JVM of its own, for tests that end the JVM, or need another one.
 * Its arguments are those of Spring Boot; it calls the tools of {@code --test.call} on
 * Boot's task executor, prints the thread and the result of each, prints {@code UP} when
 * it has started, and exits at end of input.
 */
public final class ClientMain {

	/**
	 * Options that start a JVM in half the time.
	 */
	public static final List<String> FAST_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC",
			"-Xshare:auto");

	private ClientMain() {
	}

	public static void main(String[] args) throws Exception {
		ConfigurableApplicationContext context = SpringApplication.run(ClientApplication.Application.class, args);
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
