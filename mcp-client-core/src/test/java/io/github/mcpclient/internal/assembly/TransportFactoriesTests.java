package io.github.mcpclient.internal.assembly;

import java.net.URI;
import java.util.List;
import java.util.Set;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.spi.McpTransportFactory;
import io.modelcontextprotocol.spec.McpClientTransport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link TransportFactories}.
 */
class TransportFactoriesTests {

	@Test
	void noTransportOfAnotherTypeIsMade() {
		TransportFactories factories = new TransportFactories(
				List.of(new Factory("stdio"), new Factory("streamable-http"), new Factory("sse")), List.of("sse"));
		assertThatIllegalStateException()
			.isThrownBy(() -> factories.create(McpServerDefinition.stdio("child", "/does/not/exist").build()))
			.withMessage("MCP server 'child' is of type 'stdio', which mcp.transports does not allow");
		assertThat(factories.create(McpServerDefinition.of("a", "SSE").build())).isNotNull();
	}

	@ParameterizedTest
	@CsvSource({ "streamable-http, false", "'streamable-http,sse', true" })
	void theOlderTransportIsTriedOnlyWhereItIsAllowed(String allowed, boolean inferred) {
		Factory http = new Factory("streamable-http");
		new TransportFactories(List.of(http, new Factory("sse")), List.of(allowed.split(",")))
			.create(McpServerDefinition.of("a", "streamable-http")
				.typeInferred(true)
				.url(URI.create("http://localhost:9/mcp"))
				.build());
		assertThat(http.definition.typeInferred()).isEqualTo(inferred);
	}

	private static final class Factory implements McpTransportFactory {

		private final String type;

		private McpServerDefinition definition;

		Factory(String type) {
			this.type = type;
		}

		@Override
		public Set<String> types() {
			return Set.of(this.type);
		}

		@Override
		public McpClientTransport create(McpServerDefinition definition) {
			this.definition = definition;
			return mock();
		}

	}

}
