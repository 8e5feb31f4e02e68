package io.github.mcpclient.internal.session;

import java.util.concurrent.atomic.AtomicBoolean;

import org.jspecify.annotations.Nullable;

/**
 * Whether the server was last found to speak only revisions up to 2025-11-25, so that
 * attempts to connect need not ask for others first. Safe for use by many threads.
 */
public final class EraMemory {

	private final AtomicBoolean startedAgain = new AtomicBoolean();

	private volatile boolean legacy;

	// what it was met with where the question alone may be the reason
	private volatile @Nullable String suspicion;

	private volatile @Nullable String revision;

	private volatile boolean late;

	/**
	 * Continues the memory of a connection that this one replaces.
	 */
	public void follow(EraMemory predecessor) {
		this.legacy = predecessor.legacy;
		this.late = predecessor.late;
		this.revision = predecessor.revision;
	}

	/**
	 * Notes that the server may not have survived to be asked for other revisions: the
	 * next session does without.
	 * @return whether that may be within the same attempt, which is so once until a
	 * session opens
	 */
	public boolean diedOfProbe() {
		suspect("The process exited");
		return this.startedAgain.compareAndSet(false, true);
	}

	/**
	 * Notes that the question may be what the server was silent for, or broke the
	 * connection: the next session does without.
	 */
	void suspect(String reason) {
		this.suspicion = reason;
	}

	@Nullable String suspicion() {
		return this.suspicion;
	}

	boolean isLegacy() {
		return this.legacy || this.suspicion != null;
	}

	/**
	 * Returns the revision to begin with, where the server refuses newer ones.
	 */
	@Nullable String revision() {
		return this.revision;
	}

	void noteRevision(String revision) {
		this.revision = revision;
	}

	/**
	 * Returns whether the server speaks other revisions, but takes its time to say so.
	 */
	boolean isLate() {
		return this.late;
	}

	void note(boolean legacy) {
		this.legacy = legacy;
		this.suspicion = null;
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
		this.suspicion = null;
	}

}
