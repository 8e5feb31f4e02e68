package io.github.mcpclient.benchmarks.client;

/**
 * Finds the peer that this JVM was started for.
 */
final class Peers {

	private Peers() {
	}

	static Peer load(String className) throws ReflectiveOperationException {
		return (Peer) Class.forName(className).getDeclaredConstructor().newInstance();
	}

}
