package io.github.mcpclient.internal.transport.stdio;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.function.Consumer;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.ClientScheduler;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.transport.DuplexTransport.Skipped;
import io.github.mcpclient.management.McpDiagnosis;
import io.github.mcpclient.spi.McpTransportFactory;
import io.modelcontextprotocol.spec.McpClientTransport;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.util.Assert;

/**
 * Makes transports that start the server as a child process and exchange messages with it
 * over its standard streams. The process is not started by a shell. It is stopped, with
 * all processes that it started, when the transport is closed or fails: its standard
 * input is closed, then it is terminated, then killed, within five seconds.
 */
public final class StdioTransportFactory implements McpTransportFactory {

	private final JsonMapper mapper;

	private final ClientScheduler scheduler;

	private final Map<McpServerDefinition, Skipped> skipped = Collections.synchronizedMap(new WeakHashMap<>());

	/**
	 * Create a factory of transports that deliver messages on the scheduler.
	 */
	public StdioTransportFactory(JsonMapper mapper, ClientScheduler scheduler) {
		this.mapper = mapper;
		this.scheduler = scheduler;
	}

	@Override
	public Set<String> types() {
		return Set.of(McpServerDefinition.STDIO);
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition) {
		requireCommand(definition);
		Skipped skipped = this.skipped.computeIfAbsent(definition, Skipped::new);
		return new StdioTransport(definition, this.mapper, this.scheduler, ChildTree.Patience.STOP, skipped);
	}

	@Override
	public McpClientTransport create(McpServerDefinition definition, Consumer<McpDiagnosis.Step> steps) {
		requireCommand(definition);
		return new CheckedStdioTransport(definition, this.mapper, this.scheduler, steps);
	}

	private static void requireCommand(McpServerDefinition definition) {
		Assert.notNull(definition.stdio(), () -> "MCP server '" + definition.name() + "' has no command: set "
				+ PropertyNames.ofServer(definition.name(), "command"));
	}

}
