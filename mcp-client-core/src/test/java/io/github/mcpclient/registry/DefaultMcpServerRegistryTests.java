package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.mcpclient.McpServerOrigin;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.rules.McpServerDefinitions;
import io.github.mcpclient.rules.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.tool.TestToolSettings;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link DefaultMcpServerRegistry}.
 */
class DefaultMcpServerRegistryTests {

	private final List<McpConnection> connections = new ArrayList<>();

	private final Map<McpConnection, Sinks.Empty<Void>> ends = new HashMap<>();

	private DefaultMcpServerRegistry registry;

	@AfterEach
	void close() {
		this.ends.values().forEach(Sinks.Empty::tryEmitEmpty);
		this.registry.destroy();
	}

	@Test
	void closingWaitsForWhatIsBeingRemovedAndReplaced() {
		start("removed", "replaced");
		this.registry.remove("removed");
		this.registry.replace(definition("replaced").build());
		AtomicBoolean closed = new AtomicBoolean();
		this.registry.stop(() -> closed.set(true));
		for (int i = 2; i >= 0; i--) {
			assertThat(closed).as("connection %d is not closed", i).isFalse();
			end(i);
		}
		assertThat(closed).isTrue();
	}

	@Test
	void whatHasClosedIsForgotten() {
		start("a");
		this.registry.replace(definition("a").build());
		end(0);
		this.registry.remove("a");
		end(1);
		this.registry.stop();
		then(this.connections.get(0)).should(never()).close();
	}

	private void start(String... servers) {
		McpServerDefinitions definitions = mock(McpServerDefinitions.class);
		given(definitions.prepare(any())).willAnswer((call) -> call.getArgument(0));
		this.registry = new DefaultMcpServerRegistry(
				new DefaultMcpServerRegistry.Settings(Stream.of(servers)
					.map((name) -> new DefinedServer(definition(name).build(),
							new McpServerOrigin(McpServerOrigin.Kind.CONFIGURED, null)))
					.toList(), definitions, false, Duration.ofSeconds(30)),
				(definition, listener) -> connection(definition), TestToolSettings.DEFAULTS, Schedulers.parallel(),
				mock(HostApplication.class));
		this.registry.start();
	}

	private void end(int connection) {
		this.ends.get(this.connections.get(connection)).tryEmitEmpty();
	}

	private static McpServerDefinitionBuilder definition(String name) {
		return McpServerDefinition.stdio(name, "server");
	}

	private McpConnection connection(McpServerDefinition definition) {
		McpConnection connection = mock(McpConnection.class);
		Sinks.Empty<Void> end = Sinks.empty();
		Mono<Void> closed = end.asMono();
		given(connection.name()).willReturn(definition.name());
		given(connection.definition()).willReturn(definition);
		given(connection.firstAttempt()).willReturn(Mono.empty());
		given(connection.close()).willReturn(closed);
		given(connection.close(any())).willReturn(closed);
		this.connections.add(connection);
		this.ends.put(connection, end);
		return connection;
	}

}
