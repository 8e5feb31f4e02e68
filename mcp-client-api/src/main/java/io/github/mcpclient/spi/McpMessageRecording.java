package io.github.mcpclient.spi;

import org.springframework.util.Assert;

/**
 * Enables the recording of the latest messages of each server, for
 * {@link io.github.mcpclient.management.ManagedMcpServer#recentMessages(long)}. If there
 * are several beans of this type, the largest number applies. Messages may contain
 * personal data: only known secrets, and values that look like a credential, are masked.
 *
 * <p>
 * The texts of all servers together take at most one thirty-second of the heap. If they
 * would exceed it, fewer messages are retained for servers whose messages take more than
 * an even share.
 *
 * @param messages the number of messages to retain for each server, from 0, which
 * disables recording, to 10000
 */
public record McpMessageRecording(int messages) {

	private static final int MOST = 10_000;

	public McpMessageRecording {
		Assert.isTrue(messages >= 0 && messages <= MOST, () -> "'messages' must be from 0 to " + MOST);
	}

}
