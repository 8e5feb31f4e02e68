package io.github.mcpclient.internal.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.NoSuchMcpServerException;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.internal.connection.McpConnection;
import io.github.mcpclient.internal.registry.DefaultMcpServerRegistry.ServerConnector;
import io.github.mcpclient.internal.tool.TestToolSettings;
import io.github.mcpclient.internal.validation.McpServerDefinitions;
import io.github.mcpclient.internal.validation.McpServerDefinitions.DefinedServer;
import io.github.mcpclient.management.McpServerOrigin;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mockito.MockMakers;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyBoolean;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link DefaultMcpServerRegistry}.
 */
class DefaultMcpServerRegistryTests {

	private final List<McpConnection> connections = new ArrayList<>();

	private final Map<McpConnection, Sinks.Empty<Void>> ends = new HashMap<>();

	private DefaultMcpServerRegistry registry;

	// what happens while the next change is planned
	private @Nullable Runnable meanwhile;

	@AfterEach
	void close() {
		this.ends.values().forEach(Sinks.Empty::tryEmitEmpty);
		this.registry.destroy();
	}

	@Test
	void closingWaitsForWhatIsBeingRemovedAndReplaced() {
		start("removed", "replaced");
		this.registry.manager().removeAsync("removed").subscribe();
		this.registry.manager().replaceAsync(definition("replaced").build()).subscribe();
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
		this.registry.manager().replaceAsync(definition("a").build()).subscribe();
		end(0);
		this.registry.manager().removeAsync("a").subscribe();
		end(1);
		this.registry.stop();
		then(this.connections.get(0)).should(never()).close();
	}

	@Test
	void serversAreDisabledAndEnabledOnce() {
		start("a");
		McpServer server = this.registry.server("a");
		assertThat(this.registry.manager().disableAsync("a").toFuture()).isNotDone();
		this.registry.manager().disableAsync("a").subscribe();
		assertThat(this.connections).hasSize(2);
		assertThat(server.definition().enabled()).isFalse();
		then(this.connections.get(1)).should(never()).close();
		this.registry.manager().enableAsync("a").subscribe();
		this.registry.manager().enableAsync("a").subscribe();
		assertThat(this.connections).hasSize(3);
		assertThat(server.definition()).isEqualTo(definition("a").build());
		assertThat(this.registry.server("a")).isSameAs(server);
		then(this.connections.get(2)).should().start();
		then(this.connections.get(2)).should().follow(this.connections.get(1));
	}

	@Test
	void aChangeOfTheRulesMeanwhileIsNotLost() {
		start("a");
		this.meanwhile = () -> this.registry.manager()
			.replaceAsync(definition("a").toolPrefix("p").build())
			.subscribe();
		this.registry.manager().disableAsync("a").subscribe();
		assertThat(this.registry.server("a").definition())
			.isEqualTo(definition("a").toolPrefix("p").enabled(false).build());
		then(this.connections.get(1)).should().close();
		assertThat(this.connections).as("and one for the second plan").hasSize(3);
	}

	@Test
	void aReplacementMeanwhileIsNotLost() {
		start("a");
		this.meanwhile = () -> this.registry.manager()
			.replaceAsync(definition("a").args(List.of("x")).build())
			.subscribe();
		this.registry.manager().disableAsync("a").subscribe();
		assertThat(this.registry.server("a").definition())
			.isEqualTo(definition("a").args(List.of("x")).enabled(false).build());
	}

	@Test
	void whoComesLastDecides() {
		start("a");
		this.meanwhile = () -> this.registry.manager().disableAsync("a").subscribe();
		this.registry.manager().disableAsync("a").subscribe();
		assertThat(this.registry.server("a").definition().enabled()).isFalse();
		this.meanwhile = () -> this.registry.manager().enableAsync("a").subscribe();
		this.registry.manager().enableAsync("a").subscribe();
		assertThat(this.registry.server("a").definition().enabled()).isTrue();
		this.meanwhile = () -> {
			this.registry.manager().disableAsync("a").subscribe();
			this.registry.manager().enableAsync("a").subscribe();
		};
		this.registry.manager().disableAsync("a").subscribe();
		assertThat(this.registry.server("a").definition().enabled()).isFalse();
	}

	@Test
	void aServerThatIsRemovedMeanwhileIsNotEnabled() {
		start("a");
		this.registry.manager().disableAsync("a").subscribe();
		this.meanwhile = () -> this.registry.manager().removeAsync("a").subscribe();
		assertThatExceptionOfType(NoSuchMcpServerException.class).isThrownBy(() -> this.registry.manager().enable("a"));
		then(this.connections.get(2)).should().close();
		then(this.connections.get(2)).should(never()).start();
	}

	@Test
	void nothingIsEnabledAfterTheEnd() {
		start("a");
		this.registry.manager().disableAsync("a").subscribe();
		this.meanwhile = () -> this.registry.stop();
		this.connections.forEach((connection) -> this.ends.get(connection).tryEmitEmpty());
		this.registry.manager().enableAsync("a").subscribe();
		then(this.connections.get(2)).should(never()).start();
		then(this.connections.get(2)).should().close();
		this.meanwhile = () -> this.registry.start();
		this.registry.manager().disableAsync("a").subscribe();
		assertThat(this.registry.server("a").definition().enabled()).isFalse();
		this.ends.values().forEach(Sinks.Empty::tryEmitEmpty);
		this.registry.destroy();
		assertThatIllegalStateException().isThrownBy(() -> this.registry.manager().enable("a"));
		assertThatIllegalStateException().isThrownBy(() -> this.registry.manager().disable("a"));
	}

	private void start(String... servers) {
		McpServerDefinitions definitions = new McpServerDefinitions(List.of(Set.of("stdio")), null, Set.of(), List.of(),
				Set.of("tools.pinning", "tools.rules", "tools.max-text", "tools.keep-results", "resources.as-tools"),
				(type) -> true, (definition) -> null);
		ServerConnector connector = mock(ServerConnector.class);
		given(connector.create(any(), anyBoolean(), any())).willAnswer((call) -> connection(call.getArgument(0)));
		this.registry = new DefaultMcpServerRegistry(
				new DefaultMcpServerRegistry.Settings(Stream.of(servers)
					.map((name) -> new DefinedServer(definition(name).build(),
							new McpServerOrigin(McpServerOrigin.Kind.CONFIGURED, null), List::of, List.of()))
					.toList(), definitions, false, Duration.ofSeconds(30), 0, (definition) -> null),
				connector, TestToolSettings.DEFAULTS, Schedulers.parallel(),
				mock(DefaultMcpServerRegistry.HostApplication.class));
		this.registry.start();
	}

	private void end(int connection) {
		this.ends.get(this.connections.get(connection)).tryEmitEmpty();
	}

	private static McpServerDefinitionBuilder definition(String name) {
		return McpServerDefinition.stdio(name, "server");
	}

	private McpConnection connection(McpServerDefinition definition) {
		Runnable meanwhile = this.meanwhile;
		this.meanwhile = null;
		if (meanwhile != null) {
			meanwhile.run();
		}
		// a final class, unlike all that other tests mock without an agent
		McpConnection connection = mock(McpConnection.class, withSettings().mockMaker(MockMakers.INLINE));
		Sinks.Empty<Void> end = Sinks.empty();
		Mono<Void> closed = end.asMono();
		given(connection.name()).willReturn(definition.name());
		given(connection.definition()).willReturn(definition);
		given(connection.serves(any())).willCallRealMethod();
		given(connection.firstAttempt()).willReturn(Mono.empty());
		given(connection.close()).willReturn(closed);
		given(connection.close(any())).willReturn(closed);
		this.connections.add(connection);
		this.ends.put(connection, end);
		return connection;
	}

}
