package io.github.mcpclient.testsupport;

/**
 * How often what is a matter of repetition is repeated: a tenth as often as it could be,
 * unless {@code -Dendurance} asks for all of it, as {@code .ci/run full} does.
 */
public final class Endurance {

	private static final boolean FULL = Boolean.getBoolean("endurance");

	private Endurance() {
	}

	public static boolean isFull() {
		return FULL;
	}

	/**
	 * Returns how often to do what a complete run does so many times: once at least.
	 */
	public static int times(int full) {
		return FULL ? full : Math.max(1, full / 10);
	}

}
