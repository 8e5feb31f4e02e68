package io.github.mcpclient.internal.session;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.github.mcpclient.McpServerFeatures.ExcludedItem;
import io.github.mcpclient.internal.support.MemoryBudget;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.internal.support.PropertyNames;
import io.github.mcpclient.internal.support.Records;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The items of all pages of one listing. It always ends: by the number of items, their
 * size, a repeated cursor, or pages without items. Where the protocol has no empty
 * cursor, an empty one ends it, too: some servers always write the member.
 */
final class ListedItems<T> {

	static final int MAX_EMPTY_PAGES = 16;

	// the memory that all items may take, as MemoryBudget measures it; real servers stay
	// below a hundredth
	static final long MAX_SIZE = Math.min(128 * 1024 * 1024, Runtime.getRuntime().maxMemory() / 8);

	static final int MAX_CURSOR = 8192;

	private static final int MAX_PROBLEMS = 10;

	private static final int EXCERPT = 80;

	// other members that a page may have
	private static final Set<String> MEMBERS = Set.of("_meta", "nextCursor", "resultType", "ttlMs", "cacheScope");

	private static final String VIOLATION = "Report it to the server's author: it violates the protocol.";

	private final ItemKind<T> kind;

	private final SessionOptions options;

	private final boolean emptyCursors;

	private final Function<Map<String, Object>, @Nullable String> problem;

	private final Map<String, T> items = new LinkedHashMap<>();

	private final SharedSchemas schemas = new SharedSchemas();

	private final Set<Object> cursors = new HashSet<>();

	private final List<ExcludedItem> excluded = new ArrayList<>();

	private int received;

	private long size;

	private int emptyPages;

	private @Nullable String deviation;

	/**
	 * Create the items of a listing.
	 * @param emptyCursors whether an empty cursor is one
	 * @param problem returns why an item cannot be used, or {@code null}
	 */
	ListedItems(ItemKind<T> kind, SessionOptions options, boolean emptyCursors,
			Function<Map<String, Object>, @Nullable String> problem) {
		this.kind = kind;
		this.emptyCursors = emptyCursors;
		this.options = options;
		this.problem = problem;
	}

	/**
	 * Add a page, and return the cursor of the next page as the client has to send it.
	 */
	@Nullable Object add(Map<String, Object> page) {
		Object items = page.get(this.kind.member());
		List<?> list = (items instanceof List<?> right) ? right : meant(items, page);
		if (list == null) {
			throw violation("The server's response to " + this.kind.method() + " has no list of " + this.kind.plural()
					+ ((items != null) ? ": " + Printable.line(Json.text(items), EXCERPT) : ""));
		}
		this.received += list.size();
		int max = this.options.max(this.kind);
		if (this.received > max) {
			String property = PropertyNames.ofServer(this.options.serverName(), this.kind.setting() + ".max");
			throw new SessionProtocolException(
					"The server lists more than " + max + " " + this.kind.plural() + " (" + property + ")",
					"Raise that limit if you trust the server.", null);
		}
		this.size += MemoryBudget.sizeOf(list);
		if (this.size > MAX_SIZE) {
			throw new SessionProtocolException("The server lists " + this.kind.plural() + " that take more than "
					+ MAX_SIZE / 1024 / 1024 + " MB in memory",
					"Report it to the server's author: it has to list less.", null);
		}
		list.forEach(this::addItem);
		Object cursor = page.get("nextCursor");
		if (cursor == null || (cursor.equals("") && (!this.emptyCursors || this.cursors.contains(cursor)))) {
			return null;
		}
		if (!(cursor instanceof String || cursor instanceof Number) || String.valueOf(cursor).length() >= MAX_CURSOR) {
			throw violation("The server sent an invalid cursor: " + Printable.line(Json.text(cursor), EXCERPT));
		}
		if (!this.cursors.add(cursor)) {
			throw endless("it names the same cursor again after " + this.received);
		}
		if (list.isEmpty() && ++this.emptyPages > MAX_EMPTY_PAGES) {
			throw endless("more than " + MAX_EMPTY_PAGES + " pages have no");
		}
		return cursor;
	}

	// the value instead of a list, if it has only one possible meaning
	private @Nullable List<?> meant(@Nullable Object items, Map<String, Object> page) {
		String member = "'" + this.kind.member() + "'";
		if (items instanceof Map<?, ?> map) {
			this.deviation = member + " is an object in place of a list";
			return (map.get(this.kind.key()) instanceof String) ? List.of(map) : byKey(map);
		}
		List<String> others = page.keySet().stream().filter((name) -> page.get(name) instanceof List).toList();
		if (items != null || others.size() > 1) {
			return null;
		}
		if (!others.isEmpty()) {
			String other = others.get(0);
			this.deviation = other.isEmpty() ? "A list in place of an object with " + member
					: "'" + Printable.line(other, EXCERPT) + "' in place of " + member;
			return (List<?>) page.get(other);
		}
		this.deviation = "No list in " + member;
		return (page.containsKey(this.kind.member()) || MEMBERS.containsAll(page.keySet())) ? List.of() : null;
	}

	private @Nullable List<?> byKey(Map<?, ?> items) {
		List<Map<String, Object>> list = new ArrayList<>();
		items.forEach((key, value) -> {
			if (value instanceof Map<?, ?> map) {
				Map<String, Object> item = Json.object(map);
				item.putIfAbsent(this.kind.key(), String.valueOf(key));
				list.add(item);
			}
		});
		return (list.size() == items.size()) ? list : null;
	}

	/**
	 * Return the description of the value that was read instead of a list, or
	 * {@code null} if all pages had a list.
	 */
	@Nullable String deviation() {
		return this.deviation;
	}

	private SessionProtocolException endless(String reason) {
		return violation(
				"The server lists its " + this.kind.plural() + " without end: " + reason + " " + this.kind.plural());
	}

	private static SessionProtocolException violation(String message) {
		return new SessionProtocolException(message, VIOLATION, null);
	}

	boolean hasPages() {
		return !this.cursors.isEmpty();
	}

	List<T> items() {
		return List.copyOf(this.items.values());
	}

	List<ExcludedItem> excluded() {
		return List.copyOf(this.excluded);
	}

	String problems() {
		return Printable.first(MAX_PROBLEMS, this.excluded, ListedItems::problem);
	}

	private static String problem(ExcludedItem item) {
		return item.name().isEmpty() ? "one " + item.reason() : "'" + item.name() + "' (" + item.reason() + ")";
	}

	private void addItem(@Nullable Object item) {
		String key = this.kind.key();
		if (!(item instanceof Map<?, ?> map) || !(map.get(key) instanceof String name) || name.isBlank()) {
			exclude("", "without a " + key);
			return;
		}
		String problem = this.problem.apply(Json.object(map));
		if (problem != null) {
			exclude(name, problem);
			return;
		}
		try {
			if (this.items.putIfAbsent(name, read(map)) != null) {
				exclude(name, "listed twice");
			}
		}
		catch (RuntimeException ex) {
			exclude(name, "not well-formed");
		}
	}

	// all callers get the same one
	@SuppressWarnings("unchecked")
	private T read(Map<?, ?> map) {
		T item = this.kind.reader().apply(Json.object(map));
		return (item instanceof Tool tool) ? (T) this.schemas.of(tool) : Records.deepCopy(item);
	}

	private void exclude(String name, String reason) {
		this.excluded.add(new ExcludedItem(this.kind.singular(), Printable.line(name, EXCERPT), reason));
	}

}
