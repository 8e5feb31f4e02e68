package io.github.mcpclient.spi;

import org.springframework.util.Assert;

/**
 * Turns on the recording of the latest messages of each server, for
 * {@link io.github.mcpclient.management.ManagedMcpServer#recentMessages(long)}. If there
 * are several beans of this type, the largest number applies. Messages may contain
 * personal data: only known secrets, and what looks like a credential, are masked.
 *
 * <p>
 * The texts of all servers together take at most a thirty-second of the heap. Where they
 * would take more, servers whose messages take more than an even share keep fewer.
 *
 * @param messages how many messages of each server are kept, from 0, which keeps none, to
 * 10000
 */
public record McpMessageRecording(int messages) {

	private static final int MOST = 10_000;

	public McpMessageRecording {
		Assert.isTrue(messages >= 0 && messages <= MOST, () -> "'messages' must be from 0 to " + MOST);
	}

}
