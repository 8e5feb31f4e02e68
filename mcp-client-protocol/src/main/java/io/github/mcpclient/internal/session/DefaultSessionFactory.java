package io.github.mcpclient.internal.session;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;

import io.github.mcpclient.internal.support.ClientScheduler;
import io.modelcontextprotocol.spec.McpClientTransport;

/**
 * Makes sessions of all protocol versions from 2024-11-05 to 2026-07-28.
 *
 * @param scheduler runs deadlines
 * @param progress returns, for the name of a server, the scheduler of the consumers of
 * progress, which may block
 */
public record DefaultSessionFactory(ClientScheduler scheduler,
		BiConsumer<String, Runnable> progress) implements McpSession.Factory {

	// half of the largest integer that servers may support
	private static final int MAX_FIRST_ID = 1 << 30;

	@Override
	public McpSession create(McpClientTransport transport, SessionOptions options, McpSession.Listener listener) {
		RequestChannel channel = new RequestChannel(transport, this.scheduler, this.progress, options,
				listener.wantsProgress(), MessageRecorder.of(options, listener, this.scheduler),
				ThreadLocalRandom.current().nextInt(1, MAX_FIRST_ID));
		return new Session(transport, options, listener, channel);
	}

}
