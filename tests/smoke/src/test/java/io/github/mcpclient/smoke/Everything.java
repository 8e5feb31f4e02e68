package io.github.mcpclient.smoke;

import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Assumptions;

/**
 * The real {@code server-everything}, over streamable HTTP, as a process that a test can
 * end.
 */
final class Everything implements AutoCloseable {

	private final Process process;

	private final int port;

	Everything() throws IOException {
		Path script = Path.of(System.getProperty("basedir"),
				"../../peers/target/servers/node_modules/@modelcontextprotocol/server-everything/dist/index.js");
		boolean required = Boolean.parseBoolean(System.getenv("CI"));
		Assumptions.assumeTrue(required || Files.exists(script), script + " is not installed: this needs Node and npm");
		try (ServerSocket socket = new ServerSocket(0)) {
			this.port = socket.getLocalPort();
		}
		ProcessBuilder builder = new ProcessBuilder("node", script.toString(), "streamableHttp")
			.redirectErrorStream(true);
		builder.environment().put("PORT", String.valueOf(this.port));
		this.process = builder.start();
		awaitStart(this.process.inputReader());
	}

	private static void awaitStart(BufferedReader output) throws IOException {
		String line;
		do {
			line = output.readLine();
			if (line == null) {
				throw new IllegalStateException("server-everything has exited");
			}
		}
		while (!line.contains("listening on port"));
		Thread reader = new Thread(() -> drain(output), "everything-output");
		reader.setDaemon(true);
		reader.start();
	}

	private static void drain(BufferedReader output) {
		try {
			while (output.readLine() != null) {
				Thread.onSpinWait();
			}
		}
		catch (IOException ex) {
			// the process has gone
		}
	}

	String url() {
		return "http://localhost:" + this.port + "/mcp";
	}

	@Override
	public void close() {
		this.process.destroyForcibly().onExit().join();
	}

}
