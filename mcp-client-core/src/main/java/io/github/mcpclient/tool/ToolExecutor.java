package io.github.mcpclient.tool;

import java.time.Duration;
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
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.support.LoginRequired;
import io.github.mcpclient.support.Secrets;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

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
		McpTool tool;
		try {
			tool = (this.catalog instanceof LiveCatalog live) ? live.get(name, request.context())
					: this.catalog.get(name);
		}
		catch (Exception ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			if (this.catalog instanceof LiveCatalog live) {
				McpServerStatus server = (ex instanceof NoSuchMcpToolException unknown) ? unknown.getServer() : null;
				live.root()
					.log()
					.failed((server != null) ? server.name() : null, (server != null) ? server.type() : null, name, ex);
			}
			return McpToolResult.error(name, ModelText.failure(name, ex));
		}
		return execute(tool, request);
	}

	@Override
	public McpToolResult execute(McpTool tool, McpToolRequest request) {
		if (tool instanceof RoutedTool own) {
			return own.route(request, Function.identity(), this::execute);
		}
		// of a tool that goes during the call
		ToolEntry entry = (tool instanceof CalledTool called) ? called.entry() : null;
		try {
			return limited(tool, entry, tool.call(request), request.context());
		}
		catch (McpToolException ex) {
			return limited(tool, entry, ex.getResult(), request.context());
		}
		catch (Exception ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			return McpToolResult.error(tool.name(), ModelText.failure(tool.name(), ex));
		}
	}

	@Override
	public McpToolExecutor of(McpToolCatalog catalog) {
		return new ToolExecutor(catalog.forCaller());
	}

	private McpToolResult limited(McpTool tool, @Nullable ToolEntry before, McpToolResult result, ContextView caller) {
		ToolEntry now = (tool instanceof CalledTool called) ? called.entry() : null;
		ToolEntry entry = (now != null) ? now : before;
		if (entry == null || !(this.catalog instanceof LiveCatalog live)) {
			return BUDGET.limit(result, Tools.DEFAULTS.maxText(), (part) -> null);
		}
		Tools settings = entry.definition().tools();
		Duration time = settings.keepResults();
		return BUDGET.limit(withoutFixed(entry, result), settings.maxText(), (part) -> (time != null)
				? keep(live.root().settings().results(), entry.serverName(), caller, part, time) : null);
	}

	// arguments that rules fix are not for models, though a server may repeat them
	private static McpToolResult withoutFixed(ToolEntry entry, McpToolResult result) {
		McpToolRule rule = entry.rule();
		return (rule == null || rule.arguments().isEmpty()) ? result : ResultBudget.masked(result,
				Secrets.builder().settings(ArgumentsInterceptor.of(entry.tool(), rule).fixed()).build());
	}

	private static @Nullable String keep(KeptResults results, String server, ContextView context, KeptResult part,
			Duration time) {
		String caller = results.caller(context).block();
		return (caller != null) ? results.keep(server, caller, part, time) : null;
	}

}
