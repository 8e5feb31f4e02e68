package io.github.mcpclient.observation;

import java.net.URI;

import io.github.mcpclient.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.common.KeyValues;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/**
 * The semantic conventions of OpenTelemetry for MCP clients (gen-ai/mcp), and the
 * configured name of the server, {@value #SERVER_NAME}. Attributes that do not apply are
 * absent. {@code mcp.session.id} is, too: whoever knows it can join the session.
 */
public class DefaultMcpClientObservationConvention implements McpClientObservationConvention {

	/**
	 * The name of the observation, and of its metric.
	 */
	public static final String NAME = "mcp.client.operation.duration";

	/**
	 * The tag for the configured name of the server, which OpenTelemetry does not have.
	 */
	public static final String SERVER_NAME = "mcp.server";

	@Override
	public String getName() {
		return NAME;
	}

	@Override
	public String getContextualName(McpClientObservationContext context) {
		String tag = context.getOutcome().tag();
		return context.getRequest().method() + ((tag != null) ? " " + tag : "");
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(McpClientObservationContext context) {
		String method = context.getRequest().method();
		Outcome outcome = context.getOutcome();
		return connection(context.getRequest().server(), outcome.protocolVersion()).and("mcp.method.name", method)
			.and(optional(targetKey(method), outcome.tag()))
			.and(optional("gen_ai.operation.name", McpSchema.METHOD_TOOLS_CALL.equals(method) ? "execute_tool" : null))
			.and(optional("error.type", outcome.errorType()))
			.and(optional("rpc.response.status_code", outcome.statusCode()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(McpClientObservationContext context) {
		Request request = context.getRequest();
		return KeyValues.of("jsonrpc.request.id", request.id())
			.and(optional(targetKey(request.method()), request.target()))
			.and(optional("gen_ai.tool.call.arguments", request.arguments()))
			.and(optional("gen_ai.tool.call.result", context.getOutcome().result()));
	}

	/**
	 * Returns what is the same for all that happens over a connection.
	 */
	static KeyValues connection(McpServerDefinition server, @Nullable String protocolVersion) {
		KeyValues tags = KeyValues.of(SERVER_NAME, server.name())
			.and(optional("mcp.protocol.version", protocolVersion));
		if (server.http() == null) {
			return tags.and(optional("network.transport", (server.stdio() != null) ? "pipe" : null));
		}
		URI url = server.http().url();
		boolean secure = url.getScheme().endsWith("s");
		return tags.and("network.transport", "tcp", "network.protocol.name",
				url.getScheme().startsWith("ws") ? "websocket" : "http", "server.address", url.getHost(), "server.port",
				String.valueOf((url.getPort() != -1) ? url.getPort() : secure ? 443 : 80));
	}

	private static String targetKey(String method) {
		return switch (method) {
			case McpSchema.METHOD_TOOLS_CALL -> "gen_ai.tool.name";
			case McpSchema.METHOD_PROMPT_GET -> "gen_ai.prompt.name";
			default -> "mcp.resource.uri";
		};
	}

	static KeyValues optional(String key, @Nullable String value) {
		return (value != null) ? KeyValues.of(key, value) : KeyValues.empty();
	}

}
