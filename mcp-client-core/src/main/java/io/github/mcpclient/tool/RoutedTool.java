package io.github.mcpclient.tool;

import java.util.function.BiFunction;
import java.util.function.Function;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;

/**
 * A tool of our own, whose calls are those of tools of servers.
 */
interface RoutedTool extends McpTool {

	/**
	 * Answer a call, or make that which it is for. Whatever is wrong with it is an answer
	 * for a model, but for the need of a login.
	 * @param answer makes a result of an answer
	 * @param call calls a tool of a server
	 */
	<R> R route(McpToolRequest request, Function<McpToolResult, R> answer, BiFunction<McpTool, McpToolRequest, R> call);

}
