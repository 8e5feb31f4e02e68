package io.github.mcpclient.internal.support;

import java.time.Duration;

import io.github.mcpclient.testsupport.VirtualTime;

/**
 * {@link VirtualTime} as the scheduler of a client.
 */
public final class VirtualScheduler extends VirtualTime implements ClientScheduler {

	public VirtualScheduler(Duration... background) {
		super(background);
	}

}
