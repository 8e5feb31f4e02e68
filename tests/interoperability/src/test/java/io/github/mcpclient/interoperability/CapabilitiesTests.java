package io.github.mcpclient.interoperability;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import io.github.mcpclient.McpServer;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerDeviation.Kind;
import io.github.mcpclient.test.server.McpTestDeviation;
import io.github.mcpclient.test.server.McpTestReply;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests of servers that have tools, and do not announce them as the protocol says.
 */
class CapabilitiesTests extends AbstractInteroperabilityTests {

	@ParameterizedTest
	@ValueSource(strings = { "{\"tools\": true}", "{\"tools\": [{\"name\": \"echo\"}]}", "{\"tools\": \"yes\"}",
			"{\"tools\": {\"listChanged\": {}}}", "{\"capabilities.tools\": true}", "[\"tools\"]", "\"tools\"", "{}",
			"null", "[]", "true", "{\"logging\": {}}", "{\"experimental\": {\"a\": {}}}", "{\"tools\": null}" })
	void toolsAreListed(String capabilities) {
		this.peer.deviates(McpTestDeviation.capabilities(capabilities));
		McpServer server = connect();
		assertReady(server);
		assertThat(tool(server, "echo").call(Map.of()).text()).isEqualTo("hello");
		assertDeviation(server, Kind.CAPABILITIES);
	}

	@Test
	void capabilitiesMayBeMissing() {
		this.peer.deviates(McpTestDeviation.capabilities(null));
		McpServer server = connect();
		assertReady(server);
		assertThat(server.tools()).hasSize(1);
		assertDeviation(server, Kind.CAPABILITIES);
	}

	@Test
	void capabilitiesOfTheNewestRevisionMayBeMissing() {
		this.peer.protocolVersions("2026-07-28").withoutCapability("tools");
		McpServer server = connect();
		assertReady(server);
		assertThat(server.tools()).hasSize(1);
		assertDeviation(server, Kind.CAPABILITIES);
	}

	@Test
	void promptsAndResourcesAreListedToo() {
		this.peer.prompt("greet", "hi").resource("x:1", "one").deviates(McpTestDeviation.capabilities("{}"));
		McpServer server = connect();
		assertReady(server);
		await().untilAsserted(() -> assertThat(server.status()).returns(1, (status) -> status.prompts())
			.returns(1, (status) -> status.resources()));
		assertThat(server.getPrompt("greet", Map.of()).messages()).hasSize(1);
		assertThat(server.readResource("x:1").contents()).hasSize(1);
		List<McpServerDeviation> deviations = server.status().deviations();
		assertThat(deviations).extracting(McpServerDeviation::kind).containsOnly(Kind.CAPABILITIES);
		assertThat(deviations).extracting(McpServerDeviation::detail)
			.anyMatch((detail) -> detail.contains("announces no prompts"));
	}

	static Stream<McpTestReply> refusals() {
		return Stream.of(McpTestReply.error(-32601, "Method not found"), McpTestReply.error(-32000, "No"),
				McpTestReply.status(404), McpTestReply.status(500), McpTestReply.status(403),
				McpTestReply.result("\"none\""), McpTestReply.result(Map.of("tools", List.of(), "prompts", List.of(),
						"resources", List.of(), "resourceTemplates", List.of())));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void refusalMeansThatThereAreNone(McpTestReply refusal) {
		this.peer.withoutSessions()
			.deviates(McpTestDeviation.capabilities("{}"))
			.on("tools/list", refusal)
			.on("prompts/list", refusal)
			.on("resources/list", refusal)
			.on("resources/templates/list", refusal);
		McpServer server = connect();
		assertReady(server);
		assertThat(server.status().tools()).isZero();
		this.peer.awaitRequests("resources/templates/list", 1);
		assertThat(assertDeviation(server, Kind.CAPABILITIES).detail()).contains("announces no tools");
	}

	@ParameterizedTest
	@ValueSource(strings = { "{\"prompts\": {}}", "{\"resources\": {}, \"tools\": false}",
			"{\"prompts\": {}, \"tools\": null}" })
	void serverThatAnnouncesSomethingElseIsNotAsked(String capabilities) {
		this.peer.deviates(McpTestDeviation.capabilities(capabilities));
		McpServer server = connect();
		assertReady(server);
		assertThat(this.peer.requests("tools/list")).isEmpty();
		assertThat(this.log.lines()).anyMatch((line) -> line.contains("READY") && line.contains("announces no tools"));
		assertNoDeviation(server);
	}

	@Test
	void refusalOfAnnouncedToolsFailsTheAttempt() {
		this.peer.on("tools/list", McpTestReply.error(-32601, "Method not found"));
		McpServer server = connect((definition) -> definition.reconnect(OFF));
		assertThat(server.status().lastError()).contains("-32601");
	}

}
