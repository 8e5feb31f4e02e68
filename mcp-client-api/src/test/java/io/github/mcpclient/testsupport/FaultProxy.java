package io.github.mcpclient.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands between a client and a server, and does to their connections what networks do.
 * What it is told holds for connections that are open as well, unless said otherwise.
 */
public final class FaultProxy implements AutoCloseable {

	private static final InetAddress LOCALHOST = InetAddress.getLoopbackAddress();

	private final int target;

	private final int port;

	private final Set<Pair> pairs = ConcurrentHashMap.newKeySet();

	private final ReentrantLock lock = new ReentrantLock();

	private final Condition changed = this.lock.newCondition();

	private volatile Mode mode = Mode.PASS;

	private volatile ServerSocket listener;

	private volatile Thread acceptor;

	private FaultProxy(int target) throws IOException {
		this.target = target;
		// nobody else gets it while connections are refused
		this.port = Peers.freePort();
		listen();
	}

	/**
	 * Start a proxy, which passes everything on.
	 * @param target the port of the server
	 */
	public static FaultProxy to(int target) {
		return TestDefaults.closing(Unchecked.get(() -> new FaultProxy(target)));
	}

	public int port() {
		return this.port;
	}

	/**
	 * The number of connections that are open.
	 */
	public int connections() {
		return this.pairs.size();
	}

	/**
	 * Pass everything on, what was held back included.
	 */
	public void pass() {
		mode(Mode.PASS);
	}

	/**
	 * Keep all connections open, take new ones, and pass on nothing.
	 */
	public void hold() {
		mode(Mode.HOLD);
	}

	/**
	 * Pass on what comes after a while.
	 */
	public void delay(Duration latency) {
		mode(new Mode(latency, 0, 0, false));
	}

	/**
	 * Pass on the server's bytes one by one.
	 */
	public void drip(Duration pause) {
		mode(new Mode(pause, 1, 0, false));
	}

	/**
	 * Reset each connection on which the server answers, after some bytes of its answer.
	 */
	public void resetWithinAnswers(int bytes) {
		mode(new Mode(Duration.ZERO, bytes, bytes, false));
	}

	/**
	 * Reset all connections that are open.
	 */
	public void reset() {
		this.pairs.forEach(Pair::reset);
	}

	/**
	 * Forget all connections that are open, as a router does that saw nothing of them for
	 * too long: nobody is told, and nothing arrives on them any more.
	 */
	public void forget() {
		this.pairs.forEach((pair) -> pair.forgotten = true);
	}

	/**
	 * Refuse connections, and reset those that are open.
	 */
	public void refuse() {
		try {
			this.listener.close();
			// the port listens until the thread has left accept()
			this.acceptor.join();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		reset();
	}

	/**
	 * Accept connections again.
	 */
	public void accept() {
		Unchecked.run(() -> listen());
	}

	@Override
	public void close() {
		refuse();
		pass();
	}

	private void mode(Mode mode) {
		this.lock.lock();
		try {
			this.mode = mode;
			this.changed.signalAll();
		}
		finally {
			this.lock.unlock();
		}
	}

	private void listen() throws IOException {
		ServerSocket listener = new ServerSocket();
		listener.setReuseAddress(true);
		listener.bind(new InetSocketAddress(LOCALHOST, this.port));
		this.listener = listener;
		this.acceptor = start("accept", () -> {
			while (true) {
				Socket client = listener.accept();
				if (this.mode.hold()) {
					start("later", () -> {
						awaitPassage();
						connect(listener, client);
					});
				}
				else {
					connect(listener, client);
				}
			}
		});
	}

	private void connect(ServerSocket listener, Socket client) throws IOException {
		Pair pair;
		try {
			pair = new Pair(client, new Socket(LOCALHOST, this.target));
		}
		catch (IOException ex) {
			reset(client);
			return;
		}
		this.pairs.add(pair);
		if (listener.isClosed()) {
			// refused meanwhile
			pair.reset();
			return;
		}
		start("up", () -> pair.pump(pair.client, pair.server, false));
		start("down", () -> pair.pump(pair.server, pair.client, true));
	}

	private static Thread start(String role, Task task) {
		Thread thread = new Thread(() -> {
			try {
				task.run();
			}
			catch (IOException ex) {
				// closed
			}
		}, "fault-proxy-" + role);
		thread.setDaemon(true);
		thread.start();
		return thread;
	}

	private static void reset(Socket socket) {
		try {
			socket.setSoLinger(true, 0);
			socket.close();
		}
		catch (IOException ex) {
			// closed before
		}
	}

	/**
	 * Wait while everything is held back.
	 * @return what to do
	 */
	private Mode awaitPassage() {
		this.lock.lock();
		try {
			while (this.mode.hold()) {
				this.changed.awaitUninterruptibly();
			}
			return this.mode;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Pause as long as there is nothing else to do.
	 */
	private void awaitOther(Mode mode) {
		this.lock.lock();
		try {
			long left = mode.pause().toNanos();
			while (left > 0 && this.mode == mode) {
				left = this.changed.awaitNanos(left);
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * What to do.
	 *
	 * @param pause how long to wait before each piece
	 * @param piece the size of the pieces of the server's answers, or 0 as they come
	 * @param limit after how many bytes of an answer to reset the connection, or 0
	 * @param hold whether to pass on nothing
	 */
	private record Mode(Duration pause, int piece, int limit, boolean hold) {

		static final Mode PASS = new Mode(Duration.ZERO, 0, 0, false);

		static final Mode HOLD = new Mode(Duration.ZERO, 0, 0, true);

	}

	@FunctionalInterface
	private interface Task {

		void run() throws IOException;

	}

	/**
	 * The two connections that are one.
	 */
	private final class Pair {

		private final Socket client;

		private final Socket server;

		private volatile boolean forgotten;

		Pair(Socket client, Socket server) {
			this.client = client;
			this.server = server;
		}

		void reset() {
			FaultProxy.this.pairs.remove(this);
			FaultProxy.reset(this.client);
			FaultProxy.reset(this.server);
		}

		void pump(Socket from, Socket to, boolean answers) throws IOException {
			try (from; to) {
				InputStream in = from.getInputStream();
				OutputStream out = to.getOutputStream();
				byte[] buffer = new byte[64 * 1024];
				for (int count = in.read(buffer); count != -1; count = in.read(buffer)) {
					if (!this.forgotten) {
						pass(buffer, count, out, answers);
					}
				}
			}
			finally {
				FaultProxy.this.pairs.remove(this);
			}
		}

		private void pass(byte[] buffer, int count, OutputStream out, boolean answers) throws IOException {
			int passed = 0;
			while (passed < count && !this.forgotten) {
				Mode mode = awaitPassage();
				int piece = (answers && mode.piece() > 0) ? Math.min(mode.piece(), count - passed) : count - passed;
				if (answers || mode.piece() == 0) {
					awaitOther(mode);
				}
				out.write(buffer, passed, piece);
				passed += piece;
				if (answers && mode.limit() > 0) {
					reset();
				}
			}
		}

	}

}
