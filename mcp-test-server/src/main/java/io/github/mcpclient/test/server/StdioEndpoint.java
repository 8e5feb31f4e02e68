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
import java.util.concurrent.Executor;
import java.util.function.Consumer;

import reactor.core.scheduler.Scheduler;

/**
 * The server over stdio: where its child processes report.
 */
final class StdioEndpoint {

	private final McpTestServer server;

	private final Scheduler scheduler;

	private final Consumer<McpTestProcess> listener;

	private final ServerSocket socket;

	private final String token = UUID.randomUUID().toString();

	private final List<McpTestProcess> processes = new CopyOnWriteArrayList<>();

	StdioEndpoint(McpTestServer server, Executor threads, Scheduler scheduler, Consumer<McpTestProcess> listener) {
		this.server = server;
		this.scheduler = scheduler;
		this.listener = listener;
		try {
			this.socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		threads.execute(() -> accept(threads));
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

	private void accept(Executor threads) {
		try {
			while (true) {
				Socket child = this.socket.accept();
				threads.execute(() -> serve(child));
			}
		}
		catch (IOException ex) {
			// closed
		}
	}

	private void serve(Socket socket) {
		try (socket) {
			McpTestProcess process = new McpTestProcess(this.server, socket, this.token);
			this.processes.add(process);
			if (!this.server.isRunning()) {
				process.exit(1);
				return;
			}
			try {
				this.listener.accept(process);
				this.server.log().changed();
				process.serve(this.scheduler);
			}
			finally {
				this.processes.remove(process);
				this.server.log().changed();
			}
		}
		catch (IOException ex) {
			// the process has ended
		}
	}

}
