package io.github.mcpclient.console;

import java.util.List;

import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that whatever a server says is text: no script of its runs, nothing asks for
 * anything elsewhere, what cannot be seen is made visible, and a megabyte in a field
 * breaks no layout. The browser reports each violation of the content security policy as
 * an error, which fails the test.
 */
class HostileServerTests {

	private static final McpTestServer server = Hostile.create().start();

	private static final ClientApplication application = Console.unrestricted("mcp.servers.hostile.url=" + server.url(),
			"mcp.servers.child.command=" + server.stdioCommand().get(0), "mcp.servers.child.args="
					+ String.join(",", server.stdioCommand().subList(1, server.stdioCommand().size())));

	@RegisterExtension
	private final Browser browser = new Browser();

	@BeforeAll
	static void complain() {
		server.awaitProcess().printError(Hostile.TEXT + "\n" + Hostile.large() + "\n");
	}

	private void go(String path) {
		this.browser.go("/server/" + path);
		this.browser.find("[data-server-page] [data-state=READY]");
	}

	private void nothingHappened(String where) {
		this.browser.await("document.readyState === 'complete'");
		assertThat(this.browser.now("window.hacked ?? null")).as(where).isNull();
		assertThat(this.browser.now("({}).polluted ?? null")).as(where).isNull();
		assertThat(this.browser.now("document.querySelectorAll("
				+ "'script:not([src^=mcp-console]), iframe, base, style, form[action], [onload], [onerror], [onclick], [onfocus]').length"))
			.as(where)
			.isEqualTo(0L);
		assertThat(this.browser
			.now("[...document.querySelectorAll('a[href], [src]')].map((element) => element.href || element.src)"
					+ ".filter((address) => !/^https?:|^data:(image|audio)\\/(png|jpeg|gif|webp|wav|mpeg|ogg)[;,]/.test(address))"))
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.as(where)
			.isEmpty();
		assertThat(this.browser
			.now("""
					[document.title, document.body.innerText, ...[...document.querySelectorAll('*')].flatMap((element) =>
						['title', 'alt', 'aria-label', 'placeholder', 'content'].map((name) => element.getAttribute(name) ?? ''))]
						.filter((text) => /[\\u202a-\\u202e\\u2066-\\u2069\\u200b\\ufeff\\u001b\\u0007]/.test(text))"""))
			.asInstanceOf(InstanceOfAssertFactories.LIST)
			.as("what cannot be seen in " + where)
			.isEmpty();
		assertThat((Long) this.browser.now("document.documentElement.scrollWidth - window.innerWidth"))
			.as("overflow of " + where)
			.isLessThanOrEqualTo(0);
		assertThat((Long) this.browser.now("document.body.innerText.length")).as("characters of " + where)
			.isLessThan(600_000);
		this.browser.press("MCP Console");
		this.browser.find("h1", "MCP servers");
	}

	private void openList() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=hostile] [data-state=READY]");
	}

	@Test
	void inEachPartOfAServer() {
		openList();
		nothingHappened("the list");
		for (String part : List.of("overview", "tools", "prompts", "resources", "messages", "configuration", "calls")) {
			go("hostile/" + part);
			this.browser.find("[data-tab=" + part + "][aria-selected=true]");
			this.browser.await("!document.body.innerText.includes('Loading')");
			nothingHappened(part);
		}
	}

	@Test
	void inStandardError() {
		openList();
		go("child/stderr");
		this.browser.see("<script>");
		nothingHappened("stderr");
	}

	@Test
	void inToolsAndResults() {
		openList();
		for (String tool : List.of("text", "uris", "structured", "table", "error", "refused", "progress")) {
			go("hostile/tools/" + tool);
			this.browser.press("Call");
			this.browser.see("#result[data-outcome]", "window.hacked");
			nothingHappened(tool);
		}
	}

}
