package io.github.mcpclient.console;

import java.util.List;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the console of the sample, whose jar runs as its users run it, with one more
 * server that the test stops and starts.
 */
class SampleTests {

	private static final McpTestServer library = McpTestServer.create()
		.tool(TrialServer.readOnly("find"), (request) -> McpTestReply.text("Found."))
		.start();

	private static final SampleProcess sample = SampleProcess.start("--mcp.servers.library.url=" + library.url(),
			"--mcp.servers.everything.enabled=false");

	@RegisterExtension
	private final Browser browser = new Browser();

	private void open(String path) {
		this.browser.open(sample.url() + "#/" + path);
	}

	@Test
	void showsItsServersWithTheWorstFirst() {
		open("");
		for (String server : List.of("demo", "socket", "library")) {
			this.browser.find("[data-server=" + server + "] [data-state=READY]");
		}
		this.browser.see("[data-server=down]", "refused");
		assertThat(this.browser.now("all('[data-server]').map((row) => row.dataset.server)"))
			.isEqualTo(List.of("down", "demo", "socket", "library", "everything"));
		this.browser.see("[role=columnheader]", "Calls/s");
	}

	@Test
	void aServerDiesAndComesBackWhileThePageIsOpen() {
		open("");
		this.browser.find("[data-server=library] [data-state=READY]");
		library.stop();
		this.browser.see("[data-server=library] [data-column=error]", "library");
		library.start();
		this.browser.find("[data-server=library] [data-state=READY]");
	}

	@Test
	void aToolIsTried() {
		open("server/demo/tools/dice_roll");
		this.browser.type("[data-path='/count'] input:not([type=checkbox])", "3");
		this.browser.press("Call");
		this.browser.see("#result[data-outcome=result]", "Rolled [");
		this.browser.go("/server/demo/messages");
		this.browser.see("li.pair [data-message=request]", "tools/call");
		this.browser.see("li.pair:has([data-message=request]) [data-message=response]", "after");
	}

	@Test
	void aDeclaredClientIsCopied() {
		open("server/demo/tools");
		this.browser.press("Copy as Java");
		this.browser.see("[data-snippet=client]", "public interface Demo {");
		this.browser.go("/server/demo/tools/dice_roll");
		this.browser.press("Copy as declared client");
		this.browser.see("[data-snippet=client]", "@McpToolCall(\"dice_roll\")");
	}

	@Test
	void theDoctorSaysWhyAServerIsDown() {
		open("server/down/doctor");
		this.browser.press("Check this server");
		this.browser.see("[data-step=TCP][data-outcome=FAILED]", "What to do");
		this.browser.go("/server/demo/doctor");
		this.browser.press("Check this server");
		this.browser.find("[data-step=LISTING][data-outcome=PASSED]");
	}

}
