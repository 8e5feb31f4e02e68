package io.github.mcpclient;

/**
 * An HTTP request to an MCP server that is to get headers.
 *
 * @param server the server that the headers are for
 * @param method the HTTP method: {@code POST} for a message, {@code GET} for a stream of
 * events, {@code DELETE} for the end of a session
 * @param ofCaller whether the request is made for a caller, such as one of a tool, whose
 * contexts are there; all others, from the handshake to listings and pings, are made for
 * the application as a whole
 */
public record McpHeadersRequest(McpServerDefinition server, String method, boolean ofCaller) {
}
