package io.github.mcpclient.integration.peers;

import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.client.StandaloneMcpClient;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.definition.McpServerDefinitionBuilder;
import io.github.mcpclient.handler.McpElicitationHandler;
import io.github.mcpclient.testsupport.Peers;
import io.github.mcpclient.testsupport.SpringServer;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult;
import io.modelcontextprotocol.spec.McpSchema.ElicitResult.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of what real servers answer who are asked for the newer revisions first.
 */
class EraPeersTests {

	private static final String MODERN = "2026-07-28";

	private static final String LEGACY = "2025-11-25";

	private static final Map<String, Object> SUM = Map.of("a", 2, "b", 3);

	static Stream<Arguments> servers() {
		return Stream.of(Arguments.of("dual", MODERN, "add"), Arguments.of("modern", MODERN, "add"),
				Arguments.of("dual over stdio", MODERN, "add"), Arguments.of("modern over stdio", MODERN, "add"),
				Arguments.of("mcp-proxy", MODERN, "get-sum"), Arguments.of("fastmcp", LEGACY, "add"),
				Arguments.of("everything", LEGACY, "get-sum"), Arguments.of("everything over stdio", LEGACY, "get-sum"),
				Arguments.of("supergateway", LEGACY, "get-sum"), Arguments.of("spring", LEGACY, "add"),
				Arguments.of("spring without sessions", LEGACY, "add"));
	}

	@ParameterizedTest
	@MethodSource("servers")
	void isSpokenToAsItSpeaks(String server, String revision, String tool) {
		try (Peer peer = peer(server); StandaloneMcpClient client = client(peer)) {
			assertThat(client.registry().server("peer").status()).satisfies((status) -> {
				assertThat(status.protocolVersion()).as(status.lastError()).isEqualTo(revision);
				assertThat(status.attempts()).isEqualTo(1);
			});
			assertThat(client.tools().get("peer_" + tool).call(SUM).text()).contains("5");
		}
	}

	@Test
	void asksInRoundsAndAnnouncesChanges() throws IOException {
		try (Peer peer = peer("modern"); StandaloneMcpClient client = client(peer)) {
			assertThat(client.tools().get("peer_confirm").call(Map.of()).text()).contains("accept").contains("true");
			peer.uri().resolve("/bump").toURL().openStream().close();
			await().until(() -> client.tools().find("peer_bumped").isPresent());
		}
	}

	private static StandaloneMcpClient client(Peer peer) {
		McpElicitationHandler accepted = (question,
				context) -> ElicitResult.builder(Action.ACCEPT).content(Map.of("ok", true)).build();
		return StandaloneMcpClient.builder().server(peer.definition().build()).add(accepted).build();
	}

	private static Peer peer(String server) {
		return switch (server) {
			case "dual" -> http(Peers.dual("both"));
			case "modern" -> http(Peers.dual("modern"));
			case "dual over stdio" -> stdio(Peers.dualScript(), "stdio", "both");
			case "modern over stdio" -> stdio(Peers.dualScript(), "stdio", "modern");
			case "mcp-proxy" -> http(Peers.proxy());
			case "fastmcp" -> http(Peers.fastMcp());
			case "everything" -> http(Peers.everything("streamableHttp"));
			case "everything over stdio" -> stdio(Peers.script("server-everything"), "stdio");
			case "supergateway" -> {
				Peers.Running gateway = Peers.gateway(Peers.freePort());
				URI uri = URI.create("ws://localhost:" + gateway.port() + "/message");
				yield new Peer(uri, McpServerDefinition.of("peer", McpServerDefinition.WEBSOCKET).url(uri),
						gateway::close);
			}
			case "spring" -> http(SpringServer.withSessions());
			default -> http(SpringServer.withoutSessions());
		};
	}

	private static Peer http(Peers.Running running) {
		return http(running.port(), running::close);
	}

	private static Peer http(SpringServer server) {
		return http(server.port(), server::close);
	}

	private static Peer http(int port, Runnable stop) {
		URI uri = URI.create("http://localhost:" + port + "/mcp");
		return new Peer(uri, McpServerDefinition.http("peer", uri), stop);
	}

	private static Peer stdio(String... command) {
		return new Peer(URI.create("stdio:peer"), McpServerDefinition.stdio("peer", "node").args(List.of(command)),
				() -> {
				});
	}

	private record Peer(URI uri, McpServerDefinitionBuilder definition, Runnable stop) implements AutoCloseable {

		@Override
		public void close() {
			this.stop.run();
		}

	}

}
