package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import reactor.core.publisher.Mono;
import tools.jackson.databind.json.JsonMapper;

/**
 * A program that starts a child over stdio and then waits to be killed.
 */
public final class StdioParent {

	private StdioParent() {
	}

	public static void main(String[] args) throws IOException {
		McpServerDefinition definition = McpServerDefinition.stdio("child", "sh", "-c", args[0]).build();
		new StdioTransportFactory(JsonMapper.builder().build(), ClientScheduler.create()).create(definition)
			.connect((message) -> Mono.empty())
			.block();
		System.in.read();
	}

}
