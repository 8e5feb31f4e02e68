package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;

/**
 * A small HTTP proxy that makes tunnels with {@code CONNECT}, where it is let.
 */
public final class ForwardProxy implements AutoCloseable {

	private final ServerSocket server;

	private final boolean open;

	private final List<Socket> sockets = new CopyOnWriteArrayList<>();

	private final List<String> targets = new CopyOnWriteArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "forward-proxy");
		thread.setDaemon(true);
		return thread;
	});

	private ForwardProxy(boolean open) {
		this.open = open;
		try {
			this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.threads.execute(this::accept);
	}

	public static ForwardProxy start() {
		return new ForwardProxy(true);
	}

	/**
	 * A proxy that wants credentials, and takes none.
	 */
	public static ForwardProxy refusing() {
		return new ForwardProxy(false);
	}

	public int port() {
		return this.server.getLocalPort();
	}

	/**
	 * What connections were asked for, as host and port.
	 */
	public List<String> targets() {
		return this.targets;
	}

	private void accept() {
		try {
			while (true) {
				Socket client = this.server.accept();
				keep(client);
				this.threads.execute(() -> serve(client));
			}
		}
		catch (IOException | RejectedExecutionException ex) {
			// closed
		}
	}

	/**
	 * Keep it to be ended with the proxy, also where that ends between the two.
	 */
	private void keep(Socket socket) throws IOException {
		this.sockets.add(socket);
		if (this.server.isClosed()) {
			socket.close();
		}
	}

	private void serve(Socket client) {
		try (client) {
			String[] request = head(client.getInputStream()).split(" ");
			this.targets.add(request[1]);
			if (!this.open || !request[0].equals("CONNECT")) {
				write(client, "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
				return;
			}
			int colon = request[1].lastIndexOf(':');
			try (Socket target = new Socket(request[1].substring(0, colon),
					Integer.parseInt(request[1].substring(colon + 1)))) {
				keep(target);
				write(client, "HTTP/1.1 200 OK\r\n\r\n");
				this.threads.execute(() -> copy(target, client));
				copy(client, target);
			}
		}
		catch (IOException | RejectedExecutionException ex) {
			// one of the two has gone, or the proxy is closed
		}
	}

	private static String head(InputStream in) throws IOException {
		StringBuilder head = new StringBuilder();
		while (head.length() < 4 || head.indexOf("\r\n\r\n", head.length() - 4) == -1) {
			int next = in.read();
			if (next == -1) {
				throw new IOException("No request");
			}
			head.append((char) next);
		}
		return head.toString();
	}

	private static void write(Socket socket, String text) throws IOException {
		socket.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
	}

	private static void copy(Socket from, Socket to) {
		try (from; to) {
			from.getInputStream().transferTo(to.getOutputStream());
		}
		catch (IOException ex) {
			// one of the two has gone
		}
	}

	/**
	 * End all tunnels, and refuse new ones.
	 */
	public void stop() throws IOException {
		this.server.close();
		for (Socket socket : this.sockets) {
			socket.close();
		}
	}

	@Override
	public void close() throws IOException {
		stop();
		this.threads.shutdownNow();
	}

}
