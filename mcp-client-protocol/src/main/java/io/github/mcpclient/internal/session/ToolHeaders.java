package io.github.mcpclient.internal.session;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

import io.github.mcpclient.internal.support.MessageHeaders;
import io.modelcontextprotocol.spec.McpSchema.Tool;
import org.jspecify.annotations.Nullable;

/**
 * The headers of tool calls, as the server lists them. Headers that are the same from
 * call to call are prepared once for each tool that is called. Safe for use by many
 * threads.
 */
final class ToolHeaders {

	// by the name of the tool

	private final Map<String, ParamHeaders> ofArguments = new LinkedHashMap<>();

	private final Map<String, MessageHeaders> prepared = new ConcurrentHashMap<>();

	private final int tools;

	ToolHeaders(List<?> tools) {
		this.tools = tools.size();
		for (Object item : tools) {
			Tool tool = (Tool) item;
			ParamHeaders own = ParamHeaders.of(tool.inputSchema());
			if (own != null) {
				this.ofArguments.put(tool.name(), own);
			}
		}
	}

	/**
	 * Return which arguments of a tool are headers, or {@code null} if none is.
	 */
	@Nullable ParamHeaders ofArguments(@Nullable String tool) {
		return this.ofArguments.get(tool);
	}

	/**
	 * Return the headers of each call of a tool, without the headers of its arguments.
	 * @param all makes them
	 */
	MessageHeaders ofTool(String tool, Function<String, Map<String, String>> all) {
		MessageHeaders headers = this.prepared.get(tool);
		if (headers == null) {
			headers = new MessageHeaders(Collections.unmodifiableMap(all.apply(tool)), false);
			if (this.prepared.size() < this.tools) {
				this.prepared.put(tool, headers);
			}
		}
		return headers;
	}

}
