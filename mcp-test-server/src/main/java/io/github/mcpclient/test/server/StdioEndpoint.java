package io.github.mcpclient.test.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * The server over stdio: where its child processes report.
 */
final class StdioEndpoint {

	private final Dispatcher dispatcher;

	private final Consumer<McpTestProcess> listener;

	private final ServerSocket socket;

	private final String token = UUID.randomUUID().toString();

	private final List<McpTestProcess> processes = new CopyOnWriteArrayList<>();

	StdioEndpoint(Dispatcher dispatcher, Consumer<McpTestProcess> listener) {
		this.dispatcher = dispatcher;
		this.listener = listener;
		try {
			this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		dispatcher.threads().execute(this::accept);
	}

	List<String> command() {
		try {
			Path java = Path.of(System.getProperty("java.home"), "bin", "java");
			Path classes = Path.of(StdioRelay.class.getProtectionDomain().getCodeSource().getLocation().toURI());
			return List.of(java.toString(), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx64m", "-cp",
					classes.toString(), StdioRelay.class.getName(), String.valueOf(this.socket.getLocalPort()),
					this.token);
		}
		catch (URISyntaxException ex) {
			throw new IllegalStateException(ex);
		}
	}

	List<McpTestProcess> processes() {
		return this.processes.stream().filter(McpTestProcess::isAlive).toList();
	}

	void close() {
		try {
			this.socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		this.processes.forEach(McpTestProcess::kill);
	}

	private void accept() {
		try {
			while (true) {
				Socket child = this.socket.accept();
				this.dispatcher.threads().execute(() -> serve(child));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			McpTestProcess process = new McpTestProcess(this.dispatcher, socket, this.token);
			this.processes.add(process);
			if (!this.dispatcher.isRunning()) {
				process.exit(1);
				return;
			}
			try {
				this.listener.accept(process);
				this.dispatcher.log().changed();
				process.serve();
			}
			finally {
				this.processes.remove(process);
				this.dispatcher.log().changed();
			}
		}
		catch (IOException ex) {
			// the process has ended
		}
	}

}
