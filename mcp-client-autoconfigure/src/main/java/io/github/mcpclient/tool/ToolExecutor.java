package io.github.mcpclient.tool;

import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;

/**
 * Calls tools of a catalog and words each failure as a result.
 */
public final class ToolExecutor implements McpToolExecutor {

	private final McpToolCatalog catalog;

	/**
	 * Create an executor.
	 * @param catalog the tools
	 */
	public ToolExecutor(McpToolCatalog catalog) {
		this.catalog = catalog;
	}

	@Override
	public boolean canExecute(String name) {
		return this.catalog.find(name).isPresent();
	}

	@Override
	public McpToolResult execute(String name, McpToolRequest request) {
		try {
			return this.catalog.get(name).call(request);
		}
		catch (Exception ex) {
			String message = (ex.getMessage() != null) ? ex.getMessage() : ex.toString();
			return McpToolResult.error(name, message);
		}
	}

}
