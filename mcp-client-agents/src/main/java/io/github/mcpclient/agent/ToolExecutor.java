package io.github.mcpclient.agent;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import io.github.mcpclient.McpServerStatus;
import io.github.mcpclient.McpServerUnavailableException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolCatalog;
import io.github.mcpclient.McpToolException;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.NoSuchMcpToolException;
import io.github.mcpclient.definition.McpServerDefinition.Tools;
import io.github.mcpclient.definition.McpToolRule;
import io.github.mcpclient.internal.model.ModelText;
import io.github.mcpclient.internal.support.LoginRequired;
import io.github.mcpclient.internal.support.Secrets;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/**
 * Calls tools of a catalog and turns each failure into a result, except if the user must
 * log in. The details are logged. Of each result, a model reads what its budget allows.
 */
record ToolExecutor(DefaultModelTools tools) implements McpToolExecutor {

	@Override
	public boolean canExecute(String name) {
		return this.tools.builtIn(name) != null || this.tools.catalog().find(name).isPresent();
	}

	@Override
	public McpToolResult execute(String name, McpToolRequest request) {
		McpTool tool;
		try {
			McpTool builtIn = this.tools.builtIn(name);
			tool = (builtIn != null) ? builtIn : this.tools.catalog().get(name, request.context());
		}
		catch (RuntimeException ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			McpServerStatus server = (ex instanceof McpServerUnavailableException away) ? away.getStatus()
					: (ex instanceof NoSuchMcpToolException unknown) ? unknown.getServer() : null;
			this.tools.shared().log(name, Optional.ofNullable(server), ex);
			this.tools.shared().notifyUnresolved(name, request, ex);
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
		Limits before = limits(tool, new Limits(null, null));
		try {
			return limited(tool, before, tool.call(request), request.context());
		}
		catch (McpToolException ex) {
			return limited(tool, before, ex.getResult(), request.context());
		}
		catch (Exception ex) {
			if (LoginRequired.is(ex)) {
				throw ex;
			}
			return McpToolResult.error(tool.name(), ModelText.failure(tool.name(), ex));
		}
	}

	@Override
	public McpToolExecutor withCatalog(McpToolCatalog catalog) {
		return this.tools.withCatalog(catalog).executor();
	}

	private Limits limits(McpTool tool, Limits before) {
		try {
			Tools settings = this.tools.shared()
				.registry()
				.find(tool.serverName())
				.map((server) -> server.definition().tools())
				.orElse(before.settings());
			McpToolRule rule = tool.rule();
			return new Limits(settings, (rule != null) ? rule : before.rule());
		}
		catch (RuntimeException ex) {
			// an injected tool that no server has: its call says why
			return before;
		}
	}

	private McpToolResult limited(McpTool tool, Limits before, McpToolResult result, ContextView caller) {
		Limits now = limits(tool, before);
		Tools settings = (now.settings() != null) ? now.settings() : Tools.DEFAULTS;
		Duration time = settings.keepResults();
		return ResultBudget.limit(withoutFixed(now.rule(), result), settings.maxText(),
				(part) -> (time != null) ? keep(tool.serverName(), caller, part, time) : null);
	}

	// arguments that rules fix are not for models, though a server may repeat them. What
	// is configured may be a text for want of types
	private static McpToolResult withoutFixed(@Nullable McpToolRule rule, McpToolResult result) {
		if (rule == null || rule.arguments().isEmpty()) {
			return result;
		}
		List<@Nullable Object> typed = rule.arguments()
			.values()
			.stream()
			.<@Nullable Object>map((value) -> (value instanceof String text) ? ModelText.value(text) : value)
			.toList();
		return ResultBudget.masked(result, Secrets.builder().settings(rule.arguments()).settings(typed).build());
	}

	private @Nullable String keep(String server, ContextView context, KeptResult part, Duration time) {
		KeptResults results = this.tools.shared().results();
		String caller = results.caller(context).block();
		return (caller != null) ? results.keep(server, caller, part, time) : null;
	}

	/**
	 * The known limits of a result of a tool.
	 */
	private record Limits(@Nullable Tools settings, @Nullable McpToolRule rule) {
	}

}
