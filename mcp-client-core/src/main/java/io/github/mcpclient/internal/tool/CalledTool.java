package io.github.mcpclient.internal.tool;

import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.mcpclient.McpTool;
import org.jspecify.annotations.Nullable;

/**
 * Internal view of a tool.
 */
abstract class CalledTool implements McpTool {

	/**
	 * Return the currently listed tool, or {@code null} if it is not listed.
	 */
	abstract @Nullable ToolEntry entry();

	/**
	 * Return the currently listed tool. Fails if it is not listed.
	 */
	abstract ToolEntry current();

	/**
	 * Return an object that represents the current listing of the server of an entry, or
	 * {@code null} if its connection was replaced or closed.
	 */
	abstract @Nullable Object listing(ToolEntry used);

	/**
	 * Return why a call that has waited must not be sent: the tool is no longer listed.
	 */
	abstract @Nullable RuntimeException refusal(ToolEntry used);

	/**
	 * Log that a call failed.
	 */
	abstract void failed(Throwable failure);

	/**
	 * Execute a step of a call, and log its failure.
	 */
	static <T> T logged(Supplier<T> step, Consumer<Throwable> log) {
		try {
			return step.get();
		}
		catch (Throwable ex) {
			log.accept(ex);
			throw ex;
		}
	}

}
