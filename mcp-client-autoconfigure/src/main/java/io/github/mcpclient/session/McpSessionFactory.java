package io.github.mcpclient.session;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

import io.modelcontextprotocol.spec.McpClientTransport;
import reactor.core.scheduler.Scheduler;

/**
 * Makes sessions. Safe for use by many threads; does not dispose of the
 * scheduler.
 */
public final class McpSessionFactory {

	/**
	 * Below half of what servers may take for the largest integer.
	 */
	private static final int MAX_FIRST_ID = 1 << 30;

	private final Scheduler scheduler;

	private final Supplier<Scheduler> userScheduler;

	private final RandomGenerator random;

	/**
	 * Create a factory.
	 * @param scheduler runs the deadlines of requests; its tasks do not block
	 * @param userScheduler runs the application's code: the consumers of progress; asked
	 * for when there is some
	 */
	public McpSessionFactory(Scheduler scheduler, Supplier<Scheduler> userScheduler) {
		this(scheduler, userScheduler, () -> ThreadLocalRandom.current().nextLong());
	}

	McpSessionFactory(Scheduler scheduler, Supplier<Scheduler> userScheduler, RandomGenerator random) {
		this.scheduler = scheduler;
		this.userScheduler = userScheduler;
		this.random = random;
	}

	/**
	 * Make a session, to be opened once. Nothing happens before that.
	 * @param transport a transport that was not connected; the session connects it, and
	 * closes it when it is closed itself
	 * @param options what to open the session with
	 * @param listener told of what the server says unasked
	 * @return a new session
	 */
	public McpSession create(McpClientTransport transport, SessionOptions options, SessionListener listener) {
		Alarm alarm = new Alarm(this.scheduler);
		RequestChannel channel = new RequestChannel(transport, alarm, this.userScheduler, options.serverName(),
				this.random.nextInt(1, MAX_FIRST_ID));
		return new StatefulSession(transport, options, listener, alarm, channel);
	}

}
