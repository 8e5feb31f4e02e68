package io.github.mcpclient.internal.session;

import java.util.LinkedHashMap;
import java.util.Map;

import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * Keeps {@code execution.taskSupport: required} of a tool, which the SDK's {@link Tool}
 * lacks, in the tool's {@code _meta}.
 */
final class TaskSupport {

	private static final String KEY = "io.github.mcpclient/taskSupport";

	private TaskSupport() {
	}

	/**
	 * Return whether an {@code execution} object, as it came, requires tasks.
	 */
	static boolean isRequiredBy(@Nullable Object execution) {
		return execution instanceof Map<?, ?> map && "required".equals(map.get("taskSupport"));
	}

	/**
	 * Return a {@code _meta} object, or an empty one, with a note that tasks are
	 * required.
	 */
	static Map<String, Object> note(@Nullable Object meta) {
		Map<String, Object> result = (meta instanceof Map<?, ?> map) ? Json.object(map) : new LinkedHashMap<>();
		result.put(KEY, "required");
		return result;
	}

	/**
	 * Return whether a tool has the note.
	 */
	static boolean isRequired(Tool tool) {
		return tool.meta() != null && "required".equals(tool.meta().get(KEY));
	}

}
