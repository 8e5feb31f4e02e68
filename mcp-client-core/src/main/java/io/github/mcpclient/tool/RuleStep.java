package io.github.mcpclient.tool;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;

import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.connection.ToolConnection;
import reactor.core.publisher.Mono;

/**
 * One of the things that the rules for a tool do with each call, around what follows. It
 * must not block.
 */
@FunctionalInterface
interface RuleStep {

	Mono<McpToolResult> call(RuledCall call, McpToolRequest request,
			Function<McpToolRequest, Mono<McpToolResult>> next);

	/**
	 * A call of a tool that has rules.
	 *
	 * @param same whether the tool is still what it was when the call began
	 * @param longest how long it may take in all
	 * @param clock a monotonic time
	 * @param started when it began
	 */
	record RuledCall(McpTool tool, ToolConnection connection, BooleanSupplier same, Duration longest,
			LongSupplier clock, long started) {

		Duration spent() {
			return Duration.ofNanos(this.clock.getAsLong() - this.started);
		}

		Duration rest() {
			Duration rest = this.longest.minus(spent());
			return rest.isNegative() ? Duration.ZERO : rest;
		}

		/**
		 * Return the result where the call is not made.
		 */
		Mono<McpToolResult> refused(String reason) {
			return Mono.just(McpToolResult.error(this.tool.name(),
					"MCP tool '" + this.tool.name() + "' was not executed: " + reason));
		}

	}

}
