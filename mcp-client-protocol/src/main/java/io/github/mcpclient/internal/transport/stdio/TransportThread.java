package io.github.mcpclient.internal.transport.stdio;

import reactor.core.scheduler.NonBlocking;

/**
 * A daemon thread of a transport. It does blocking I/O, but whoever else comes to run on
 * it must not block: {@code block()} says so at once, instead of waiting for ever.
 */
final class TransportThread extends Thread implements NonBlocking {

	TransportThread(String name, Runnable task) {
		super(null, task, name, 0, false);
		setDaemon(true);
	}

}
