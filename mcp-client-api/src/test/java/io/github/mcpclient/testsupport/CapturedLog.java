package io.github.mcpclient.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * What is logged under a name during a test, {@code DEBUG} included, and printed nowhere.
 */
public final class CapturedLog implements BeforeEachCallback, AfterEachCallback, AutoCloseable {

	private final Logger logger;

	private final ListAppender<ILoggingEvent> appender = new ListAppender<>();

	public CapturedLog(String name) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
		this.appender.list = new CopyOnWriteArrayList<>();
	}

	public CapturedLog(Class<?> type) {
		this(type.getName());
	}

	@Override
	public void beforeEach(ExtensionContext context) {
		open();
	}

	@Override
	public void afterEach(ExtensionContext context) {
		close();
	}

	/**
	 * Begins, where the test does not, as after an application has set up its log.
	 */
	public CapturedLog open() {
		this.appender.list.clear();
		this.appender.start();
		this.logger.addAppender(this.appender);
		this.logger.setAdditive(false);
		level(Level.DEBUG);
		return this;
	}

	@Override
	public void close() {
		this.logger.detachAppender(this.appender);
		this.logger.setAdditive(true);
		level(null);
	}

	public void level(Level level) {
		this.logger.setLevel(level);
	}

	public List<ILoggingEvent> events() {
		return this.appender.list;
	}

	public List<String> lines() {
		return events().stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	/**
	 * Returns the lines of a level, without it.
	 */
	public List<String> lines(Level level) {
		return events().stream()
			.filter((event) -> event.getLevel() == level)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

}
