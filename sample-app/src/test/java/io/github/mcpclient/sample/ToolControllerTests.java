package io.github.mcpclient.sample;

import io.github.mcpclient.test.McpTest;
import io.github.mcpclient.test.MockMcpServer;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.client.RestTestClient;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ToolController} and {@link ToolExceptionHandler} with a scripted
 * server.
 */
@McpTest(properties = "mcp.servers.demo.request-timeout=2s")
@Import({ ToolController.class, ToolExceptionHandler.class })
class ToolControllerTests {

	@MockMcpServer
	static final McpTestServer demo = McpTestServer.create().tool("dice", McpTestReply.text("Rolled [6]"));

	@Autowired
	ToolController controller;

	@Autowired
	ToolExceptionHandler exceptionHandler;

	RestTestClient client;

	@BeforeEach
	void createClient() {
		this.client = RestTestClient.bindToController(this.controller)
			.configureServer((server) -> server.setControllerAdvice(this.exceptionHandler))
			.build();
	}

	@Test
	void callsATool() {
		call(HttpStatus.OK).jsonPath("$.text").isEqualTo("Rolled [6]");
	}

	@Test
	void answersWithTheErrorOfATool() {
		demo.tool("dice", McpTestReply.toolError("The dice are lost"));
		call(HttpStatus.OK).jsonPath("$.isError").isEqualTo(true).jsonPath("$.text").isEqualTo("The dice are lost");
	}

	@Test
	void answersThatTheServerRefusedTheCall() {
		demo.onNext("tools/call", McpTestReply.error(-32602, "Too many sides"));
		call(HttpStatus.BAD_GATEWAY).jsonPath("$.detail")
			.value((detail) -> assertThat(detail).asString().contains("Too many sides"));
	}

	@Test
	void answersThatTheServerDidNotAnswer() {
		demo.onNext("tools/call", McpTestReply.never());
		call(HttpStatus.GATEWAY_TIMEOUT);
	}

	private RestTestClient.BodyContentSpec call(HttpStatus status) {
		return this.client.post()
			.uri("/tools/demo_dice")
			.contentType(MediaType.APPLICATION_JSON)
			.body("{}")
			.exchange()
			.expectStatus()
			.isEqualTo(status)
			.expectBody();
	}

}
