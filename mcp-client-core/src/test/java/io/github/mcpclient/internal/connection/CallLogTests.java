package io.github.mcpclient.internal.connection;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import io.github.mcpclient.testsupport.CapturedLog;
import io.github.mcpclient.testsupport.Endurance;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallLog}.
 */
class CallLogTests {

	private final AtomicLong time = new AtomicLong();

	private final CallLog log = new CallLog(this.time::get);

	@RegisterExtension
	final CapturedLog captured = new CapturedLog("io.github.mcpclient.calls");

	@Test
	void oneServerDoesNotHideAnother() {
		for (int i = 0; i < 1000; i++) {
			fail("a");
		}
		fail("b");
		assertThat(this.captured.lines()).hasSize(CallLog.LINES_OF_SERVER + 2).last().asString().contains("'b_x'");
		advance(Duration.ofMinutes(1));
		fail("a");
		assertThat(this.captured.lines()).contains("Failed calls of tools of MCP server 'a': 990 lines were omitted")
			.last()
			.asString()
			.contains("'a_x'");
	}

	@Test
	void thousandsOfServersThatAreDownDoNotFlood() {
		int seconds = Endurance.times(100);
		for (int second = 0; second < seconds; second++) {
			for (int server = 0; server < 3000; server++) {
				fail("s" + server);
			}
			advance(Duration.ofSeconds(1));
		}
		// 200 lines and a notice or two in ten seconds
		assertThat(this.captured.lines()).hasSizeLessThanOrEqualTo(seconds / 10 * 202);
	}

	@Test
	void serversThatComeAndGoAreForgotten() {
		for (int i = 0; i < CallLog.LINES_OF_SERVER + 1; i++) {
			fail("a");
		}
		advance(Duration.ofSeconds(10));
		for (int i = 0; i < CallLog.MAX_SERVERS; i++) {
			fail("s" + i);
		}
		advance(Duration.ofSeconds(10));
		fail("a");
		assertThat(this.captured.lines()).last().asString().contains("'a_x'");
	}

	@Test
	void whatAServerSaysIsOneShortLine() {
		this.log.failed("a", "stdio", "a_x\n" + "y".repeat(1000),
				new McpProtocolException("a", "tools/call x", 1, "first\nsecond\u202e" + "z".repeat(100_000), null));
		assertThat(this.captured.lines()).singleElement()
			.asString()
			.hasSizeLessThan(1300)
			.contains("first secondzz")
			.doesNotContain("\n");
	}

	@Test
	void namesOfToolsAreKeptWithinABoundForEachServer() {
		this.captured.level(Level.INFO);
		for (int i = 0; i <= CallLog.MAX_TOOLS_OF_SERVER; i++) {
			toolError("a", "x" + i);
		}
		advance(Duration.ofMinutes(1));
		toolError("a", "new");
		assertThat(this.captured.lines()).noneMatch((line) -> line.contains("'a_new'"));
		toolError("b", "new");
		assertThat(this.captured.lines()).last().asString().isEqualTo("MCP tool 'b_new' returned an error: no");
	}

	private void toolError(String server, String tool) {
		this.log.toolError(server, "stdio", server + "_" + tool, () -> "no");
	}

	private void fail(String server) {
		this.log.failed(server, null, server + "_x",
				new McpRequestTimeoutException(server, "tools/call x", Duration.ZERO));
	}

	private void advance(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
