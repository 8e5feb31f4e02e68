package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.mcpclient.McpProtocolException;
import io.github.mcpclient.McpRequestTimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallLog}.
 */
class CallLogTests {

	private final AtomicLong time = new AtomicLong();

	private final CallLog log = new CallLog(this.time::get);

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.mcpclient.calls");

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	@BeforeEach
	void listen() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setAdditive(false);
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.appender);
		this.logger.setAdditive(true);
	}

	@Test
	void oneServerDoesNotHideAnother() {
		for (int i = 0; i < 1000; i++) {
			fail("a");
		}
		fail("b");
		assertThat(lines()).hasSize(CallLog.LINES_OF_SERVER + 2).last().asString().contains("'b_x'");
		advance(Duration.ofMinutes(1));
		fail("a");
		assertThat(lines()).contains("Failed calls of tools of MCP server 'a': 990 lines were left out")
			.last()
			.asString()
			.contains("'a_x'");
	}

	@Test
	void thousandsOfServersThatAreDownDoNotFlood() {
		for (int second = 0; second < 60; second++) {
			for (int server = 0; server < 3000; server++) {
				fail("s" + server);
			}
			advance(Duration.ofSeconds(1));
		}
		// 200 lines and a notice or two in ten seconds
		assertThat(lines()).hasSizeLessThanOrEqualTo(6 * 202);
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
		assertThat(lines()).last().asString().contains("'a_x'");
	}

	@Test
	void whatAServerSaysIsOneShortLine() {
		this.log.failed("a", "a_x\n" + "y".repeat(1000),
				new McpProtocolException("a", "tools/call x", 1, "first\nsecond\u202e" + "z".repeat(100_000), null));
		assertThat(lines()).singleElement()
			.asString()
			.hasSizeLessThan(1300)
			.contains("first secondzz")
			.doesNotContain("\n");
	}

	private void fail(String server) {
		this.log.failed(server, server + "_x", new McpRequestTimeoutException(server, "tools/call x", Duration.ZERO));
	}

	private List<String> lines() {
		return this.appender.list.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	private void advance(Duration duration) {
		this.time.addAndGet(duration.toNanos());
	}

}
