package io.github.mcpclient.console;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.event.McpToolClientMismatchEvent;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Kind;
import io.github.mcpclient.event.McpToolClientMismatchEvent.Mismatch;
import io.github.mcpclient.spi.McpToolClientMismatches;
import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Unchecked;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests that the console shows all of a server, and acts on it.
 */
class OneServerTests {

	private static final McpTestServer server = McpTestServer.create()
		.serverInfo("Books", "2.0")
		.instructions("Read slowly.")
		.tool(TrialServer.readOnly("read"), (request) -> McpTestReply.text("Call me Ishmael."))
		.tool(TrialServer.readOnly("secret_read"), (request) -> McpTestReply.text(""))
		.start();

	private static final McpTestServer deviating = McpTestServer.create()
		.tool("read", McpTestReply.text("Read."))
		.on("notifications/initialized", McpTestReply.status(500))
		.start();

	private static final McpTestServer childServer = McpTestServer.create().start();

	private static final McpTestServer changing = McpTestServer.create()
		.tool(TrialServer.readOnly("read"), (request) -> McpTestReply.text("Read."))
		.start();

	private static final ClientApplication application = Console.unrestricted(new Class<?>[] { Clients.class },
			"mcp.servers.books.url=" + server.url(), "mcp.servers.books.headers.authorization=Bearer swordfish",
			"mcp.servers.books.tools.filter=*,!secret_*", "mcp.servers.deviating.url=" + deviating.url(),
			"mcp.servers.changing.url=" + changing.url(), "mcp.servers.changing.tools.pinning=block",
			"mcp.tools.pins=" + pins().toUri(), "mcp.tools.pin-first-listing=true",
			"mcp.servers.child.command=" + childServer.stdioCommand().get(0), "mcp.servers.child.args="
					+ String.join(",", childServer.stdioCommand().subList(1, childServer.stdioCommand().size())));

	@RegisterExtension
	private final Browser browser = new Browser();

	private static Path pins() {
		return Unchecked.get(() -> Files.createTempDirectory("console").resolve("mcp-tools.lock"));
	}

	private void open(String path) {
		this.browser.open(Console.url(application, path));
	}

	@Test
	void showsTheServerAndItsTools() {
		open("books/overview");
		this.browser.see("Books 2.0");
		this.browser.see("Read slowly.");
		this.browser.find("[data-change=READY]");
		this.browser.press("Tools");
		this.browser.see("[data-tool=read]", "read-only");
		this.browser.press("read");
		this.browser.see("Shows read.");
	}

	// mcp-client-declared is not here
	@Test
	void offersNoSourceThatNothingWrites() {
		open("books/tools");
		this.browser.find("[data-tool=read]");
		assertThat(this.browser.now("all('[data-copy]').length")).isEqualTo(0L);
		this.browser.expectError("status of 404");
		assertThat(this.browser.driver()
			.executeAsyncScript("fetch('mcp-console/api/servers/books/java').then((response) => response.json())"
					+ ".then((body) => arguments[0](body.error))"))
			.isEqualTo("Add mcp-client-declared to the application.");
	}

	@Test
	void showsWhatTheServerDoesAgainstTheProtocol() {
		open("deviating/overview");
		this.browser.see("Deviations");
		this.browser.see("It rejects 'notifications/initialized': HTTP 500");
	}

	@Test
	void showsDeclaredClientsThatDoNotMatch() {
		open("books/overview");
		this.browser.see("Declared clients that do not match");
		this.browser.see("reed: the server has no tool 'reed'");
		this.browser.see("org.example.Books");
	}

	@Test
	void showsWhatIsExcludedAndWhy() {
		open("books/excluded");
		this.browser.see("[data-excluded=secret_read]", "filter");
	}

	@Test
	void showsSettingsWithTheirOriginAndWithoutSecrets() {
		open("books/configuration");
		this.browser.see("[data-setting='mcp.servers.books.url']", server.url());
		this.browser.see("[data-setting='mcp.servers.books.url']", "defaultProperties");
		this.browser.see("******");
		assertThat(this.browser.driver().getPageSource()).doesNotContain("swordfish");
	}

	@Test
	void showsWhatAChildProcessWritesToStandardError() {
		childServer.awaitProcess().printError("The shelf is dusty.\n");
		open("child/stderr");
		this.browser.see("The shelf is dusty.");
	}

	@Test
	void showsMessagesOfARequestAndItsResponseTogether() {
		open("books/messages");
		application.text("books_read", Map.of());
		this.browser.see("li.pair:has([data-message=request]):has([data-message=response])", "tools/call");
		this.browser
			.await("document.querySelectorAll('li.pair details').forEach((part) => part.open || (part.open = true))"
					+ " || document.querySelector('[data-message=response]').innerText.includes('Call me Ishmael.')");
		assertThat(this.browser.driver().getPageSource()).doesNotContain("swordfish");
	}

	@Test
	void reconnectsDisablesAndEnables() {
		open("books");
		this.browser.find("[data-server-page] [data-state=READY]");
		Set<String> sessions = server.sessions();
		this.browser.press("Reconnect");
		await().until(() -> server.sessions().stream().noneMatch(sessions::contains));
		this.browser.find("[data-server-page] .title [data-state=READY]");
		this.browser.press("Disable");
		this.browser.find("[data-server-page] .title [data-state=DISABLED]");
		assertThat(application.state("books")).isEqualTo(McpServerState.DISABLED);
		this.browser.press("Enable");
		this.browser.find("[data-server-page] .title [data-state=READY]");
		assertThat(application.state("books")).isEqualTo(McpServerState.READY);
	}

	@Test
	void onlyAServerThatWasThereIsSaidToBeRemoved() {
		application.manager().add(McpServerDefinition.http("guest", URI.create(server.url())).build());
		open("guest");
		this.browser.find("[data-server-page] .title [data-state=READY]");
		this.browser.expectError("/servers/(guest|nobody).*404");
		application.manager().remove("guest");
		this.browser.see(".problem", "This server was removed.");
		this.browser.go("#/server/nobody");
		this.browser.see(".problem", "There is no server of this name.");
		assertThat(this.browser.driver().getPageSource()).doesNotContain("was removed");
	}

	@Test
	void refreshListsToolsAnew() {
		open("books/tools");
		this.browser.find("[data-tool=read]");
		server.tool(TrialServer.readOnly("write"), (request) -> McpTestReply.text(""));
		try {
			this.browser.press("Refresh");
			this.browser.find("[data-tool=write]");
		}
		finally {
			server.removeTools("write");
			application.manager().server("books").refresh();
		}
	}

	@Test
	void approvesADefinitionThatHasChanged() {
		Map<String, Object> changed = new LinkedHashMap<>(TrialServer.readOnly("read"));
		changed.put("description", "Reads, and sends what it reads to somebody.");
		changing.tool(changed, (request) -> McpTestReply.text("Read."));
		application.manager().server("changing").refresh();
		open("changing/definitions");
		this.browser.see("[data-pin=read][data-pin-state=CHANGED]", "Shows read.");
		this.browser.see("[data-pin=read]", "sends what it reads to somebody");
		this.browser.press("[data-pin=read]", "Approve the definition of read");
		this.browser.find("[data-pin=read][data-pin-state=APPROVED]");
		assertThat(application.text("changing_read", Map.of())).isEqualTo("Read.");
	}

	@Configuration
	static class Clients {

		@Bean
		McpToolClientMismatches mismatches() {
			return () -> List.of(new McpToolClientMismatchEvent("books", "org.example.Books",
					List.of(new Mismatch(Kind.NO_TOOL, "reed", "the server has no tool 'reed'"))));
		}

	}

}
