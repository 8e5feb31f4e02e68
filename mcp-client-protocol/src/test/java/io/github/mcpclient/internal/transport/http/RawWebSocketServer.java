package io.github.mcpclient.internal.transport.http;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.mcpclient.testsupport.TestDefaults;
import io.github.mcpclient.testsupport.Unchecked;

/**
 * A server that can break the rules of WebSocket (RFC 6455).
 */
final class RawWebSocketServer implements AutoCloseable {

	static final int TEXT = 1;

	static final int BINARY = 2;

	static final int CLOSE = 8;

	static final int PING = 9;

	static final int PONG = 10;

	private static final Pattern KEY = Pattern.compile("(?i)\r\nsec-websocket-key: *(\\S+)");

	private final ServerSocket server;

	private final List<Connection> connections = new CopyOnWriteArrayList<>();

	private RawWebSocketServer(Script script) throws IOException {
		this.server = new ServerSocket(0, 50, InetAddress.getByName("localhost"));
		start(() -> {
			while (true) {
				Connection connection = new Connection(this.server.accept());
				this.connections.add(connection);
				if (this.server.isClosed()) {
					// meanwhile
					connection.socket.close();
				}
				start(() -> {
					try {
						connection.readHead();
						script.run(connection);
					}
					finally {
						connection.socket.close();
					}
				});
			}
		});
	}

	/**
	 * Start a server.
	 * @param script what to do with a connection once the request was read; it is closed
	 * at the end
	 */
	static RawWebSocketServer start(Script script) {
		return TestDefaults.closing(Unchecked.get(() -> new RawWebSocketServer(script)));
	}

	/**
	 * Start a server that opens the WebSocket, reads a message and then does what it is
	 * told.
	 */
	static RawWebSocketServer afterMessage(Script script) {
		return start((connection) -> {
			connection.upgrade();
			connection.readMessage();
			script.run(connection);
		});
	}

	private static void start(Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// the client is gone, or the test is over
			}
		}, "raw-websocket-server");
		thread.setDaemon(true);
		thread.start();
	}

	URI url() {
		return URI.create("ws://localhost:" + this.server.getLocalPort() + "/mcp");
	}

	boolean hasConnection() {
		return !this.connections.isEmpty() && !connection().head().isEmpty();
	}

	Connection connection() {
		return this.connections.get(0);
	}

	@Override
	public void close() throws IOException {
		this.server.close();
		for (Connection connection : this.connections) {
			connection.socket.close();
		}
	}

	@FunctionalInterface
	interface Script {

		void run(Connection connection) throws IOException;

	}

	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

	static final class Connection {

		private final Socket socket;

		private final DataInputStream in;

		private final OutputStream out;

		private volatile String head = "";

		private Connection(Socket socket) throws IOException {
			this.socket = socket;
			this.in = new DataInputStream(socket.getInputStream());
			this.out = socket.getOutputStream();
		}

		private void readHead() throws IOException {
			StringBuilder head = new StringBuilder();
			while (head.indexOf("\r\n\r\n") == -1) {
				head.append((char) this.in.readUnsignedByte());
			}
			this.head = head.toString();
		}

		/**
		 * The request of the handshake.
		 */
		String head() {
			return this.head;
		}

		void upgrade() throws IOException {
			upgrade("Sec-WebSocket-Protocol: mcp\r\n");
		}

		void upgrade(String headers) throws IOException {
			Matcher key = KEY.matcher(this.head);
			key.find();
			try {
				byte[] hash = MessageDigest.getInstance("SHA-1")
					.digest((key.group(1) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").getBytes(StandardCharsets.UTF_8));
				write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n" + headers
						+ "Sec-WebSocket-Accept: " + Base64.getEncoder().encodeToString(hash) + "\r\n\r\n");
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException(ex);
			}
		}

		void write(String text) throws IOException {
			this.out.write(text.getBytes(StandardCharsets.ISO_8859_1));
			this.out.flush();
		}

		void text(String text) throws IOException {
			frame(TEXT, true, text.getBytes(StandardCharsets.UTF_8));
		}

		/**
		 * Answer request 1 with a text.
		 */
		void answer(String text) throws IOException {
			text(response(text));
		}

		static String response(String text) {
			return "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"text\":\"" + text + "\"}}";
		}

		void closeWith(int code, String reason) throws IOException {
			byte[] text = reason.getBytes(StandardCharsets.UTF_8);
			frame(CLOSE, true, ByteBuffer.allocate(2 + text.length).putShort((short) code).put(text).array());
		}

		void frame(int opcode, boolean last, byte[] payload) throws IOException {
			ByteBuffer head = ByteBuffer.allocate(10).put((byte) ((last ? 0x80 : 0) | opcode));
			if (payload.length < 126) {
				head.put((byte) payload.length);
			}
			else if (payload.length < 65536) {
				head.put((byte) 126).putShort((short) payload.length);
			}
			else {
				head.put((byte) 127).putLong(payload.length);
			}
			this.out.write(head.array(), 0, head.position());
			this.out.write(payload);
			this.out.flush();
		}

		/**
		 * Read the next message, answering nothing on the way.
		 */
		String readMessage() throws IOException {
			Frame frame = read();
			while (frame.opcode() != TEXT) {
				frame = read();
			}
			return new String(frame.payload(), StandardCharsets.UTF_8);
		}

		/**
		 * Read the next frame, which the client masks.
		 */
		Frame read() throws IOException {
			int opcode = this.in.readUnsignedByte() & 0xF;
			int size = this.in.readUnsignedByte() & 0x7F;
			int length = (size == 126) ? this.in.readUnsignedShort() : (size == 127) ? (int) this.in.readLong() : size;
			byte[] mask = this.in.readNBytes(4);
			byte[] payload = this.in.readNBytes(length);
			for (int i = 0; i < length; i++) {
				payload[i] ^= mask[i % 4];
			}
			return new Frame(opcode, payload);
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

	record Frame(int opcode, byte[] payload) {

		/**
		 * The code of a close frame.
		 */
		int code() {
			return ByteBuffer.wrap(this.payload).getShort();
		}

	}

}
