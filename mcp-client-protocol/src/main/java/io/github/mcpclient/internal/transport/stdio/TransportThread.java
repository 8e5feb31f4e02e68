package io.github.mcpclient.internal.transport.stdio;

import reactor.core.scheduler.NonBlocking;

/**
 * A daemon thread of a transport. It does blocking I/O, but other tasks that happen to
 * run on it must not block: {@code block()} fails immediately, instead of waiting
 * forever.
 */
final class TransportThread extends Thread implements NonBlocking {

	TransportThread(String name, Runnable task) {
		super(null, task, name, 0, false);
		setDaemon(true);
	}

}
