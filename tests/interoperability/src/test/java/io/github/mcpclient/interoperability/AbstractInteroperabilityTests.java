package io.github.mcpclient.interoperability;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.McpServerState;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinition.Reconnect;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.guard.McpGuard;
import io.github.mcpclient.management.ManagedMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.CapturedLog;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What tests have in common of one server, {@code peer}, that does something against the
 * protocol.
 */
abstract class AbstractInteroperabilityTests {

	static final String NAME = "peer";

	/** One attempt, so that the first failure stays. */
	static final Reconnect OFF = reconnect(false);

	/** The next attempt soon. */
	static final Reconnect SOON = reconnect(true);

	@RegisterExtension
	final CapturedLog log = new CapturedLog("io.github.mcpclient");

	final McpTestServer peer = McpTestServer.create().tool("echo", McpTestReply.text("hello")).start();

	private @Nullable StandaloneMcpClient client;

	@AfterEach
	void close() {
		closeClient();
		this.peer.close();
	}

	final void closeClient() {
		if (this.client != null) {
			this.client.close();
		}
	}

	private static Reconnect reconnect(boolean enabled) {
		return new Reconnect(enabled, Duration.ofMillis(100), 1.0, Duration.ofMillis(100), 0.0);
	}

	/**
	 * Connect over streamable HTTP.
	 */
	final ManagedMcpServer connect() {
		return connect((server) -> {
		});
	}

	final ManagedMcpServer connect(Consumer<McpServerDefinitionBuilder> settings) {
		McpServerDefinitionBuilder server = McpServerDefinition.http(NAME, URI.create(this.peer.url()));
		settings.accept(server);
		return connect(server.build());
	}

	/**
	 * Connect to a child process.
	 */
	final ManagedMcpServer connectToChild() {
		return connectToChild((child) -> {
		});
	}

	final ManagedMcpServer connectToChild(Consumer<McpServerDefinitionBuilder> settings) {
		List<String> command = this.peer.stdioCommand();
		McpServerDefinitionBuilder child = McpServerDefinition.stdio(NAME, command.get(0),
				command.subList(1, command.size()).toArray(String[]::new));
		settings.accept(child);
		return connect(child.build());
	}

	final ManagedMcpServer connect(McpServerDefinition definition) {
		this.client = customize(StandaloneMcpClient.builder().add(new McpGuard())).startupWait(Duration.ofSeconds(60))
			.server(definition)
			.build();
		return this.client.manager().server(NAME);
	}

	StandaloneMcpClient.Builder customize(StandaloneMcpClient.Builder client) {
		return client;
	}

	static void assertReady(McpServer server) {
		assertThat(server.status()).returns(McpServerState.READY, (status) -> status.state())
			.returns(null, (status) -> status.lastError());
	}

	static McpTool tool(McpServer server, String name) {
		return server.tools().stream().filter((tool) -> tool.originalName().equals(name)).findFirst().orElseThrow();
	}

	/**
	 * Return what a caller of a tool, or a model, can read of a call: its text, or that
	 * of its failure.
	 */
	static String outcome(McpTool tool) {
		try {
			return tool.call(Map.of()).text();
		}
		catch (RuntimeException ex) {
			return String.valueOf(ex.getMessage());
		}
	}

	/**
	 * Assert that the server shows deviations of one kind only, and that it was logged
	 * once; return the first.
	 */
	final McpServerDeviation assertDeviation(McpServer server, Kind kind) {
		List<McpServerDeviation> deviations = server.status().deviations();
		assertThat(deviations).extracting(McpServerDeviation::kind).containsOnly(kind);
		assertThat(this.log.lines(Level.WARN).stream().filter((line) -> line.contains(kind.summary()))).hasSize(1);
		return deviations.get(0);
	}

	static void assertNoDeviation(McpServer server) {
		assertThat(server.status().deviations()).isEmpty();
	}

}
