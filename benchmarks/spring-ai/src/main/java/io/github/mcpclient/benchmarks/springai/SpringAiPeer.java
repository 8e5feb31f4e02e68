package io.github.mcpclient.benchmarks.springai;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;

import io.github.mcpclient.benchmarks.client.Peer;

import org.springframework.ai.mcp.SyncMcpToolCallbackProvider;
import org.springframework.ai.tool.ToolCallback;
import org.springframework.ai.tool.ToolCallbackProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationContext;
import org.springframework.util.function.SingletonSupplier;

/**
 * An application with Spring AI's starter, and the callbacks that it makes.
 */
public class SpringAiPeer implements Peer {

	private static final String PREFIX = "--spring.ai.mcp.client.";

	@Override
	public Client start(List<String> servers) {
		List<String> arguments = new ArrayList<>();
		for (int i = 0; i < servers.size(); i++) {
			String server = servers.get(i);
			if (Peer.isScript(server)) {
				arguments.add(PREFIX + "stdio.connections.s" + i + ".command=sh");
				arguments.add(PREFIX + "stdio.connections.s" + i + ".args=" + server);
			}
			else {
				arguments.add(PREFIX + "streamable-http.connections.s" + i + ".url="
						+ server.substring(0, server.length() - "/mcp".length()));
			}
		}
		ApplicationContext application = new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run(arguments.toArray(String[]::new));
		ToolCallbackProvider provider = application.getBean(SyncMcpToolCallbackProvider.class);
		Supplier<ToolCallback> echo = SingletonSupplier.of(() -> echo(provider));
		return new Client() {

			@Override
			public String echo(String message) {
				return echo.get().call("{\"message\":\"" + message + "\",\"count\":1}");
			}

			@Override
			public int tools() {
				return provider.getToolCallbacks().length;
			}

		};
	}

	private static ToolCallback echo(ToolCallbackProvider provider) {
		return Arrays.stream(provider.getToolCallbacks())
			.filter((callback) -> callback.getToolDefinition().name().endsWith("echo"))
			.findFirst()
			.orElseThrow();
	}

	/**
	 * An application that is nothing but its starter.
	 */
	@EnableAutoConfiguration
	static class Application {

	}

}
