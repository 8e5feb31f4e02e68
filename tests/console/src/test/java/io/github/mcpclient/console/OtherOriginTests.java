package io.github.mcpclient.console;

import java.util.Set;

import io.github.mcpclient.McpServerState;
import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a page of somebody else, open in the browser of the one who uses the
 * console, learns nothing from it and does nothing with it.
 */
class OtherOriginTests {

	private static final String ACT = """
			{"action": "reconnect"}""";

	private static final McpTestServer server = McpTestServer.create().tools("read").start();

	private static final ClientApplication application = Console
		.unrestricted("mcp.servers.library.url=" + server.url());

	private static final DisposableServer attacker = HttpServer.create()
		.host("localhost")
		.port(0)
		.handle((request, response) -> response.header("Content-Type", "text/html")
			.sendString(Mono.just("<!DOCTYPE html><title>Kittens</title><link rel=icon href=data:,><p>Kittens</p>")))
		.bindNow();

	@RegisterExtension
	private final Browser browser = new Browser();

	@BeforeEach
	void expectRefusals() {
		this.browser.expectError(
				"CORS policy|net::ERR_|status of 40|frame-ancestors|X-Frame-Options|MIME type|refused|Cross-Origin-Opener-Policy");
	}

	@Test
	void thePageItselfActs() {
		this.browser.open(Console.url(application));
		Set<String> sessions = server.sessions();
		assertThat(fetched("'mcp-console/api/servers'")).contains("200 ").contains("\"library\"");
		assertThat(fetched("'mcp-console/api/servers/library/actions', " + options("application/json", "cors")))
			.startsWith("200 ");
		// the session that was left is ended beside the new one
		Awaitility.await()
			.untilAsserted(() -> assertThat(server.sessions()).hasSize(1).doesNotContainAnyElementsOf(sessions));
	}

	/**
	 * The same machine, which is another site, and the same site with another port.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "127.0.0.1", "localhost" })
	void aPageOfAnotherOriginDoesNothing(String host) {
		assertThat(application.state("library")).isEqualTo(McpServerState.READY);
		Set<String> sessions = server.sessions();
		this.browser.open("http://" + host + ":" + attacker.port() + "/");
		String api = Console.url(application) + "/api/";
		String actions = "'" + api + "servers/library/actions', ";
		assertThat(fetched("'" + api + "servers'")).isEqualTo("TypeError");
		assertThat(fetched("'" + api + "servers', {mode: 'no-cors'}")).isEqualTo("TypeError");
		assertThat(fetched("'" + Console.url(application) + "', {mode: 'no-cors'}")).isEqualTo("TypeError");
		assertThat(fetched(actions + options("application/json", "cors"))).isEqualTo("TypeError");
		assertThat(fetched(actions + options("text/plain", "no-cors"))).isEqualTo("TypeError");
		assertThat(fetched(actions + "{method: 'POST', body: '" + ACT + "'}")).isEqualTo("TypeError");
		form(actions);
		assertThat(this.browser.driver().executeAsyncScript("""
				const done = arguments[0];
				const script = document.createElement('script');
				script.src = '%sservers';
				script.onload = () => done('loaded');
				script.onerror = () => done('refused');
				document.body.append(script);
				""".formatted(api))).isEqualTo("refused");
		assertThat(server.sessions()).isEqualTo(sessions);
		assertThat(server.calls()).isEmpty();
	}

	@Test
	void aPageOfAnotherOriginDoesNotFrameTheConsole() {
		this.browser.open("http://127.0.0.1:" + attacker.port() + "/");
		this.browser.driver().executeAsyncScript("""
				const frame = document.createElement('iframe');
				frame.onload = () => arguments[0]();
				frame.src = '%s';
				document.body.append(frame);
				""".formatted(Console.url(application)));
		this.browser.driver().switchTo().frame(0);
		assertThat(this.browser.driver().getPageSource()).doesNotContain("mcp-console");
		this.browser.driver().switchTo().defaultContent();
	}

	@Test
	void aNameThatLeadsHereIsNotThatOfTheApplication() {
		this.browser.open(Console.url(application).replace("localhost", Browser.REBOUND));
		this.browser.see("not reached by this name");
		assertThat(fetched("'/mcp-console/api/servers'")).startsWith("403 ").doesNotContain("library");
		assertThat(fetched("'/mcp-console/api/servers/library/actions', " + options("application/json", "cors")))
			.startsWith("403 ");
	}

	private String fetched(String arguments) {
		return (String) this.browser.driver().executeAsyncScript("""
				const done = arguments[0];
				fetch(%s).then(async (response) => done(response.status + ' ' + await response.text()))
					.catch((error) => done(error.name));
				""".formatted(arguments));
	}

	private static String options(String type, String mode) {
		return "{method: 'POST', mode: '%s', headers: {'Content-Type': '%s', 'X-MCP-Console': '1'}, body: '%s'}"
			.formatted(mode, type, ACT);
	}

	private void form(String address) {
		this.browser.driver().executeAsyncScript("""
				const frame = document.createElement('iframe');
				frame.name = 'answer';
				document.body.append(frame);
				const form = document.createElement('form');
				form.action = [%s][0];
				form.method = 'POST';
				form.enctype = 'text/plain';
				form.target = 'answer';
				const input = document.createElement('input');
				input.name = '{"action": "reconnect", "x": "';
				input.value = '"}';
				form.append(input);
				document.body.append(form);
				frame.onload = () => arguments[0]();
				form.submit();
				""".formatted(address));
	}

}
