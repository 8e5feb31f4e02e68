package io.github.mcpclient.console;

import java.util.Set;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that the console only shows, unless it was told otherwise. In a reactive
 * application.
 */
class ReadOnlyTests {

	private static final McpTestServer server = TrialServer.create().start();

	private static final ClientApplication application = ClientApplication.start(WebApplicationType.REACTIVE,
			new Class<?>[0], "mcp.servers.library.url=" + server.url());

	@RegisterExtension
	private final Browser browser = new Browser();

	@Test
	void servesAndShows() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=library] [data-state=READY]");
		this.browser.see("read-only");
		assertThat(this.browser.now("all('button').some((button) => button.innerText.includes('Reload'))"))
			.isEqualTo(false);
	}

	@Test
	void everyWriteIsRefusedWhateverThePageSays() {
		this.browser.expectError("status of 403");
		Set<String> sessions = server.sessions();
		this.browser.open(Console.url(application));
		for (String action : new String[] { "reconnect", "refresh", "enable", "disable", "approve" }) {
			assertThat(post("servers/library/actions", "{action: '%s'}".formatted(action))).isEqualTo(403L);
		}
		assertThat(post("reload", "{}")).isEqualTo(403L);
		assertThat(post("servers/library/diagnosis", "{}")).isEqualTo(403L);
		assertThat(post("servers/library/calls", "{kind: 'tool', name: 'text', arguments: {}, confirmed: true}"))
			.isEqualTo(403L);
		assertThat(post("servers/library/calls", "{kind: 'prompt', name: 'greet', arguments: {who: 'x'}}"))
			.isEqualTo(403L);
		assertThat(post("servers/library/calls", "{kind: 'resource', uri: 'file:///notes.txt'}")).isEqualTo(403L);
		assertThat(this.browser.driver()
			.executeAsyncScript("fetch('mcp-console/api/calls/1', {method: 'DELETE', headers: {'X-MCP-Console': '1'}})"
					+ ".then((response) => arguments[0](response.status))"))
			.isEqualTo(403L);
		assertThat(application.state("library")).isEqualTo(McpServerState.READY);
		assertThat(server.sessions()).isEqualTo(sessions);
		assertThat(server.calls()).isEmpty();
		assertThat(server).hasNotReceived("prompts/get");
		assertThat(server).hasNotReceived("resources/read");
	}

	private Object post(String path, String body) {
		return this.browser.driver()
			.executeAsyncScript("fetch('mcp-console/api/' + arguments[0], {method: 'POST', body: JSON.stringify(" + body
					+ "), headers: {'Content-Type': 'application/json', 'X-MCP-Console': '1'}})"
					+ ".then((response) => arguments[1](response.status))", path);
	}

}
