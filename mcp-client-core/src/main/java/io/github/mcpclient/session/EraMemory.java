package io.github.mcpclient.session;

import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Whether the server was last found to speak only revisions up to 2025-11-25, so that
 * attempts to connect need not ask for others first. Safe for use by many threads.
 */
public final class EraMemory {

	private final AtomicBoolean startedAgain = new AtomicBoolean();

	private volatile boolean legacy;

	private volatile boolean suspected;

	/**
	 * Continues the memory of a connection that this one replaces.
	 */
	public void follow(EraMemory predecessor) {
		this.legacy = predecessor.legacy;
	}

	/**
	 * Notes that the server may not have survived to be asked for other revisions: the
	 * next session does without.
	 * @return whether that may be within the same attempt, which is so once until a
	 * session opens
	 */
	public boolean diedOfProbe() {
		this.suspected = true;
		return this.startedAgain.compareAndSet(false, true);
	}

	boolean isLegacy() {
		return this.legacy || this.suspected;
	}

	void note(boolean legacy) {
		this.legacy = legacy;
		this.suspected = false;
		this.startedAgain.set(false);
	}

	/**
	 * Notes that it was no better without being asked.
	 */
	void clear() {
		this.suspected = false;
	}

}
