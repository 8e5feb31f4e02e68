package io.github.mcpclient.internal.transport.stdio;

import java.net.URI;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.VirtualScheduler;
import io.github.mcpclient.spi.SupervisedTransport;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link StdioTransportFactory}.
 */
class StdioTransportFactoryTests {

	private final StdioTransportFactory factory = new StdioTransportFactory(JsonMapper.builder().build(),
			new VirtualScheduler());

	@Test
	void makesAnotherTransportEachTime() {
		McpServerDefinition definition = McpServerDefinition.stdio("x", "server").build();
		assertThat(this.factory.types()).containsExactly("stdio");
		assertThat(this.factory.create(definition)).isInstanceOf(SupervisedTransport.class)
			.isNotSameAs(this.factory.create(definition));
	}

	@Test
	void needsCommand() {
		McpServerDefinition definition = McpServerDefinition.http("x", URI.create("http://localhost")).build();
		assertThatIllegalArgumentException().isThrownBy(() -> this.factory.create(definition))
			.withMessage("MCP server 'x' has no command: set mcp.servers.x.command");
	}

}
