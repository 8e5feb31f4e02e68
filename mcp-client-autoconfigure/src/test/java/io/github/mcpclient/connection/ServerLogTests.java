package io.github.mcpclient.connection;

import java.util.List;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.github.mcpclient.McpServerDefinition;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerLog}.
 */
class ServerLogTests {

	private final Logger logger = (Logger) LoggerFactory.getLogger("io.github.mcpclient.server.chatty");

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	private final ServerLog log = new ServerLog("chatty",
			new ErrorWording(McpServerDefinition.stdio("chatty", "server").build()));

	@BeforeEach
	void record() {
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setLevel(Level.DEBUG);
		this.logger.setAdditive(false);
	}

	@AfterEach
	void stop() {
		this.logger.detachAppender(this.appender);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
	}

	@ParameterizedTest
	@CsvSource({ "DEBUG,DEBUG", "INFO,INFO", "NOTICE,INFO", "WARNING,WARN", "ERROR,ERROR", "CRITICAL,ERROR",
			"ALERT,ERROR", "EMERGENCY,ERROR" })
	void levelsAreMapped(LoggingLevel level, String expected) {
		this.log.log(level, "db", "a {} line\nand a forged one");
		List<ILoggingEvent> events = this.appender.list;
		assertThat(events).hasSize(1);
		assertThat(events.get(0).getLevel()).isEqualTo(Level.toLevel(expected));
		assertThat(events.get(0).getFormattedMessage()).isEqualTo("[db] a {} line and a forged one");
	}

	@ParameterizedTest
	@EnumSource(LoggingLevel.class)
	void everyLevelHasAPlace(LoggingLevel level) {
		this.log.log(level, null, "text");
		assertThat(this.appender.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly("text");
	}

	@Test
	void operatorCanQuietenOneServer() {
		this.logger.setLevel(Level.ERROR);
		this.log.log(LoggingLevel.WARNING, null, "text");
		assertThat(this.appender.list).isEmpty();
	}

}
