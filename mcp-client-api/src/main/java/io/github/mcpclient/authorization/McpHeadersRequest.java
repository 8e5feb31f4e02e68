package io.github.mcpclient.authorization;

import io.github.mcpclient.definition.McpServerDefinition;

/**
 * An HTTP request to an MCP server for which headers are provided.
 *
 * @param server the target of the request
 * @param method the HTTP method: {@code POST} for a message, {@code GET} for an event
 * stream, {@code DELETE} for the end of a session
 * @param ofCaller whether the request is made on behalf of a caller, such as the caller
 * of a tool, whose context is available. All other requests, such as handshakes, listings
 * and pings, are made for the application as a whole
 */
public record McpHeadersRequest(McpServerDefinition server, String method, boolean ofCaller) {
}
