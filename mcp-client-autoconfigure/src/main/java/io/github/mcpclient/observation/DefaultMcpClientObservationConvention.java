package io.github.mcpclient.observation;

import java.net.URI;
import java.util.ArrayList;
import java.util.List;

import io.github.mcpclient.definition.McpServerDefinition;
import io.github.mcpclient.observation.McpClientObservationContext.Outcome;
import io.github.mcpclient.observation.McpClientObservationContext.Request;
import io.micrometer.common.KeyValue;
import io.micrometer.common.KeyValues;
import io.modelcontextprotocol.spec.McpSchema;
import org.jspecify.annotations.Nullable;

/**
 * The semantic conventions of OpenTelemetry for MCP clients (gen-ai/mcp), and the
 * configured name of the server, {@value #SERVER_NAME}. Attributes that do not apply are
 * absent. {@code mcp.session.id} is also absent, since it gives access to the session.
 */
public class DefaultMcpClientObservationConvention implements McpClientObservationConvention {

	/**
	 * The name of the observation, and of its metric.
	 */
	public static final String NAME = "mcp.client.operation.duration";

	/**
	 * The name of the observation of requests to handlers, and of its metric.
	 */
	public static final String HANDLER_NAME = "mcp.server.operation.duration";

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
		Request request = context.getRequest();
		return context.getToolTags().of(request.server(), context.getOutcome(), () -> {
			List<KeyValue> values = common(request, context.getOutcome());
			addAddress(values, request.server());
			return KeyValues.of(values);
		});
	}

	/**
	 * Return the values that are common to requests in both directions.
	 */
	static List<KeyValue> common(Request request, Outcome outcome) {
		String method = request.method();
		// alphabetical, which avoids sorting for each call
		List<KeyValue> values = new ArrayList<>();
		add(values, "error.type", outcome.errorType());
		add(values, "gen_ai.operation.name", McpSchema.METHOD_TOOLS_CALL.equals(method) ? "execute_tool" : null);
		add(values, targetKey(method), outcome.tag());
		add(values, "mcp.method.name", method);
		addConnection(values, request.server(), outcome.protocolVersion(), outcome.networkProtocolVersion());
		add(values, "rpc.response.status_code", outcome.statusCode());
		return values;
	}

	@Override
	public KeyValues getHighCardinalityKeyValues(McpClientObservationContext context) {
		KeyValues values = context.getRequestValues();
		String result = context.getOutcome().result();
		return (result != null) ? values.and("gen_ai.tool.call.result", result) : values;
	}

	/**
	 * Return the values of a request.
	 */
	static KeyValues highCardinality(Request request) {
		List<KeyValue> values = new ArrayList<>();
		add(values, "gen_ai.tool.call.arguments", request.arguments());
		request.variables().forEach((name, value) -> add(values, "gen_ai.prompt.variable." + name, value));
		add(values, targetKey(request.method()), request.target());
		add(values, "jsonrpc.request.id", request.id());
		return KeyValues.of(values);
	}

	/**
	 * Add the values that are common to all requests of a connection.
	 */
	static void addConnection(List<KeyValue> values, McpServerDefinition server, @Nullable String protocolVersion,
			@Nullable String networkProtocolVersion) {
		add(values, "mcp.protocol.version", protocolVersion);
		add(values, SERVER_NAME, server.name());
		if (server.http() == null) {
			add(values, "network.transport", (server.stdio() != null) ? "pipe" : null);
			return;
		}
		add(values, "network.protocol.name", server.http().url().getScheme().startsWith("ws") ? "websocket" : "http");
		add(values, "network.protocol.version", networkProtocolVersion);
		add(values, "network.transport", "tcp");
	}

	/**
	 * Add the address of the server.
	 */
	static void addAddress(List<KeyValue> values, McpServerDefinition server) {
		if (server.http() != null) {
			URI url = server.http().url();
			boolean secure = url.getScheme().endsWith("s");
			add(values, "server.address", url.getHost());
			add(values, "server.port", String.valueOf((url.getPort() != -1) ? url.getPort() : secure ? 443 : 80));
		}
	}

	static void add(List<KeyValue> values, String key, @Nullable String value) {
		if (value != null) {
			values.add(KeyValue.of(key, value));
		}
	}

	private static String targetKey(String method) {
		return switch (method) {
			case McpSchema.METHOD_TOOLS_CALL -> "gen_ai.tool.name";
			case McpSchema.METHOD_PROMPT_GET -> "gen_ai.prompt.name";
			default -> "mcp.resource.uri";
		};
	}

}
