package io.github.mcpclient.support;

import java.util.LinkedHashMap;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Carries {@code execution.taskSupport: required} of a tool, for which the SDK's
 * {@link Tool} has no place, in the tool's {@code _meta}. Such a tool can be run as a
 * task only, which this client does not do.
 */
public final class TaskSupport {

	private static final String KEY = "io.github.mcpclient/taskSupport";

	private static final String REQUIRED = "required";

	private TaskSupport() {
	}

	/**
	 * Returns whether an {@code execution} object, as it came, requires tasks.
	 */
	public static boolean isRequiredBy(@Nullable Object execution) {
		return execution instanceof Map<?, ?> map && REQUIRED.equals(map.get("taskSupport"));
	}

	/**
	 * Notes in a {@code _meta} object that tasks are required. Anything else than an
	 * object is dropped.
	 */
	public static Map<String, Object> note(@Nullable Object meta) {
		Map<String, Object> result = new LinkedHashMap<>();
		if (meta instanceof Map<?, ?> map) {
			map.forEach((name, value) -> result.put(String.valueOf(name), value));
		}
		result.put(KEY, REQUIRED);
		return result;
	}

	/**
	 * Returns whether a tool has the note.
	 */
	public static boolean isRequired(Tool tool) {
		return tool.meta() != null && REQUIRED.equals(tool.meta().get(KEY));
	}

}
