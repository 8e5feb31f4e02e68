package io.github.mcpclient.session;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.mcpclient.support.TaskSupport;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import io.modelcontextprotocol.spec.McpSchema.ToolAnnotations;
import org.jspecify.annotations.Nullable;

/**
 * Reads a tool of a listing, and keeps of a malformed one what access policies look at.
 */
final class ToolReader {

	private static final List<String> OPTIONAL = List.of("icons", "_meta", "outputSchema", "annotations", "title",
			"description");

	private ToolReader() {
	}

	/**
	 * Read a tool, without those of its optional members that are malformed.
	 * @throws RuntimeException if another member is malformed
	 */
	static Tool read(Map<String, Object> item) {
		Map<String, Object> value = new LinkedHashMap<>(item);
		if (TaskSupport.isRequiredBy(value.get("execution"))) {
			value.put("_meta", TaskSupport.note(value.get("_meta")));
		}
		try {
			return Json.convert(value, Tool.class);
		}
		catch (RuntimeException ex) {
			value.computeIfPresent("annotations", (name, hints) -> wellFormed(hints));
			return Json.convert(value, Tool.class, OPTIONAL);
		}
	}

	/**
	 * Leave out malformed hints, but not all of them for one: {@code readOnlyHint: false}
	 * must not get lost on the way to who forbids such tools.
	 */
	private static @Nullable Object wellFormed(Object annotations) {
		if (!(annotations instanceof Map<?, ?> map)) {
			return null;
		}
		Map<String, Object> hints = Json.object(map);
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

}
