package io.github.mcpclient.faults;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import org.slf4j.LoggerFactory;

/**
 * The lines that an operator reads, of all loggers but that of failed calls, that hold a
 * text.
 */
final class LogLines extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private final List<String> lines = new CopyOnWriteArrayList<>();

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final String text;

	LogLines(String text) {
		this.text = text;
		setContext(this.root.getLoggerContext());
		start();
		this.root.addAppender(this);
	}

	@Override
	protected void append(ILoggingEvent event) {
		String line = event.getFormattedMessage();
		if (event.getLevel().isGreaterOrEqual(Level.INFO) && line.contains(this.text)
				&& !event.getLoggerName().equals("io.github.mcpclient.calls")) {
			this.lines.add(line);
		}
	}

	List<String> lines() {
		return this.lines;
	}

	@Override
	public void close() {
		this.root.detachAppender(this);
		stop();
	}

}
