package io.github.mcpclient.internal.connection;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.testsupport.CapturedLog;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerLog}.
 */
class ServerLogTests {

	@RegisterExtension
	private final CapturedLog captured = new CapturedLog("io.github.mcpclient.server.chatty");

	private final AtomicLong time = new AtomicLong();

	private final ServerLog log = new ServerLog("chatty",
			new ErrorWording(McpServerDefinition.stdio("chatty", "server").build(), true),
			new LogLimit(this.time::get));

	@ParameterizedTest
	@CsvSource({ "DEBUG,DEBUG", "INFO,INFO", "NOTICE,INFO", "WARNING,WARN", "ERROR,ERROR", "CRITICAL,ERROR",
			"ALERT,ERROR", "EMERGENCY,ERROR" })
	void levelsAreMapped(LoggingLevel level, String expected) {
		this.log.log(level, "db", "a {} line\nand a forged one");
		List<ILoggingEvent> events = this.captured.events();
		assertThat(events).hasSize(1);
		assertThat(events.get(0).getLevel()).isEqualTo(Level.toLevel(expected));
		assertThat(events.get(0).getFormattedMessage()).isEqualTo("[db] a {} line and a forged one");
	}

	@ParameterizedTest
	@EnumSource(LoggingLevel.class)
	void everyLevelHasAPlace(LoggingLevel level) {
		this.log.log(level, null, "text");
		assertThat(this.captured.events()).extracting(ILoggingEvent::getFormattedMessage).containsExactly("text");
	}

	@Test
	void controlCharactersDoNotReachTheLog() {
		this.log.log(LoggingLevel.INFO, "\u001b[31m", "a\u0000b\u001b[2Jc\r\nd\u202ee\u2028f\u0085g");
		assertThat(this.captured.events()).singleElement()
			.satisfies((event) -> assertThat(event.getFormattedMessage())
				.doesNotContainPattern("[\\p{Cc}\\p{Cf}\\u2028\\u2029]")
				.contains("abc de fg"));
	}

	@Test
	void stormIsCutShort() {
		for (int i = 0; i < 100_000; i++) {
			this.log.log(LoggingLevel.WARNING, null, "text " + i);
		}
		assertThat(this.captured.events()).hasSizeBetween(10, 1000);
		assertThat(this.captured.events().get(this.captured.events().size() - 1).getFormattedMessage())
			.endsWith("further lines are omitted");
		long before = this.captured.events().size();
		this.time.addAndGet(TimeUnit.MINUTES.toNanos(1));
		this.log.log(LoggingLevel.ERROR, null, "calm");
		assertThat(this.captured.events()).hasSize((int) before + 2)
			.allSatisfy((event) -> assertThat(event.getLevel()).isIn(Level.WARN, Level.ERROR));
		assertThat(this.captured.events().get((int) before).getFormattedMessage())
			.isEqualTo((100_000 - (before - 1)) + " lines were omitted");
	}

	@Test
	void whatIsNotLoggedIsNotCounted() {
		this.captured.level(Level.INFO);
		for (int i = 0; i < 100_000; i++) {
			this.log.log(LoggingLevel.DEBUG, null, "text " + i);
		}
		this.log.log(LoggingLevel.INFO, null, "text");
		assertThat(this.captured.events()).hasSize(1);
	}

	@Test
	void operatorCanQuietenOneServer() {
		this.captured.level(Level.ERROR);
		this.log.log(LoggingLevel.WARNING, null, "text");
		assertThat(this.captured.events()).isEmpty();
	}

}
