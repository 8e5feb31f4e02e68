package io.github.mcpclient.session;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import io.modelcontextprotocol.spec.McpClientTransport;
import reactor.core.scheduler.Scheduler;

/**
 * Makes sessions. Safe for use by many threads.
 */
public class McpSessionFactory {

	// half of what servers may take for the largest integer
	private static final int MAX_FIRST_ID = 1 << 30;

	private final Scheduler scheduler;

	private final Supplier<Scheduler> userScheduler;

	/**
	 * Creates a factory.
	 * @param scheduler runs deadlines
	 * @param userScheduler supplies, when needed, what runs the consumers of progress
	 */
	public McpSessionFactory(Scheduler scheduler, Supplier<Scheduler> userScheduler) {
		this.scheduler = scheduler;
		this.userScheduler = userScheduler;
	}

	/**
	 * Makes a session, which connects the transport and closes it.
	 */
	public McpSession create(McpClientTransport transport, SessionOptions options, SessionListener listener) {
		RequestChannel channel = new RequestChannel(transport, this.scheduler, this.userScheduler, options,
				listener.wantsProgress(), ThreadLocalRandom.current().nextInt(1, MAX_FIRST_ID));
		return new StatefulSession(transport, options, listener, channel);
	}

}
