package io.github.mcpclient.faults;

import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * Lets many call at once, or nobody.
 */
final class SoakPause {

	private final ReentrantReadWriteLock lock = new ReentrantReadWriteLock(true);

	void call(Runnable call) {
		this.lock.readLock().lock();
		try {
			call.run();
		}
		finally {
			this.lock.readLock().unlock();
		}
	}

	/**
	 * Do something while no call is under way.
	 */
	void pause(Runnable task) {
		this.lock.writeLock().lock();
		try {
			task.run();
		}
		finally {
			this.lock.writeLock().unlock();
		}
	}

}
