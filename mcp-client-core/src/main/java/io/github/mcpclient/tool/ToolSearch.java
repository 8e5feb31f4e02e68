package io.github.mcpclient.tool;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

import io.github.mcpclient.McpToolMatch;
import io.github.mcpclient.support.SearchIndex;
import io.github.mcpclient.support.SearchIndex.Document;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The index of the tools of a catalog, in parts of some servers each. Once there was a
 * search, the tools that servers change are read at the next one, and the parts of these
 * servers made again. Safe for use by many threads.
 */
final class ToolSearch {

	private static final int PARTS = 64;

	private final Lock lock = new ReentrantLock();

	// by server, in each part: guarded by the lock
	private final List<Map<String, List<Document<ToolNames>>>> servers = new ArrayList<>();

	private final Set<String> changed = ConcurrentHashMap.newKeySet();

	private final AtomicInteger changes = new AtomicInteger();

	private volatile boolean used;

	private volatile Parts parts = new Parts(-1, List.of());

	/**
	 * Note a change, after it was made.
	 */
	void changed(CatalogChange change, CatalogState after) {
		if (this.used) {
			change.changedServers()
				.stream()
				.filter((server) -> entries(change.before(), server) != entries(after, server))
				.forEach(this.changed::add);
			this.changes.incrementAndGet();
		}
	}

	private static List<ToolEntry> entries(CatalogState state, String server) {
		ServerTools tools = state.servers().get(server);
		return (tools != null) ? tools.entries() : List.of();
	}

	/**
	 * Return the parts of the index as of all changes up to now.
	 */
	List<SearchIndex<ToolNames>> parts(Supplier<CatalogState> state) {
		if (this.parts.changes() != this.changes.get()) {
			this.lock.lock();
			try {
				update(state);
			}
			finally {
				this.lock.unlock();
			}
		}
		return this.parts.all();
	}

	private void update(Supplier<CatalogState> state) {
		int changes = this.changes.get();
		if (this.parts.changes() == changes) {
			return;
		}
		List<SearchIndex<ToolNames>> parts = new ArrayList<>(this.parts.all());
		if (!this.used) {
			this.used = true;
			this.changed.addAll(state.get().servers().keySet());
			for (int i = 0; i < PARTS; i++) {
				this.servers.add(new HashMap<>());
				parts.add(new SearchIndex<>(List.of()));
			}
		}
		Set<String> names = new HashSet<>(this.changed);
		this.changed.removeAll(names);
		CatalogState current = state.get();
		Set<Integer> affected = new TreeSet<>();
		for (String server : names) {
			int part = Math.floorMod(server.hashCode(), PARTS);
			affected.add(part);
			read(this.servers.get(part), server, entries(current, server));
		}
		affected.forEach((part) -> parts.set(part,
				new SearchIndex<>(this.servers.get(part).values().stream().flatMap(Collection::stream).toList())));
		this.parts = new Parts(changes, List.copyOf(parts));
	}

	private static void read(Map<String, List<Document<ToolNames>>> servers, String server, List<ToolEntry> entries) {
		Map<ToolNames, Document<ToolNames>> known = new IdentityHashMap<>();
		servers.getOrDefault(server, List.of()).forEach((document) -> known.put(document.tool(), document));
		if (entries.isEmpty()) {
			servers.remove(server);
			return;
		}
		servers.put(server, entries.stream().map((entry) -> {
			Document<ToolNames> document = known.get(entry.names());
			return (document != null) ? document : read(entry.names(), entry.shown());
		}).toList());
	}

	private static Document<ToolNames> read(ToolNames names, Tool tool) {
		return new Document<>(names, List.of(names.prefixed(), names.original()), ToolEntry.title(tool),
				tool.description(), ToolEntry.inputSchema(tool));
	}

	/**
	 * Find the best tools of a listing that are not hidden.
	 */
	static List<McpToolMatch> search(List<SearchIndex<ToolNames>> parts, String query, int max, Listing listing) {
		return SearchIndex
			.search(parts, query, max, (names) -> isOffered(listing.entries().get(names.prefixed()), names),
					Comparator.comparing(ToolNames::prefixed))
			.stream()
			.map((hit) -> new McpToolMatch(Objects.requireNonNull(listing.tools().get(hit.tool().prefixed())),
					hit.score()))
			.toList();
	}

	private static boolean isOffered(@Nullable ToolEntry entry, ToolNames names) {
		return entry != null && entry.names() == names && !entry.isHidden();
	}

	/**
	 * An index as of so many changes.
	 */
	private record Parts(int changes, List<SearchIndex<ToolNames>> all) {
	}

}
