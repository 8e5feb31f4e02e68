package io.github.mcpclient.guard;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.github.mcpclient.guard.PinOutline.DamagedException;
import io.github.mcpclient.guard.PinOutline.Part;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import org.jspecify.annotations.Nullable;

/**
 * Copies a lock file, with added entries, to another file. If the entries of a server
 * cannot be added, its existing entries are copied unchanged.
 */
final class PinCopy {

	// a server may use one of these shares of the largest file
	static final int SHARES = 16;

	// the text around the entries of a server, or of all servers
	private static final int MARGIN = 50;

	private final PinContent before;

	private final int maxSize;

	private final Map<String, Exception> failures = new HashMap<>();

	// the last half of the file, and of each share, is for hashes alone: there is room
	// for thousands
	private long free;

	/**
	 * Create an instance for a file of at most the given number of bytes.
	 */
	PinCopy(PinContent before, int maxSize) {
		this.before = before;
		this.maxSize = maxSize;
		this.free = maxSize - before.stamp().size() - MARGIN;
	}

	/**
	 * Return why entries were not added, by the name of the server.
	 */
	Map<String, Exception> failures() {
		return this.failures;
	}

	// uses no channel, which an interrupt of the thread would close. Returns the written
	// servers
	Set<String> write(Path file, Map<String, List<ApprovedTool>> added) throws IOException {
		Map<String, Part> parts = new TreeMap<>(this.before.outline().servers());
		added.keySet().forEach((name) -> parts.putIfAbsent(name, Part.NONE));
		Set<String> servers = new TreeSet<>();
		try (FileOutputStream stream = new FileOutputStream(file.toFile());
				OutputStream text = new BufferedOutputStream(stream)) {
			write(text, "{\n  \"servers\": {");
			for (Map.Entry<String, Part> server : parts.entrySet()) {
				String name = server.getKey();
				Part part = server.getValue();
				byte[] entries = added.containsKey(name) ? entries(name, part, added.get(name)) : null;
				if (entries == null && part == Part.NONE) {
					continue;
				}
				write(text,
						(servers.isEmpty() ? "" : ",") + "\n    " + CanonicalJson.line(name, Integer.MAX_VALUE) + ": ");
				servers.add(name);
				if (entries != null) {
					text.write(entries);
				}
				else {
					this.before.copy(part, text);
				}
			}
			write(text, "\n  },\n  \"version\": " + PinOutline.VERSION + "\n}\n");
			text.flush();
			stream.getFD().sync();
		}
		return servers;
	}

	private static void write(OutputStream text, String json) throws IOException {
		text.write(json.getBytes(StandardCharsets.US_ASCII));
	}

	private byte @Nullable [] entries(String name, Part part, List<ApprovedTool> added) {
		try {
			int share = this.maxSize / SHARES;
			long taken = (part != Part.NONE) ? part.size() : -MARGIN - name.length();
			long free = this.free + taken;
			byte[] entries = PinEntries.write(known(name, share), added, Math.min(share, free),
					Math.min(share / 2, free - this.maxSize / 2));
			this.free = free - entries.length;
			return entries;
		}
		catch (IOException | RuntimeException ex) {
			this.failures.put(name, ex);
			return null;
		}
	}

	private List<ApprovedTool> known(String name, int share) throws IOException {
		byte[] entries = this.before.entries(name, share);
		try {
			return (entries != null) ? PinEntries.read(entries) : List.of();
		}
		catch (DamagedException ex) {
			throw new DamagedException("the existing entries are damaged, " + ex.getMessage());
		}
	}

}
