package io.github.mcpclient.internal.transport.stdio;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.jspecify.annotations.Nullable;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;

/**
 * The processes of the system at one moment: their parents, and the {@link #MARKER} that
 * each was given. Immutable. Reading it takes some ten milliseconds of CPU time, and may
 * hang if the system does: one thread reads it in one pass for all concurrent callers.
 */
final class ProcessTable {

	/**
	 * The variable that identifies, on Linux, the child that an orphan belongs to.
	 */
	static final String MARKER = "MCP_CLIENT_CHILD";

	private static final Path PROC = Path.of("/proc");

	private static final boolean SHOWS_ENVIRONMENTS = Files.exists(PROC.resolve("self/environ"));

	private static final int MAX_ENVIRONMENT = 256 * 1024;

	private static final ThreadPoolExecutor reader = new ThreadPoolExecutor(1, 1, 1, TimeUnit.SECONDS,
			new LinkedBlockingQueue<>(), (task) -> new TransportThread("mcp-processes", task));

	static {
		reader.allowCoreThreadTimeOut(true);
	}

	private static final AtomicReference<@Nullable CompletableFuture<ProcessTable>> next = new AtomicReference<>();

	private final Map<Long, ProcessHandle> processes = new HashMap<>();

	private final MultiValueMap<Long, ProcessHandle> children = new LinkedMultiValueMap<>();

	private final MultiValueMap<String, ProcessHandle> marked = new LinkedMultiValueMap<>();

	private ProcessTable() {
		ProcessHandle.allProcesses().forEach((process) -> {
			this.processes.put(process.pid(), process);
			process.parent().ifPresent((parent) -> this.children.add(parent.pid(), process));
			String marker = SHOWS_ENVIRONMENTS ? marker(process.pid()) : null;
			if (marker != null) {
				this.marked.add(marker, process);
			}
		});
	}

	private static @Nullable String marker(long pid) {
		try (InputStream in = Files.newInputStream(PROC.resolve(pid + "/environ"))) {
			String variables = '\0' + new String(in.readNBytes(MAX_ENVIRONMENT), StandardCharsets.ISO_8859_1);
			int start = variables.indexOf('\0' + MARKER + '=');
			if (start == -1) {
				return null;
			}
			start += MARKER.length() + 2;
			int end = variables.indexOf('\0', start);
			return variables.substring(start, (end != -1) ? end : variables.length());
		}
		catch (IOException ex) {
			// ended, or someone else's
			return null;
		}
	}

	/**
	 * Return the processes at a moment after this call. Completes on the shared thread:
	 * dependent stages must not block.
	 */
	static CompletableFuture<ProcessTable> read() {
		CompletableFuture<ProcessTable> own = new CompletableFuture<>();
		CompletableFuture<ProcessTable> shared = next.updateAndGet((waiting) -> (waiting != null) ? waiting : own);
		if (shared != own) {
			return shared;
		}
		try {
			return own.completeAsync(() -> {
				next.set(null);
				return new ProcessTable();
			}, reader);
		}
		catch (Error ex) {
			// the system has no thread left
			next.set(null);
			own.completeExceptionally(ex);
			return own;
		}
	}

	/**
	 * Return the known processes that still exist, the processes with the marker, and
	 * their descendants.
	 */
	Set<ProcessHandle> family(Collection<ProcessHandle> known, String marker) {
		Set<ProcessHandle> family = new LinkedHashSet<>(this.marked.getOrDefault(marker, List.of()));
		for (ProcessHandle process : known) {
			// not another process that has the number of an ended one
			if (process.equals(this.processes.get(process.pid()))) {
				family.add(process);
			}
		}
		Queue<ProcessHandle> parents = new ArrayDeque<>(family);
		for (ProcessHandle parent = parents.poll(); parent != null; parent = parents.poll()) {
			for (ProcessHandle child : this.children.getOrDefault(parent.pid(), List.of())) {
				if (family.add(child)) {
					parents.add(child);
				}
			}
		}
		return family;
	}

}
