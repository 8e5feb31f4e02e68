package io.github.mcpclient.testsupport;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * What a logger and those below it log during a test, from DEBUG on, which goes nowhere
 * else.
 */
public final class LogCapture extends AppenderBase<ILoggingEvent>
		implements BeforeEachCallback, AfterEachCallback, AutoCloseable {

	private final Logger logger;

	private final List<ILoggingEvent> events = new CopyOnWriteArrayList<>();

	public LogCapture(Class<?> type) {
		this(type.getName());
	}

	public LogCapture(String name) {
		this.logger = (Logger) LoggerFactory.getLogger(name);
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
	 * Begins, once more after an application that sets up its log.
	 */
	public LogCapture open() {
		start();
		this.logger.addAppender(this);
		this.logger.setLevel(Level.DEBUG);
		this.logger.setAdditive(false);
		return this;
	}

	@Override
	public void close() {
		this.logger.detachAppender(this);
		this.logger.setLevel(null);
		this.logger.setAdditive(true);
		stop();
	}

	@Override
	protected void append(ILoggingEvent event) {
		this.events.add(event);
	}

	public Logger logger() {
		return this.logger;
	}

	public List<ILoggingEvent> events() {
		return this.events;
	}

	public List<String> lines() {
		return this.events.stream().map(ILoggingEvent::getFormattedMessage).toList();
	}

	/**
	 * Returns the lines of one level.
	 */
	public List<String> lines(Level level) {
		return this.events.stream()
			.filter((event) -> event.getLevel() == level)
			.map(ILoggingEvent::getFormattedMessage)
			.toList();
	}

}
