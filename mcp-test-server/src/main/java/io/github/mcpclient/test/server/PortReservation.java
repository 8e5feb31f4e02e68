package io.github.mcpclient.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port that refuses connections until a server listens on it. On Linux, the port is
 * bound without listening, so that no other process receives it.
 */
final class PortReservation {

	private final Socket socket = new Socket();

	private final int number;

	PortReservation() {
		try {
			this.socket.setReuseAddress(true);
			this.socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), 0));
			this.number = this.socket.getLocalPort();
			if (!System.getProperty("os.name").startsWith("Linux")) {
				this.socket.close();
			}
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	int number() {
		return this.number;
	}

	void release() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
