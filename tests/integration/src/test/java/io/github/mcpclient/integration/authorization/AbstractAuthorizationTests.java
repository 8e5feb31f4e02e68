package io.github.mcpclient.integration.authorization;

import java.util.Map;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.AfterEach;

import org.springframework.security.core.context.SecurityContextHolder;

/**
 * Two servers, one of which asks for headers that the application provides.
 */
abstract class AbstractAuthorizationTests {

	static final Map<String, Object> HELLO = Map.of("message", "hello");

	final McpTestServer server = McpTestServer.create().tools("echo").start();

	final McpTestServer other = McpTestServer.create().tools("echo").start();

	ClientApplication application;

	@AfterEach
	void stop() {
		SecurityContextHolder.clearContext();
	}

	final McpTool echo() {
		return this.application.tools().get("a_echo");
	}

}
