package io.github.mcpclient.session;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.github.mcpclient.TaskSupport;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * The pages of one listing of tools, put together. It ends, whatever the server says: by
 * the number of tools, a cursor that comes again, or pages without tools.
 *
 * <p>
 * An empty cursor is the end: servers of these revisions that write the member always,
 * rather than leave it out, mean that. (2026-07-28 makes it a cursor like any other.)
 */
final class ToolListing {

	static final int MAX_EMPTY_PAGES = 16;

	/**
	 * What a tool can be listed without.
	 */
	private static final List<String> OPTIONAL = List.of("icons", "_meta", "outputSchema", "annotations", "title",
			"description");

	/**
	 * Largest size of all tools, in characters, so that a listing without end in few
	 * large pages ends, too. Real servers stay below a hundredth of it.
	 */
	static final long MAX_SIZE = 32 * 1024 * 1024;

	static final int MAX_CURSOR = 8192;

	private static final int MAX_PROBLEMS = 10;

	private static final int EXCERPT = 80;

	private final String serverName;

	private final int maxTools;

	private final Map<String, Tool> tools = new LinkedHashMap<>();

	private final Set<Object> cursors = new HashSet<>();

	private final List<String> problems = new ArrayList<>();

	private int problemCount;

	private int received;

	private long size;

	private int emptyPages;

	ToolListing(String serverName, int maxTools) {
		this.serverName = serverName;
		this.maxTools = maxTools;
	}

	/**
	 * Add a page.
	 * @param page the result of {@code tools/list}
	 * @return the cursor of the next page, to be sent as it is, or {@code null}
	 */
	@Nullable Object add(Map<String, Object> page) {
		Object items = page.get("tools");
		if (items != null && !(items instanceof List<?>)) {
			throw new SessionProtocolException("The server's answer to tools/list has no list of tools: "
					+ Printable.line(Json.text(items), EXCERPT));
		}
		List<?> list = (items != null) ? (List<?>) items : List.of();
		this.received += list.size();
		if (this.received > this.maxTools) {
			throw new SessionProtocolException("The server lists more than " + this.maxTools + " tools (mcp.servers."
					+ this.serverName + ".tools.max)");
		}
		this.size += size(list);
		if (this.size > MAX_SIZE) {
			throw new SessionProtocolException("The server lists tools of more than " + MAX_SIZE + " characters");
		}
		list.forEach(this::addTool);
		Object cursor = page.get("nextCursor");
		if (cursor == null || cursor.equals("")) {
			return null;
		}
		if (!(cursor instanceof String || cursor instanceof Number) || size(cursor) > MAX_CURSOR) {
			throw new SessionProtocolException(
					"The server names a cursor that is not one: " + Printable.line(Json.text(cursor), EXCERPT));
		}
		if (!this.cursors.add(cursor)) {
			throw new SessionProtocolException(
					"The server lists its tools without end: it names the same cursor again after " + this.received
							+ " tools");
		}
		if (list.isEmpty() && ++this.emptyPages > MAX_EMPTY_PAGES) {
			throw new SessionProtocolException(
					"The server lists its tools without end: more than " + MAX_EMPTY_PAGES + " pages have no tools");
		}
		return cursor;
	}

	List<Tool> tools() {
		return List.copyOf(this.tools.values());
	}

	/**
	 * Return what was left out.
	 * @return a description for the log, or {@code null} if nothing was
	 */
	@Nullable String problems() {
		if (this.problemCount == 0) {
			return null;
		}
		int more = this.problemCount - this.problems.size();
		return String.join(", ", this.problems) + ((more > 0) ? " and " + more + " more" : "");
	}

	private void addTool(@Nullable Object item) {
		if (!(item instanceof Map<?, ?> map) || !(map.get("name") instanceof String name) || name.isBlank()) {
			problem("one without a name");
			return;
		}
		Tool tool = bind(map);
		if (tool == null) {
			problem("'" + Printable.line(name, EXCERPT) + "' (not well-formed)");
		}
		else if (this.tools.putIfAbsent(name, tool) != null) {
			problem("'" + Printable.line(name, EXCERPT) + "' (listed twice)");
		}
	}

	private static @Nullable Tool bind(Map<?, ?> item) {
		Map<String, Object> value = new LinkedHashMap<>();
		item.forEach((name, part) -> value.put(String.valueOf(name), part));
		if (TaskSupport.isRequiredBy(value.get("execution"))) {
			value.put("_meta", TaskSupport.note(value.get("_meta")));
		}
		try {
			return Json.convert(value, Tool.class);
		}
		catch (RuntimeException ex) {
			value.computeIfPresent("annotations", (name, hints) -> wellFormed(hints));
			return bindWhatIsGood(value);
		}
	}

	private static @Nullable Tool bindWhatIsGood(Map<String, Object> value) {
		try {
			return Json.convert(value, Tool.class, OPTIONAL);
		}
		catch (RuntimeException ex) {
			return null;
		}
	}

	/**
	 * Leave out odd hints, but not all of them for one: {@code readOnlyHint: false} must
	 * not get lost on the way to who forbids such tools.
	 */
	private static @Nullable Object wellFormed(Object annotations) {
		if (!(annotations instanceof Map<?, ?> map)) {
			return null;
		}
		Map<String, Object> hints = new LinkedHashMap<>();
		map.forEach((name, hint) -> hints.put(String.valueOf(name), hint));
		hints.entrySet().removeIf((hint) -> !isWellFormed(hint));
		return hints.isEmpty() ? null : hints;
	}

	private static boolean isWellFormed(Map.Entry<String, Object> hint) {
		try {
			Json.convert(Collections.singletonMap(hint.getKey(), hint.getValue()), ToolAnnotations.class);
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static long size(@Nullable Object value) {
		long size = 1;
		if (value instanceof String text) {
			size += text.length();
		}
		else if (value instanceof Map<?, ?> map) {
			for (Map.Entry<?, ?> entry : map.entrySet()) {
				size += size(entry.getKey()) + size(entry.getValue());
			}
		}
		else if (value instanceof List<?> list) {
			for (Object item : list) {
				size += size(item);
			}
		}
		return size;
	}

	private void problem(String problem) {
		this.problemCount++;
		if (this.problems.size() < MAX_PROBLEMS) {
			this.problems.add(problem);
		}
	}

}
