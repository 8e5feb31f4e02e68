package io.github.mcpclient.console;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.github.mcpclient.test.server.McpTestReply;
import io.github.mcpclient.test.server.McpTestServer;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.openqa.selenium.OutputType;

/**
 * Makes the pictures of the console in the documentation, on the sample, if it is asked
 * to by {@code -Dscreenshots.write=true}.
 */
@EnabledIfSystemProperty(named = "screenshots.write", matches = "true")
class ScreenshotTests {

	private static final int WIDTH = 1200;

	private static final McpTestServer library = McpTestServer.create()
		.serverInfo("Library", "3.2.0")
		.tool(TrialServer.readOnly("find"), (request) -> McpTestReply.text("Found."))
		.start();

	private static final SampleProcess sample = SampleProcess.start("--mcp.servers.library.url=" + library.url(),
			"--mcp.servers.archive.url=https://archive.invalid/mcp", "--mcp.servers.everything.enabled=false");

	@RegisterExtension
	private final Browser browser = new Browser();

	@ParameterizedTest
	@ValueSource(strings = { "light", "dark" })
	void console(String scheme) throws IOException {
		this.browser.scheme(scheme);
		this.browser.size(WIDTH, 400);
		this.browser.open(sample.url());
		this.browser.find("[data-server=demo] [data-state=READY]");
		this.browser.see("[data-server=down]", "refused");
		write("servers", scheme);
		this.browser.open(sample.url() + "#/server/demo/tools/dice_roll");
		this.browser.type("[data-path='/sides'] input:not([type=checkbox])", "20");
		this.browser.type("[data-path='/count'] input:not([type=checkbox])", "3");
		this.browser.press("Call");
		this.browser.see("#result[data-outcome=result]", "Rolled [");
		write("tool", scheme);
		this.browser.open(sample.url() + "#/server/down/doctor");
		this.browser.press("Check this server");
		this.browser.find("[data-step]");
		write("doctor", scheme);
	}

	private void write(String name, String scheme) throws IOException {
		this.browser.command("Emulation.setScrollbarsHidden", Map.of("hidden", true));
		long height = (Long) this.browser.now("document.documentElement.scrollHeight");
		this.browser.size(WIDTH, (int) height);
		this.browser.now("scrollTo(0, 0)");
		Files.write(Path.of("../../docs/console-" + name + "-" + scheme + ".png"),
				this.browser.driver().getScreenshotAs(OutputType.BYTES));
	}

}
