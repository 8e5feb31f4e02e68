package io.github.mcpclient.transport.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

import io.github.mcpclient.testsupport.TestDefaults;
import io.github.mcpclient.testsupport.Unchecked;
import org.awaitility.Awaitility;

/**
 * A server that can break the rules of HTTP, until the end of the test.
 */
final class RawHttpServer implements AutoCloseable {

	private final ServerSocket server;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<String> requests = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "raw-http-server");
		thread.setDaemon(true);
		return thread;
	});

	private RawHttpServer(Script script) throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
		this.threads.execute(() -> accept(script));
	}

	static RawHttpServer start(Script script) {
		return TestDefaults.closing(Unchecked.get(() -> new RawHttpServer(script)));
	}

	private void accept(Script script) {
		try {
			while (true) {
				Socket socket = this.server.accept();
				this.sockets.add(socket);
				try {
					this.threads.execute(() -> serve(socket, script));
				}
				catch (RejectedExecutionException ex) {
					// closed meanwhile
					socket.close();
				}
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void serve(Socket socket, Script script) {
		try (socket) {
			script.run(new Connection(socket));
		}
		catch (IOException ex) {
			// the client is gone, or the test is over
		}
	}

	String url() {
		return "http://localhost:" + port() + "/mcp";
	}

	int port() {
		return this.server.getLocalPort();
	}

	List<String> requests() {
		return this.requests;
	}

	int accepted() {
		return this.sockets.size();
	}

	/**
	 * Return the number of connections that this side did not close.
	 */
	long open() {
		return this.sockets.stream().filter((socket) -> !socket.isClosed()).count();
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		// before the connections are closed, so that none is served that is accepted
		// after that
		this.threads.shutdownNow();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	/**
	 * Refuse further connections.
	 */
	void stopListening() throws IOException {
		this.server.close();
		// the thread that accepts may still be about to
		Awaitility.await().until(() -> {
			try (Socket socket = new Socket(this.server.getInetAddress(), this.server.getLocalPort())) {
				return !socket.isConnected();
			}
			catch (ConnectException ex) {
				return true;
			}
		});
	}

	/**
	 * What to do with a connection, which is closed at the end.
	 */
	@FunctionalInterface
	interface Script {

		void run(Connection connection) throws IOException;

	}

	final class Connection {

		private final Socket socket;

		private final InputStream in;

		Connection(Socket socket) throws IOException {
			this.socket = socket;
			this.in = socket.getInputStream();
		}

		/**
		 * Read a request.
		 * @return head and body
		 */
		String read() throws IOException {
			StringBuilder request = new StringBuilder();
			int length = -1;
			while (true) {
				int next = this.in.read();
				if (next == -1) {
					throw new IOException("The client closed the connection");
				}
				request.append((char) next);
				if (length == -1 && request.length() > 4 && request.indexOf("\r\n\r\n", request.length() - 4) != -1) {
					length = length(request.toString());
				}
				else if (length > 0) {
					length--;
				}
				if (length == 0) {
					RawHttpServer.this.requests.add(request.toString());
					return request.toString();
				}
			}
		}

		private int length(String head) {
			for (String line : head.split("\r\n")) {
				if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
					return Integer.parseInt(line.substring("content-length:".length()).trim());
				}
			}
			return 0;
		}

		void write(String text) throws IOException {
			write(text.getBytes(StandardCharsets.UTF_8));
		}

		void write(byte[] bytes) throws IOException {
			this.socket.getOutputStream().write(bytes);
			this.socket.getOutputStream().flush();
		}

		void answer(String status, String headers, String body) throws IOException {
			write("HTTP/1.1 " + status + "\r\n" + headers + "Content-Length: "
					+ body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
		}

		/**
		 * Close with RST.
		 */
		void reset() throws IOException {
			this.socket.setSoLinger(true, 0);
			this.socket.close();
		}

		/**
		 * Wait until the client closes the connection.
		 */
		void awaitClose() throws IOException {
			while (this.in.read() != -1) {
				// ignored
			}
		}

	}

}
