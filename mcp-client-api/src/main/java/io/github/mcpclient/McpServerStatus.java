package io.github.mcpclient;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import io.modelcontextprotocol.spec.McpSchema.Implementation;
import org.jspecify.annotations.Nullable;

/**
 * Immutable snapshot of the state of one server, for monitoring. It contains no secrets:
 * the target is without credentials, and errors quote neither header nor environment
 * values.
 *
 * <p>
 * Not intended to be implemented by applications, as later versions may add methods. In
 * tests, mock it, or use the scripted server of {@code mcp-client-test}.
 *
 * @see McpServer#status()
 * @see McpServerRegistry#servers()
 */
public interface McpServerStatus {

	/**
	 * Return the configured name of the server.
	 */
	String name();

	/**
	 * Return the state at the time of the snapshot.
	 */
	McpServerState state();

	/**
	 * Return the transport type in use, such as {@code stdio} or {@code streamable-http}.
	 * If the type was inferred and the server supports only the older HTTP+SSE transport,
	 * this is {@code sse}.
	 */
	String type();

	/**
	 * Return the URL without secrets, or the command.
	 */
	String target();

	/**
	 * Return whether the application requires the server.
	 */
	boolean required();

	/**
	 * Return the name, version, title, icons and website that the server reports, or
	 * {@code null} before the first handshake. Icons and website are URLs provided by the
	 * server, with scheme {@code http}, {@code https} or, for icons, {@code data:image/}.
	 * Secrets of the configuration that the server repeats are masked.
	 */
	@Nullable Implementation serverInfo();

	/**
	 * Return the negotiated protocol version, or {@code null} when not connected.
	 */
	@Nullable String protocolVersion();

	/**
	 * Return the number of tools that the server lists, including tools that are excluded
	 * from the application.
	 */
	int tools();

	/**
	 * Return the number of prompts that the server lists. They are listed once it is
	 * READY.
	 */
	int prompts();

	/**
	 * Return the number of resources that the server lists. They are listed once it is
	 * READY.
	 */
	int resources();

	/**
	 * Return the number of resource templates that the server lists. They are listed once
	 * it is READY.
	 */
	int resourceTemplates();

	/**
	 * Return when the server entered its state.
	 */
	Instant since();

	/**
	 * Return the number of connection attempts since the connection was last lost,
	 * including the one that succeeded.
	 */
	int attempts();

	/**
	 * Return the duration of the latest handshake or keep-alive ping, or {@code null}
	 * before the first.
	 */
	@Nullable Duration latency();

	/**
	 * Return why the latest attempt failed or the connection was lost, or {@code null} if
	 * there is no error. During the first start of a server, the text states that the
	 * server may still be downloading.
	 */
	@Nullable String lastError();

	/**
	 * Return at which step the latest attempt failed or the connection was lost, or
	 * {@code null} if there is no error or the step is not known.
	 */
	@Nullable StepKind failedStep();

	/**
	 * Return the time of the next connection attempt, or {@code null} if none is planned.
	 */
	@Nullable Instant nextRetry();

	/**
	 * Return the last lines that a child process wrote to its standard error, oldest
	 * first; empty for any other server.
	 */
	List<String> stderr();

	/**
	 * Return the number of users who have a separate connection, if the server requires a
	 * login; 0 for all other servers.
	 */
	int users();

	/**
	 * Return the observed deviations of the server, or of its authorization server, from
	 * the protocol since this definition came into use, and how the client handled them,
	 * the oldest first. Report them to the author of the server. At most a few of each
	 * kind; empty if no deviation was observed.
	 */
	List<McpServerDeviation> deviations();

	/**
	 * The steps in which a connection is made, and checked by a
	 * {@linkplain io.github.mcpclient.management.McpDiagnosis diagnosis}. Later versions
	 * may add kinds.
	 */
	enum StepKind {

		/**
		 * The definition of the server: it is enabled, and its settings are valid.
		 */
		CONFIGURATION,

		/**
		 * The executable and the working directory of a child process.
		 */
		EXECUTABLE,

		/**
		 * The start of a child process, its exit code, and any output that is not a
		 * message.
		 */
		PROCESS,

		/**
		 * The DNS lookup of the host, or of the proxy if there is one.
		 */
		DNS,

		/**
		 * The network connection.
		 */
		TCP,

		/**
		 * The TLS handshake, and the certificates of the server.
		 */
		TLS,

		/**
		 * The HTTP status.
		 */
		HTTP,

		/**
		 * Redirects of the server.
		 */
		REDIRECT,

		/**
		 * The content type of the response.
		 */
		CONTENT_TYPE,

		/**
		 * The format of the response, and its protocol version.
		 */
		PROTOCOL,

		/**
		 * The server's authorization metadata (RFC 9728, RFC 8414).
		 */
		AUTHORIZATION_METADATA,

		/**
		 * The credentials that are sent, and whether the server accepts them.
		 */
		TOKEN,

		/**
		 * The MCP handshake: {@code initialize}, or {@code server/discover}.
		 */
		INITIALIZE,

		/**
		 * The list of tools.
		 */
		LISTING

	}

}
