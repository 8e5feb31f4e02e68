package io.github.mcpclient.faults;

import io.github.mcpclient.testsupport.Endurance;
import io.github.mcpclient.testsupport.TestDefaults;
import io.github.mcpclient.testsupport.faults.Transport;

/**
 * A server that fails as it is told. Its tools: {@code echo}, {@code read} (the same, but
 * declared read-only), {@code hang}, {@code huge} (a result of 100 MB), {@code endless},
 * {@code noise}, {@code ids} (answers with strange ids beside the right one) and
 * {@code storm} ({@code message} announcements of other tools, or 10,000). Where it is
 * told to, also {@code nested}, {@code optional} and {@code lookahead}, whose results are
 * declared to match a pattern that is hard to match.
 */
interface FaultyPeer extends AutoCloseable {

	static FaultyPeer start(Transport transport) {
		return TestDefaults.closing((transport == Transport.STDIO) ? new FaultyChild() : new FaultyServer(transport));
	}

	/**
	 * A peer that is not there until it is {@link #up() up}.
	 */
	static FaultyPeer startDown(Transport transport) {
		FaultyPeer peer = start(transport);
		peer.down();
		return peer;
	}

	/**
	 * How an application reaches it.
	 * @param name the name of the server
	 * @return properties
	 */
	String[] properties(String name);

	/**
	 * Die at once, and do not come back.
	 */
	void down();

	/**
	 * Come back.
	 */
	void up();

	/**
	 * Die at once, and come back.
	 */
	default void restart() {
		down();
		up();
	}

	/**
	 * Offer, beside {@code echo} and {@code read}, just these tools from now on.
	 */
	void tools(String... names);

	/**
	 * How many of what there is a lot of: 10,000 over streamable HTTP, and a tenth of it
	 * over other transports unless {@code -Dendurance} is set.
	 */
	static int many(Transport transport) {
		return (transport == Transport.STREAMABLE_HTTP) ? 10_000 : Endurance.times(10_000);
	}

	void behave(Behaviour behaviour, boolean on);

	/**
	 * How often it was initialized, or at least started in order to be.
	 */
	int starts();

	/**
	 * How often its tools were listed.
	 */
	int listings();

	@Override
	void close();

	/**
	 * What it can do beside what its tools do.
	 */
	enum Behaviour {

		/**
		 * Each page of tools names another one.
		 */
		ENDLESS_LISTING,

		/**
		 * With each list of tools comes the announcement of another one.
		 */
		ANNOUNCING,

		/**
		 * Each list of tools has one that the one before did not have.
		 */
		ALTERNATING,

		/**
		 * There are {@link #many} more tools.
		 */
		MANY,

		/**
		 * New connections are accepted, and nothing is answered there.
		 */
		SILENT

	}

}
