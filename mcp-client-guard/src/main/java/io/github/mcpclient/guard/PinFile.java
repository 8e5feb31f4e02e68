package io.github.mcpclient.guard;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import io.github.mcpclient.guard.PinContent.Stamp;
import io.github.mcpclient.guard.PinOutline.DamagedException;
import io.github.mcpclient.spi.McpToolPinStore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import org.springframework.core.io.FileSystemResource;
import org.springframework.core.io.Resource;

/**
 * Stores approved tools in a file that people can review. As in Git, a change creates a
 * second file, which only one process can do at a time, and moves that over the first:
 * readers see the old or the new file. The file may be large, and all servers may need it
 * at the same time: it is scanned once for all of them, then the entries of one server
 * after the other are read, and concurrent changes are written together. An error in the
 * entries of one server affects no other server.
 */
final class PinFile implements McpToolPinStore {

	private static final int MAX_SIZE = (int) Math.min(256 * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8);

	private static final int MAX_READS = 10;

	private static final Logger logger = LoggerFactory.getLogger(PinFile.class);

	private final Resource file;

	private final int maxSize;

	private final Lock reading = new ReentrantLock();

	private final Lock writing = new ReentrantLock();

	// written by the holder of the lock
	private final Queue<Write> writes = new ConcurrentLinkedQueue<>();

	private volatile @Nullable PinContent known;

	// whether the absence of the file was logged, or is expected
	private volatile boolean missing;

	/**
	 * Create an instance for a file.
	 * @param expected whether the file should exist
	 */
	PinFile(Resource file, boolean expected) {
		this(file, expected, MAX_SIZE);
	}

	PinFile(Resource file, boolean expected, int maxSize) {
		this.file = file;
		this.missing = !expected;
		this.maxSize = maxSize;
	}

	@Override
	public Collection<ApprovedTool> approved(String serverName) {
		lock(this.reading);
		try {
			return tools(serverName, entries(serverName));
		}
		catch (IOException ex) {
			throw failure("cannot be read", ex);
		}
		finally {
			this.reading.unlock();
		}
	}

	private List<ApprovedTool> tools(String serverName, byte @Nullable [] entries) {
		try {
			return (entries != null) ? PinEntries.read(entries) : List.of();
		}
		catch (DamagedException ex) {
			throw damaged("in the entries of '" + serverName + "': " + ex.getMessage());
		}
	}

	private byte @Nullable [] entries(String serverName) throws IOException {
		for (int i = 0; i < MAX_READS; i++) {
			PinContent content = content();
			try {
				byte[] entries = content.entries(serverName, this.maxSize / PinCopy.SHARES);
				if (content.isCurrent()) {
					return entries;
				}
			}
			catch (EOFException ex) {
				// another process has replaced it
			}
		}
		throw new IOException("it changed during each attempt to read it");
	}

	private PinContent content() throws IOException {
		Stamp stamp = Stamp.of(this.file);
		PinContent content = this.known;
		if (content == null || !content.stamp().equals(stamp)) {
			if (stamp == Stamp.MISSING || !this.file.exists()) {
				if (!this.missing) {
					logger.warn("The lock file of MCP tools does not exist, and no tool is approved ({})", this.file);
				}
				this.missing = true;
				return PinContent.none(this.file, stamp);
			}
			this.missing = false;
			content = PinContent.of(this.file, stamp, this.maxSize);
			this.known = content;
		}
		if (content.damage() != null) {
			throw damaged(content.damage());
		}
		return content;
	}

	@Override
	public void approve(String serverName, Collection<ApprovedTool> tools) {
		Write write = new Write(serverName, tools, new CompletableFuture<>());
		this.writes.add(write);
		try {
			lock(this.writing);
		}
		catch (CancellationException ex) {
			this.writes.remove(write);
			throw ex;
		}
		try {
			if (!write.failure.isDone()) {
				writeAll();
			}
		}
		finally {
			this.writing.unlock();
		}
		Throwable failure = write.failure.join();
		if (failure != null) {
			throw (failure instanceof IllegalStateException own) ? own
					: failure("cannot be written with the tools of '" + serverName + "'", failure);
		}
	}

	private void writeAll() {
		List<Write> all = new ArrayList<>();
		for (Write write = this.writes.poll(); write != null; write = this.writes.poll()) {
			all.add(write);
		}
		Map<String, List<ApprovedTool>> added = new TreeMap<>();
		all.forEach(
				(write) -> added.computeIfAbsent(write.serverName, (name) -> new ArrayList<>()).addAll(write.tools));
		Map<String, Throwable> failures = new HashMap<>();
		try {
			failures.putAll(replace(added));
		}
		catch (Throwable ex) {
			// others wait for it
			added.keySet().forEach((name) -> failures.put(name, ex));
		}
		all.forEach((write) -> write.failure.complete(failures.get(write.serverName)));
	}

	// the thread belongs to one server, may be interrupted, and works for all servers
	private Map<String, Exception> replace(Map<String, List<ApprovedTool>> added) throws IOException {
		Path path = path();
		Path next = path.resolveSibling(path.getFileName() + ".new");
		create(next);
		try {
			PinContent before = contentBefore();
			PinCopy copy = new PinCopy(before, this.maxSize);
			Set<String> servers = copy.write(next, added);
			if (copy.failures().size() == added.size()) {
				Files.delete(next);
				return copy.failures();
			}
			PinContent written = readBack(next, servers);
			if (!before.isCurrent()) {
				throw new IOException("it was changed at the same time. Try again");
			}
			move(next, path);
			this.known = written;
			return copy.failures();
		}
		catch (Throwable ex) {
			// after the move, a file of this name belongs to another process
			Files.deleteIfExists(next);
			throw ex;
		}
	}

	private Path path() throws IOException {
		Path path = this.file.getFile().toPath().toAbsolutePath();
		return Files.exists(path) ? path.toRealPath() : path;
	}

	private static void create(Path next) throws IOException {
		try {
			Files.createFile(next);
		}
		catch (FileAlreadyExistsException ex) {
			throw new IOException("'" + next.getFileName()
					+ "' exists: another process is writing it, or was stopped while it wrote it; in that "
					+ "case, delete '" + next.getFileName() + "'", ex);
		}
	}

	private PinContent contentBefore() throws IOException {
		this.reading.lock();
		try {
			return content();
		}
		finally {
			this.reading.unlock();
		}
	}

	private PinContent readBack(Path next, Set<String> servers) throws IOException {
		PinContent content = PinContent.of(new FileSystemResource(next), Stamp.of(next), this.maxSize);
		if (content.damage() != null || !content.outline().servers().keySet().equals(servers)) {
			throw new IOException("the written file is damaged, or has other servers than expected");
		}
		return new PinContent(this.file, content.stamp(), null, content.outline(), null);
	}

	private static void move(Path next, Path path) throws IOException {
		try {
			Files.move(next, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
		}
		catch (AtomicMoveNotSupportedException ex) {
			Files.move(next, path, StandardCopyOption.REPLACE_EXISTING);
		}
	}

	private static void lock(Lock lock) {
		try {
			lock.lockInterruptibly();
		}
		catch (InterruptedException ex) {
			throw new CancellationException("It took too long");
		}
	}

	private IllegalStateException damaged(String reason) {
		return new IllegalStateException("The lock file of MCP tools is damaged, " + reason + " (" + this.file + ")");
	}

	private IllegalStateException failure(String problem, Throwable cause) {
		Object reason = (cause instanceof IOException) ? cause : cause.getMessage();
		return new IllegalStateException(
				"The lock file of MCP tools " + problem + ": " + reason + " (" + this.file + ")", cause);
	}

	/**
	 * Tools to approve.
	 *
	 * @param failure why they could not be written, or {@code null}; set when the attempt
	 * ends
	 */
	private record Write(String serverName, Collection<ApprovedTool> tools,
			CompletableFuture<@Nullable Throwable> failure) {
	}

}
