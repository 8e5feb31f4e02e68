package io.github.mcpclient.audit;

import io.github.mcpclient.McpException;
import io.github.mcpclient.McpTool;
import io.github.mcpclient.McpToolInterceptor;
import io.github.mcpclient.McpToolRequest;
import io.github.mcpclient.McpToolResult;
import io.github.mcpclient.audit.AuditTrail.Pending;
import reactor.core.publisher.Mono;

import org.springframework.core.Ordered;

/**
 * Records each call, as the outermost interceptor.
 */
final class AuditInterceptor implements McpToolInterceptor, Ordered {

	private final AuditTrail trail;

	AuditInterceptor(AuditTrail trail) {
		this.trail = trail;
	}

	@Override
	public int getOrder() {
		return HIGHEST_PRECEDENCE;
	}

	@Override
	public McpToolResult intercept(McpTool tool, McpToolRequest request, Chain chain) {
		Pending call = this.trail.call(tool.serverName(), tool.name(), request, chain.context());
		try {
			McpToolResult result = chain.proceed(request);
			call.end(result);
			return result;
		}
		catch (Throwable ex) {
			call.fail(ex);
			throw ex;
		}
	}

	@Override
	public Mono<McpToolResult> interceptAsync(McpTool tool, McpToolRequest request, Chain chain) {
		Pending call = this.trail.call(tool.serverName(), tool.name(), request, chain.context());
		return chain.proceedAsync(request).doOnSuccess(call::end).doOnError(call::fail).doOnCancel(call::cancel);
	}

	@Override
	public void onUnresolvedTool(String toolName, McpToolRequest request, Throwable failure) {
		String server = (failure instanceof McpException ours) ? ours.getServerName() : null;
		this.trail.call(server, toolName, request, request.context()).fail(failure);
	}

}
