package io.github.mcpclient.connection;

import java.time.Duration;
import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.InitializeResult;
import io.modelcontextprotocol.spec.McpSchema.Tool;

/**
 * What an attempt that succeeded brought.
 *
 * @param server what the server says of itself
 * @param tools its tools
 * @param duration how long the answer to {@code initialize} took, the connection included
 */
record Handshake(InitializeResult server, List<Tool> tools, Duration duration) {
}
