package io.github.mcpclient.test.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * The child process of a server over stdio. It carries stdin, stdout and stderr between
 * its parent and the JVM of the test, which commands it. Needs nothing but the JDK, so
 * that it starts quickly, and does not outlive the JVM of the test. Public for the
 * {@code java} command alone.
 */
public final class StdioRelay {

	private final DataInputStream commands;

	private final DataOutputStream reports;

	private final OutputStream stdout = new FileOutputStream(FileDescriptor.out);

	private final OutputStream stderr = new FileOutputStream(FileDescriptor.err);

	private volatile boolean ignoringTermination;

	private StdioRelay(Socket socket) throws IOException {
		this.commands = new DataInputStream(socket.getInputStream());
		this.reports = new DataOutputStream(socket.getOutputStream());
	}

	/**
	 * Run the process.
	 * @param args the port of the server, and the token that it expects
	 * @throws IOException if the server is not available
	 */
	public static void main(String[] args) throws IOException {
		StdioRelay relay = new StdioRelay(new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0])));
		relay.hello(args[1]);
		Thread stdin = new Thread(relay::readStdin, "stdin");
		stdin.setDaemon(true);
		stdin.start();
		relay.obey();
	}

	private void hello(String token) throws IOException {
		this.reports.writeUTF(token);
		this.reports.writeLong(ProcessHandle.current().pid());
		this.reports.writeInt(System.getenv().size());
		for (Map.Entry<String, String> variable : System.getenv().entrySet()) {
			write(variable.getKey().getBytes());
			write(variable.getValue().getBytes());
		}
		this.reports.flush();
	}

	private void write(byte[] bytes) throws IOException {
		this.reports.writeInt(bytes.length);
		this.reports.write(bytes);
	}

	/**
	 * Report each line, and the end of input as a negative length.
	 */
	private void readStdin() {
		try {
			ByteArrayOutputStream line = new ByteArrayOutputStream();
			byte[] buffer = new byte[8192];
			for (int length = System.in.read(buffer); length != -1; length = System.in.read(buffer)) {
				for (int i = 0; i < length; i++) {
					if (buffer[i] != '\n') {
						line.write(buffer[i]);
						continue;
					}
					write(line.toByteArray());
					line.reset();
				}
				this.reports.flush();
			}
			this.reports.writeInt(-1);
			this.reports.flush();
		}
		catch (IOException ex) {
			// the server or the client has disconnected
		}
		if (!this.ignoringTermination) {
			Runtime.getRuntime().halt(0);
		}
	}

	private void obey() {
		try {
			while (true) {
				char command = this.commands.readChar();
				byte[] bytes = this.commands.readNBytes(this.commands.readInt());
				switch (command) {
					case 'O' -> this.stdout.write(bytes);
					case 'E' -> this.stderr.write(bytes);
					case 'C' -> this.stdout.close();
					case 'X' -> Runtime.getRuntime().halt(bytes[0]);
					case 'I' -> ignoreTermination();
					default -> throw new IllegalStateException("No command " + command);
				}
			}
		}
		catch (IOException ex) {
			Runtime.getRuntime().halt(1);
		}
	}

	/**
	 * A JVM does not end on SIGTERM while a shutdown hook runs.
	 */
	private void ignoreTermination() {
		this.ignoringTermination = true;
		Runtime.getRuntime().addShutdownHook(new Thread(() -> {
			while (true) {
				LockSupport.park();
			}
		}));
	}

}
