package io.github.mcpclient.observation;

import java.net.URI;

import io.github.mcpclient.McpServerDefinition;
import io.micrometer.common.KeyValue;
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
		String target = context.getTargetTag();
		return (target != null) ? context.getMethod() + " " + target : context.getMethod();
	}

	@Override
	public KeyValues getLowCardinalityKeyValues(McpClientObservationContext context) {
		boolean tool = McpSchema.METHOD_TOOLS_CALL.equals(context.getMethod());
		return connection(context.getServer(), context.getProtocolVersion())
			.and(KeyValue.of("mcp.method.name", context.getMethod()))
			.and(optional(targetKey(context.getMethod()), context.getTargetTag()))
			.and(optional("gen_ai.operation.name", tool ? "execute_tool" : null))
			.and(optional("error.type", context.getErrorType()))
			.and(optional("rpc.response.status_code", context.getStatusCode()));
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(McpClientObservationContext context) {
		boolean named = context.getTarget() == null || context.getTarget().equals(context.getTargetTag());
		return KeyValues.of("jsonrpc.request.id", context.getRequestId())
			.and(optional(targetKey(context.getMethod()), named ? null : context.getTarget()))
			.and(optional("gen_ai.tool.call.arguments", context.getArguments()))
			.and(optional("gen_ai.tool.call.result", context.getResultText()));
	}

	/**
	 * Returns what is the same for all that happens over a connection.
	 */
	static KeyValues connection(McpServerDefinition server, @Nullable String protocolVersion) {
		KeyValues tags = KeyValues.of(SERVER_NAME, server.name())
			.and(optional("mcp.protocol.version", protocolVersion));
		if (server.stdio() != null) {
			return tags.and("network.transport", "pipe");
		}
		if (server.http() == null) {
			return tags;
		}
		URI url = server.http().url();
		boolean secure = "https".equals(url.getScheme()) || "wss".equals(url.getScheme());
		int port = (url.getPort() != -1) ? url.getPort() : secure ? 443 : 80;
		return tags
			.and("network.transport", "tcp", "network.protocol.name",
					url.getScheme().startsWith("ws") ? "websocket" : "http")
			.and("server.address", url.getHost(), "server.port", String.valueOf(port));
	}

	private static String targetKey(String method) {
		return switch (method) {
			case McpSchema.METHOD_TOOLS_CALL -> "gen_ai.tool.name";
			case McpSchema.METHOD_PROMPT_GET -> "gen_ai.prompt.name";
			default -> "mcp.resource.uri";
		};
	}

	private static KeyValues optional(String key, @Nullable String value) {
		return (value != null) ? KeyValues.of(key, value) : KeyValues.empty();
	}

}
