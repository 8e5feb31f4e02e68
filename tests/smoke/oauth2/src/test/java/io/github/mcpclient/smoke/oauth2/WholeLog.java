package io.github.mcpclient.smoke.oauth2;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import jakarta.servlet.Filter;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * All that an application logs while this is open, at all levels, in place of the
 * console. What the servers in this JVM log is left out: they may say what they like.
 */
final class WholeLog extends AppenderBase<ILoggingEvent> implements AutoCloseable {

	private static final String SERVER = "server";

	private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

	private final Level level = this.root.getLevel();

	private final List<Appender<ILoggingEvent>> others = new ArrayList<>();

	private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

	WholeLog() {
		this.root.iteratorForAppenders().forEachRemaining(this.others::add);
		this.others.forEach(this.root::detachAppender);
		setContext(this.root.getLoggerContext());
		start();
		this.root.addAppender(this);
		this.root.setLevel(Level.TRACE);
	}

	/**
	 * Have a filter mark what is logged within it as that of a server.
	 */
	static Filter ofServer(Filter filter) {
		return (request, response, chain) -> {
			MDC.put(SERVER, "yes");
			try {
				filter.doFilter(request, response, chain);
			}
			finally {
				MDC.remove(SERVER);
			}
		};
	}

	@Override
	protected void append(ILoggingEvent event) {
		String logger = event.getLoggerName();
		// Tomcat is that of the servers, too; and it is with the JDK's client, which logs
		// all headers, that Spring Security's login asks who the user is
		if (!event.getMDCPropertyMap().containsKey(SERVER) && !logger.startsWith("org.apache.")
				&& !logger.startsWith("sun.net.www.")) {
			this.events.add(event);
		}
	}

	String text() {
		return this.events.stream()
			.map((event) -> event.getLoggerName() + ": " + event.getFormattedMessage()
					+ ((event.getThrowableProxy() != null) ? ThrowableProxyUtil.asString(event.getThrowableProxy())
							: ""))
			.collect(Collectors.joining("\n"));
	}

	@Override
	public void close() {
		this.root.detachAppender(this);
		this.root.setLevel(this.level);
		this.others.forEach(this.root::addAppender);
	}

}
