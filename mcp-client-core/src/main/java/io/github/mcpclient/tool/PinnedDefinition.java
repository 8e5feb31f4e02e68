package io.github.mcpclient.tool;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import java.util.concurrent.CancellationException;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import io.github.mcpclient.McpToolPin;
import io.github.mcpclient.McpToolPin.Change;
import io.github.mcpclient.McpToolPin.State;
import io.github.mcpclient.spi.McpToolPinStore.ApprovedTool;
import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.spec.McpSchema.Icon;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * All fields of a tool, under their names in the protocol.
 */
record PinnedDefinition(Map<String, Object> fields) {

	private static final JsonMapper MAPPER = JsonMapper.builder().build();

	private static final int MAX_CHANGES = 50;

	private static final int LONGEST_VALUE = 300;

	private static final int LONGEST_POINTER = 500;

	private static final int MAX_LEAVES = 5000;

	// how much of what two values have in common is shown before the difference
	private static final int SHARED = 40;

	static PinnedDefinition of(Tool tool) {
		Map<String, Object> fields = new LinkedHashMap<>();
		put(fields, "name", tool.name());
		put(fields, "title", tool.title());
		put(fields, "description", tool.description());
		put(fields, "inputSchema", tool.inputSchema());
		put(fields, "outputSchema", tool.outputSchema());
		put(fields, "annotations", (tool.annotations() != null) ? hints(tool.annotations()) : null);
		put(fields, "icons",
				(tool.icons() != null) ? tool.icons().stream().map(PinnedDefinition::icon).toList() : null);
		put(fields, "_meta", tool.meta());
		return new PinnedDefinition(fields);
	}

	static PinnedDefinition of(String json) {
		@SuppressWarnings("unchecked")
		Map<String, Object> fields = MAPPER.readValue(json, Map.class);
		return new PinnedDefinition(fields);
	}

	private static Map<String, Object> hints(ToolAnnotations hints) {
		Map<String, Object> fields = new LinkedHashMap<>();
		put(fields, "title", hints.title());
		put(fields, "readOnlyHint", hints.readOnlyHint());
		put(fields, "destructiveHint", hints.destructiveHint());
		put(fields, "idempotentHint", hints.idempotentHint());
		put(fields, "openWorldHint", hints.openWorldHint());
		put(fields, "returnDirect", hints.returnDirect());
		return fields;
	}

	private static Map<String, Object> icon(Icon icon) {
		Map<String, Object> fields = new LinkedHashMap<>();
		put(fields, "src", icon.src());
		put(fields, "mimeType", icon.mimeType());
		put(fields, "sizes", icon.sizes());
		put(fields, "theme", icon.theme());
		return fields;
	}

	private static void put(Map<String, Object> fields, String name, @Nullable Object value) {
		if (value != null) {
			fields.put(name, value);
		}
	}

	/**
	 * Return all fields as canonical JSON.
	 */
	String json() {
		return CanonicalJson.write(this.fields);
	}

	static String hash(String json) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256").digest(json.getBytes(StandardCharsets.UTF_8));
			return "sha256:" + HexFormat.of().formatHex(hash);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Compare the definition of a tool with the approved one, if there is one. What
	 * cannot be compared costs this tool only.
	 * @param masking masks secrets
	 */
	static McpToolPin compare(Tool tool, @Nullable ApprovedTool approved, UnaryOperator<String> masking) {
		if (Thread.currentThread().isInterrupted()) {
			throw new CancellationException("It took too long");
		}
		String approvedHash = (approved != null) ? approved.hash() : null;
		try {
			PinnedDefinition definition = of(tool);
			String hash = hash(definition.json());
			if (approved == null || hash.equals(approvedHash)) {
				return new McpToolPin(tool.name(), (approved != null) ? State.APPROVED : State.NEW, hash, approvedHash,
						List.of());
			}
			String before = approved.definition();
			return new McpToolPin(tool.name(), State.CHANGED, hash, approvedHash,
					(before != null) ? definition.changesSince(of(before), masking) : List.of());
		}
		catch (RuntimeException | StackOverflowError ex) {
			return new McpToolPin(tool.name(), State.UNKNOWN, null, approvedHash, List.of());
		}
	}

	/**
	 * Return what differs from the approved definition.
	 * @param masking masks secrets
	 */
	List<Change> changesSince(PinnedDefinition approved, UnaryOperator<String> masking) {
		Map<String, String> before = approved.leaves();
		Map<String, String> now = leaves();
		return Stream.concat(before.keySet().stream(), now.keySet().stream())
			.filter((field) -> !Objects.equals(before.get(field), now.get(field)))
			.collect(TreeSet<String>::new, TreeSet::add, TreeSet::addAll)
			.stream()
			.limit(MAX_CHANGES)
			.map((field) -> change(field, masked(before.get(field), masking), masked(now.get(field), masking)))
			.toList();
	}

	private static @Nullable String masked(@Nullable String value, UnaryOperator<String> masking) {
		return (value != null) ? masking.apply(value) : null;
	}

	// what differs may be at the end of a long text
	private static Change change(String field, @Nullable String before, @Nullable String now) {
		int start = 0;
		if (before != null && now != null) {
			int shorter = Math.min(before.length(), now.length());
			while (start < shorter && before.charAt(start) == now.charAt(start)) {
				start++;
			}
			start = Math.max(0, start - SHARED);
		}
		return new Change(Printable.text(field), excerpt(before, start), excerpt(now, start));
	}

	private static @Nullable String excerpt(@Nullable String value, int start) {
		if (value == null || start == 0) {
			return (value != null) ? Printable.line(value, LONGEST_VALUE) : null;
		}
		// between characters
		return "..." + Printable.line(value.substring(value.offsetByCodePoints(0, value.codePointCount(0, start))),
				LONGEST_VALUE);
	}

	private Map<String, String> leaves() {
		Map<String, String> leaves = new LinkedHashMap<>();
		addLeaves("", this.fields, leaves);
		return leaves;
	}

	// long names and many values are no reason to write a definition many times over
	private static void addLeaves(String pointer, @Nullable Object value, Map<String, String> leaves) {
		boolean enough = pointer.length() > LONGEST_POINTER || leaves.size() > MAX_LEAVES;
		if (value instanceof Map<?, ?> map && !map.isEmpty() && !enough) {
			map.forEach((name, item) -> addLeaves(Pointers.member(pointer, String.valueOf(name)), item, leaves));
		}
		else if (value instanceof Collection<?> list && !list.isEmpty() && !enough) {
			int index = 0;
			for (Object item : list) {
				addLeaves(pointer + "/" + index++, item, leaves);
			}
		}
		else {
			leaves.put(pointer, CanonicalJson.pretty(value).strip());
		}
	}

}
