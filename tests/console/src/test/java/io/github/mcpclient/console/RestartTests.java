package io.github.mcpclient.console;

import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Tests that an open page outlives the application. In a class of its own: an application
 * that is closed takes what Reactor Netty shares from others in its JVM.
 */
class RestartTests {

	private static final McpTestServer server = McpTestServer.create().tools("read").start();

	@RegisterExtension
	private final Browser browser = new Browser();

	@Test
	void aPageSaysThatTheApplicationIsGoneAndComesBackByItself() {
		this.browser.expectError("net::ERR_");
		int port = Peers.freePort();
		ConfigurableApplicationContext first = start(port);
		this.browser.open("http://localhost:" + port + "/mcp-console");
		this.browser.find("[data-connection=live]");
		this.browser.find("[data-server=alpha] [data-state=READY]");
		first.close();
		this.browser.see("[data-connection=disconnected]", "disconnected");
		this.browser.find("[data-server=alpha]");
		ConfigurableApplicationContext second = start(port);
		this.browser.find("[data-connection=live]");
		this.browser.find("[data-server=alpha] [data-state=READY]");
		second.close();
	}

	private static ConfigurableApplicationContext start(int port) {
		return new SpringApplicationBuilder(ClientApplication.Application.class).web(WebApplicationType.SERVLET)
			.run("--server.port=" + port, "--mcp.servers.alpha.url=" + server.url());
	}

}
