package io.github.mcpclient.test.server;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A child process through which a client reaches an {@link McpTestServer} over stdio.
 */
public final class McpTestProcess {

	private final Dispatcher dispatcher;

	private final Socket socket;

	private final DataInputStream reports;

	private final DataOutputStream commands;

	private final ProcessHandle handle;

	private final Map<String, String> environment = new HashMap<>();

	private final CompletableFuture<McpTestProcess> stdinClosed = new CompletableFuture<>();

	McpTestProcess(Dispatcher dispatcher, Socket socket, String token) throws IOException {
		this.dispatcher = dispatcher;
		this.socket = socket;
		this.reports = new DataInputStream(socket.getInputStream());
		this.commands = new DataOutputStream(socket.getOutputStream());
		if (!this.reports.readUTF().equals(token)) {
			throw new IOException("Not a child of this server");
		}
		this.handle = ProcessHandle.of(this.reports.readLong())
			.orElseThrow(() -> new IOException("The process is gone"));
		for (int i = this.reports.readInt(); i > 0; i--) {
			this.environment.put(readText(), readText());
		}
	}

	private String readText() throws IOException {
		return new String(this.reports.readNBytes(this.reports.readInt()), StandardCharsets.UTF_8);
	}

	/**
	 * Return the process ID.
	 * @return the process ID
	 */
	public long pid() {
		return this.handle.pid();
	}

	/**
	 * Whether the process is alive.
	 * @return whether it is
	 */
	public boolean isAlive() {
		return this.handle.isAlive();
	}

	/**
	 * Return the environment variables of the process.
	 * @return the variables
	 */
	public Map<String, String> environment() {
		return this.environment;
	}

	/**
	 * Write to stdout, in addition to messages.
	 * @param text the text, including line breaks
	 * @return this process
	 */
	public McpTestProcess print(String text) {
		return command('O', Json.bytes(text));
	}

	/**
	 * Write to stderr.
	 * @param text the text, including line breaks
	 * @return this process
	 */
	public McpTestProcess printError(String text) {
		return command('E', text.getBytes(StandardCharsets.UTF_8));
	}

	/**
	 * Close stdout without ending the process.
	 * @return this process
	 */
	public McpTestProcess closeStdout() {
		return command('C');
	}

	/**
	 * Ignore SIGTERM and the end of stdin, which end the process by default.
	 * @return this process
	 */
	public McpTestProcess ignoreTermination() {
		return command('I');
	}

	/**
	 * End the process.
	 * @param code the exit code, at most 127
	 */
	public void exit(int code) {
		command('X', (byte) code);
	}

	/**
	 * Kill the process, and wait until it is gone.
	 */
	public void kill() {
		this.handle.destroyForcibly();
		awaitExit();
	}

	/**
	 * Wait until the process has ended.
	 */
	public void awaitExit() {
		this.dispatcher.log().await(this.handle.onExit(), "the process ends");
	}

	/**
	 * Wait until the client has closed stdin.
	 * @return this process
	 */
	public McpTestProcess awaitStdinClosed() {
		return this.dispatcher.log().await(this.stdinClosed, "stdin is closed");
	}

	private synchronized McpTestProcess command(char command, byte... bytes) {
		try {
			this.commands.writeChar(command);
			this.commands.writeInt(bytes.length);
			this.commands.write(bytes);
			this.commands.flush();
		}
		catch (IOException ex) {
			// it has ended
		}
		return this;
	}

	/**
	 * Serve the client until the process ends.
	 */
	void serve() throws IOException {
		Session session = this.dispatcher.openSession(false);
		session.listen(() -> this.dispatcher.endSession(session.id()))
			.publishOn(this.dispatcher.scheduler())
			.concatMap(this.dispatcher::stdout)
			.takeWhile((text) -> !this.socket.isClosed())
			.subscribe(this::print);
		try {
			for (int length = this.reports.readInt(); length >= 0; length = this.reports.readInt()) {
				String line = new String(this.reports.readNBytes(length), StandardCharsets.UTF_8);
				McpTestRequest request = new McpTestRequest(this.dispatcher.questions(), "POST", "", Map.of(), line,
						session);
				this.dispatcher.reply(request).subscribe((reply) -> answer(reply, request, session));
			}
			this.stdinClosed.complete(this);
			// the process may continue to run
			this.reports.read();
		}
		finally {
			this.stdinClosed.complete(this);
			session.endStream();
		}
	}

	private void answer(McpTestReply reply, McpTestRequest request, Session session) {
		if (reply.kind() == McpTestReply.Kind.CUT) {
			this.dispatcher.log().done(request);
			this.handle.destroyForcibly();
		}
		else if (request.isRequest() && reply.kind() == McpTestReply.Kind.HTTP) {
			this.dispatcher.push(McpTestReply.error(-32000, "HTTP " + reply.statusOr(200)), request, session);
		}
		else {
			this.dispatcher.push(reply, request, session);
		}
	}

	@Override
	public String toString() {
		return "Process " + pid();
	}

}
