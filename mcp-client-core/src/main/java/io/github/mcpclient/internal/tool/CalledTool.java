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
	 * Return the tool as it is listed now, or {@code null} where it is not.
	 */
	abstract @Nullable ToolEntry entry();

	/**
	 * Return the tool as it is listed now. Fails where it is not.
	 */
	abstract ToolEntry current();

	/**
	 * Return what stands for all that the server of an entry lists now, or {@code null}
	 * where its connection was replaced or has gone.
	 */
	abstract @Nullable Object listing(ToolEntry used);

	/**
	 * Return why a call that has waited must not be sent: the tool is not listed any
	 * more.
	 */
	abstract @Nullable RuntimeException refusal(ToolEntry used);

	/**
	 * Log that a call failed.
	 */
	abstract void failed(Throwable failure);

	/**
	 * Make a step of a call, and log its failure.
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
