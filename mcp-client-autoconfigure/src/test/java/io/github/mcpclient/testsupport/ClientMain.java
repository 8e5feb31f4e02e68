package io.github.mcpclient.testsupport;

import io.github.mcpclient.McpServerRegistry;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * An application in a JVM of its own, for tests that end the JVM. Its arguments are those
 * of Spring Boot; it prints {@code UP} when it has started, and exits at end of input.
 */
public final class ClientMain {

	private ClientMain() {
	}

	public static void main(String[] args) throws Exception {
		ConfigurableApplicationContext context = SpringApplication.run(ClientApplication.Application.class, args);
		context.getBean(McpServerRegistry.class).servers().forEach(System.out::println);
		System.out.println("UP");
		while (System.in.read() != -1) {
			Thread.onSpinWait();
		}
		System.exit(SpringApplication.exit(context));
	}

}
