package io.github.mcpclient.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.McpServerDefinition.Tools;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpToolPolicy;
import io.github.mcpclient.connection.McpConnection;
import io.github.mcpclient.tool.TestToolSettings;
import io.github.mcpclient.tool.ToolCatalog;
import io.modelcontextprotocol.json.McpJsonDefaults;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link ManagedServers}.
 */
class ManagedServersTests {

	private static final Tools WRONG = new Tools(true, null, List.of(" "), McpToolPolicy.UNRESTRICTED);

	private final ToolCatalog catalog = new ToolCatalog(McpJsonDefaults.getMapper(), () -> {
	}, TestToolSettings.DEFAULTS);

	private final RegistryEvents events = new RegistryEvents(mock(McpServerRegistry.class), this.catalog,
			mock(ToolBeans.class), new NamedTools(), (event) -> {
			});

	private final List<McpConnection> connections = new ArrayList<>();

	private final Map<McpConnection, Sinks.Empty<Void>> ends = new HashMap<>();

	private final ManagedServers servers = new ManagedServers((definition, listener) -> connection(definition),
			Schedulers.parallel(), this.catalog, this.events, (definition) -> true);

	@AfterEach
	void close() {
		this.events.close();
	}

	@Test
	void closingWaitsForWhatIsBeingRemovedAndReplaced() {
		this.servers.init(List.of(definition("removed").build(), definition("replaced").build()));
		this.servers.start();
		this.servers.remove("removed");
		this.servers.replace(definition("replaced").build());
		AtomicBoolean closed = new AtomicBoolean();
		this.servers.close(true).subscribe(null, null, () -> closed.set(true));
		for (int i = 2; i >= 0; i--) {
			assertThat(closed).as("connection %d is not closed", i).isFalse();
			end(i);
		}
		assertThat(closed).isTrue();
	}

	@Test
	void whatHasClosedIsForgotten() {
		this.servers.init(List.of(definition("a").build()));
		this.servers.start();
		this.servers.replace(definition("a").build());
		end(0);
		this.servers.remove("a");
		end(1);
		this.servers.close(true).block(Duration.ofSeconds(30));
		then(this.connections.get(0)).should(never()).close();
	}

	@Test
	void aReplacementThatFailsLeavesThePresentConnection() {
		this.servers.init(List.of(definition("a").build()));
		this.servers.start();
		McpConnection present = this.servers.get("a").connection();
		assertThatIllegalArgumentException()
			.isThrownBy(() -> this.servers.replace(definition("a").tools(WRONG).build()));
		assertThat(this.servers.get("a").connection()).isSameAs(present);
		then(present).should(never()).close();
		then(present).should(never()).close(any());
		then(this.connections.get(1)).should(never()).start();
		then(this.connections.get(1)).should().close();
		this.servers.remove("a");
		then(present).should().close("It was removed.");
	}

	@Test
	void aServerThatCannotBeAddedLeavesNothing() {
		this.servers.init(List.of(definition("a").build()));
		this.servers.start();
		assertThatIllegalArgumentException().isThrownBy(() -> this.servers.add(definition("b").tools(WRONG).build()));
		assertThat(this.servers.all()).extracting(ManagedServer::name).containsExactly("a");
		then(this.connections.get(1)).should(never()).start();
		then(this.connections.get(1)).should().close();
	}

	private void end(int connection) {
		this.ends.get(this.connections.get(connection)).tryEmitEmpty();
	}

	private static McpServerDefinition.Builder definition(String name) {
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
