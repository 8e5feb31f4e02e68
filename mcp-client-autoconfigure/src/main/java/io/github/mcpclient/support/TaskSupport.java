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
	 * Return whether an {@code execution} object asks for tasks.
	 * @param execution the object as it came, as a map, or {@code null}
	 * @return whether its {@code taskSupport} is {@code required}
	 */
	public static boolean isRequiredBy(@Nullable Object execution) {
		return execution instanceof Map<?, ?> map && REQUIRED.equals(map.get("taskSupport"));
	}

	/**
	 * Note in a {@code _meta} object that tasks are required.
	 * @param meta the object as it came, as a map; anything else is dropped
	 * @return the object with the note
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
	 * Return whether a tool has the note.
	 * @param tool the tool
	 * @return whether it can be run as a task only
	 */
	public static boolean isRequired(Tool tool) {
		return tool.meta() != null && REQUIRED.equals(tool.meta().get(KEY));
	}

}
