package io.github.mcpclient;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of one server, as operators see it. It contains no secrets: the
 * target is without credentials, and errors quote neither header nor environment values.
 * Later versions may add components.
 *
 * @param name the configured name of the server
 * @param state the state at the time of the snapshot
 * @param type the transport type in use, such as {@code stdio} or
 * {@code streamable-http}. It is {@code sse} where a server of an inferred type turned
 * out to speak that
 * @param target the url without secrets, or the command
 * @param required whether the application depends on the server
 * @param serverInfo the name, version, title, icons and website that the server reports,
 * or {@code null} before the first handshake. Icons and website are urls of the server,
 * {@code http}, {@code https} or, for icons, {@code data:image/}
 * @param protocolVersion the negotiated protocol revision, or {@code null} when not
 * connected
 * @param tools how many tools the server is known to have, including those that the
 * application does not get
 * @param prompts how many prompts the server is known to have. They are listed once it is
 * READY, as are resources and their templates
 * @param resources how many resources the server is known to have
 * @param resourceTemplates how many resource templates the server is known to have
 * @param since when the server entered its state
 * @param attempts the number of connection attempts since the server was last READY,
 * including the one that made it READY
 * @param latency the duration of the latest handshake or keep-alive ping, or {@code null}
 * before the first
 * @param lastError why the latest attempt failed or the connection was lost, or
 * {@code null} when all is well. During the first start of a server, it says that the
 * server may still be downloading
 * @param nextRetry the time of the next connection attempt, or {@code null} where none is
 * planned
 * @param stderr the last lines that a child process wrote to its standard error, oldest
 * first; empty for a server that is no child process
 * @param users how many users have a connection of their own, where the server demands a
 * login; 0 for all other servers
 * @see McpServer#status()
 * @see McpServerRegistry#servers()
 */
public record McpServerStatus(String name, McpServerState state, String type, String target, boolean required,
		@Nullable Implementation serverInfo, @Nullable String protocolVersion, int tools, int prompts, int resources,
		int resourceTemplates, Instant since, int attempts, @Nullable Duration latency, @Nullable String lastError,
		@Nullable Instant nextRetry, List<String> stderr, int users) {

	public McpServerStatus {
		stderr = List.copyOf(stderr);
	}

}
