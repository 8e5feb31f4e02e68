package io.github.mcpclient.session;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.modelcontextprotocol.spec.McpClientTransport;
import reactor.core.scheduler.Scheduler;

/**
 * Makes sessions. Safe for use by many threads; closes neither the timer nor the
 * scheduler.
 */
public class McpSessionFactory {

	/**
	 * Below half of what servers may take for the largest integer.
	 */
	private static final int MAX_FIRST_ID = 1 << 30;

	private final Scheduler scheduler;

	private final Supplier<Scheduler> userScheduler;

	/**
	 * Create a factory.
	 * @param scheduler runs the deadlines of requests; its tasks do not block
	 * @param userScheduler runs the application's code: the consumers of progress; asked
	 * for when there is some
	 */
	public McpSessionFactory(Scheduler scheduler, Supplier<Scheduler> userScheduler) {
		this.scheduler = scheduler;
		this.userScheduler = userScheduler;
	}

	/**
	 * Make a session, to be opened once. It connects the transport, and closes it when it
	 * is closed itself.
	 */
	public McpSession create(McpClientTransport transport, SessionOptions options, SessionListener listener) {
		RequestChannel channel = new RequestChannel(transport, this.scheduler, this.userScheduler, options.serverName(),
				ThreadLocalRandom.current().nextInt(1, MAX_FIRST_ID));
		return new StatefulSession(transport, options, listener, channel);
	}

}
