package io.github.mcpclient.tool;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;

/**
 * A tool as the parts that call it see it.
 */
abstract class CalledTool implements McpTool {

	/**
	 * Return the tool as it is listed now, or {@code null} where it is not.
	 */
	abstract @Nullable ToolEntry entry();

	/**
	 * Return the tool as it is listed now. Fails where it is not.
	 */
	abstract ToolEntry current();

	/**
	 * Return why a call that has waited must not be sent: the tool is not listed any
	 * more.
	 */
	abstract @Nullable RuntimeException refusal(ToolEntry used);

	/**
	 * Log that a call failed.
	 */
	abstract void failed(Throwable failure);

}
