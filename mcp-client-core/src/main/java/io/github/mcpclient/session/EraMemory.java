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

	private volatile boolean late;

	/**
	 * Continues the memory of a connection that this one replaces.
	 */
	public void follow(EraMemory predecessor) {
		this.legacy = predecessor.legacy;
		this.late = predecessor.late;
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

	/**
	 * Returns whether the server speaks other revisions, but takes its time to say so.
	 */
	boolean isLate() {
		return this.late;
	}

	void note(boolean legacy) {
		this.legacy = legacy;
		this.suspected = false;
		this.startedAgain.set(false);
	}

	/**
	 * Notes whether the server said that it speaks other revisions when it had opened a
	 * session already.
	 */
	void noteLate(boolean late) {
		this.late = late;
		if (late) {
			this.legacy = false;
		}
	}

	/**
	 * Notes that it was no better without being asked.
	 */
	void clear() {
		this.suspected = false;
	}

}
