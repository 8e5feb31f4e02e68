package io.github.mcpclient.agent;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpServerDeviation;
import io.github.mcpclient.McpServerRegistry;
import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.internal.support.LogKeys;
import io.github.mcpclient.internal.support.LogLimit;
import io.github.mcpclient.internal.support.Printable;
import io.github.mcpclient.management.McpServerManager;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import org.springframework.beans.factory.ObjectProvider;

/**
 * What the tools of all catalogs of one registry have in common.
 *
 * @param searchThreshold above how many tools models get two to search and call them, the
 * largest integer for never
 * @param failures limits the log of calls that reach no tool
 * @param interceptors are told of these calls
 */
record SharedTools(McpServerRegistry registry, @Nullable McpServerManager manager, int searchThreshold,
		KeptResults results, ReadResultTool readResult, ToolSearch index, LogLimit failures,
		ObjectProvider<McpToolInterceptor> interceptors) {

	// that of all calls
	private static final Logger logger = LoggerFactory.getLogger("io.github.mcpclient.calls");

	private static final int LONGEST_CAUSE = 1024;

	boolean searches() {
		return this.searchThreshold < Integer.MAX_VALUE;
	}

	/**
	 * Add to the deviations of a server, if it is managed.
	 */
	void reportDeviation(String serverName, McpServerDeviation.Kind kind, String detail) {
		if (this.manager != null) {
			this.manager.find(serverName).ifPresent((server) -> server.reportDeviation(kind, detail));
		}
	}

	/**
	 * Return whether results of a server are stored.
	 */
	boolean keepsResults() {
		return this.registry.servers()
			.stream()
			.map((server) -> server.definition())
			.anyMatch((definition) -> definition.enabled() && definition.tools().keepResults() != null);
	}

	/**
	 * Add the tool that reads stored results, in place of a tool of that name, while
	 * results are stored.
	 */
	List<McpTool> withReadResult(List<McpTool> tools) {
		return keepsResults() ? Stream
			.concat(Stream.of(this.readResult),
					tools.stream().filter((tool) -> !tool.name().equals(ReadResultTool.NAME)))
			.sorted(Comparator.comparing(McpTool::name))
			.toList() : tools;
	}

	/**
	 * Tell interceptors of a call that reaches no tool.
	 */
	void notifyUnresolved(String toolName, McpToolRequest request, RuntimeException failure) {
		this.interceptors.orderedStream()
			.forEach((interceptor) -> interceptor.onUnresolvedTool(toolName, request, failure));
	}

	/**
	 * Log a call that reaches no tool: with a name that none has, or with arguments that
	 * are no object.
	 */
	void log(String toolName, Optional<McpServerStatus> server, RuntimeException failure) {
		String tool = Printable.text(toolName);
		String message = (failure instanceof McpException) ? String.valueOf(failure.getMessage()) : failure.toString();
		String cause = Printable.line(message, LONGEST_CAUSE);
		this.failures.log(() -> {
			LoggingEventBuilder line = logger.atWarn();
			server.ifPresent((status) -> line.addKeyValue(LogKeys.SERVER, status.name())
				.addKeyValue(LogKeys.TRANSPORT, status.type()));
			line.addKeyValue(LogKeys.TOOL, tool)
				.addKeyValue(LogKeys.CAUSE, cause)
				.addKeyValue("error.type", failure.getClass().getSimpleName())
				.log("The call of MCP tool '{}' failed: {}", tool, cause);
		}, (notice) -> logger.warn("Failed calls of MCP tools: {}", notice));
	}

}
