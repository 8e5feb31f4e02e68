package io.github.mcpclient.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import io.github.mcpclient.test.server.McpTestServer;
import io.github.mcpclient.testsupport.ClientApplication;
import io.github.mcpclient.testsupport.Peers;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.openqa.selenium.Keys;
import org.openqa.selenium.WebElement;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that everybody can use the console: with a keyboard alone, on a narrow screen,
 * and by what axe says of each view, light and dark.
 */
class AccessibilityTests {

	private static final Path AXE = Path.of("target/axe/node_modules/axe-core/axe.min.js");

	private static final McpTestServer server = TrialServer.create().start();

	private static final ClientApplication application = Console.unrestricted("mcp.servers.trial.url=" + server.url(),
			"mcp.servers.trial.tools.filter=*,!erase",
			"mcp.servers.down.url=http://localhost:" + Peers.freePort() + "/mcp",
			"mcp.servers.off.url=http://localhost:9/mcp", "mcp.servers.off.enabled=false");

	@RegisterExtension
	private final Browser browser = new Browser();

	private void openList() {
		this.browser.open(Console.url(application));
		this.browser.find("[data-server=trial] [data-state=READY]");
	}

	private void go(String view) {
		this.browser.go("/server/" + view);
		this.browser.find("[data-server-page] [role=tab]");
	}

	@Test
	void axeFindsNoBarrier() throws IOException {
		boolean required = Boolean.parseBoolean(System.getenv("CI"));
		Assumptions.assumeTrue(required || Files.exists(AXE), "axe is not installed: this test needs Node and npm");
		openList();
		this.browser.driver().executeScript(Files.readString(AXE));
		axeFindsNoBarrierIn("list");
		for (String view : List.of("trial/overview", "trial/tools", "trial/tools/order", "trial/prompts",
				"trial/prompts/greet", "trial/resources", "trial/excluded", "trial/calls", "trial/messages",
				"trial/configuration", "trial/doctor", "down/overview", "off/overview")) {
			go(view);
			axeFindsNoBarrierIn(view);
		}
	}

	private void axeFindsNoBarrierIn(String view) {
		assertThat(violations(Map.of())).as(view).isEmpty();
		this.browser.scheme("dark");
		// nothing but colors differs
		assertThat(violations(Map.of("runOnly", List.of("color-contrast", "link-in-text-block")))).as(view + ", dark")
			.isEmpty();
		this.browser.scheme("light");
	}

	private List<?> violations(Map<String, ?> options) {
		return (List<?>) this.browser.driver()
			.executeAsyncScript(
					"""
							const [options, done] = arguments;
							axe.run({...options, resultTypes: ['violations']}).then(({violations}) => done(
								violations.flatMap(({id, nodes}) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`))),
								(error) => done([String(error)]));
							""",
					options);
	}

	@Test
	void aNarrowScreenScrollsInOneDirection() {
		this.browser.size(360, 740);
		openList();
		isNotWider("list");
		for (String view : List.of("trial/overview", "trial/tools", "trial/tools/order", "trial/messages",
				"trial/configuration", "down/overview")) {
			go(view);
			isNotWider(view);
		}
	}

	private void isNotWider(String view) {
		assertThat((Long) this.browser.now("document.documentElement.scrollWidth")).as(view).isLessThanOrEqualTo(360);
	}

	@Test
	void aKeyboardAloneCallsATool() {
		openList();
		tabTo((element) -> "trial".equals(element.getText()));
		this.browser.key(Keys.ENTER);
		this.browser.find("[data-server-page=trial]");
		tabTo((element) -> "tab".equals(element.getDomAttribute("role")));
		this.browser.key(Keys.ARROW_RIGHT);
		this.browser.find("[data-tab=tools][aria-selected=true]");
		tabTo((element) -> "text".equals(element.getText()));
		this.browser.key(Keys.ENTER);
		this.browser.find("button", "Call");
		tabTo((element) -> "Call".equals(element.getText()));
		this.browser.key(Keys.ENTER);
		this.browser.see("the second one indented");
	}

	/**
	 * Press the tabulator until something has the focus, which can be seen there.
	 */
	private void tabTo(Predicate<WebElement> wanted) {
		for (int i = 0; i < 60; i++) {
			this.browser.key(Keys.TAB);
			WebElement focused = this.browser.driver().switchTo().activeElement();
			if (wanted.test(focused)) {
				assertThat(this.browser.now("getComputedStyle(document.activeElement).outlineStyle"))
					.isNotEqualTo("none");
				return;
			}
		}
		throw new AssertionError("The focus does not get there");
	}

}
