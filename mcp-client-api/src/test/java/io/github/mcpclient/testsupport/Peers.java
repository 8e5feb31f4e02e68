package io.github.mcpclient.testsupport;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.condition.OS;

/**
 * The real MCP servers that the build installs.
 */
public final class Peers {

	private static final Queue<Socket> HELD = new ConcurrentLinkedQueue<>();

	private static final Path SERVERS = ProjectFiles.of("tests/peers/target/servers");

	private Peers() {
	}

	/**
	 * The script of a real server, run by node; skips the test where the build could not
	 * install it.
	 * @param name such as {@code server-everything}
	 */
	public static String script(String name) {
		return installed(file(name)).toString();
	}

	static boolean isInstalled(String name) {
		return isInstalled(file(name));
	}

	private static Path file(String name) {
		String scope = name.startsWith("server-") ? "@modelcontextprotocol/" : "";
		return SERVERS.resolve("node_modules/" + scope + name + "/dist/index.js");
	}

	/**
	 * The folder in which {@code npx} finds the real servers without asking a registry.
	 */
	public static Path folder() {
		return Path.of(script("server-everything")).resolve("../../../../..").normalize();
	}

	/**
	 * The folder of the executables of the conformance suite, with the node that it
	 * needs.
	 */
	public static Path conformanceSuite() {
		Path modules = ProjectFiles.of("tests/peers/target/conformance/node_modules");
		return installed(modules.resolve(".bin/conformance")).getParent();
	}

	private static Path installed(Path file) {
		Assumptions.assumeTrue(isInstalled(file),
				"The peer " + file + " is not installed: this test needs Node and npm");
		return file.toAbsolutePath();
	}

	private static boolean isInstalled(Path file) {
		boolean installed = Files.exists(file);
		if (!installed && (Boolean.getBoolean("peers.required") || Boolean.parseBoolean(System.getenv("CI")))) {
			throw new IllegalStateException("The peer " + file + " is required but not installed");
		}
		return installed;
	}

	/**
	 * Start {@code server-everything} over HTTP and wait until it listens.
	 * @param mode {@code streamableHttp} or {@code sse}
	 */
	public static Running everything(String mode) {
		return everything(mode, freePort());
	}

	/**
	 * Start {@code server-everything} over HTTP at a port, maybe again.
	 * @param mode {@code streamableHttp} or {@code sse}
	 * @param port the port
	 */
	public static Running everything(String mode, int port) {
		return run(port, script("server-everything"), mode);
	}

	/**
	 * Start {@code supergateway}, which offers {@code server-everything} over WebSocket
	 * at the path {@code /message}, and wait until it listens.
	 * @param port the port
	 */
	public static Running gateway(int port) {
		return run(port, script("supergateway"), "--stdio", "node " + script("server-everything") + " stdio",
				"--outputTransport", "ws", "--port", String.valueOf(port));
	}

	/**
	 * Start a server of the TypeScript SDK that speaks revision 2026-07-28, and wait
	 * until it listens.
	 * @param era {@code both} or {@code modern}
	 */
	public static Running dual(String era) {
		return run(freePort(), dualScript(), "http", era);
	}

	/**
	 * The script of that server, which {@code stdio} as its first argument starts over
	 * standard streams.
	 */
	public static String dualScript() {
		return ownScript("dual.mjs");
	}

	/**
	 * Start a server of FastMCP, and wait until it listens.
	 */
	public static Running fastMcp() {
		return run(freePort(), ownScript("fastmcp.mjs"));
	}

	/**
	 * Start {@code mcp-proxy}, which speaks revision 2026-07-28 in front of
	 * {@code server-everything}, and wait until it listens.
	 */
	public static Running proxy() {
		int port = freePort();
		return run(port, installed(SERVERS.resolve("node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs")).toString(),
				"--port", String.valueOf(port), "--", "node", script("server-everything"), "stdio");
	}

	// beside the packages that it uses
	private static String ownScript(String name) {
		installed(SERVERS.resolve("node_modules/@modelcontextprotocol/server/package.json"));
		return installed(SERVERS.resolve(name)).toString();
	}

	private static Running run(int port, String... command) {
		ProcessBuilder builder = new ProcessBuilder("node").redirectErrorStream(true);
		builder.command().addAll(List.of(command));
		builder.environment().put("PORT", String.valueOf(port));
		try {
			Process process = builder.start();
			CompletableFuture<Void> listening = new CompletableFuture<>();
			Thread reader = new Thread(() -> read(process, listening), "peer-output");
			reader.setDaemon(true);
			reader.start();
			listening.get(60, TimeUnit.SECONDS);
			// some say so before they do
			Awaitility.await().until(() -> isListening(port));
			return TestDefaults.closing(new Running(process, port));
		}
		catch (Exception ex) {
			throw new IllegalStateException("The peer did not start: " + builder.command(), ex);
		}
	}

	private static boolean isListening(int port) {
		try (Socket socket = new Socket("localhost", port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	/**
	 * A port that refuses connections, until the test starts a server there. On Linux
	 * nobody else gets it meanwhile, nor later.
	 */
	public static int freePort() {
		try {
			Socket socket = new Socket();
			socket.setReuseAddress(true);
			socket.bind(new InetSocketAddress(0));
			if (OS.LINUX.isCurrentOs()) {
				// bound, and not listening: only who says so too can take the port
				HELD.add(socket);
			}
			else {
				socket.close();
			}
			return socket.getLocalPort();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static void read(Process process, CompletableFuture<Void> listening) {
		try (BufferedReader output = process.inputReader()) {
			for (String line = output.readLine(); line != null; line = output.readLine()) {
				if (line.contains("istening on port") || line.contains("running on port") || line.equals("listening")
						|| line.startsWith("starting server on port")) {
					listening.complete(null);
				}
			}
		}
		catch (IOException ex) {
			// the process has gone
		}
		listening.completeExceptionally(new IllegalStateException("It has exited"));
	}

	/**
	 * A server that runs as a process of the test.
	 *
	 * @param process the process
	 * @param port the port
	 */
	public record Running(Process process, int port) implements AutoCloseable {

		@Override
		public void close() {
			List<ProcessHandle> children = this.process.descendants().toList();
			this.process.destroyForcibly().onExit().join();
			children.forEach(ProcessHandle::destroyForcibly);
		}

	}

}
