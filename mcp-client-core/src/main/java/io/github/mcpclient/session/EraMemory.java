package io.github.mcpclient.session;

/**
 * Whether the server was last found to speak only revisions up to 2025-11-25, so that
 * attempts to connect need not ask for others first. Safe for use by many threads.
 */
public final class EraMemory {

	private volatile boolean legacy;

	/**
	 * Continues the memory of a connection that this one replaces.
	 */
	public void follow(EraMemory predecessor) {
		this.legacy = predecessor.legacy;
	}

	boolean isLegacy() {
		return this.legacy;
	}

	/**
	 * Notes that the server did not survive to be asked for other revisions.
	 */
	public void diedOfProbe() {
		note(true);
	}

	void note(boolean legacy) {
		this.legacy = legacy;
	}

}
