package io.github.mcpclient.tool;

import java.util.function.Function;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolExecutor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.support.LoginRequired;
import org.jspecify.annotations.Nullable;

/**
 * Calls tools of a catalog and turns each failure into a result, but for the need of a
 * login. The details are logged. Of each result, a model reads what its budget allows.
 */
public final class ToolExecutor implements McpToolExecutor {

	private static final ResultBudget BUDGET = new ResultBudget(ToolCatalog.TEXT);

	private final McpToolCatalog catalog;

	/**
	 * Create an executor of the tools of a catalog.
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
		MetaTool meta = (this.catalog instanceof LiveCatalog live) ? live.metaTool(name) : null;
		if (meta != null) {
			return meta.route(request, Function.identity(), (tool, inner) -> execute(tool.name(), inner));
		}
		McpTool tool = null;
		try {
			tool = (this.catalog instanceof LiveCatalog live) ? live.get(name, request.context())
					: this.catalog.get(name);
			return limited(tool, tool.call(request));
		}
		catch (McpToolException ex) {
			return limited(tool, ex.getResult());
		}
		catch (Exception ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			if (tool == null && this.catalog instanceof LiveCatalog live) {
				McpServerStatus server = (ex instanceof NoSuchMcpToolException unknown) ? unknown.getServer() : null;
				live.root()
					.log()
					.failed((server != null) ? server.name() : null, (server != null) ? server.type() : null, name, ex);
			}
			return McpToolResult.error(name, ModelText.failure(name, ex));
		}
	}

	private static McpToolResult limited(@Nullable McpTool tool, McpToolResult result) {
		ToolEntry entry = (tool instanceof CalledTool called) ? called.entry() : null;
		Tools settings = (entry != null) ? entry.definition().tools() : Tools.DEFAULTS;
		return BUDGET.limit(result, settings.maxText());
	}

}
