package io.github.mcpclient.benchmarks.client;

import java.util.List;

import io.github.mcpclient.benchmarks.Result;
import io.github.mcpclient.benchmarks.server.StubServer;

/**
 * Calls a tool that answers with much text, and tells what that allocates.
 */
public final class LargeClient {

	private static final int TIMES = 10;

	private LargeClient() {
	}

	/**
	 * Measure.
	 * @param args the class of the peer, the number of characters, and the server
	 */
	public static void main(String[] args) {
		CallClient.end(() -> measure(args));
	}

	private static void measure(String[] args) throws Exception {
		String message = StubServer.LARGE + args[1];
		Peer.Client client = Peers.load(args[0]).start(List.of(args[2]));
		CallClient.awaitFirstAnswer(client);
		call(client, message);
		long before = CallClient.allocatedBytes();
		call(client, message);
		Result.of("allocated", (CallClient.allocatedBytes() - before) / 1e6 / TIMES).print();
	}

	private static void call(Peer.Client client, String message) throws Exception {
		for (int i = 0; i < TIMES; i++) {
			int length = client.echo(message).length();
			if (length < Integer.parseInt(message.substring(StubServer.LARGE.length()))) {
				throw new IllegalStateException("The answer has " + length + " characters only");
			}
		}
	}

}
