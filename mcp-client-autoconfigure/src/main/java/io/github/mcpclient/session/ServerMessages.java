package io.github.mcpclient.session;

import java.util.Map;

import io.github.mcpclient.support.Printable;
import io.modelcontextprotocol.spec.McpClientTransport;
import io.modelcontextprotocol.spec.McpSchema;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCNotification;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCRequest;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse;
import io.modelcontextprotocol.spec.McpSchema.JSONRPCResponse.JSONRPCError;
import io.modelcontextprotocol.spec.McpSchema.LoggingLevel;
import io.modelcontextprotocol.spec.McpSchema.ProgressNotification;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * What a server says unasked: its requests are answered, its notifications passed on.
 */
final class ServerMessages {

	static final int MAX_LOG_TEXT = 2000;

	private static final Log logger = LogFactory.getLog(ServerMessages.class);

	private static final int MAX_NAME = 100;

	private final McpClientTransport transport;

	private final RequestChannel channel;

	private final SessionListener listener;

	private final String serverName;

	ServerMessages(McpClientTransport transport, RequestChannel channel, SessionListener listener, String serverName) {
		this.transport = transport;
		this.channel = channel;
		this.listener = listener;
		this.serverName = serverName;
	}

	/**
	 * We declare no capability that lets a server ask for anything, so all that it may
	 * ask for is a sign of life.
	 */
	void receive(JSONRPCRequest request) {
		if (McpSchema.METHOD_PING.equals(request.method())) {
			this.channel.respond(JSONRPCResponse.result(request.id(), Map.of()));
			return;
		}
		String method = Printable.line(request.method(), MAX_NAME);
		logger.debug("Refused request " + method + " of MCP server '" + this.serverName + "'");
		this.channel.respond(JSONRPCResponse.error(request.id(),
				new JSONRPCError(McpSchema.ErrorCodes.METHOD_NOT_FOUND, "Method not found: " + method)));
	}

	void receive(JSONRPCNotification notification) {
		switch (notification.method()) {
			case McpSchema.METHOD_NOTIFICATION_PROGRESS -> progress(params(notification));
			case McpSchema.METHOD_NOTIFICATION_MESSAGE -> log(params(notification));
			case McpSchema.METHOD_NOTIFICATION_TOOLS_LIST_CHANGED -> this.listener.listChanged(ItemKind.TOOLS);
			case McpSchema.METHOD_NOTIFICATION_PROMPTS_LIST_CHANGED -> this.listener.listChanged(ItemKind.PROMPTS);
			case McpSchema.METHOD_NOTIFICATION_RESOURCES_LIST_CHANGED -> this.listener.listChanged(ItemKind.RESOURCES);
			default -> logger.debug("Ignored notification " + Printable.line(notification.method(), MAX_NAME)
					+ " of MCP server '" + this.serverName + "'");
		}
	}

	private Map<String, Object> params(JSONRPCNotification notification) {
		Object params = notification.params();
		return (params != null) ? Json.object(this.transport, params, "A notification") : Map.of();
	}

	private void progress(Map<String, Object> params) {
		Object token = params.get("progressToken");
		if (token != null && params.get("progress") instanceof Number progress) {
			this.channel.receive(new ProgressNotification(token, progress.doubleValue(),
					(params.get("total") instanceof Number total) ? total.doubleValue() : null,
					(params.get("message") instanceof String message) ? message : null,
					Json.objectOrNull(params.get("_meta"))));
		}
		else {
			logger.debug(
					"Ignored a progress notification of MCP server '" + this.serverName + "' that is not well-formed");
		}
	}

	private void log(Map<String, Object> params) {
		LoggingLevel level = (params.get("level") instanceof String name) ? LoggingLevel.fromValue(name) : null;
		Object data = params.get("data");
		this.listener.log((level != null) ? level : LoggingLevel.INFO,
				(params.get("logger") instanceof String name) ? Printable.line(name, MAX_NAME) : null,
				(data != null) ? Printable.line(Json.text(data), MAX_LOG_TEXT) : "");
	}

}
