package io.github.mcpclient;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one server, as operators see it. It holds no secret: the target has no
 * credentials, and errors are worded without header or environment values.
 *
 * @param name the configured name of the server
 * @param state the state at the time of the snapshot
 * @param type the transport type in use, such as {@code stdio} or
 * {@code streamable-http}; {@code sse} where a server of an inferred type turned out to
 * speak that
 * @param target the url without secrets, or the command
 * @param required whether the application depends on this server
 * @param serverInfo what the server calls itself, or {@code null} before the first
 * handshake
 * @param protocolVersion the negotiated protocol revision, or {@code null} when not
 * connected
 * @param tools the number of tools known to be offered
 * @param prompts the number of prompts known to be offered, which are listed once the
 * server is READY
 * @param resources the number of resources known to be offered, likewise
 * @param resourceTemplates the number of templates of resources known to be offered,
 * likewise
 * @param since the time at which the state was entered
 * @param attempts the number of connection attempts since the server was last READY,
 * including the one that made it READY
 * @param latency the duration of the latest handshake or keep-alive ping, or {@code null}
 * before the first
 * @param lastError why the latest attempt failed or the connection was lost, or, in a
 * first start, that the server may still be downloaded; {@code null} when all is well
 * @param nextRetry the time of the next attempt, or {@code null} where none is planned
 * @param stderr the last lines that a child process wrote to its standard error, oldest
 * first
 */
public record McpServerStatus(String name, McpServerState state, String type, String target, boolean required,
		@Nullable Implementation serverInfo, @Nullable String protocolVersion, int tools, int prompts, int resources,
		int resourceTemplates, Instant since, int attempts, @Nullable Duration latency, @Nullable String lastError,
		@Nullable Instant nextRetry, List<String> stderr) {

	public McpServerStatus {
		stderr = List.copyOf(stderr);
	}

}
